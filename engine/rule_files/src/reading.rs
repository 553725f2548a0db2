//! Reads files of rules.

use crate::error::{RulesFileError, nearest};
use crate::keys::Keys;
use crate::presets;
use rules::battleship::{Choices, Rules};
use rules::{input_text, printable, printable_prefix};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use toml::de::DeTable;

/// The longest file, in bytes.
pub const MOST_OF_FILE: usize = 64 << 10;
/// The most characters of a value that an error repeats.
const MOST_SHOWN: usize = 60;

/// Values as they are written.
const WRITTEN: [(&str, &str); 11] = [
    ("board", "board = { width = 8, height = 8 }"),
    ("board.width", "width = 8"),
    ("board.height", "height = 8"),
    ("fleet", "fleet = [{ name = \"carrier\", size = 5 }, { name = \"submarine\", count = 2, size = 3 }]"),
    ("fleet[]", "{ name = \"carrier\", size = 5 }"),
    ("fleet[].shape", "shape = [\"#.#\", \"###\"]"),
    ("told", "told = { hit = \"each\", sunk = \"name\" }"),
    ("limit", "limit = { turns = 100, then = \"draw\" }"),
    ("specials", "specials = [{ name = \"sonar\", kind = \"sonar\" }]"),
    ("specials[]", "{ name = \"sonar\", kind = \"sonar\" }"),
    ("specials[].area", "area = [\"###\", \"###\", \"###\"]"),
];

/// The keys whose values are tables.
const TABLES: [&str; 5] = ["board", "fleet[]", "told", "limit", "specials[]"];

/// The counts that `shots` takes, which serde does not name.
const SHOT_COUNTS: [&str; 3] = ["ships-afloat", "longest-afloat", "own-cells-afloat"];

/// The rules of this name: a preset, or the file at the path.
///
/// # Errors
/// As for [`find_from`].
pub fn find(name: &str) -> Result<Rules, RulesFileError> {
    find_from(Path::new(""), name)
}

/// The rules of the preset of this name.
///
/// # Errors
/// [`RulesFileError::Unknown`] if there is none.
pub fn find_preset(name: &str) -> Result<Rules, RulesFileError> {
    presets::named(name).ok_or_else(|| RulesFileError::Unknown { name: name.to_owned(), file: None })?.rules()
}

/// The rules of this name: a preset, or the file at the path, which begins in a folder if it is relative.
///
/// # Errors
/// [`RulesFileError`] if there is neither, or the file cannot be read or has a mistake. The hint of the error names what was probably meant.
pub fn find_from(folder: &Path, name: &str) -> Result<Rules, RulesFileError> {
    match find_preset(name) {
        Err(RulesFileError::Unknown { .. }) => {}
        found => return found,
    }
    let path = folder.join(name);
    let unreadable = |source| RulesFileError::Unreadable { path: path.clone(), source };
    let mut bytes = Vec::new();
    let opened = platform::files::open_input(&path);
    if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) && !name.contains(['/', '.']) {
        let file = Some(format!("{name}.toml")).filter(|file| folder.join(file).is_file());
        return Err(RulesFileError::Unknown { name: name.to_owned(), file });
    }
    let file = opened.map_err(unreadable)?;
    file.take(MOST_OF_FILE as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let not_text = |error| unreadable(io::Error::new(io::ErrorKind::InvalidData, error));
    match input_text(&bytes) {
        Err(error) if bytes.len() <= MOST_OF_FILE => Err(not_text(error)),
        text => read(text.unwrap_or(&" ".repeat(bytes.len())), &path),
    }
}

/// The rules in the text of a file. Without a `name` they have that of the file.
///
/// # Errors
/// [`RulesFileError::Mistake`] for a text that is not TOML, for unknown keys and values, with the nearest one, and for rules that
/// cannot be played.
pub fn read(text: &str, path: &Path) -> Result<Rules, RulesFileError> {
    let mistake = |start: Option<usize>, why: String| RulesFileError::Mistake {
        path: path.to_owned(),
        place: start.map(|start| line_and_column(text, start)),
        why,
    };
    let span = |error: &toml::de::Error| error.span().map(|span| span.start);
    if text.len() > MOST_OF_FILE {
        return Err(mistake(None, format!("a file of rules has at most {} KiB", MOST_OF_FILE >> 10)));
    }
    let table = DeTable::parse(text).map_err(|error| mistake(span(&error), one_line(error.message())))?;
    let keys = Keys::of(table.get_ref());
    // Serde would take a list for a table, too.
    if let Some(key) = keys.iter().find(|key| !key.is_table && TABLES.contains(&&*key.kind())) {
        let why = format!("{}: it is a table, not {}{}", key.path, shown(text, &key.value), written(&key.kind()));
        return Err(mistake(Some(key.value.start), why));
    }
    let choices = toml::from_str::<Choices>(text);
    let mut choices = choices.map_err(|error| mistake(span(&error), in_words(text, &error, &keys)))?;
    if !keys.contains("name") {
        let stem = path.file_stem().map(|stem| printable_prefix(&stem.to_string_lossy(), 40)).unwrap_or_default();
        choices.name = if stem.trim().is_empty() { "rules".to_owned() } else { stem };
    }
    Rules::new(choices).map_err(|wrong| mistake(keys.place(&wrong.key), wrong.to_string()))
}

