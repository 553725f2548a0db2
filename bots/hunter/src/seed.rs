//! The source of the hunter's randomness.

use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that makes the hunter's moves repeatable.
pub(crate) const VARIABLE: &str = "BROADSIDE_SEED";

/// A seed of its own for each player and round of a match: the same whenever `text` is the same, and always another one
/// without it.
pub(crate) fn seed(text: Option<&str>, key: &str, round: u32) -> u64 {
    match text {
        Some(text) if !text.is_empty() => fnv1a(format!("{text} {key} {round}").as_bytes()),
        _ => {
            let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
            fnv1a(format!("{nanos} {}", std::process::id()).as_bytes())
        }
    }
}

/// The 64-bit FNV-1a hash, which is the same on every machine and in every version.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_seed_is_mixed_with_player_and_round() {
        assert_eq!(seed(Some("7"), "A", 3), seed(Some("7"), "A", 3));
        for (text, key, round) in [("8", "A", 3), ("7", "B", 3), ("7", "A", 4)] {
            assert_ne!(seed(Some(text), key, round), seed(Some("7"), "A", 3));
        }
    }

    #[test]
    fn without_a_seed_every_run_is_another() {
        assert_ne!(seed(None, "A", 3), fnv1a(b" A 3"));
        assert_ne!(seed(Some(""), "A", 3), fnv1a(b" A 3"));
    }

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
