//! The encryption of messages: base64(salt || nonce || mac || ciphertext), as libsodium makes and reads it.

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crypto_secretbox::aead::Aead;
use crypto_secretbox::{KeyInit, XSalsa20Poly1305};

const SALT: usize = 16;
const NONCE: usize = 24;
const KEY: usize = 32;
/// The limits that libsodium calls interactive: `OPSLIMIT_INTERACTIVE` and, in KiB, `MEMLIMIT_INTERACTIVE`.
const PASSES: u32 = 2;
const MEMORY: u32 = 64 * 1024;

/// Encrypts a text with a new salt and nonce.
///
/// # Panics
/// When the system has no random bytes.
pub fn encrypt(text: &str, secret: &str) -> String {
    encrypt_with(random_bytes(), random_bytes(), text, secret)
}

fn encrypt_with(salt: [u8; SALT], nonce: [u8; NONCE], text: &str, secret: &str) -> String {
    let sealed = secretbox(&salt, secret).encrypt((&nonce).into(), text.as_bytes());
    let sealed = sealed.expect("a message is shorter than the cipher allows");
    STANDARD.encode([&salt[..], &nonce, &sealed].concat())
}

/// The text of a message; `None` if it was not encrypted with this secret. The server sends no encrypted messages; this is
/// here to try things out.
pub fn decrypt(message: &str, secret: &str) -> Option<String> {
    let bytes = STANDARD.decode(message).ok()?;
    let (salt, rest) = bytes.split_at_checked(SALT)?;
    let (nonce, sealed) = rest.split_at_checked(NONCE)?;
    let text = secretbox(salt, secret).decrypt(nonce.into(), sealed).ok()?;
    String::from_utf8(text).ok()
}

/// So many bytes that nobody can guess.
///
/// # Panics
/// When the system has none.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes
}

/// The cipher with the key that argon2id makes of salt and secret.
fn secretbox(salt: &[u8], secret: &str) -> XSalsa20Poly1305 {
    let parameters = Params::new(MEMORY, PASSES, 1, Some(KEY)).expect("within the bounds of argon2");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
    let mut key = [0; KEY];
    let made = argon2.hash_password_into(secret.as_bytes(), salt, &mut key);
    made.expect("salt and key are of the right size, and secrets shorter than argon2 allows");
    XSalsa20Poly1305::new(&key.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "cockadoodledoo";

    /// The test vectors of docs/protocols/salvo.md in Broadside's repository.
    const VECTORS: [(&str, &str); 2] = [
        (
            "LRsNengquZ27OARrdN6ZuDjMIlitEopytYBYNeEcYscvNw3rld+fnr+iC0os/n8AhzhUoGYdNkkKAxqLPfzTRw+wI5wO6+U7m+t6fA==",
            r#"{"a": "b", "c": "d"}"#,
        ),
        (
            "BwcHBwcHBwcHBwcHBwcHBwkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCZixj9ev8FCQRJWNCyniaySnU47lS5oA/LCqwvQe",
            r#"{"x":3,"y":4}"#,
        ),
    ];

    #[test]
    fn the_test_vectors_are_decrypted() {
        for (message, text) in VECTORS {
            assert_eq!(decrypt(message, SECRET).as_deref(), Some(text));
        }
    }

    #[test]
    fn the_test_vector_whose_salt_and_nonce_are_known_is_encrypted() {
        let (message, text) = VECTORS[1];
        assert_eq!(encrypt_with([7; SALT], [9; NONCE], text, SECRET), message);
    }

    #[test]
    fn every_message_is_different_and_opens_with_its_secret_only() {
        let messages = [encrypt("Ahoi \u{2693}", SECRET), encrypt("Ahoi \u{2693}", SECRET)];
        assert_ne!(messages[0], messages[1]);
        assert_eq!(decrypt(&messages[0], SECRET).as_deref(), Some("Ahoi \u{2693}"));
        for (message, secret) in [(messages[1].as_str(), "cockadoodled0o"), ("", SECRET), ("no base64!", SECRET)] {
            assert_eq!(decrypt(message, secret), None);
        }
    }
}
