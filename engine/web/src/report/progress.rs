//! Each bot's share of points over its games, drawn.

use super::course::Course;
use super::text::{colour, label};
use crate::Escaped;
use std::fmt::Write as _;
use tournament::Standing;

/// How many bots are drawn: as many as there are lines that can be told apart.
const DRAWN: usize = 16;
/// How far apart the numbers at the ends of lines are, in percent of the height.
const APART: f64 = 4.4;
/// Where the plot is, in percent of the picture.
const LEFT: f64 = 8.0;
const WIDTH: f64 = 86.0;
const TOP: f64 = 3.0;
const HEIGHT: f64 = 87.0;

pub(super) fn write(out: &mut String, course: &Course, bots: &[Standing<'_>]) {
    let drawn: Vec<&Standing<'_>> = bots.iter().filter(|bot| course.line(bot.number).games() > 0).take(DRAWN).collect();
    let most = drawn.iter().map(|bot| course.line(bot.number).games()).max().unwrap_or_default();
    out.push_str("<section aria-labelledby=\"progress\"><h2 id=\"progress\">Progress</h2>\n");
    if drawn.is_empty() {
        out.push_str("<p class=\"hint\">No game is finished yet.</p></section>\n");
        return;
    }
    out.push_str("<p class=\"hint\">The share of points of each bot, in percent, over its games in the order in which they ended.");
    if bots.len() > drawn.len() {
        let _ = write!(out, " Of the first {} bots.", drawn.len());
    }
    out.push_str("</p>\n<svg class=\"plot progress\" role=\"img\" aria-label=\"");
    let now = |bot: &Standing<'_>| course.line(bot.number).points().last().map_or(0.0, |(_, share)| share);
    for bot in &drawn {
        let name: String = bot.entrant.name.chars().take(40).collect();
        let _ = write!(out, "{}: {:.0} % at the end. ", Escaped(&name), now(bot) * 100.0);
    }
    out.push_str("\">");
    for percent in [0, 25, 50, 75, 100] {
        let y = TOP + HEIGHT * (1.0 - f64::from(percent) / 100.0);
        let zero = if percent == 50 { " zero" } else { "" };
        let right = LEFT + WIDTH;
        let _ = write!(
            out,
            "<line class=\"rule{zero}\" x1=\"{LEFT}%\" x2=\"{right}%\" y1=\"{y:.1}%\" y2=\"{y:.1}%\"/>\
             <text class=\"tick\" x=\"0\" y=\"{y:.1}%\">{percent}</text>"
        );
    }
    for (games, x) in [(1, LEFT), (most.div_ceil(2), LEFT + WIDTH / 2.0), (most, LEFT + WIDTH)] {
        if games > 1 || x == LEFT {
            let unit = if x == LEFT && games == 1 { " game" } else { "" };
            let _ = write!(out, "<text class=\"number\" x=\"{x}%\" y=\"96%\">{games}{unit}</text>");
        }
    }
    let _ = write!(
        out,
        "<svg x=\"{LEFT}%\" y=\"{TOP}%\" width=\"{WIDTH}%\" height=\"{HEIGHT}%\" viewBox=\"0 0 1000 1000\" \
         preserveAspectRatio=\"none\" overflow=\"visible\">"
    );
    // The best is drawn last, above the others.
    for bot in drawn.iter().rev() {
        let broken = if (bot.place - 1) % 16 >= 8 { " broken" } else { "" };
        let _ = write!(out, "<polyline class=\"line {}{broken}\" points=\"", colour(bot));
        for (games, share) in course.line(bot.number).points() {
            let x = (games - 1) as f64 / most.saturating_sub(1).max(1) as f64 * 1000.0;
            let _ = write!(out, "{x:.0},{:.0} ", (1.0 - share) * 1000.0);
        }
        out.push_str("\"/>");
    }
    out.push_str("</svg>");
    let wanted: Vec<f64> = drawn.iter().map(|bot| TOP + HEIGHT * (1.0 - now(bot))).collect();
    for (bot, y) in drawn.iter().zip(spread(&wanted)) {
        let (colour, number) = (colour(bot), bot.place);
        let _ = write!(out, "<text class=\"end {colour}\" x=\"{}%\" y=\"{y:.1}%\">{number}</text>", LEFT + WIDTH + 1.5);
    }
    out.push_str("</svg>\n<ul class=\"legend\">");
    for bot in &drawn {
        let _ = write!(out, "<li>{}</li>", label(bot));
    }
    out.push_str("</ul></section>\n");
}

/// The heights nearest to those wanted that leave room between any two.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut found = wanted.to_vec();
    let mut least = TOP;
    for &at in &order {
        found[at] = found[at].max(least);
        least = found[at] + APART;
    }
    let mut most = TOP + HEIGHT;
    for &at in order.iter().rev() {
        found[at] = found[at].min(most);
        most = found[at] - APART;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_ends_of_lines_do_not_cover_each_other() {
        for wanted in [vec![50.0; DRAWN], vec![90.0; 5], vec![3.0, 3.0, 80.0, 90.0]] {
            let mut found = spread(&wanted);
            found.sort_by(f64::total_cmp);
            assert!(found.windows(2).all(|two| two[1] - two[0] > APART - 1e-6), "{found:?}");
            assert!(found[0] > -1e-6 && found[found.len() - 1] <= TOP + HEIGHT, "{found:?}");
        }
    }
}
