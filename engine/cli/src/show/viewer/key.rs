//! Keys, read from the bytes that a terminal sends.
//!
//! Crossterm is not used for this: it waits for the rest of a sequence that never comes, and reads without end after the
//! terminal is gone.

use std::time::Duration;

/// The longest time between the bytes of a sequence. An escape that is alone after this time is the key Escape.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);
/// The most bytes of a sequence.
const LONGEST: usize = 32;
const ESCAPE: u8 = 0x1b;

/// A key, or one with Ctrl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Ctrl(char),
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Tab,
    BackTab,
    Enter,
    Backspace,
    Escape,
}

/// Finds keys in the bytes from a terminal, in whatever pieces they come.
#[derive(Debug, Default)]
pub(super) struct KeyReader {
    /// The bytes of an incomplete sequence.
    begun: Vec<u8>,
}

impl KeyReader {
    /// The keys that are complete with these bytes.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<Key> {
        bytes.iter().filter_map(|byte| self.read_one(*byte)).collect()
    }

    /// True if a sequence is incomplete.
    pub(super) fn is_waiting(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Ends an incomplete sequence after [`PATIENCE`]: the key Escape if it is an escape alone, else `None`.
    pub(super) fn settle(&mut self) -> Option<Key> {
        (std::mem::take(&mut self.begun) == [ESCAPE]).then_some(Key::Escape)
    }

    /// The key that is complete with this byte.
    fn read_one(&mut self, byte: u8) -> Option<Key> {
        match (self.begun.as_slice(), byte) {
            ([], ESCAPE) => self.go_on(byte),
            ([], byte) => single(byte),
            ([ESCAPE], ESCAPE) => Some(Key::Escape),
            ([ESCAPE], b'[' | b'O') => self.go_on(byte),
            // Alt with a key is not bound.
            ([ESCAPE], _) => self.end(None),
            (_, ESCAPE) => {
                self.begun.truncate(1);
                None
            }
            ([_, _, parameters @ ..], 0x40..=0x7e) => {
                let key = sequence(parameters, byte);
                self.end(key)
            }
            (begun, 0x20..=0x3f) if begun.len() < LONGEST => self.go_on(byte),
            _ => self.end(None),
        }
    }

    fn go_on(&mut self, byte: u8) -> Option<Key> {
        self.begun.push(byte);
        None
    }

    fn end(&mut self, key: Option<Key>) -> Option<Key> {
        self.begun.clear();
        key
    }
}

/// The key that sends this one byte.
fn single(byte: u8) -> Option<Key> {
    match byte {
        b'\r' | b'\n' => Some(Key::Enter),
        b'\t' => Some(Key::Tab),
        0x08 | 0x7f => Some(Key::Backspace),
        0x01..=0x1a => Some(Key::Ctrl(char::from(byte - 1 + b'a'))),
        b' '..=b'~' => Some(Key::Char(char::from(byte))),
        _ => None,
    }
}

/// The key that sends a sequence with this end, whatever modifier keys were held.
fn sequence(parameters: &[u8], end: u8) -> Option<Key> {
    let number = parameters.split(|byte| *byte == b';').next().unwrap_or_default();
    match (end, number) {
        (b'D', _) => Some(Key::Left),
        (b'C', _) => Some(Key::Right),
        (b'H', _) | (b'~', b"1" | b"7") => Some(Key::Home),
        (b'F', _) | (b'~', b"4" | b"8") => Some(Key::End),
        (b'~', b"5") => Some(Key::PageUp),
        (b'~', b"6") => Some(Key::PageDown),
        (b'Z', _) => Some(Key::BackTab),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Key> {
        let mut keys = KeyReader::default();
        let mut read = keys.read(bytes);
        read.extend(keys.settle());
        read
    }

    #[test]
    fn letters_and_control_keys_are_single_bytes() {
        assert_eq!(keys(b"aG:?"), ['a', 'G', ':', '?'].map(Key::Char));
        assert_eq!(keys(b"\x03\x0c"), [Key::Ctrl('c'), Key::Ctrl('l')]);
        assert_eq!(keys(b"\r\t\x7f\x08"), [Key::Enter, Key::Tab, Key::Backspace, Key::Backspace]);
    }

    #[test]
    fn terminals_differ_in_what_they_send_for_a_key() {
        assert_eq!(keys(b"\x1b[H\x1bOH\x1b[1~\x1b[7~\x1b[1;5H"), [Key::Home; 5]);
        assert_eq!(keys(b"\x1b[F\x1bOF\x1b[4~\x1b[8~"), [Key::End; 4]);
        assert_eq!(keys(b"\x1b[D\x1b[C\x1bOD\x1bOC"), [Key::Left, Key::Right, Key::Left, Key::Right]);
        assert_eq!(keys(b"\x1b[5~\x1b[6~\x1b[Z"), [Key::PageUp, Key::PageDown, Key::BackTab]);
    }

    #[test]
    fn a_sequence_may_come_in_pieces() {
        let mut keys = KeyReader::default();
        assert_eq!(keys.read(b"\x1b"), []);
        assert!(keys.is_waiting());
        assert_eq!(keys.read(b"["), []);
        assert_eq!(keys.read(b"C"), [Key::Right]);
        assert!(!keys.is_waiting());
    }

    #[test]
    fn an_escape_alone_is_a_key_once_nothing_follows() {
        assert_eq!(keys(b"\x1b"), [Key::Escape]);
        assert_eq!(keys(b"\x1b\x1b"), [Key::Escape, Key::Escape]);
        assert_eq!(keys(b"\x1b\x1b[C"), [Key::Escape, Key::Right]);
    }

    #[test]
    fn what_means_nothing_is_passed_over() {
        assert_eq!(keys(b"\x1bxq"), [Key::Char('q')], "Alt with a letter is not the letter");
        assert_eq!(keys(b"\x1b[200~q"), [Key::Char('q')]);
        assert_eq!(keys("é很q".as_bytes()), [Key::Char('q')]);
        assert_eq!(keys(b"\x1b[1;"), [], "a sequence that never ends is not a key");
        assert_eq!(keys(b"\x1b[\x1b[C"), [Key::Right]);
    }

    #[test]
    fn an_endless_sequence_does_not_fill_the_memory() {
        let mut keys = KeyReader::default();
        keys.read(b"\x1b[");
        keys.read(&[b';'; 10_000]);
        assert!(keys.begun.len() <= LONGEST);
    }
}
