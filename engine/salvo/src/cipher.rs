//! The encryption of messages, in the format of the clients of 2021: `base64(salt[16] || nonce[24] || mac[16] ||
//! ciphertext)`.
//!
//! The key is derived from the team's secret and the message's salt by argon2id (version 0x13, 2 passes, 64 MiB, 1
//! lane: libsodium's interactive limits); the cipher is XSalsa20-Poly1305 (libsodium's secretbox). The sender chooses
//! the salt. Making a key takes 64 MiB and some 50 ms of processor time, so a cipher keeps one salt for all that it seals, and
//! the keys of messages that it has opened: a sender who keeps its salt costs one key, one with a salt for each message a key
//! for each.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crypto_secretbox::aead::Aead;
use crypto_secretbox::{KeyInit, XSalsa20Poly1305};
use std::collections::VecDeque;
use std::fmt;

const SALT: usize = 16;
const NONCE: usize = 24;
const MAC: usize = 16;
const KEY: usize = 32;
const PASSES: u32 = 2;
const MEMORY_KIB: u32 = 64 * 1024;

/// The most keys that a cipher keeps; of more, those that were not used for longest are dropped. A match has at most 16 teams.
const MOST_KEYS: usize = 64;

/// Encrypts and decrypts. A cipher that opens messages keeps the 64 MiB that keys are made in, because a sender may need a key
/// for each of its messages.
pub struct Cipher {
    argon2: Argon2<'static>,
    memory: Vec<Block>,
    /// The key that was used last stands last.
    keys: VecDeque<KnownKey>,
}

/// A key that has opened or sealed a message.
#[derive(Clone)]
struct KnownKey {
    secret: String,
    salt: [u8; SALT],
    key: [u8; KEY],
    /// True if the salt is this cipher's own.
    seals: bool,
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
        let (salt, rest) = envelope.0.split_first_chunk::<SALT>().expect("an envelope has as many bytes");
        let (nonce, sealed) = rest.split_at(NONCE);
        let known = self.known(|known| known.salt == *salt && known.secret == secret);
        let known = known.unwrap_or_else(|| self.made(*salt, secret));
        let opened = known.secretbox().decrypt(nonce.into(), sealed).map_err(|_| CipherError::Secret)?;
        // Only now, so that forged messages push out no key.
        self.keep(known);
        String::from_utf8(opened).map_err(|_| CipherError::Text)
    }

    /// Encrypts a text with a fresh nonce, and the salt of all messages that this cipher seals with the secret.
    ///
    /// # Panics
    /// If the system has no random bytes.
    pub fn seal(&mut self, text: &str, secret: &str) -> String {
        let known = self.known(|known| known.seals && known.secret == secret);
        let known = known.unwrap_or_else(|| {
            let made = self.made(random(), secret);
            // A client needs no other key.
            self.memory = Vec::new();
            KnownKey { seals: true, ..made }
        });
        let sealed = known.seal(&random(), text.as_bytes());
        self.keep(known);
        sealed
    }

    /// Takes out a key.
    fn known(&mut self, is_wanted: impl Fn(&KnownKey) -> bool) -> Option<KnownKey> {
        let at = self.keys.iter().position(is_wanted)?;
        self.keys.remove(at)
    }

    fn keep(&mut self, known: KnownKey) {
        self.keys.push_back(known);
        if self.keys.len() > MOST_KEYS {
            self.keys.pop_front();
        }
    }

    /// Makes a key of salt and secret.
    fn made(&mut self, salt: [u8; SALT], secret: &str) -> KnownKey {
        let mut key = [0; KEY];
        self.memory.resize(self.argon2.params().block_count(), Block::new());
        let made = self.argon2.hash_password_into_with_memory(secret.as_bytes(), &salt, &mut key, &mut self.memory);
        made.expect("salt, key and memory are of the right size, and secrets shorter than argon2 allows");
        KnownKey { secret: secret.to_owned(), salt, key, seals: false }
    }
}

impl KnownKey {
    fn secretbox(&self) -> XSalsa20Poly1305 {
        XSalsa20Poly1305::new(&self.key.into())
    }

    fn seal(&self, nonce: &[u8; NONCE], text: &[u8]) -> String {
        let sealed = self.secretbox().encrypt(nonce.into(), text);
        let sealed = sealed.expect("a message is shorter than the cipher allows");
        STANDARD.encode([&self.salt, nonce.as_slice(), &sealed].concat())
    }
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes
}

impl Default for Cipher {
    /// A cipher without memory, which the first message allocates.
    fn default() -> Cipher {
        let params = Params::new(MEMORY_KIB, PASSES, 1, Some(KEY)).expect("within the bounds of argon2");
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Cipher { argon2, memory: Vec::new(), keys: VecDeque::new() }
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
        let sealed = Cipher::default().made([7; SALT], SECRET).seal(&[9; NONCE], br#"{"x":3,"y":4}"#);
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
        let text = Cipher::default().made([1; SALT], SECRET).seal(&[1; NONCE], &[0xff, 0xfe]);
        assert_eq!(open(&text, SECRET), Err(CipherError::Text));
    }

    #[test]
    fn the_keys_of_senders_are_kept_but_not_those_of_forgers() {
        let (mut sender, mut reader, mut forger) = (Cipher::default(), Cipher::default(), Cipher::default());
        for _ in 0..3 {
            let sealed = Envelope::read(&sender.seal("shot", SECRET)).unwrap();
            assert_eq!(reader.open(&sealed, SECRET).as_deref(), Ok("shot"));
            let forged = Envelope::read(&forger.seal("shot", "guessed")).unwrap();
            assert_eq!(reader.open(&forged, SECRET), Err(CipherError::Secret));
        }
        assert_eq!((sender.keys.len(), reader.keys.len()), (1, 1));
        // The salt of one who was read is not used for own messages, and another secret has another salt.
        let own = [reader.seal("own", SECRET), reader.seal("own", "other"), reader.seal("own", SECRET)];
        let salts = own.map(|text| *Envelope::read(&text).unwrap().0.first_chunk::<SALT>().unwrap());
        assert_ne!(salts[0], sender.keys[0].salt);
        assert!(salts[0] == salts[2] && salts[0] != salts[1]);
    }

    #[test]
    fn no_more_keys_are_kept_than_matches_need() {
        let mut cipher = Cipher::default();
        let known =
            |number: u8| KnownKey { secret: SECRET.to_owned(), salt: [number; SALT], key: [0; KEY], seals: false };
        (0..=MOST_KEYS as u8).for_each(|number| cipher.keep(known(number)));
        assert_eq!((cipher.keys.len(), cipher.keys[0].salt), (MOST_KEYS, [1; SALT]));
    }
}
