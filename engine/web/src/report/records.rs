//! Links to the records that were kept.

use super::TournamentHistory;
use super::bot::ReportBot;
use askama::Template;
use rules::printable;

/// The table of records.
#[derive(Template)]
#[template(path = "report/records.html")]
pub(super) struct RecordsTable<'a> {
    records: Vec<RecordRow<'a>>,
    /// The number of records that are not in the table.
    more: u64,
}

struct RecordRow<'a> {
    file: String,
    /// The link, if it stays in the folder of the page.
    address: Option<String>,
    seats: [&'a ReportBot; 2],
    /// The number of the game in its pairing, counted from 1.
    game: u32,
    winner: Option<&'a ReportBot>,
    /// Bot, kind of fault, number of faults.
    faults: Vec<(&'a ReportBot, String, u32)>,
    suspect: Option<String>,
}

impl RecordsTable<'_> {
    /// The table; `None` if there is no record. `bots` is in the order of the entrants.
    pub(super) fn new<'a>(history: &TournamentHistory, bots: &'a [ReportBot]) -> Option<RecordsTable<'a>> {
        let (games, more) = history.records();
        let records = games.map(|game| RecordRow {
            file: printable(&game.record),
            address: relative_link(&game.record),
            seats: game.fixture.seated().map(|entrant| &bots[entrant]),
            game: game.fixture.number + 1,
            winner: game.winner.map(|entrant| &bots[entrant]),
            faults: game.faults.iter().map(|(entrant, kind, of)| (&bots[*entrant], printable(kind), *of)).collect(),
            suspect: game.suspect.as_deref().map(printable),
        });
        let records: Vec<RecordRow<'a>> = records.collect();
        (!records.is_empty()).then_some(RecordsTable { records, more })
    }
}

/// A path as a relative link for `href`; `None` if the path may lead out of the folder of the page.
///
/// ```
/// assert_eq!(web::relative_link("records/0 1.jsonl").as_deref(), Some("records/0%201.jsonl"));
/// assert_eq!(web::relative_link("../up"), None);
/// ```
pub fn relative_link(path: &str) -> Option<String> {
    let part = |part: &str| {
        let mut written = String::new();
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => written.push(char::from(byte)),
                other => written.push_str(&format!("%{other:02X}")),
            }
        }
        (!matches!(part, "" | "." | "..")).then_some(written)
    };
    Some(path.split('/').map(part).collect::<Option<Vec<_>>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_in_the_folder() {
        assert_eq!(relative_link("records/0-1-00003.jsonl.zst").unwrap(), "records/0-1-00003.jsonl.zst");
        assert_eq!(relative_link("javascript:alert(1)").unwrap(), "javascript%3Aalert%281%29");
        for path in ["", "/etc/passwd", "../up", "a/../../b", "//host/x"] {
            assert_eq!(relative_link(path), None, "{path}");
        }
    }
}
