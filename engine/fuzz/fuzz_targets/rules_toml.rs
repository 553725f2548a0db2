//! A file of rules of any bytes: what is read can be put into words, is the same when it is read from JSON, and starts a match if a
//! fleet fits.
#![no_main]

use rules::Game;
use rules::battleship::{Battleship, MOST_OF_A_SIDE, Rules};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = rules::input_text(bytes) else { return };
    match rule_files::read(text, Path::new("rules.toml")) {
        Err(error) => assert!(!error.to_string().contains(['\n', '\u{1b}'])),
        Ok(rules) => {
            assert!(!rule_files::plays(&rules).is_empty());
            let json = serde_json::to_string(&rules).expect("rules are JSON");
            assert_eq!(serde_json::from_str::<Rules>(&json).expect("they were read before"), rules);
            // A large fleet on a large board takes a thousand attempts.
            let is_small = rules.grid().len() <= usize::from(MOST_OF_A_SIDE) && rules.ships().len() <= 10;
            if is_small && rules.fits() {
                let seats = *rules.seats().start();
                Battleship::start(&rules, seats, 1).expect("a fleet fits");
            }
        }
    }
});
