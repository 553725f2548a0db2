//! Compares the folder of a match with what the rules make of its answers.

use arena::record::{MatchStore, RecordError};
use arena::{ArenaError, NOTES_JSON};
use platform::files::Folder;
use rules::entelect_2017::files::{COMMAND_TXT, ENGINE_LOG, LOG_TXT, MAP_TXT, PLACE_TXT, STATE_JSON};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A store that writes nothing. When it is closed, it compares the files that should be there with those that are
/// there. Logs are left out: the record does not have all of their content.
#[derive(Debug)]
pub(crate) struct ComparingStore {
    folder: PathBuf,
    /// The files in the order in which they were first written, with their last content.
    due: Vec<(String, Vec<u8>)>,
    places: BTreeMap<String, usize>,
    /// Beginnings of paths that are not compared.
    unknown: Vec<String>,
}

/// The largest file that is read, in bytes; no file of a match is that large.
const MOST: u64 = 4 << 20;

impl ComparingStore {
    /// Compares with the match in `folder`. Files whose paths begin with one of `unknown` are not compared:
    /// those of rounds that were not played to their end, and answers that were not kept.
    pub(crate) fn new(folder: &Path, unknown: Vec<String>) -> ComparingStore {
        ComparingStore { folder: folder.to_owned(), due: Vec::new(), places: BTreeMap::new(), unknown }
    }

    fn compare(&self) -> Result<(), ArenaError> {
        let root =
            Folder::open_linked(&self.folder).map_err(|e| ArenaError::disk("open the folder", &self.folder, e))?;
        for (file, want) in &self.due {
            let wrong = |what: String| RecordError::File(file.clone(), what).of(&self.folder);
            let found = root.read_regular(file, MOST).map_err(|what| wrong(format!("it {what}")))?;
            let found = found.ok_or_else(|| wrong("it is missing".to_owned()))?;
            if let Some(what) = difference(file, &found, want) {
                return Err(wrong(what));
            }
        }
        self.find_others()
    }

    /// Looks for files that should not be there.
    fn find_others(&self) -> Result<(), ArenaError> {
        let walk = WalkDir::new(&self.folder).min_depth(2).max_depth(3).sort_by_file_name();
        for entry in walk {
            let entry = entry.map_err(|e| ArenaError::disk("look through", &self.folder, e))?;
            let Ok(relative) = entry.path().strip_prefix(&self.folder) else { continue };
            let file = relative.to_string_lossy();
            let ours = file.starts_with("Phase ") && !entry.file_type().is_dir() && is_engines(&file);
            let known = self.places.contains_key(file.as_ref());
            if ours && !known && !self.unknown.iter().any(|unknown| file.starts_with(unknown)) {
                let what = "it is there, but the match as the rules play it has no such file".to_owned();
                return Err(RecordError::File(file.into_owned(), what).of(&self.folder));
            }
        }
        Ok(())
    }
}

impl MatchStore for ComparingStore {
    fn write(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        // Logs have times, and a bot may change its notes of earlier rounds.
        if [ENGINE_LOG, LOG_TXT, NOTES_JSON].contains(&name) {
            return Ok(());
        }
        let file = format!("{folder}/{name}");
        match self.places.get(&file) {
            Some(&at) => self.due[at].1 = bytes.to_vec(),
            None => {
                self.places.insert(file.clone(), self.due.len());
                self.due.push((file, bytes.to_vec()));
            }
        }
        Ok(())
    }

    fn append(&mut self, _name: &str, _bytes: &[u8]) -> Result<(), ArenaError> {
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), ArenaError> {
        self.compare()
    }
}

/// Tells whether the engine writes files of this name there. Bots may leave others.
fn is_engines(file: &str) -> bool {
    match file.split('/').collect::<Vec<_>>()[..] {
        [_, name] => {
            [STATE_JSON, "roundInfo.json", "roundCommand.json"].contains(&name) || name.ends_with(" - map.txt")
        }
        [_, _, name] => [STATE_JSON, MAP_TXT, PLACE_TXT, COMMAND_TXT].contains(&name),
        _ => false,
    }
}

