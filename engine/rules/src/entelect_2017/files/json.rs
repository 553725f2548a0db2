//! JSON as the original wrote it.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io::{self, Write};

/// `value` on one line, without white space, with the original's escapes.
pub(super) fn to_vec(value: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 * 1024);
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaped);
    value.serialize(&mut serializer).expect("wire structs have string keys and a Vec takes all bytes");
    out
}

/// Like serde_json's compact form, but three line breaks that are no control characters of JSON are escaped, too.
struct Escaped;

impl Formatter for Escaped {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        // Nearly all of it is ASCII, which is faster to see than what it does not contain.
        while !rest.is_ascii()
            && let Some(at) = rest.find(['\u{85}', '\u{2028}', '\u{2029}'])
        {
            let (plain, from) = rest.split_at(at);
            CompactFormatter.write_string_fragment(writer, plain)?;
            let mut characters = from.chars();
            let escaped = characters.next().map_or(0, u32::from);
            write!(writer, "\\u{escaped:04x}")?;
            rest = characters.as_str();
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
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
