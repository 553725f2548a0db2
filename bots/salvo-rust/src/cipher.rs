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

/// Encrypts with one secret. The key takes 50 ms, so all messages have one salt; each has a nonce of its own.
#[derive(Debug)]
pub struct Cipher {
    salt: [u8; SALT],
    key: [u8; KEY],
}

impl Cipher {
    /// A cipher with a new salt.
    ///
    /// # Panics
    /// When the system has no random bytes.
    pub fn new(secret: &str) -> Cipher {
        Cipher::with_salt(random_bytes(), secret)
    }

    fn with_salt(salt: [u8; SALT], secret: &str) -> Cipher {
        Cipher { salt, key: key(&salt, secret) }
    }

    /// Encrypts a text with a new nonce.
    ///
    /// # Panics
    /// When the system has no random bytes.
    pub fn encrypt(&self, text: &str) -> String {
        self.encrypt_with(random_bytes(), text)
    }

    fn encrypt_with(&self, nonce: [u8; NONCE], text: &str) -> String {
        let sealed = secretbox(&self.key).encrypt((&nonce).into(), text.as_bytes());
        let sealed = sealed.expect("a message is shorter than the cipher allows");
        STANDARD.encode([&self.salt[..], &nonce, &sealed].concat())
    }
}

/// The text of a message; `None` if it was not encrypted with this secret. The server sends no encrypted messages; this is
/// here to try things out.
pub fn decrypt(message: &str, secret: &str) -> Option<String> {
    let bytes = STANDARD.decode(message).ok()?;
    let (salt, rest) = bytes.split_at_checked(SALT)?;
    let (nonce, sealed) = rest.split_at_checked(NONCE)?;
    let text = secretbox(&key(salt, secret)).decrypt(nonce.into(), sealed).ok()?;
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

fn secretbox(key: &[u8; KEY]) -> XSalsa20Poly1305 {
    XSalsa20Poly1305::new(key.into())
}

/// The key that argon2id makes of salt and secret.
fn key(salt: &[u8], secret: &str) -> [u8; KEY] {
    let parameters = Params::new(MEMORY, PASSES, 1, Some(KEY)).expect("within the bounds of argon2");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
    let mut key = [0; KEY];
    let made = argon2.hash_password_into(secret.as_bytes(), salt, &mut key);
    made.expect("salt and key are of the right size, and secrets shorter than argon2 allows");
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "cockadoodledoo";

    /// The test vectors of `broadside docs salvo`.
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
        assert_eq!(Cipher::with_salt([7; SALT], SECRET).encrypt_with([9; NONCE], text), message);
    }

    #[test]
    fn every_message_is_different_and_opens_with_its_secret_only() {
        let cipher = Cipher::new(SECRET);
        let messages = ["Ahoi \u{2693}"; 2].map(|text| cipher.encrypt(text));
        assert_ne!(messages[0], messages[1]);
        assert_eq!(decrypt(&messages[0], SECRET).as_deref(), Some("Ahoi \u{2693}"));
        for (message, secret) in [(messages[1].as_str(), "cockadoodled0o"), ("", SECRET), ("no base64!", SECRET)] {
            assert_eq!(decrypt(message, secret), None);
        }
    }
}
