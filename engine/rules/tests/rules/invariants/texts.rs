//! Assertions that hold for every text that a bot may write, whatever its bytes.

use rules::entelect_2017::files::{COMMAND_TXT, PLACE_TXT, decode};
use rules::entelect_2017::{Entelect2017, MapSize, Order, Settings};
use rules::{Answer, Fault, Game, Listed, Part, Seat};

/// The order in place.txt and command.txt with these bytes, where they are there.
pub(crate) fn read(place: Option<&[u8]>, command: Option<&[u8]>) -> Answer<Order> {
    let parts = [(PLACE_TXT, place), (COMMAND_TXT, command)].into_iter();
    let parts: Vec<Part> = parts.filter_map(|(name, bytes)| Some(Part { name, bytes: bytes?.to_vec() })).collect();
    started().read(&parts)
}

/// An order that was read, written in the plain form, reads as the same; what is no order says why in a few words. Either
/// can be played.
pub(crate) fn is_read_back(answer: &Answer<Order>) {
    match answer {
        Ok(order) => assert_eq!(started().read(&Entelect2017::write(order)).as_ref(), Ok(order)),
        Err(Fault::Unreadable { why, .. }) => {
            assert!(!why.is_empty() && why.chars().count() < 250 && !why.contains(['\n', '\r', '\x1b']), "{why:?}");
        }
        Err(fault) => assert_eq!(fault, &Fault::NothingWritten),
    }
    let mut game = started();
    game.advance([Seat::A, Seat::B].map(|seat| (seat, answer.clone())).into_iter().collect());
}

/// A text is the same in every encoding that bots may use.
pub(crate) fn is_the_same_in_every_encoding(bytes: &[u8]) {
    let text = decode(bytes);
    for encoded in encodings(&text) {
        assert_eq!(decode(&encoded), text, "{encoded:?}");
    }
}

/// The text with its byte order mark in the encodings that can tell it.
fn encodings(text: &str) -> Vec<Vec<u8>> {
    let marked = format!("\u{feff}{text}");
    let utf_16 = |bytes: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(bytes).collect();
    let utf_32 = |bytes: fn(u32) -> [u8; 4]| marked.chars().flat_map(|c| bytes(c.into())).collect();
    let mut all: Vec<Vec<u8>> =
        vec![marked.clone().into_bytes(), utf_16(u16::to_be_bytes), utf_32(u32::to_le_bytes), utf_32(u32::to_be_bytes)];
    if !text.starts_with('\u{feff}') {
        all.push(text.as_bytes().to_vec());
    }
    // The mark of UTF-16 and a NUL are the mark of UTF-32.
    if !text.starts_with('\0') {
        all.push(utf_16(u16::to_le_bytes));
    }
    all
}

fn started() -> Entelect2017 {
    Entelect2017::start(&Settings { size: MapSize::Small }, 2, 0).expect("it is a game for two")
}
