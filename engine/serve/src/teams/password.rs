//! Passwords: those of bots, stored as argon2id hashes, and the secrets of the organiser.

use crate::state::request_error::{RequestError, RequestResult};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::password_hash::{Error, generate_salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use connections::Throttle;
use platform::locks::lock;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The shortest password, in characters.
const LEAST_OF_PASSWORD: usize = 4;
/// The longest password, in bytes.
const MOST_OF_PASSWORD: usize = 128;
/// The most hashes that are computed at the same time. Each takes 19 MiB, and processor time.
const AT_ONCE: usize = 2;
/// The most hashes that are computed at the same time for networks that have failed. One is left to the others.
const FAILED_AT_ONCE: usize = AT_ONCE - 1;
/// The number of wrong passwords after which a network has failed, and the time after which one of them is forgotten.
const FAILURES: (u32, Duration) = (3, Duration::from_secs(20));
/// The longest time that a hash may wait.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hashes passwords on threads of their own, few at the same time. Networks that have sent wrong ones wait for each other, and not
/// others for them.
#[derive(Clone)]
pub(crate) struct Passwords {
    permits: Arc<Semaphore>,
    /// The permits that networks which have failed need as well.
    of_failed: Arc<Semaphore>,
    /// The permits of each network with a hash that waits or is computed: no network fills the queue of all.
    of_networks: Arc<Mutex<HashMap<IpAddr, Weak<Semaphore>>>>,
    /// The wrong passwords of each network.
    failures: Arc<Throttle<IpAddr>>,
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
        Passwords {
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            of_failed: Arc::new(Semaphore::new(FAILED_AT_ONCE)),
            of_networks: Arc::default(),
            failures: Arc::new(Throttle::new(FAILURES.0, FAILURES.1)),
            memory: Arc::default(),
        }
    }

    /// Hashes a new password, which came from this network. Returns the PHC string.
    ///
    /// # Errors
    /// The length is not allowed, too many hashes are waiting, or the hash fails.
    pub(crate) async fn hash(&self, from: IpAddr, password: String) -> RequestResult<String> {
        let letters = password.chars().count();
        if letters < LEAST_OF_PASSWORD || password.len() > MOST_OF_PASSWORD {
            return Err(RequestError::bad(format!(
                "a password has at least {LEAST_OF_PASSWORD} letters and at most {MOST_OF_PASSWORD} bytes"
            )));
        }
        let permits = self.wait(from).await?;
        self.work(permits, move |memory| {
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

    /// True if the password, which came from this network, is the one that was hashed.
    ///
    /// # Errors
    /// Too many hashes are waiting, or the stored hash cannot be read.
    pub(crate) async fn is_right(&self, from: IpAddr, password: String, hash: String) -> RequestResult<bool> {
        if password.len() > MOST_OF_PASSWORD {
            return Ok(false);
        }
        let (permits, failures) = (self.wait(from).await?, Arc::clone(&self.failures));
        self.work(permits, move |memory| {
            let hash = PasswordHash::new(&hash)?;
            let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
            let version = hash.version.map_or(Ok(Version::default()), Version::try_from)?;
            let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash)?);
            let salt = hash.salt.ok_or(Error::SaltInvalid)?;
            // The comparison takes the same time wherever the hashes differ.
            let is_right = Some(output(&argon2, &password, &salt, memory)?) == hash.hash;
            if !is_right {
                // Before the permits are free for the next one. After too many, the network has failed already.
                let _ = failures.ask(from, Instant::now());
            }
            Ok(is_right)
        })
        .await
    }

    /// Waits for the permits of a hash.
    ///
    /// # Errors
    /// Too many hashes are waiting.
    async fn wait(&self, from: IpAddr) -> RequestResult<Vec<OwnedSemaphorePermit>> {
        match timeout(PATIENCE, self.permits(from)).await {
            Ok(Ok(permits)) => Ok(permits),
            _ => Err(RequestError::busy("too many passwords are being checked at the moment")),
        }
    }

    async fn permits(&self, from: IpAddr) -> Result<Vec<OwnedSemaphorePermit>, AcquireError> {
        let mut permits = vec![self.of_network(from).acquire_owned().await?];
        if self.failures.look(&from, Instant::now()).is_err() {
            permits.push(Arc::clone(&self.of_failed).acquire_owned().await?);
        }
        permits.push(Arc::clone(&self.permits).acquire_owned().await?);
        Ok(permits)
    }

    /// The permits of a network. Those of networks without hashes are forgotten.
    fn of_network(&self, from: IpAddr) -> Arc<Semaphore> {
        let mut networks = lock(&self.of_networks);
        if let Some(permits) = networks.get(&from).and_then(Weak::upgrade) {
            return permits;
        }
        networks.retain(|_, permits| permits.strong_count() > 0);
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        networks.insert(from, Arc::downgrade(&permits));
        permits
    }

    async fn work<T: Send + 'static>(
        &self,
        permits: Vec<OwnedSemaphorePermit>,
        work: impl FnOnce(&mut Memory) -> Result<T, Error> + Send + 'static,
    ) -> RequestResult<T> {
        // The permits move to the other thread, which goes on even if the request was given up.
        let kept = Arc::clone(&self.memory);
        let done = spawn_blocking(move || {
            let lock = || lock(&kept);
            let mut memory = lock().pop().unwrap_or_default();
            let done = work(&mut memory);
            lock().push(memory);
            drop(permits);
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
    use std::net::Ipv4Addr;

    const NETWORK: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    fn run<T>(what: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(what)
    }

    #[test]
    fn a_password_is_kept_as_argon2id_and_found_right_or_wrong() {
        run(async {
            let passwords = Passwords::new();
            let hash = passwords.hash(NETWORK, "hunter42".to_owned()).await.unwrap();
            assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
            assert_ne!(hash, passwords.hash(NETWORK, "hunter42".to_owned()).await.unwrap());
            assert_eq!(passwords.is_right(NETWORK, "hunter42".to_owned(), hash.clone()).await, Ok(true));
            assert_eq!(passwords.is_right(NETWORK, "hunter43".to_owned(), hash.clone()).await, Ok(false));
            assert_eq!(passwords.is_right(NETWORK, "x".repeat(1 << 20), hash).await, Ok(false));
            let length = RequestError::bad("a password has at least 4 letters and at most 128 bytes");
            for bad in ["abc", &"x".repeat(129)] {
                assert_eq!(passwords.hash(NETWORK, bad.to_owned()).await, Err(length.clone()));
            }
        });
    }

    #[test]
    fn hashes_are_made_in_the_same_memory_again_and_again() {
        run(async {
            let passwords = Passwords::new();
            let many = (0..6).map(|number| passwords.hash(NETWORK, format!("password {number}")));
            let hashes = futures_util::future::join_all(many).await;
            assert!(hashes.iter().all(Result::is_ok), "{hashes:?}");
            let pieces = passwords.memory.lock().unwrap();
            assert!((1..=AT_ONCE).contains(&pieces.len()), "{} pieces", pieces.len());
            assert!(pieces.iter().all(|piece| size_of_val(&piece[..]) == 19456 * 1024));
        });
    }

    fn network(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, number))
    }

    /// Takes permits without waiting; `None` if there is none.
    async fn taken(passwords: &Passwords, from: IpAddr) -> Option<Vec<OwnedSemaphorePermit>> {
        timeout(Duration::ZERO, passwords.permits(from)).await.ok()?.ok()
    }

    #[test]
    fn networks_that_have_failed_leave_room_for_others() {
        run(async {
            let passwords = Passwords::new();
            let hash = passwords.hash(network(0), "hunter42".to_owned()).await.unwrap();
            for guess in (0..8 * FAILURES.0).map(|number| network(1 + (number % 8) as u8)) {
                assert_eq!(passwords.is_right(guess, "hunter43".to_owned(), hash.clone()).await, Ok(false));
            }
            let failed = taken(&passwords, network(1)).await.unwrap();
            assert!(taken(&passwords, network(2)).await.is_none(), "it waits for the other that has failed");
            assert_eq!(passwords.is_right(network(9), "hunter42".to_owned(), hash).await, Ok(true));
            drop(failed);
            assert!(taken(&passwords, network(2)).await.is_some());
        });
    }

    #[test]
    fn a_network_has_no_more_hashes_in_the_queue_of_all_than_are_computed_at_once() {
        run(async {
            let passwords = Passwords::new();
            let first = [taken(&passwords, network(1)).await, taken(&passwords, network(1)).await];
            assert!(first.iter().all(Option::is_some));
            let waiting = futures_util::future::join_all((0..100).map(|_| passwords.permits(network(1))));
            let other = passwords.permits(network(2));
            let mut waiting = Box::pin(waiting);
            let mut other = Box::pin(other);
            assert!(timeout(Duration::ZERO, &mut waiting).await.is_err());
            assert!(timeout(Duration::ZERO, &mut other).await.is_err());
            drop(first);
            let is_next = timeout(Duration::ZERO, other).await.is_ok_and(|permits| permits.is_ok());
            assert!(is_next, "it is the next one, and not the last of a hundred");
            drop(waiting);
            taken(&passwords, network(3)).await.unwrap();
            assert_eq!(lock(&passwords.of_networks).len(), 1, "networks are forgotten");
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