/// The difference between a file and what it should be; `None` if there is none.
fn difference(file: &str, found: &[u8], want: &[u8]) -> Option<String> {
    if found == want {
        return None;
    }
    // Of the original engine, which wrote the line ends of its system, or changed on the way: git changes those of text.
    let has_free_line_ends = [MAP_TXT, PLACE_TXT, COMMAND_TXT].iter().any(|name| file.ends_with(name));
    let found = String::from_utf8_lossy(found);
    let want = String::from_utf8_lossy(want);
    if has_free_line_ends && is_same_text(&found.replace("\r\n", "\n"), &want.replace("\r\n", "\n")) {
        return None;
    }
    let [found, want] = [found, want].map(|text| without_line_ends(&text));
    if found == want {
        return None;
    }
    if file.ends_with(".json") {
        return Some(match serde_json::from_str::<Value>(&found) {
            Err(e) => format!("it is not JSON: {e}"),
            Ok(found) => serde_json::from_str(&want)
                .ok()
                .and_then(|want| field(&found, &want))
                .unwrap_or_else(|| "it says the same in other words".to_owned()),
        });
    }
    Some(line(&found, &want))
}

/// True if the texts are the same, or differ only where the rules write U+FFFD for a character of a name that could move a cursor
/// or end a line. The original wrote it as it was.
fn is_same_text(found: &str, want: &str) -> bool {
    let is_raw = |found: char| rules::printable(found.encode_utf8(&mut [0; 4])) == "\u{fffd}";
    let mut pairs = found.chars().zip(want.chars());
    found.chars().count() == want.chars().count()
        && pairs.all(|(found, want)| found == want || (want == '\u{fffd}' && is_raw(found)))
}

/// A JSON text without the blanks that stand for line ends of Windows in placements: the CR of each line of the answer is a
/// blank there.
fn without_line_ends(json: &str) -> String {
    const PLACEMENT: &str = "\"PlaceShipString\":\"";
    let mut parts = json.split(PLACEMENT);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (placement, rest) = part.split_once('"').unwrap_or((part, ""));
        let lines: Vec<&str> = placement.split(',').map(|line| line.trim_end_matches(' ')).collect();
        text.extend([PLACEMENT, &lines.join(","), "\"", rest]);
    }
    text
}

/// The first field in which two values differ.
fn field(found: &Value, want: &Value) -> Option<String> {
    match (found, want) {
        (Value::Object(found), Value::Object(want)) => {
            let name = want.keys().chain(found.keys()).find(|name| found.get(*name) != want.get(*name))?;
            match (found.get(name), want.get(name)) {
                (Some(found), Some(want)) => nested(name, found, want),
                (None, _) => Some(format!("{name} is missing")),
                (_, None) => Some(format!("{name} should not be there")),
            }
        }
        (Value::Array(found), Value::Array(want)) if found.len() == want.len() => {
            let at = (0..found.len()).find(|&at| found[at] != want[at])?;
            nested(&format!("[{at}]"), &found[at], &want[at])
        }
        _ => Some(format!(": {} in the file, {} by the rules", short(found), short(want))),
    }
}

fn nested(name: &str, found: &Value, want: &Value) -> Option<String> {
    let inner = field(found, want)?;
    let joint = if inner.starts_with([':', '[']) { "" } else { "." };
    Some(format!("{name}{joint}{inner}"))
}

/// A value for a message.
fn short(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST).chain(['…']).collect() }
}