/// The line and the column of a place, each counted from 1, the column in characters.
fn line_and_column(text: &str, start: usize) -> (usize, usize) {
    let before = text.get(..start.min(text.len())).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

fn one_line(text: &str) -> String {
    printable(&text.lines().map(str::trim).collect::<Vec<_>>().join(", "))
}

/// A mistake that serde found, in words for the author of the file.
fn in_words(text: &str, error: &toml::de::Error, keys: &Keys) -> String {
    let message = error.message();
    let place = error.span().unwrap_or(0..0);
    if let Some((given, names)) = unknown(message, "unknown field `") {
        return match is_key_of_file(given) {
            true => format!(
                "key `{given}` in a table whose keys are {}: move it above the first line in [ ]",
                names.join(", ")
            ),
            false => unknown_one("key", given, &names),
        };
    }
    let key = keys.at(&place);
    let before = key.map(|key| printable_prefix(&key.path, MOST_SHOWN) + ": ").unwrap_or_default();
    let kind = key.map(|key| key.kind()).unwrap_or_default();
    if kind == "shots" {
        let given = shown(text, &place);
        let near = nearest(given.trim_matches(['"', '\'']), SHOT_COUNTS).map(|name| format!("did you mean {name}? "));
        let all = SHOT_COUNTS.map(|name| format!("\"{name}\"")).join(", ");
        return format!(
            "{before}{}it is a number from 1 to 100, or one of {all}, not {given}",
            near.unwrap_or_default()
        );
    }
    if let Some((given, names)) = unknown(message, "unknown variant `") {
        return before + &unknown_one("value", given, &names);
    }
    let why = match message {
        _ if message.contains("expected u8") => {
            format!("it is a whole number from 0 to 255, not {}", shown(text, &place))
        }
        _ if message.contains("expected u32") => format!("it is a whole number, not {}", shown(text, &place)),
        _ if message.contains("expected a boolean") => format!("it is true or false, not {}", shown(text, &place)),
        _ => one_line(message),
    };
    format!("{before}{why}{}", written(&kind))
}

/// The way in which a value is written, behind a mistake in it.
fn written(kind: &str) -> String {
    let written = WRITTEN.iter().find(|(of, _)| *of == kind);
    written.map(|(_, written)| format!("; it is written as in {written}")).unwrap_or_default()
}

/// The value at a place as it is in the file.
fn shown(text: &str, place: &Range<usize>) -> String {
    printable_prefix(text.get(place.clone()).unwrap_or_default(), MOST_SHOWN)
}

/// The unknown name in a message of serde, and the known ones.
fn unknown<'a>(message: &'a str, before: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let (given, names) = message.strip_prefix(before)?.rsplit_once("`, expected ")?;
    Some((given, names.split('`').skip(1).step_by(2).collect()))
}

/// True for a key that stands outside of tables.
fn is_key_of_file(key: &str) -> bool {
    let is_plain = key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    let read = || toml::from_str::<Choices>(&format!("{key} = 0"));
    is_plain && !read().is_err_and(|error| unknown(error.message(), "unknown field `").is_some())
}

