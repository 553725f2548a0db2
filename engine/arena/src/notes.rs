//! Notes that a bot leaves beside its answer for people who watch the match: docs/record.md has the format.
//!
//! **Notes** of a bot (`arena::Notes`) go beside its answer through the same places: a transport reads `notes.json` and
//! checks it, the reply has it, the record keeps it as the bot wrote it, and a replay gives it back. No view, state or
//! fingerprint has any of it, so no rule and no other bot can depend on it. Bad notes are dropped where they are read, and
//! `log.txt` tells why. Notes in the body of an answer over HTTP need no place of their own: observers that show a match read
//! them out of the recorded parts (`Reply::notes_to_show`). What may see them is decided in two places: `MatchHistory::notes`
//! asks the eye, and a frame has notes only in entries for the referee and the bot's own seat.

use rules::{Part, Point, input_text, printable_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name of the file with notes, in the folder of the turn.
pub const NOTES_JSON: &str = "notes.json";
/// The most bytes of notes.
pub const MOST_OF_NOTES: u64 = 64 << 10;

/// The most characters of the text that are shown.
const MOST_OF_TEXT: usize = 2000;
/// The most characters of the text of a mark that are shown.
const MOST_OF_MARK: usize = 40;
/// The most lines of standard output that are kept with notes.
const MOST_LINES: usize = 20;

/// The parts of what a bot left in a turn that are kept for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NotesLevel {
    /// Nothing.
    Off,
    /// The notes.
    #[default]
    On,
    /// The notes and the last lines of the standard output.
    #[serde(rename = "output")]
    WithOutput,
}

/// The notes of a bot on one turn. They are about the board of its opponent, change nothing in the match, and only the referee
/// and the bot's own seat may see them.
///
/// ```
/// use arena::Notes;
/// use rules::Point;
///
/// let notes = Notes::read(br#"{"text": "hunting", "numbers": [[0, 0.5], [null, 1]], "marks": [[1, 0, "next"]]}"#)?;
/// assert_eq!((notes.text(), notes.number(Point::new(1, 0))), ("hunting", Some(0.5)));
/// assert_eq!(notes.number(Point::new(0, 1)), None);
/// assert_eq!(notes.marks(), [(Point::new(1, 0), "next".to_owned())]);
/// assert!(Notes::read(b"[NaN]").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Notes {
    source: String,
    output: Vec<String>,
    text: String,
    /// By rows from y = 0, in each from x = 0.
    numbers: Vec<Vec<Option<f64>>>,
    /// The smallest and the largest number.
    range: (f64, f64),
    marks: Vec<(Point, String)>,
    fleet: Vec<Vec<Point>>,
}

/// Notes as they are written. Other members are for later versions.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NotesJson {
    text: String,
    numbers: Vec<Vec<Option<f64>>>,
    marks: Vec<(i32, i32, String)>,
    fleet: Vec<Vec<(i32, i32)>>,
}

/// The body of an answer with notes in it.
#[derive(Deserialize)]
struct Body {
    notes: Value,
}

impl Notes {
    /// Reads the content of [`NOTES_JSON`].
    ///
    /// # Errors
    /// The reason why these are not notes: too many bytes, not JSON, or a member of another type.
    pub fn read(bytes: &[u8]) -> Result<Notes, String> {
        if bytes.len() as u64 > MOST_OF_NOTES {
            return Err(format!("has more than {} KiB", MOST_OF_NOTES >> 10));
        }
        let source = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
        let json = input_text(bytes).map_err(|error| error.to_string())?;
        // Serde would take an array for the members in their order.
        if !json.trim_start().starts_with('{') {
            return Err("is not a JSON object".to_owned());
        }
        let json = serde_json::from_str(json);
        let notes = Notes::of(json.map_err(|error| format!("does not have the format of notes: {error}"))?);
        Ok(Notes { source: source.to_owned(), ..notes })
    }