/// The first line in which two texts differ.
fn line(found: &str, want: &str) -> String {
    let mut lines = found.lines().zip(want.lines()).enumerate();
    match lines.find(|(_, (found, want))| found != want) {
        Some((at, (found, want))) => format!("line {}: {found:?} in the file, {want:?} by the rules", at + 1),
        None => format!("{} lines in the file, {} by the rules", found.lines().count(), want.lines().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_told_by_its_field() {
        let told = |found: &str, want: &str| difference("x/state.json", found.as_bytes(), want.as_bytes());
        let found = r#"{"PlayerMap":{"Cells":[{"Hit":true},{"Hit":false}]},"Round":3}"#;
        assert_eq!(told(found, found), None);
        let cases = [
            (r#"{"Hit":false}]"#, r#"{"Hit":true}]"#, "PlayerMap.Cells[1].Hit: true in the file, false by the rules"),
            (r#","Round":3"#, "", "Round is missing"),
            (r#""Round":3"#, r#""Round":3,"More":1"#, "More should not be there"),
            (
                r#",{"Hit":false}"#,
                "",
                r#"PlayerMap.Cells: [{"Hit":true}] in the file, [{"Hit":true},{"Hit":false}] by the rules"#,
            ),
            (":3", ": 3", "it says the same in other words"),
        ];
        for (from, to, what) in cases {
            assert_eq!(told(&found.replacen(from, to, 1), found).as_deref(), Some(what));
        }
        assert!(told("{", found).unwrap().starts_with("it is not JSON"));
    }

    #[test]
    fn a_placement_may_have_the_line_ends_of_windows() {
        let told = |found: &str| {
            let want = r#"{"PlaceShipString":"Carrier 0 0 east,Cruiser 0 2 east","Energy":3}"#;
            difference("x/roundCommand.json", found.as_bytes(), want.as_bytes())
        };
        assert_eq!(told(r#"{"PlaceShipString":"Carrier 0 0 east ,Cruiser 0 2 east ","Energy":3}"#), None);
        assert_eq!(
            told(r#"{"PlaceShipString":"Carrier 0 0 east ,Cruiser 0 2 east","Energy":4}"#).as_deref(),
            Some("Energy: 4 in the file, 3 by the rules")
        );
        let other = told(r#"{"PlaceShipString":"Carrier 0 0 east ,Cruiser 0 3 east","Energy":3}"#).unwrap();
        assert!(other.starts_with("PlaceShipString: "), "{other}");
        let answer = |found: &str| difference("x/A/place.txt", found.as_bytes(), b"one\r\ntwo");
        assert_eq!(answer("one\ntwo"), None);
        assert!(answer("one\ntoo").is_some());
    }

    #[test]
    fn a_map_may_have_the_line_ends_of_windows() {
        let told = |found: &str| difference("Phase 1 - Round 0/A - map.txt", found.as_bytes(), b"one\ntwo\n");
        assert_eq!(told("one\r\ntwo\r\n"), None);
        assert_eq!(told("one\r\ntoo\r\n").as_deref(), Some(r#"line 2: "too" in the file, "two" by the rules"#));
        assert_eq!(told("one\n").as_deref(), Some("1 lines in the file, 2 by the rules"));
    }

    #[test]
    fn a_name_in_a_map_of_the_original_may_have_any_character() {
        let told = |found: &str| {
            let want = "Player Name: tab\u{fffd}and\u{fffd}more\nPoints: 0\n";
            difference("Phase 1 - Round 0/A/map.txt", found.as_bytes(), want.as_bytes())
        };
        for [one, other] in [['\t', '\u{2028}'], ['\n', '\u{2029}'], ['\u{1b}', '\u{85}'], ['\u{fffd}', '\0']] {
            let found = format!("Player Name: tab{one}and{other}more\r\nPoints: 0\r\n");
            assert_eq!(told(&found), None, "{found:?}");
        }
        for found in [
            "Player Name: tab and more\nPoints: 0\n",
            "Player Name: tab\tand\tmore\nPoints:\t0\n",
            "Player Name: tab\tand\tmore\nPoints: 0",
        ] {
            assert!(told(found).is_some(), "{found:?}");
        }
    }
}
