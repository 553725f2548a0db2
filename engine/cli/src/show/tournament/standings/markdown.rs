//! Standings in Markdown.

use super::text::cross;
use crate::show::printable;
use std::fmt::Write as _;
use tournament::{Column, Standings, WinDrawLoss, columns};

/// Two tables: the standings, and the points of each bot against each other.
pub(super) fn write(standings: &Standings<'_>) -> String {
    let mut text = table(standings, "bot", &columns(standings));
    if standings.has_cross_table() {
        let _ = write!(text, "\n{}", table(standings, "against", &cross(standings, WinDrawLoss::in_figures)));
    }
    let order = standings.needs_order_told().then(|| standings.order().to_owned());
    for note in order.into_iter().chain(standings.notes()) {
        let _ = write!(text, "\n{}\n", escaped(&note));
    }
    text
}

fn table(standings: &Standings<'_>, heading: &str, columns: &[Column]) -> String {
    let mut text = format!("| | {heading} |");
    for column in columns {
        let _ = write!(text, " {} |", escaped(&column.heading));
    }
    let _ = writeln!(text, "\n| ---: | :--- |{}", " ---: |".repeat(columns.len()));
    for (at, one) in standings.all().iter().enumerate() {
        let _ = write!(text, "| {} | {} |", one.place, escaped(&printable(&one.entrant.name)));
        for column in columns {
            let _ = write!(text, " {} |", column.cells[at]);
        }
        text.push('\n');
    }
    text
}

/// `text` without markup: every character that Markdown or HTML would interpret is escaped.
fn escaped(text: &str) -> String {
    let mut written = String::new();
    for letter in printable(text).chars() {
        match letter {
            '<' => written.push_str("&lt;"),
            '&' => written.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => written.extend(['\\', letter]),
            other => written.push(other),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn a_name_is_no_markup() {
        assert_eq!(escaped("a|b <i> ![x](y)"), "a\\|b &lt;i> !\\[x\\](y)");
        assert_eq!(escaped("*`\\\n&amp;"), "\\*\\`\\\\\u{fffd}&amp;amp;");
    }
}
