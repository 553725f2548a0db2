//! The text in what a bot wrote, whatever it took for UTF-8.

/// Decodes UTF-8, or UTF-16 or UTF-32 with a byte order mark, which vanishes. Invalid bytes become U+FFFD; a character
/// cut off at the very end is dropped, as the original's reader did.
pub fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, 0, 0, rest @ ..] => utf_32(rest, u32::from_le_bytes),
        [0, 0, 0xFE, 0xFF, rest @ ..] => utf_32(rest, u32::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf_8(rest),
        all => utf_8(all),
    }
}

fn utf_8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        text.push_str(chunk.valid());
        let invalid = chunk.invalid();
        let cut_off = chunks.peek().is_none() && std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none());
        if !invalid.is_empty() && !cut_off {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (units, _cut_off) = bytes.as_chunks::<2>();
    char::decode_utf16(units.iter().map(|&pair| unit(pair)))
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn utf_32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> String {
    let (units, _cut_off) = bytes.as_chunks::<4>();
    units.iter().map(|&four| char::from_u32(unit(four)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn a_byte_order_mark_chooses_the_encoding_and_vanishes() {
        assert_eq!(decode(b"\xEF\xBB\xBF1,4,4"), "1,4,4");
        assert_eq!(decode(b"\xFF\xFE1\0,\0"), "1,");
        assert_eq!(decode(b"\xFE\xFF\x001\0,"), "1,");
        assert_eq!(decode(b"\xFF\xFE\0\x001\0\0\0"), "1");
        assert_eq!(decode(b"\0\0\xFE\xFF\0\0\x001"), "1");
        assert_eq!(decode(b""), "");
    }

    #[test]
    fn invalid_bytes_become_replacement_characters_but_a_cut_off_end_is_dropped() {
        assert_eq!(decode(b"1,\xFF,2"), "1,\u{FFFD},2");
        assert_eq!(decode(b"1,6,2\xC3"), "1,6,2");
        assert_eq!(decode(b"\xFF\xFE1\x00\x20"), "1");
        assert_eq!(decode(b"\xFF"), "\u{FFFD}");
    }
}
