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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_8_is_read_with_and_without_a_mark() {
        for (bytes, text) in
            [(&b""[..], ""), (b"\xEF\xBB\xBF", ""), (b"\xEF\xBB\xBFa\r\n", "a\r\n"), (b"\xC3\xA9", "é")]
        {
            assert_eq!(input_text(bytes), Ok(text));
        }
        assert_eq!(input_text("\u{feff}\u{feff}1".as_bytes()), Ok("\u{feff}1"), "one mark only");
        assert_eq!(input_json::<Vec<u8>>(b"\xEF\xBB\xBF [1,\r\n2]\r\n").unwrap(), [1, 2]);
    }

    #[test]
    fn other_encodings_are_told_with_what_to_do() {
        let said = |bytes: &[u8]| input_text(bytes).unwrap_err().to_string();
        let wide = |mark: bool, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "{}".encode_utf16().fold(if mark { unit(0xFEFF).to_vec() } else { Vec::new() }, |all, one| {
                [all.as_slice(), &unit(one)].concat()
            })
        };
        for mark in [false, true] {
            for unit in [u16::to_le_bytes, u16::to_be_bytes] {
                assert_eq!(said(&wide(mark, unit)), "it is saved as UTF-16; save it as UTF-8");
            }
        }
        assert_eq!(said(b"\xFF\xFE\0\0{\0\0\0"), "it is saved as UTF-32; save it as UTF-8");
        assert_eq!(said(b"caf\xE9"), "byte 4 is not UTF-8; save it as UTF-8");
        assert_eq!(said(b"\xEF\xBB\xBFa\xE9"), "byte 5 is not UTF-8; save it as UTF-8");
        let error = input_json::<u8>(b"x").unwrap_err().to_string();
        assert!(error.contains("line 1 column 1"), "{error}");
    }

    #[test]
    fn mistakes_of_people_in_json_have_a_hint() {
        let hint = |text: &str| json_hint(text, &serde_json::from_str::<serde_json::Value>(text).unwrap_err());
        for (texts, word) in [
            (&["{ // a\n}", "{\"a\":1}\n# b", "[1, /* c */ 2]"][..], "comments"),
            (&["{“a”:1}", "{'a':1}", "[„a“]", "{\"a\": ‘b’}"], "quotation marks"),
            (&["{\u{a0}\"a\":1}", "{\"a\":\u{200b}1}", "\u{feff}\u{feff}1"], "looks like a blank"),
            (&["{\"a\":1,\n}", "[1,]"], "comma"),
            (&["{\0\"\0a\0"], "UTF-8"),
        ] {
            for text in texts {
                assert!(hint(text).is_some_and(|hint| hint.contains(word)), "{text:?}: {:?}", hint(text));
            }
        }
        assert_eq!(["", "{", "é", "{\"a\" 1}", "\n\nx"].map(hint), [None; 5]);
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "it is read only")]
    enum Tagged {
        One { number: u8 },
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "it is read only")]
    enum Untagged {
        Number(u8),
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is read only")]
    struct Whole {
        plain: Plain,
        tagged: Tagged,
        untagged: Untagged,
        pair: (u8, u8),
        map: std::collections::BTreeMap<String, u8>,
        list: Vec<u8>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[allow(dead_code, reason = "it is read only")]
    enum Plain {
        One,
        Two(u8, u8),
    }

    #[test]
    fn a_mistake_in_json_names_no_type_of_the_program() {
        let whole = serde_json::json!({
            "plain": "One", "tagged": {"kind": "One", "number": 1}, "untagged": 1, "pair": [1, 2], "map": {}, "list": []
        });
        assert!(serde_json::from_value::<Whole>(whole.clone()).is_ok());
        let values = [
            "null",
            "true",
            "7",
            "1.5",
            "\"x, expected struct y\"",
            "[]",
            "[1]",
            "{}",
            "{\"Two\":{}}",
            "{\"Two\":[1]}",
        ];
        let mut mistakes = 0;
        for value in values.map(|value| serde_json::from_str::<serde_json::Value>(value).unwrap()) {
            let parts = whole.as_object().unwrap().keys().map(|key| {
                let mut other = whole.clone();
                other[key] = value.clone();
                other
            });
            for text in parts.chain([value.clone()]).map(|value| value.to_string()) {
                let Err(InputError::Json(error)) = input_json::<Whole>(text.as_bytes()) else { continue };
                let told = json_mistake(&error).replace("x, expected struct y", "");
                for word in [
                    "Whole",
                    "Plain",
                    "Tagged",
                    "Untagged",
                    "struct",
                    "tuple",
                    "enum",
                    "sequence",
                    "a map",
                    "identifier",
                    "u8",
                ] {
                    assert!(!told.contains(word), "{text}: {told}");
                }
                mistakes += 1;
            }
        }
        assert!(mistakes > 50, "{mistakes}");
    }
}
