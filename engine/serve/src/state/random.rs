//! Random bytes from the system: tokens that nobody can guess, and seeds.

/// 32 random bytes.
///
/// # Panics
/// If the system has no random bytes: without them, a server must not go on.
pub(crate) fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes
}

/// A new token of 64 hexadecimal digits.
pub(crate) fn token() -> String {
    arena::hex(&random_bytes())
}

/// A new seed that nobody can guess.
///
/// # Panics
/// If the system has no random bytes.
pub(crate) fn fresh_seed() -> u64 {
    getrandom::u64().expect("the system has random bytes")
}