    /// The notes in the body of an answer, as bots over HTTP give them: the member `notes`. Bad notes are none.
    pub fn in_answer(parts: &[Part]) -> Option<Notes> {
        let has_notes = |part: &&Part| part.bytes.windows(7).any(|bytes| bytes == b"\"notes\"");
        let part = parts.iter().find(has_notes)?;
        let Body { notes } = serde_json::from_slice(&part.bytes).ok()?;
        let notes = Some(notes).filter(Value::is_object)?;
        let notes =
            NotesJson::deserialize(notes).inspect_err(|error| log::info!("the notes in {}: {error}", part.name));
        notes.ok().map(Notes::of)
    }

    fn of(json: NotesJson) -> Notes {
        let start = |text: &str, most| printable_text(&text.chars().take(most).collect::<String>());
        let point = |(x, y)| Point::new(x, y);
        let marks = json.marks.iter().map(|(x, y, text)| (Point::new(*x, *y), start(text, MOST_OF_MARK)));
        let numbers = || json.numbers.iter().flatten().copied().flatten();
        let range = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
        Notes {
            range,
            text: start(&json.text, MOST_OF_TEXT),
            numbers: json.numbers,
            marks: marks.collect(),
            fleet: json.fleet.into_iter().map(|ship| ship.into_iter().map(point).collect()).collect(),
            ..Notes::default()
        }
    }

    /// These notes together with the last lines that the bot wrote to its standard output; `None` if there is neither.
    pub fn with_output(notes: Option<Notes>, output: Vec<String>) -> Option<Notes> {
        match notes {
            None if output.is_empty() => None,
            notes => Some(Notes { output, ..notes.unwrap_or_default() }),
        }
    }

    /// The last lines of a standard output, as they are kept with notes.
    pub fn last_lines(stdout: &crate::Output) -> Vec<String> {
        stdout.last_lines(MOST_LINES).iter().map(|line| rules::printable(line)).collect()
    }

    /// The content of the file, exactly as the bot wrote it; empty if the notes are not from a file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The last lines of the standard output, if they were asked for.
    pub fn output(&self) -> &[String] {
        &self.output
    }

    /// The text, printable.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of a cell of the opponent's board; `None` if it has none.
    pub fn number(&self, at: Point) -> Option<f64> {
        let [x, y] = [at.x, at.y].map(|coordinate| usize::try_from(coordinate).ok());
        *self.numbers.get(y?)?.get(x?)?
    }

    /// The place of the number of a cell between the smallest (0) and the largest (1) of all; 1 if all are equal.
    pub fn share(&self, at: Point) -> Option<f64> {
        let number = self.number(at)?;
        let (least, most) = self.range;
        // Halves, because differences of the largest numbers are not finite.
        let share = if least < most { (number / 2.0 - least / 2.0) / (most / 2.0 - least / 2.0) } else { 1.0 };
        Some(share.clamp(0.0, 1.0))
    }

    /// True if there is anything about cells.
    pub fn has_cells(&self) -> bool {
        self.numbers.iter().flatten().any(Option::is_some) || !self.marks.is_empty() || !self.fleet.is_empty()
    }

    /// The marks: cells of the opponent's board, on it or not, each with a short text, printable.
    pub fn marks(&self) -> &[(Point, String)] {
        &self.marks
    }

