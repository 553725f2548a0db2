//! The encryption of messages, in the format of the clients of 2021: `base64(salt[16] || nonce[24] || mac[16] ||
//! ciphertext)`.
//!
//! The key is derived from the team's secret and the message's salt by argon2id (version 0x13, 2 passes, 64 MiB, 1
//! lane: libsodium's interactive limits); the cipher is XSalsa20-Poly1305 (libsodium's secretbox). The sender chooses
//! the salt, so no key can be cached: opening a message takes 64 MiB and some 50 ms of processor time.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crypto_secretbox::aead::Aead;
use crypto_secretbox::{KeyInit, XSalsa20Poly1305};
use std::fmt;

const SALT: usize = 16;
const NONCE: usize = 24;
const MAC: usize = 16;
const KEY: usize = 32;
const PASSES: u32 = 2;
const MEMORY_KIB: u32 = 64 * 1024;

/// Encrypts and decrypts. From the first message on a cipher keeps the 64 MiB that keys are made in, so that a message costs
/// no allocation but that of its text.
pub struct Cipher {
    argon2: Argon2<'static>,
    memory: Vec<Block>,
}

/// The reason why a message cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CipherError {
    /// The text is not base64 of enough bytes. This check needs no key.
    #[error("it is not base64 of at least {} bytes", SALT + NONCE + MAC)]
    Form,
    /// The message was encrypted with another secret, or changed.
    #[error("it was not encrypted with the team's secret")]
    Secret,
    /// The decrypted bytes are not UTF-8.
    #[error("what was encrypted is not UTF-8")]
    Text,
}

/// The parts of an encrypted message, before it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Envelope(Vec<u8>);

impl Envelope {
    /// Decodes base64, in quotation marks or without, as the clients of 2021 send it.
    ///
    /// # Errors
    /// [`CipherError::Form`] if it is not base64 of at least 56 bytes.
    pub fn read(text: &str) -> Result<Envelope, CipherError> {
        let text = text.trim().trim_matches('"');
        let bytes = STANDARD.decode(text).map_err(|_| CipherError::Form)?;
        if bytes.len() < SALT + NONCE + MAC { Err(CipherError::Form) } else { Ok(Envelope(bytes)) }
    }

    /// Salt, nonce and MAC, in which two messages are equal only if one is a copy of the other.
    pub fn mark(&self) -> [u8; SALT + NONCE + MAC] {
        *self.0.first_chunk().expect("an envelope has as many bytes")
    }
}

impl Cipher {
    /// Decrypts a message.
    ///
    /// # Errors
    /// [`CipherError::Secret`] if it was encrypted with another secret, [`CipherError::Text`] if it is not UTF-8.
    pub fn open(&mut self, envelope: &Envelope, secret: &str) -> Result<String, CipherError> {
        let (salt, rest) = envelope.0.split_at(SALT);
        let (nonce, sealed) = rest.split_at(NONCE);
        let opened = self.secretbox(salt, secret).decrypt(nonce.into(), sealed).map_err(|_| CipherError::Secret)?;
        String::from_utf8(opened).map_err(|_| CipherError::Text)
    }

    /// Encrypts a text with a fresh salt and nonce.
    ///
    /// # Panics
    /// If the system has no random bytes.
    pub fn seal(&mut self, text: &str, secret: &str) -> String {
        let mut fresh = [0; SALT + NONCE];
        getrandom::fill(&mut fresh).expect("the system has random bytes");
        self.seal_with(&fresh, text, secret)
    }

    fn seal_with(&mut self, fresh: &[u8; SALT + NONCE], text: &str, secret: &str) -> String {
        let (salt, nonce) = fresh.split_at(SALT);
        let sealed = self.secretbox(salt, secret).encrypt(nonce.into(), text.as_bytes());
        let sealed = sealed.expect("a message is shorter than the cipher allows");
        STANDARD.encode([fresh, sealed.as_slice()].concat())
    }

    fn secretbox(&mut self, salt: &[u8], secret: &str) -> XSalsa20Poly1305 {
        let mut key = [0; KEY];
        self.memory.resize(self.argon2.params().block_count(), Block::new());
        let made = self.argon2.hash_password_into_with_memory(secret.as_bytes(), salt, &mut key, &mut self.memory);
        made.expect("salt, key and memory are of the right size, and secrets shorter than argon2 allows");
        XSalsa20Poly1305::new(&key.into())
    }
}

impl Default for Cipher {
    /// A cipher without memory, which the first message allocates.
    fn default() -> Cipher {
        let params = Params::new(MEMORY_KIB, PASSES, 1, Some(KEY)).expect("within the bounds of argon2");
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Cipher { argon2, memory: Vec::new() }
    }
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cipher")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "cockadoodledoo";
    /// The example of the published text.
    const PUBLISHED: &str =
        "LRsNengquZ27OARrdN6ZuDjMIlitEopytYBYNeEcYscvNw3rld+fnr+iC0os/n8AhzhUoGYdNkkKAxqLPfzTRw+wI5wO6+U7m+t6fA==";

    fn open(text: &str, secret: &str) -> Result<String, CipherError> {
        Cipher::default().open(&Envelope::read(text)?, secret)
    }

    #[test]
    fn the_published_signature_opens() {
        assert_eq!(open(PUBLISHED, SECRET).as_deref(), Ok(r#"{"a": "b", "c": "d"}"#));
        assert_eq!(open(&format!(" \"{PUBLISHED}\"\n"), SECRET).as_deref(), Ok(r#"{"a": "b", "c": "d"}"#));
    }

    #[test]
    fn a_known_salt_and_nonce_give_known_text() {
        let mut fresh = [7; SALT + NONCE];
        fresh[SALT..].fill(9);
        let sealed = Cipher::default().seal_with(&fresh, r#"{"x":3,"y":4}"#, SECRET);
        assert_eq!(
            sealed,
            "BwcHBwcHBwcHBwcHBwcHBwkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCZixj9ev8FCQRJWNCyniaySnU47lS5oA/LCqwvQe"
        );
    }

    #[test]
    fn what_is_sealed_opens_with_its_secret_only() {
        let mut cipher = Cipher::default();
        let (first, second) = (cipher.seal("Ahoi \u{2693}", SECRET), cipher.seal("Ahoi \u{2693}", SECRET));
        assert_ne!(first, second);
        assert_ne!(Envelope::read(&first).unwrap().mark(), Envelope::read(&second).unwrap().mark());
        assert_eq!(open(&first, SECRET).as_deref(), Ok("Ahoi \u{2693}"));
        assert_eq!(open(&first, "cockadoodled0o"), Err(CipherError::Secret));
    }

    #[test]
    fn what_was_changed_or_is_no_envelope_does_not_open() {
        let mut bytes = STANDARD.decode(PUBLISHED).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        assert_eq!(open(&STANDARD.encode(&bytes), SECRET), Err(CipherError::Secret));
        for bad in ["", "no base64!", &STANDARD.encode([0; SALT + NONCE + MAC - 1])] {
            assert_eq!(Envelope::read(bad), Err(CipherError::Form));
        }
    }

    #[test]
    fn what_is_encrypted_has_to_be_text() {
        let mut cipher = Cipher::default();
        let fresh = [1; SALT + NONCE];
        let (salt, nonce) = fresh.split_at(SALT);
        let sealed = cipher.secretbox(salt, SECRET).encrypt(nonce.into(), [0xff, 0xfe].as_slice()).unwrap();
        let text = STANDARD.encode([fresh.as_slice(), &sealed].concat());
        assert_eq!(open(&text, SECRET), Err(CipherError::Text));
    }
}
