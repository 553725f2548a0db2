//! JSON as the original wrote it.

use serde::Serialize;

/// Line breaks that are no control characters of JSON, which the original escaped all the same.
const LINE_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// `value` on one line, without white space, with the original's escapes.
pub(super) fn to_vec(value: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 * 1024);
    serde_json::to_writer(&mut out, value).expect("wire structs have string keys and a Vec takes all bytes");
    // Nearly all of it is ASCII, which is fast to see.
    if out.is_ascii() { out } else { escaped(out) }
}

/// Only strings can hold line breaks, so the text can be changed as a whole.
fn escaped(json: Vec<u8>) -> Vec<u8> {
    let mut text = String::from_utf8(json).expect("JSON is UTF-8");
    for line_break in LINE_BREAKS {
        text = text.replace(line_break, &format!("\\u{:04x}", u32::from(line_break)));
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::to_vec;

    #[test]
    fn strings_are_escaped_as_the_original_did() {
        let text = "\"\\/ \u{8}\t\n\u{c}\r \u{1}\u{1f}\u{7f} \u{85}\u{2028}\u{2029} '<& é 𝄞";
        let want = r#""\"\\/ \b\t\n\f\r \u0001\u001f"#.to_owned() + "\u{7f}" + r#" \u0085\u2028\u2029 '<& é 𝄞""#;
        assert_eq!(String::from_utf8(to_vec(&text)).unwrap(), want);
    }
}
