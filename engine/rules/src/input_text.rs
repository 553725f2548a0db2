//! Text that people have written or saved: files, requests and messages are read by one rule.

use serde::de::DeserializeOwned;

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Bytes that are not the text that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// The text is in an encoding of two or four bytes a character.
    #[error("it is saved as {0}; save it as UTF-8")]
    Wide(&'static str),
    /// The bytes are in another encoding, or not a text.
    #[error("byte {} is not UTF-8; save it as UTF-8", .0 + 1)]
    NotUtf8(usize),
}

/// Bytes in which there is not the JSON that is wanted.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The bytes are not text.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The text is not JSON, or other JSON.
    #[error("{}", json_mistake(.0))]
    Json(#[from] serde_json::Error),
}

/// The mistake in JSON in the words of JSON: the message of the library names what is wanted by types of this program.
///
/// ```
/// # #[derive(Debug, serde::Deserialize)]
/// # struct Registration { name: String }
/// let error = serde_json::from_str::<Registration>("7").unwrap_err();
/// assert_eq!(error.to_string(), "invalid type: integer `7`, expected struct Registration at line 1 column 1");
/// assert_eq!(rules::json_mistake(&error), "invalid type: integer `7`, expected an object at line 1 column 1");
/// ```
pub fn json_mistake(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (mistake, place) = text.rfind(" at line ").map_or((text.as_str(), ""), |at| text.split_at(at));
    // What was found may be any text; what is expected comes after it.
    let mistake = match mistake.rsplit_once(", expected ") {
        Some((found, expected)) => format!("{}, expected {}", in_json_words(found), expected_value(expected)),
        _ => mistake.split_once(" of untagged enum ").map_or(mistake, |(begun, _)| begun).to_owned(),
    };
    format!("{mistake}{place}")
}

/// Advice on a mistake in a JSON text that a person has typed, by the character at which reading ended; `None` if it has none.
///
/// ```
/// let text = "{\n\"a\": 1, // one\n}";
/// let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
/// assert_eq!(rules::json_hint(text, &error), Some("JSON has no comments: remove them"));
/// ```
pub fn json_hint(text: &str, error: &serde_json::Error) -> Option<&'static str> {
    if text.contains('\0') {
        return Some("save it as UTF-8: it has the characters of another encoding");
    }
    if error.to_string().starts_with("trailing comma") {
        return Some("remove the comma before the closing bracket");
    }
    let line = text.split('\n').nth(error.line().checked_sub(1)?)?;
    // The column is that of the last byte which was read.
    let at = (0..error.column().max(1)).rev().find(|at| line.is_char_boundary(*at))?;
    match line.get(at..)?.chars().next()? {
        '/' | '#' => Some("JSON has no comments: remove them"),
        '\'' | '‘' | '’' | '“' | '”' | '„' | '«' | '»' | '`' => {
            Some("texts stand between straight double quotation marks: \"")
        }
        '\u{a0}' | '\u{feff}' | '\u{2000}'..='\u{200f}' | '\u{3000}' => {
            Some("replace the character that looks like a blank there by a blank")
        }
        _ => None,
    }
}

/// The kind of value that was found, in the words of JSON.
fn in_json_words(found: &str) -> String {
    let found = found.replacen("invalid type: sequence", "invalid type: array", 1);
    let found = found.replacen("unknown variant", "unknown value", 1);
    found.replacen("invalid type: map", "invalid type: object", 1)
}

/// The value that is expected, in the words of JSON.
fn expected_value(expected: &str) -> String {
    let begins = |kinds: &[&str]| kinds.iter().any(|kind| expected.starts_with(kind));
    if let Some(count) = expected.strip_prefix("a tuple of size ") {
        return format!("an array of {count} values");
    }
    match expected {
        "a map" => "an object".to_owned(),
        "a sequence" => "an array".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of at least 0".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        _ if begins(&["struct ", "internally tagged enum ", "adjacently tagged enum "]) => "an object".to_owned(),
        _ if begins(&["tuple "]) => "an array".to_owned(),
        _ if begins(&["enum ", "variant identifier"]) => "a text".to_owned(),
        other => other.to_owned(),
    }
}

/// The text in UTF-8, without the byte order mark that some editors write before it. Ends of lines stay as they are.
///
/// ```
/// assert_eq!(rules::input_text(b"\xEF\xBB\xBF{}\r\n"), Ok("{}\r\n"));
/// let error = rules::input_text(b"\xFF\xFE{\0}\0").unwrap_err();
/// assert_eq!(error.to_string(), "it is saved as UTF-16; save it as UTF-8");
/// ```
///
/// # Errors
/// The bytes are in another encoding; the error says what to do.
pub fn input_text(bytes: &[u8]) -> Result<&str, EncodingError> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => return Err(EncodingError::Wide("UTF-32")),
        // Without a mark, half of the bytes of an ASCII character are zero.
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, 1..=0x7F, ..] | [1..=0x7F, 0, ..] => {
            return Err(EncodingError::Wide("UTF-16"));
        }
        _ => {}
    }
    let text = without_mark(bytes);
    std::str::from_utf8(text).map_err(|error| EncodingError::NotUtf8(bytes.len() - text.len() + error.valid_up_to()))
}

/// The value in JSON, in a text as [`input_text`] reads it.
///
/// # Errors
/// The bytes are in another encoding, or the text is not such JSON; the error says where.
pub fn input_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, InputError> {
    Ok(serde_json::from_str(input_text(bytes)?)?)
}

/// The bytes without a byte order mark before them, for those who read more of them later.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}
