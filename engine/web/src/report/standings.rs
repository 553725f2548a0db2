//! The standings as a table.

use super::text::{Bot, points};
use crate::Escaped;
use arena::tournament::{Ratings, Row, Table, Tally};
use std::fmt::Write as _;

/// Heading, and what it means.
const COLUMNS: [(&str, &str); 18] = [
    ("games", "Games played"),
    ("points", "A win is one point, a draw half of one"),
    ("%", "Share of the points"),
    ("win", "Games won"),
    ("draw", "Games drawn"),
    ("loss", "Games lost"),
    ("as A", "Share of the points in seat A"),
    ("as B", "Share of the points in seat B"),
    ("Elo", "Rating"),
    ("±", "Half the width of the 95 % interval of the rating"),
    ("LOS", "Likelihood of being stronger than the next in this table"),
    ("avg pts", "Points in the games themselves, for each game"),
    ("rounds", "Length of a game"),
    ("median", "Time of an answer that half of all answers did not exceed"),
    ("p99", "Time of an answer that 99 % of all answers did not exceed"),
    ("limit", "Time after which an answer is late"),
    ("suspect", "Games with time-outs that may be the machine's fault"),
    ("faults", "Turns without a usable order, by kind"),
];
/// Columns of words.
const FAULTS: &str = "faults";

pub(super) fn write(out: &mut String, table: &Table, ratings: &Ratings, bots: &[Bot<'_>]) {
    out.push_str(
        "<section aria-labelledby=\"standings\"><h2 id=\"standings\">Standings</h2>\n<p class=\"hint\">By the share of points. LOS is the likelihood that a bot is stronger than the next \
         one.</p>\n<div class=\"scroll\" tabindex=\"0\" \
         role=\"region\" aria-labelledby=\"standings\"><table>\n<caption class=\"unseen\">Standings</caption>\n<thead><tr><th scope=\"col\" class=\"bot\">bot</th>",
    );
    let lines: Vec<[String; 18]> = bots
        .iter()
        .enumerate()
        .map(|(at, bot)| {
            let next = bots.get(at + 1).and_then(|next| ratings.superiority(bot.entrant, next.entrant));
            cells(table, ratings, bot.entrant, next)
        })
        .collect();
    // What nobody has is left out.
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&at| lines.iter().any(|line| !line[at].is_empty())).collect();
    for (name, meaning) in shown.iter().map(|&at| COLUMNS[at]) {
        let class = if name == FAULTS { " class=\"text\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}><span title=\"{meaning}\">{name}</span></th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (bot, cells) in bots.iter().zip(&lines) {
        let _ = write!(out, "<tr><th scope=\"row\" class=\"bot\">{}</th>", bot.label());
        for (name, cell) in shown.iter().map(|&at| (COLUMNS[at].0, &cells[at])) {
            let class = match name {
                FAULTS => " class=\"text bad\"",
                "suspect" => " class=\"doubt\"",
                _ if cell == "0" => " class=\"quiet\"",
                _ => "",
            };
            let _ = write!(out, "<td{class}>{}</td>", Escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></section>\n");
}

fn cells(table: &Table, ratings: &Ratings, entrant: usize, next: Option<f64>) -> [String; 18] {
    let (row, rating) = (&table.rows()[entrant], &ratings.all()[entrant]);
    let games = row.games();
    let share = |tally: Tally| tally.mean_score().map(|share| format!("{:.1}", share * 100.0)).unwrap_or_default();
    let mean = |sum: u64| match games.games() {
        0 => String::new(),
        of => format!("{:.0}", sum as f64 / of as f64),
    };
    let time = |share: f64| row.times.quantile(share).map(ms).unwrap_or_default();
    [
        games.games().to_string(),
        points(games.points()),
        share(games),
        games.wins.to_string(),
        games.draws.to_string(),
        games.losses.to_string(),
        share(row.by_seat[0]),
        share(row.by_seat[1]),
        rating.error.map(|_| format!("{:+.0}", rating.elo)).unwrap_or_default(),
        rating.error.map(|error| format!("{error:.0}")).unwrap_or_default(),
        next.map(|likely| format!("{:.0} %", likely * 100.0)).unwrap_or_default(),
        mean(row.points),
        mean(row.rounds),
        time(0.5),
        time(0.99),
        row.limits.map(|limits| format!("{} ms", limits.answer_ms)).unwrap_or_default(),
        if row.suspect > 0 { row.suspect.to_string() } else { String::new() },
        faults(row),
    ]
}

fn ms(ms: f64) -> String {
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

fn faults(row: &Row) -> String {
    row.faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}
