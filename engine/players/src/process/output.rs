//! What a bot writes to its streams: always drained, kept up to a cap.

use arena::Output;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::mem::MaybeUninit;

/// How much of each stream is kept, in bytes.
const CAP: usize = 64 * 1024;
/// How much of the end of what is thrown away is kept, in bytes: a crash is told there.
const END: usize = 16 * 1024;
/// What is read at once: as much as a pipe holds.
const CHUNK: usize = 64 * 1024;

/// One stream of a bot.
pub(super) struct Stream {
    pipe: Option<OwnedFd>,
    output: Output,
}

impl Stream {
    /// Reads from `pipe` without ever waiting.
    pub(super) fn new(pipe: OwnedFd) -> Result<Stream, Errno> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Stream { pipe: Some(pipe), output: Output::default() })
    }

    /// The end to poll; `None` once the bot has closed its own.
    pub(super) fn pipe(&self) -> Option<&OwnedFd> {
        self.pipe.as_ref()
    }

    /// Takes what is there, but no more than a pipe holds: a bot that never stops writing must not keep us here.
    pub(super) fn drain(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        let mut chunk = [MaybeUninit::uninit(); CHUNK];
        match rustix::io::read(pipe, &mut chunk) {
            Ok(([], _)) => self.pipe = None,
            Ok((read, _)) => {
                let (kept, thrown) = read.split_at(read.len().min(CAP - self.output.bytes.len()));
                self.output.bytes.extend_from_slice(kept);
                self.output.dropped += thrown.len() as u64;
                let end = &mut self.output.end;
                end.extend_from_slice(thrown);
                end.drain(..end.len().saturating_sub(END));
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.pipe = None,
        }
    }

    /// What was written, after a last look.
    pub(super) fn finish(mut self) -> Output {
        self.drain();
        self.output
    }
}