    /// The fleet that the bot guesses: the cells of each ship, on the board or not.
    pub fn fleet(&self) -> &[Vec<Point>] {
        &self.fleet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(bytes: impl AsRef<[u8]>) -> String {
        Notes::read(bytes.as_ref()).unwrap_err()
    }

    #[test]
    fn notes_that_are_too_long_too_deep_or_of_another_form_are_refused_with_the_reason() {
        let format = "does not have the format of notes: ";
        assert_eq!(refused(vec![b' '; (64 << 10) + 1]), "has more than 64 KiB");
        assert_eq!(refused(b"\xff\xfe"), "is not UTF-8");
        assert_eq!(refused(""), "is not a JSON object");
        for deep in ["[", r#"{"a":"#, r#"{"text":"#] {
            let refusal = refused(deep.repeat(60_000 / deep.len()));
            assert!(refusal.starts_with("is not") || refusal.starts_with(format), "{refusal}");
        }
        for begin in [r#"{"numbers":"#, r#"{"other":"#] {
            assert!(refused(format!("{begin}{}", "[".repeat(60_000))).starts_with(format));
        }
        for bad in ["null", "[]", r#"["text"]"#, "\0", "7"] {
            assert_eq!(refused(bad), "is not a JSON object", "{bad}");
        }
        for bad in [
            r#"{"numbers":[[NaN]]}"#,
            r#"{"numbers":[[1e999]]}"#,
            r#"{"numbers":[["1"]]}"#,
            r#"{"marks":[[1,2]]}"#,
            r#"{"fleet":[[[0.5,1]]]}"#,
            r#"{"text":{}}"#,
            r#"{"text":"a","text":"b"}"#,
            "{}{}",
        ] {
            assert!(refused(bad).starts_with(format), "{bad}");
        }
    }

    #[test]
    fn a_number_or_mark_off_the_board_is_none_of_a_cell() {
        let notes = Notes::read(br#"{"numbers":[[1]],"marks":[[-1,2147483647,"x"]],"later":{"a":[1]}}"#).unwrap();
        for at in [(0, 1), (1, 0), (-1, 0), (0, -1), (i32::MIN, i32::MAX)] {
            assert_eq!(notes.number(Point::new(at.0, at.1)), None, "{at:?}");
        }
        assert_eq!(notes.marks().len(), 1);
        assert!(!Notes::read(br#"{"numbers":[[null],[]]}"#).unwrap().has_cells());
    }

    #[test]
    fn numbers_have_their_place_between_the_smallest_and_the_largest() {
        let shares = |row: &str| {
            let notes = Notes::read(format!("{{\"numbers\":[{row}]}}").as_bytes()).unwrap();
            [0, 1, 2].map(|x| notes.share(Point::new(x, 0)))
        };
        assert_eq!(shares("[-1, 1, 0]"), [Some(0.0), Some(1.0), Some(0.5)]);
        assert_eq!(shares("[7, null, 7]"), [Some(1.0), None, Some(1.0)]);
        for share in shares("[-1.7e308, 1.7e308, 0]").into_iter().flatten() {
            assert!((0.0..=1.0).contains(&share), "{share}");
        }
    }

    #[test]
    fn texts_are_cut_and_cannot_paint() {
        let json = serde_json::json!({"text": "\u{1b}[31m".repeat(1000), "marks": [[0, 0, "\u{202e}".repeat(99)]]});
        let notes = Notes::read(json.to_string().as_bytes()).unwrap();
        assert_eq!(notes.text().chars().count(), MOST_OF_TEXT);
        assert!(!notes.text().contains('\u{1b}'));
        assert_eq!(notes.marks()[0].1, "\u{fffd}".repeat(MOST_OF_MARK));
        assert_eq!(notes.source(), json.to_string());
    }

    #[test]
    fn an_answer_over_http_may_have_notes_and_bad_ones_do_no_harm() {
        let found = |body: &str| Notes::in_answer(&[Part { name: "body", bytes: body.into() }]);
        let notes = found(r#"{"type":"shot","x":1,"y":2,"notes":{"text":"why not"}}"#).unwrap();
        assert_eq!((notes.text(), notes.source()), ("why not", ""));
        for none in ["6,9", r#"{"play":"6,9"}"#, r#"{"notes":5}"#, r#"["notes"]"#, r#"{"notes":{"text":"#] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    #[test]
    fn a_byte_order_mark_does_no_harm() {
        let notes = Notes::read("\u{feff}{\"text\":\"a\"}".as_bytes()).unwrap();
        assert_eq!((notes.text(), notes.source().len()), ("a", 15));
    }
}
