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
    #[error(transparent)]
    Json(#[from] serde_json::Error),
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
}