fn unknown_one(what: &str, given: &str, names: &[&str]) -> String {
    let given_text = printable_prefix(given, MOST_SHOWN);
    match nearest(given, names.iter().copied()) {
        Some(name) => format!("unknown {what} `{given_text}`; did you mean `{name}`?"),
        None => format!("unknown {what} `{given_text}`; the {what}s are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::battleship::Shots;

    fn refused(text: &str) -> String {
        let error = read(text, Path::new("my.toml")).unwrap_err();
        assert!(!error.hint().is_empty());
        error.to_string()
    }

    #[test]
    fn a_file_has_what_differs_from_the_classic_game() {
        let rules = read("about = \"\"\"Two\nlines\"\"\"\nshots = 3", Path::new("dir/three.shots.toml")).unwrap();
        assert_eq!((rules.choices().name.as_str(), rules.choices().shots), ("three.shots", Shots::Fixed(3)));
        assert_eq!(read("", Path::new("")).unwrap().choices().name, "rules");
        let bent = "fleet = [{ name = \"bent\", shape = [\"#.#\", \"###\"] }]\nmirror = true\nshots = \"ships-afloat\"";
        assert_eq!(read(bent, Path::new("x")).unwrap().ships()[0].shape.size(), 5);
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_what_was_meant() {
        let cases = [
            (
                "touching = \"none\"\ntocuhing = 1",
                "my.toml, line 2, column 1: unknown key `tocuhing`; did you mean `touching`?",
            ),
            ("off_board = \"loses\"", "my.toml, line 1, column 1: unknown key `off_board`; did you mean `off-board`?"),
            (
                "[board]\nwidth = 8\nheight = 8\ndepth = 8",
                "my.toml, line 4, column 1: unknown key `depth`; the keys are width, height",
            ),
            (
                "[told]\nsunk = \"size\"\nbad-fleet = \"drawn\"",
                "my.toml, line 3, column 1: key `bad-fleet` in a table whose keys are hit, sunk: move it above the first line in [ ]",
            ),
            ("touching = \"nome\"", "my.toml, line 1, column 12: touching: unknown value `nome`; did you mean `none`?"),
            (
                "told = { sunk = \"everything\" }",
                "my.toml, line 1, column 17: told.sunk: unknown value `everything`; the values are nothing, that, size, name, cells, around",
            ),
            (
                "board = \"8x8\"",
                "my.toml, line 1, column 9: board: it is a table, not \"8x8\"; it is written as in board = { width = 8, height = 8 }",
            ),
            (
                "board = { width = 8 }",
                "my.toml, line 1, column 9: board: missing field `height`; it is written as in board = { width = 8, height = 8 }",
            ),
            (
                "board = { width = 800, height = 8 }",
                "my.toml, line 1, column 19: board.width: it is a whole number from 0 to 255, not 800; it is written as in width = 8",
            ),
            (
                "shots = \"ship-afloat\"",
                "my.toml, line 1, column 9: shots: did you mean ships-afloat? it is a number from 1 to 100, or one of \"ships-afloat\", \
                 \"longest-afloat\", \"own-cells-afloat\", not \"ship-afloat\"",
            ),
            ("seen = \"yes\"", "my.toml, line 1, column 8: seen: it is true or false, not \"yes\""),
            (
                "fleet = [[5, 4]]",
                "my.toml, line 1, column 10: fleet[0]: it is a table, not [5, 4]; it is written as in { name = \"carrier\", size = 5 }",
            ),
            ("seats = 17", "my.toml, line 1, column 1: seats: it is 2 to 16, not 17"),
            (
                "[[fleet]]\nname = \"a\"\nsize = 3\n\n[[fleet]]\nname = \"b\"\nshape = [\"#.#\"]",
                "my.toml, line 7, column 1: fleet[1].shape: its cells do not hang together by edges",
            ),
            (
                "[[fleet]]\nname = \"a\"\nsize = 3\n[[fleet]]\nname = \"b\"",
                "my.toml, line 4, column 1: fleet[1]: it has neither a size nor a shape",
            ),
            ("board = { width = 2, height = 2 }", "my.toml: fleet[0]: a carrier does not fit on a board of 2 x 2"),
            (
                "told.sunk = \"around\"",
                "my.toml, line 1, column 6: told.sunk: around a ship there is water for certain only if touching is none",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(refused(text), message, "{text}");
        }
        assert!(refused("a = [1,\n  2\nb = 3").starts_with("my.toml, line 3, column "));
        assert!(refused("name = \"\u{1b}[31m\"").contains("line 1, column "));
        assert_eq!(refused(&" ".repeat(MOST_OF_FILE + 1)), "my.toml: a file of rules has at most 64 KiB");
    }

    #[test]
    fn rules_are_found_by_name_or_path() {
        assert_eq!(find("russian").unwrap().ships().len(), 10);
        let unknown = find("rusian").unwrap_err();
        assert_eq!(unknown.to_string(), "there are no rules called \"rusian\", and no such file");
        let advice = "give the path of a file, or a name of `broadside rules list`";
        assert_eq!(unknown.hint(), format!("did you mean russian? {advice}"));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(find_from(folder, "Cargo").unwrap_err().hint(), format!("did you mean Cargo.toml? {advice}"));
        let folder = folder.join("presets");
        assert_eq!(find_from(&folder, "brainjar.toml").unwrap().choices().name, "brainjar");
        assert!(matches!(find_from(&folder, "none.toml"), Err(RulesFileError::Unreadable { .. })));
        assert!(matches!(find("/dev/zero"), Err(RulesFileError::Unreadable { .. })));
    }

    #[test]
    fn no_file_stops_the_program() {
        use rand::RngExt;
        let mut random = rules::random(38);
        let signs = b"=[]{}\"'\n#.,-_x09\\\t\x1b\xc3\xa9";
        for nth in 0..10_000 {
            let preset = &crate::PRESETS[nth % crate::PRESETS.len()];
            let mut bytes = preset.text.as_bytes().to_vec();
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..bytes.len());
                let end = (at + random.random_range(0..12)).min(bytes.len());
                match random.random_range(0..4) {
                    0 => drop(bytes.drain(at..end)),
                    1 => bytes[at] = signs[random.random_range(0..signs.len())],
                    2 => bytes.insert(at, signs[random.random_range(0..signs.len())]),
                    _ => bytes.extend_from_within(at..end),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            match read(&String::from_utf8_lossy(&bytes), Path::new("x")) {
                Ok(rules) => assert!(!crate::plays(&rules).is_empty()),
                Err(error) => {
                    let text = error.to_string();
                    assert!(!text.contains(['\n', '\u{1b}']) && text.len() < 1000, "{text}");
                }
            }
        }
    }
}
