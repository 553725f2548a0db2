//! Keys and signatures (ed25519): a head signs its jobs, a worker its results.

use crate::error::ClusterError;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use rules::input_text;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::str::FromStr;

/// The length of a public key, in bytes.
const KEY: usize = ed25519_dalek::PUBLIC_KEY_LENGTH;
/// The length of a signature, in bytes.
const SIGNATURE: usize = ed25519_dalek::SIGNATURE_LENGTH;

/// The key with which a head or a worker signs. It stays on its machine.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

/// The public part of a [`SecretKey`]: whoever has it can check signatures. As text, it is 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey([u8; KEY]);

impl SecretKey {
    /// The key in the file at `path`, which only the present user may read. A missing file is made with a new key, with the
    /// folders around it.
    ///
    /// ```
    /// use cluster::{PublicKey, SecretKey};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("head.key");
    /// let key = SecretKey::kept(&path)?.public();
    /// assert_eq!(SecretKey::kept(&path)?.public(), key);
    /// assert_eq!(key.to_string().parse::<PublicKey>()?, key);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ClusterError::Disk`] if the file cannot be read or made, [`ClusterError::Key`] if something else is in it.
    pub fn kept(path: &Path) -> Result<SecretKey, ClusterError> {
        match fs::read(path) {
            Ok(bytes) => {
                let text =
                    input_text(&bytes).map_err(|e| ClusterError::disk("read the key", path, io::Error::other(e)))?;
                let seed = digits(text.trim()).ok_or_else(|| ClusterError::Key(path.display().to_string()))?;
                return Ok(SecretKey(SigningKey::from_bytes(&seed)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(ClusterError::disk("read the key", path, error)),
        }
        let key = SecretKey::drawn();
        let folder = path.parent().unwrap_or(path);
        fs::create_dir_all(folder).map_err(|e| ClusterError::disk("make the folder", folder, e))?;
        let failed = |e| ClusterError::disk("write the key", path, e);
        // A temporary file is the present user's only. It gets its name when all of it is there.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        writeln!(file, "{}", arena::hex(key.0.as_bytes())).map_err(failed)?;
        match file.persist_noclobber(path) {
            Ok(_) => Ok(key),
            // Another program was faster.
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => SecretKey::kept(path),
            Err(error) => Err(failed(error.error)),
        }
    }

    /// A new key.
    pub fn drawn() -> SecretKey {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).expect("the system has random numbers");
        SecretKey(SigningKey::from_bytes(&seed))
    }

    /// The public part.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// The message with the public key and the signature before it. The signature is of the kind of message, too: nobody can
    /// send a message of another kind with it.
    pub(crate) fn signed(&self, kind: &str, message: &[u8]) -> Vec<u8> {
        let signature = self.0.sign(&with_kind(kind, message));
        [&self.public().0[..], &signature.to_bytes(), message].concat()
    }
}

/// The signer of these bytes and the message in them.
///
/// # Errors
/// [`ClusterError::Message`] if they are not a message of this kind as its signer has written it.
pub(crate) fn opened<'a>(kind: &'static str, bytes: &'a [u8]) -> Result<(PublicKey, &'a [u8]), ClusterError> {
    let parts =
        bytes.split_first_chunk::<KEY>().and_then(|(key, rest)| Some((key, rest.split_first_chunk::<SIGNATURE>()?)));
    let verified = parts.and_then(|(key, (signature, message))| {
        let verifying = VerifyingKey::from_bytes(key).ok()?;
        verifying.verify_strict(&with_kind(kind, message), &Signature::from_bytes(signature)).ok()?;
        Some((PublicKey(*key), message))
    });
    verified.ok_or_else(|| ClusterError::Message(kind, "its signature is wrong".to_owned()))
}

/// The key that these bytes say to be signed with.
pub(crate) fn claimed_signer(bytes: &[u8]) -> Option<PublicKey> {
    bytes.first_chunk::<KEY>().copied().map(PublicKey)
}

/// The key that these bytes say to be signed with, and the message in them.
pub(crate) fn claimed_parts(bytes: &[u8]) -> Option<(PublicKey, &[u8])> {
    Some((claimed_signer(bytes)?, bytes.get(KEY + SIGNATURE..)?))
}

/// The bytes that are signed.
fn with_kind(kind: &str, message: &[u8]) -> Vec<u8> {
    [b"broadside ", kind.as_bytes(), b"\n", message].concat()
}

/// The bytes of a key in hexadecimal digits.
fn digits(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let bytes = text.as_bytes().chunks(2).map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok());
    bytes.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

impl FromStr for PublicKey {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<PublicKey, ClusterError> {
        let wrong = || ClusterError::Key(rules::printable(text));
        let key = digits(text).ok_or_else(wrong)?;
        VerifyingKey::from_bytes(&key).map_err(|_| wrong())?;
        Ok(PublicKey(key))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&arena::hex(&self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for SecretKey {
    /// The public part: the secret one is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.public(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_message_of_another_key_another_kind_or_another_text_is_refused() {
        let (one, other) = (SecretKey::drawn(), SecretKey::drawn());
        let sent = one.signed("a job", b"play");
        assert_eq!(opened("a job", &sent).unwrap(), (one.public(), &b"play"[..]));
        assert!(opened("an answer", &sent).is_err());
        for at in 0..sent.len() {
            let mut changed = sent.clone();
            changed[at] ^= 1;
            assert!(opened("a job", &changed).is_err(), "byte {at}");
            assert!(opened("a job", &sent[..at]).is_err(), "{at} bytes");
        }
        let forged = [&one.public().0[..], &other.signed("a job", b"play")[KEY..]].concat();
        assert!(opened("a job", &forged).is_err());
    }

    #[test]
    fn a_key_is_kept_for_its_user_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/head.key");
        let key = SecretKey::kept(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(SecretKey::kept(&path).unwrap().public(), key.public());
        let secret = fs::read_to_string(&path).unwrap();
        assert!(!format!("{key:?}").contains(secret.trim()));
        fs::write(&path, "something else").unwrap();
        assert!(SecretKey::kept(&path).unwrap_err().to_string().contains("head.key"));
        for wrong in ["", "x", &"g".repeat(64), &"a".repeat(65), &"é".repeat(32)] {
            assert!(wrong.parse::<PublicKey>().is_err(), "{wrong}");
        }
    }
}
