//! Who has how many points against whom.

use super::text::label;
use crate::Escaped;
use std::fmt::Write as _;
use tournament::Standings;

pub(super) fn write(out: &mut String, standings: &Standings<'_>) {
    if !standings.has_cross_table() {
        return;
    }
    let (table, bots) = (standings.table(), standings.all());
    out.push_str(
        "<section aria-labelledby=\"cross\"><h2 id=\"cross\">Cross table</h2>\n<p class=\"hint\">Points of the bot on the left out of its games against the bot above.</p>\n<div class=\"scroll\" tabindex=\"0\" \
         role=\"region\" aria-labelledby=\"cross\"><table class=\"cross\">\n<caption class=\"unseen\">Cross table</caption>\n<thead><tr><th scope=\"col\" class=\"bot\">bot</th>",
    );
    for bot in bots {
        let _ =
            write!(out, "<th scope=\"col\"><span title=\"{}\">{}</span></th>", Escaped(&bot.entrant.name), bot.place);
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for one in bots {
        let _ = write!(out, "<tr><th scope=\"row\" class=\"bot\">{}</th>", label(one));
        for other in bots {
            let games = table.between(one.number, other.number);
            let _ = match games.in_figures() {
                _ if one.number == other.number => out.write_str("<td class=\"self\"></td>"),
                None => out.write_str("<td class=\"quiet\">·</td>"),
                Some(figures) => {
                    write!(out, "<td class=\"{}\">{figures}</td>", shade(games.mean_score().unwrap_or(0.5)))
                }
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></section>\n");
}

/// The class for a share of points.
fn shade(share: f64) -> String {
    let step = ((share - 0.5).abs() * 8.0).ceil().min(4.0);
    match share {
        _ if step == 0.0 => "even".to_owned(),
        up if up > 0.5 => format!("up-{step}"),
        _ => format!("down-{step}"),
    }
}

#[cfg(test)]
mod tests {
    use super::shade;

    #[test]
    fn shades_are_deepest_at_the_ends() {
        let shades = [0.0, 0.49, 0.5, 0.51, 0.75, 1.0].map(shade);
        assert_eq!(shades, ["down-4", "down-1", "even", "up-1", "up-2", "up-4"]);
    }
}
