//! The standings as tables: results, and how answers were.

use super::text::label;
use crate::Escaped;
use std::fmt::Write as _;
use tournament::{Column, ColumnGroup, Standing, Standings};

/// The parts that are about answers and not about results.
const ANSWERS: [ColumnGroup; 2] = [ColumnGroup::Times, ColumnGroup::Faults];

pub(super) fn results(out: &mut String, standings: &Standings<'_>, columns: &[Column]) {
    let notes = standings.notes().join(" ");
    let hint = format!("{} LOS is the likelihood that a bot is stronger than the next one. {notes}", standings.order());
    let columns: Vec<_> = columns.iter().filter(|column| !ANSWERS.contains(&column.part)).collect();
    table(out, ["standings", "Standings", &hint], standings.all(), &columns);
}

pub(super) fn answers(out: &mut String, bots: &[Standing<'_>], columns: &[Column]) {
    let columns: Vec<_> = columns.iter().filter(|column| ANSWERS.contains(&column.part)).collect();
    if !columns.is_empty() {
        table(out, ["answers", "Answers", "How long they took, and turns without a usable order."], bots, &columns);
    }
}

fn table(out: &mut String, [id, title, hint]: [&str; 3], bots: &[Standing<'_>], columns: &[&Column]) {
    let _ = write!(
        out,
        "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>\n<p class=\"hint\">{hint}</p>\n<div class=\"scroll\" \
         tabindex=\"0\" role=\"region\" aria-labelledby=\"{id}\"><table>\n<caption class=\"unseen\">{title}</caption>\n<thead><tr><th \
         scope=\"col\" class=\"bot\">bot</th>"
    );
    for Column { heading, meaning, .. } in columns {
        let _ = write!(out, "<th scope=\"col\"><span title=\"{meaning}\"><bdi>{}</bdi></span></th>", Escaped(heading));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (at, bot) in bots.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\" class=\"bot\">{}</th>", label(bot));
        for column in columns {
            let class = match column.cells[at].as_str() {
                "0" => " class=\"quiet\"",
                _ if column.heading == "suspect" => " class=\"doubt\"",
                _ if column.part == ColumnGroup::Faults => " class=\"bad\"",
                _ => "",
            };
            let _ = write!(out, "<td{class}>{}</td>", Escaped(&column.cells[at]));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></section>\n");
}
