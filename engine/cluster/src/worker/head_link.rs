//! The way from a worker to the head that has given it a job: what it fetches there, and what it sends.

use crate::error::ClusterError;
use crate::wire::archive;
use crate::wire::link::{Link, NoAnswer};
use crate::wire::messages;
use crate::wire::names;
use crate::wire::signing::SecretKey;
use futures_util::{StreamExt, stream};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

/// The number of parts of an object that are asked for at the same time.
const AT_ONCE: usize = 4;
/// The most bytes of an object: a compressed archive.
const LONGEST_OBJECT: u64 = 320 << 20;
/// The bytes of a message beside its part of files.
const BESIDE: usize = 4 << 10;
/// The most bytes of such a part.
const MOST_OF_PART: usize = 512 << 10;

/// The way to a head.
#[derive(Clone, Copy)]
pub(crate) struct HeadLink<'a> {
    pub(crate) link: &'a Link,
    /// The run of the head.
    pub(crate) run: &'a str,
    /// The key of the worker.
    pub(crate) key: &'a SecretKey,
}

impl HeadLink<'_> {
    /// Tells something until the head has heard it: `line` is what it has to know before it reads the rest. A worker that ends tries it
    /// a few times only, and is not interrupted.
    ///
    /// # Errors
    /// [`ClusterError::TooLong`] if the server takes no message of this length; or there is no answer.
    pub(crate) fn tell(&self, kind: &'static str, line: &str, rest: &[u8]) -> Result<(), ClusterError> {
        const TRIES: u32 = 60;
        // A head that connects again is there sooner.
        const TRIES_WITHOUT_HEAD: u32 = 20;
        const TRIES_AT_END: u32 = 2;
        const PAUSE: Duration = Duration::from_millis(500);
        let (subject, message) = (names::to_head(self.run, kind), messages::write_to_head(kind, line, rest, self.key));
        if message.len() > self.link.client.server_info().max_payload {
            return Err(ClusterError::TooLong);
        }
        let mut tries = 0;
        loop {
            tries += 1;
            let most = if self.link.interrupt.is_raised() { TRIES_AT_END } else { TRIES };
            match self.link.try_ask(&subject, &message, Duration::ZERO) {
                Ok(_) => return Ok(()),
                Err(NoAnswer::NobodyThere) if tries >= most.min(TRIES_WITHOUT_HEAD) => {
                    return Err(ClusterError::HeadEnded);
                }
                Err(NoAnswer::Late(why)) if tries >= most => return Err(ClusterError::server("reach the head", why)),
                Err(_) => self.link.pause(PAUSE),
            }
        }
    }

    /// Writes an object to a file, and compares it with its SHA-256. `kind` are words for its contents.
    ///
    /// # Errors
    /// [`ClusterError::Changed`] if its SHA-256 is another. There is no such object, it is too large, the disk failed, or the head
    /// does not answer.
    pub(crate) fn fetch(&self, kind: &'static str, hash: &str, to: &Path) -> Result<(), ClusterError> {
        let disk = |e| ClusterError::disk("write", to, e);
        let mut file = File::create(to).map_err(disk)?;
        self.link.block_on(async {
            let (length, first) = self.part(hash, 0).await?;
            file.write_all(&first).map_err(disk)?;
            let step = first.len() as u64;
            if length > LONGEST_OBJECT || step == 0 && length > 0 {
                return Err(ClusterError::server("give an object", format!("it has {length} bytes")));
            }
            let rest = (step..length).step_by(step.max(1) as usize);
            let mut parts = stream::iter(rest).map(|offset| self.part(hash, offset)).buffered(AT_ONCE);
            while let Some(part) = parts.next().await {
                file.write_all(&part?.1).map_err(disk)?;
            }
            Ok(())
        })?;
        let found = File::open(to).and_then(archive::hash).map_err(|e| ClusterError::disk("read", to, e))?;
        if found == hash { Ok(()) } else { Err(ClusterError::Changed(kind, found)) }
    }

    /// The length of an object, and its bytes from `offset` on, as many as fit into a message.
    async fn part(&self, hash: &str, offset: u64) -> Result<(u64, Vec<u8>), ClusterError> {
        let message = messages::write_to_head(names::OBJECT, &format!("{} {hash} {offset}", self.run), &[], self.key);
        let subject = names::to_head(self.run, names::OBJECT);
        let answer = self.link.ask("give an object", &subject, &message).await?;
        match answer.split_first_chunk() {
            Some((length, part)) => Ok((u64::from_be_bytes(*length), part.to_owned())),
            None => Err(ClusterError::server("give an object", "there is none of this hash")),
        }
    }

    /// Sends the files of a job's games to the head, which keeps them until the answer comes.
    ///
    /// # Errors
    /// They cannot be read, or the head does not answer.
    pub(crate) fn send_files(&self, job: &str, files: &mut File) -> Result<(), ClusterError> {
        let temporary = |e| ClusterError::disk("read from", &std::env::temp_dir(), e);
        files.rewind().map_err(temporary)?;
        let most = MOST_OF_PART.min(self.link.client.server_info().max_payload.saturating_sub(BESIDE));
        let mut offset = 0;
        loop {
            let mut part = Vec::new();
            Read::by_ref(files).take(most as u64).read_to_end(&mut part).map_err(temporary)?;
            if part.is_empty() {
                return Ok(());
            }
            self.tell(names::FILE, &format!("{job} {offset}"), &part)?;
            offset += part.len() as u64;
        }
    }
}
