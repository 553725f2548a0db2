//! JSON for programs that is safe to look at on a terminal.

use rules::printable;
use serde::Serialize;
use std::fmt::Write as _;

/// A value as JSON in many lines, [escaped], with a line end behind it.
///
/// # Panics
/// If a key of a map is no text.
pub(crate) fn written(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("keys are texts");
    format!("{}\n", escaped(&json))
}

/// The same JSON with every character that could change a terminal written as `\u` and four digits. A program reads the
/// same values from it. Line ends between values stay.
pub(crate) fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        let is_ascii = matches!(letter, '\n' | ' '..='~');
        if is_ascii || printable(letter.encode_utf8(&mut [0; 4])).starts_with(letter) {
            text.push(letter);
        } else {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_change_no_value() {
        let value = serde_json::json!({ "name": "a\u{202e}b\u{e0041}\u{7f}\u{9b}\n\u{1b}é\u{fffd}很" });
        for json in [value.to_string(), format!("{value:#}")] {
            let text = escaped(&json);
            assert!(text.is_ascii() || printable(&text.replace('\n', "")) == text.replace('\n', ""), "{text}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        }
        assert_eq!(escaped("\"\u{202e}é\u{e0041}\""), "\"\\u202eé\\udb40\\udc41\"");
    }
}
