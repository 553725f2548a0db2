//! command.txt of any bytes: it can be read, and what is read, written in the plain form, reads as the same.
#![no_main]

#[path = "../../rules/tests/rules/invariants/texts.rs"]
mod texts;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    texts::is_the_same_in_every_encoding(bytes);
    texts::is_read_back(&texts::read(None, Some(bytes)));
});
