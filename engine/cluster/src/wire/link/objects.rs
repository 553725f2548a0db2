//! Objects on the server: archives of bots, descriptions of tournaments, and files of games.

use crate::error::ClusterError;
use crate::wire::archive;
use crate::wire::link::{CALL, Link, text};
use crate::wire::names::OBJECTS;
use async_nats::jetstream::object_store::{InfoErrorKind, ObjectInfo, ObjectStore};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE;
use std::cell::Cell;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};
use tokio::io::AsyncReadExt;

/// The time after which the server removes an object, unless it is sent again.
pub(crate) const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// The age at which an object that is still used is sent again.
const RENEWED: Duration = Duration::from_secs(2 * 24 * 3600);
/// The time after which an object that is sent or fetched has failed.
const LONGEST_WAY: Duration = Duration::from_secs(3600);
/// The most bytes of an object: a compressed archive.
const LONGEST_OBJECT: u64 = 320 << 20;
/// The number of times that an object may break off.
const MOST_BROKEN: u32 = 10;

impl Link {
    async fn bucket(&self, bucket: &str) -> Result<ObjectStore, String> {
        self.context.get_object_store(bucket).await.map_err(text)
    }

    /// Keeps a file with this SHA-256 as an object, unless it is there and not old.
    pub(crate) fn keep(&self, name: &str, file: &mut File, hash: &str) -> Result<(), ClusterError> {
        let is_there = self.wait("look for an object", async || {
            let objects = self.bucket(OBJECTS).await?;
            match objects.info(name).await {
                Ok(info) => Ok(is_fresh(&info, hash)),
                Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
                Err(error) => Err(text(error)),
            }
        })?;
        if is_there {
            return Ok(());
        }
        self.put(OBJECTS, name, file, LONGEST_WAY)
    }

    /// Keeps a file as an object of this bucket, within this time, in one try that no interrupt stops.
    pub(crate) fn put(&self, bucket: &str, name: &str, file: &mut File, most: Duration) -> Result<(), ClusterError> {
        let failed = |why: String| ClusterError::server("keep an object", why);
        file.rewind().map_err(|error| failed(text(error)))?;
        let kept = async {
            let mut file = tokio::fs::File::from_std(file.try_clone().map_err(text)?);
            // Each read becomes a message, which a server may limit.
            file.set_max_buf_size(1 << 16);
            self.bucket(bucket).await?.put(name, &mut file).await.map_err(text)
        };
        let kept = self.block_on(async { tokio::time::timeout(most, kept).await });
        let kept = kept.unwrap_or_else(|_| Err(format!("it took longer than {} s", most.as_secs())));
        kept.map_err(failed).map(drop)
    }

    /// Writes an object of this bucket to a file, and compares it with its SHA-256. `kind` are words for its contents. What fails on
    /// the way is tried again.
    ///
    /// # Errors
    /// [`ClusterError::Changed`] if its SHA-256 is another. There is no such object, it is a link or too large, the disk failed, or
    /// all tries have failed.
    pub(crate) fn fetch(
        &self,
        kind: &'static str,
        (bucket, name): (&str, &str),
        hash: &str,
        to: &Path,
    ) -> Result<(), ClusterError> {
        let broken = Cell::new(0);
        self.wait_longer("give an object", LONGEST_WAY, async || self.fetched((bucket, name), to, &broken).await)??;
        let found = File::open(to).and_then(archive::hash).map_err(|e| ClusterError::disk("read", to, e))?;
        if found == hash { Ok(()) } else { Err(ClusterError::Changed(kind, found)) }
    }

    /// One try of that; the outer error is for what another try may mend. `broken` counts how often the object broke off.
    async fn fetched(
        &self,
        (bucket, name): (&str, &str),
        to: &Path,
        broken: &Cell<u32>,
    ) -> Result<Result<(), ClusterError>, String> {
        let never = |why: String| Ok(Err(ClusterError::server("give an object", why)));
        let objects = in_time(self.bucket(bucket)).await??;
        let told = match in_time(objects.info(name)).await? {
            Ok(told) => told,
            Err(error) if error.kind() == InfoErrorKind::NotFound => {
                return never("there is none of this name".to_owned());
            }
            Err(error) => return Err(text(error)),
        };
        if told.options.is_some_and(|options| options.link.is_some()) {
            return never("it is a link to another".to_owned());
        }
        // The client follows links, also one that leads to itself and was put there a moment ago.
        let mut object = in_time(objects.get(name)).await?.map_err(text)?;
        let too_large = || never(format!("it has more than {LONGEST_OBJECT} bytes"));
        if object.info().size as u64 > LONGEST_OBJECT {
            return too_large();
        }
        let mut file = match File::create(to) {
            Ok(file) => file,
            Err(error) => return Ok(Err(ClusterError::disk("write", to, error))),
        };
        let (mut chunk, mut size) = (vec![0; 1 << 17], 0);
        loop {
            if self.interrupt.is_raised() {
                return Ok(Err(ClusterError::Interrupted));
            }
            let read = match in_time(object.read(&mut chunk)).await.and_then(|read| read.map_err(text)) {
                Ok(0) => return Ok(Ok(())),
                Ok(read) => read,
                Err(why) => {
                    broken.set(broken.get() + 1);
                    return if broken.get() < MOST_BROKEN { Err(why) } else { never(why) };
                }
            };
            // It need not have as many bytes as it says.
            size += read as u64;
            if size > LONGEST_OBJECT {
                return too_large();
            }
            if let Err(error) = file.write_all(&chunk[..read]) {
                return Ok(Err(ClusterError::disk("write", to, error)));
            }
        }
    }

    /// Removes an object. That it is gone already is no failure.
    pub(crate) fn forget(&self, bucket: &str, name: &str) -> Result<(), ClusterError> {
        self.wait("remove an object", async || {
            // The failure of an object that is not there is not told apart from others.
            let _ = self.bucket(bucket).await?.delete(name).await;
            Ok(())
        })
    }
}

/// True for an object with this SHA-256 that the server will keep for some days.
fn is_fresh(info: &ObjectInfo, hash: &str) -> bool {
    let bytes: Option<Vec<u8>> =
        hash.as_bytes().chunks(2).map(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()).collect();
    let digest = bytes.map(|bytes| format!("SHA-256={}", BASE64_URL_SAFE.encode(bytes)));
    let age = info.modified.map(|at| SystemTime::now().duration_since(at.into()).unwrap_or_default());
    let is_link = info.options.as_ref().is_some_and(|options| options.link.is_some());
    !info.deleted && !is_link && info.digest == digest && age.is_some_and(|age| age < RENEWED)
}

/// A call that must be over soon.
async fn in_time<T>(call: impl Future<Output = T>) -> Result<T, String> {
    tokio::time::timeout(CALL, call).await.map_err(|_| "no answer".to_owned())
}
