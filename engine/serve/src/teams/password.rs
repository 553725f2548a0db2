//! Passwords: those of bots, stored as argon2id hashes, and the secrets of the organiser.

use crate::state::request_error::{RequestError, RequestResult};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::password_hash::{Error, generate_salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use platform::locks::lock;
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The shortest password, in characters.
const LEAST_OF_PASSWORD: usize = 4;
/// The longest password, in bytes.
const MOST_OF_PASSWORD: usize = 128;
/// The most hashes that are computed at the same time. Each takes 19 MiB, and processor time.
const AT_ONCE: usize = 2;
/// The longest time that a hash may wait.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hashes passwords on threads of their own, few at the same time.
#[derive(Clone)]
pub(crate) struct Passwords {
    permits: Arc<Semaphore>,
    /// Free memory for hashes, at most [`AT_ONCE`] pieces. The memory is not returned to the allocator: allocators keep
    /// such blocks for the thread that freed them, and each hash may run on another thread.
    memory: Arc<Mutex<Vec<Memory>>>,
}

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passwords")
    }
}

/// The memory for one hash.
type Memory = Vec<Block>;

impl Passwords {
    pub(crate) fn new() -> Passwords {
        Passwords { permits: Arc::new(Semaphore::new(AT_ONCE)), memory: Arc::default() }
    }

    /// Hashes a new password. Returns the PHC string.
    ///
    /// # Errors
    /// The length is not allowed, too many hashes are waiting, or the hash fails.
    pub(crate) async fn hash(&self, password: String) -> RequestResult<String> {
        let letters = password.chars().count();
        if letters < LEAST_OF_PASSWORD || password.len() > MOST_OF_PASSWORD {
            return Err(RequestError::bad(format!(
                "a password has at least {LEAST_OF_PASSWORD} letters and at most {MOST_OF_PASSWORD} bytes"
            )));
        }
        self.work(move |memory| {
            let argon2 = Argon2::default();
            let salt = Salt::new(&generate_salt())?;
            let output = output(&argon2, &password, &salt, memory)?;
            let hash = PasswordHash {
                algorithm: Algorithm::default().ident(),
                version: Some(Version::default().into()),
                params: ParamsString::try_from(argon2.params())?,
                salt: Some(salt),
                hash: Some(output),
            };
            Ok(hash.to_string())
        })
        .await
    }

    /// True if the password is the one that was hashed.
    ///
    /// # Errors
    /// Too many hashes are waiting, or the stored hash cannot be read.
    pub(crate) async fn is_right(&self, password: String, hash: String) -> RequestResult<bool> {
        if password.len() > MOST_OF_PASSWORD {
            return Ok(false);
        }
        self.work(move |memory| {
            let hash = PasswordHash::new(&hash)?;
            let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
            let version = hash.version.map_or(Ok(Version::default()), Version::try_from)?;
            let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash)?);
            let salt = hash.salt.ok_or(Error::SaltInvalid)?;
            // The comparison takes the same time wherever the hashes differ.
            Ok(Some(output(&argon2, &password, &salt, memory)?) == hash.hash)
        })
        .await
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> Result<T, Error> + Send + 'static,
    ) -> RequestResult<T> {
        let permit = timeout(PATIENCE, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(RequestError::busy("too many passwords are being checked at the moment"));
        };
        // The permit moves to the other thread, which goes on even if the request was given up.
        let kept = Arc::clone(&self.memory);
        let done = spawn_blocking(move || {
            let lock = || lock(&kept);
            let mut memory = lock().pop().unwrap_or_default();
            let done = work(&mut memory);
            lock().push(memory);
            drop(permit);
            done
        });
        let failed = |e: &dyn fmt::Display| RequestError::internal(format!("a password cannot be hashed: {e}"));
        done.await.map_err(|e| failed(&e))?.map_err(|e| failed(&e))
    }
}

fn output(argon2: &Argon2, password: &str, salt: &[u8], memory: &mut Memory) -> Result<Output, Error> {
    memory.resize(argon2.params().block_count(), Block::new());
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, &mut output, memory)?;
    Ok(Output::new(&output)?)
}

/// A secret of the organiser, as a digest: the administrator's password, or the code for joining.
#[derive(Clone)]
pub(crate) struct Secret([u8; 32]);

impl Secret {
    /// The digest of a secret.
    pub(crate) fn new(secret: &str) -> Secret {
        Secret(Sha256::digest(secret).into())
    }

    /// True if the secret is the right one. The comparison takes the same time for all.
    pub(crate) fn is(&self, secret: &str) -> bool {
        let digest: [u8; 32] = Sha256::digest(secret).into();
        self.0.ct_eq(&digest).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(what: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(what)
    }

    #[test]
    fn a_password_is_kept_as_argon2id_and_found_right_or_wrong() {
        run(async {
            let passwords = Passwords::new();
            let hash = passwords.hash("hunter42".to_owned()).await.unwrap();
            assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
            assert_ne!(hash, passwords.hash("hunter42".to_owned()).await.unwrap());
            assert_eq!(passwords.is_right("hunter42".to_owned(), hash.clone()).await, Ok(true));
            assert_eq!(passwords.is_right("hunter43".to_owned(), hash.clone()).await, Ok(false));
            assert_eq!(passwords.is_right("x".repeat(1 << 20), hash).await, Ok(false));
            let length = RequestError::bad("a password has at least 4 letters and at most 128 bytes");
            for bad in ["abc", &"x".repeat(129)] {
                assert_eq!(passwords.hash(bad.to_owned()).await, Err(length.clone()));
            }
        });
    }

    #[test]
    fn hashes_are_made_in_the_same_memory_again_and_again() {
        run(async {
            let passwords = Passwords::new();
            let many = (0..6).map(|number| passwords.hash(format!("password {number}")));
            let hashes = futures_util::future::join_all(many).await;
            assert!(hashes.iter().all(Result::is_ok), "{hashes:?}");
            let pieces = passwords.memory.lock().unwrap();
            assert!((1..=AT_ONCE).contains(&pieces.len()), "{} pieces", pieces.len());
            assert!(pieces.iter().all(|piece| size_of_val(&piece[..]) == 19456 * 1024));
        });
    }

    #[test]
    fn only_the_password_itself_is_the_administrator_s() {
        let password = Secret::new("open sesame");
        assert!(password.is("open sesame"));
        assert!(!password.is("open sesam") && !password.is(""));
        assert_eq!(format!("{password:?}"), "Secret");
    }
}
