//! Output streams of a bot: always drained, kept up to a limit.

use arena::Output;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::mem::MaybeUninit;

/// Bytes of each stream that are kept.
const CAP: usize = 64 * 1024;
/// Bytes that are kept of the end of what is dropped: a crash is reported there.
const END: usize = 16 * 1024;
/// Bytes that are read at once: the capacity of a pipe.
const CHUNK: usize = 64 * 1024;

/// One stream of a bot.
pub(super) struct Stream {
    /// The pipe to poll; `None` after the bot has closed its end.
    pub(super) pipe: Option<OwnedFd>,
    output: Output,
}

impl Stream {
    /// A stream that reads from `pipe` without blocking.
    pub(super) fn new(pipe: OwnedFd) -> Result<Stream, Errno> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Stream { pipe: Some(pipe), output: Output::default() })
    }

    /// Reads what is there, but no more than a pipe holds: a bot that never stops writing must not keep the engine
    /// busy.
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

    /// The output, after a last read.
    pub(super) fn finish(mut self) -> Output {
        self.drain();
        self.output
    }
}
