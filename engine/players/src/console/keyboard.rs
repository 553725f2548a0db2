//! Lines from people, one keyboard for all of them.

use arena::{ArenaError, Interrupt};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

/// The keyboard. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Keyboard {
    source: Arc<OwnedFd>,
    typed: Arc<Mutex<Vec<u8>>>,
    interrupt: Interrupt,
}

/// The longest line anybody may type, in bytes.
const LONGEST: usize = 4096;

impl Keyboard {
    /// Standard input.
    ///
    /// # Errors
    /// [`ArenaError::Console`] when the system has no more file descriptors.
    pub fn stdin(interrupt: Interrupt) -> Result<Keyboard, ArenaError> {
        let stdin = io::stdin().as_fd().try_clone_to_owned();
        let stdin = stdin.map_err(|source| ArenaError::Console { doing: "read from", source })?;
        Ok(Keyboard::new(stdin, interrupt))
    }

    /// Any file, pipe or terminal.
    pub fn new(source: OwnedFd, interrupt: Interrupt) -> Keyboard {
        Keyboard { source: Arc::new(source), typed: Arc::default(), interrupt }
    }

    /// The next line without its end; `None` when no more will come (Ctrl-D).
    pub(super) fn line(&self) -> Result<Option<String>, ArenaError> {
        let mut typed = self.typed.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(end) = typed.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = typed.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()));
            }
            if typed.len() > LONGEST {
                typed.clear();
            }
            if !self.more(&mut typed)? {
                typed.clear();
                return Ok(None);
            }
        }
    }

    /// Waits for more; false at the end.
    fn more(&self, typed: &mut Vec<u8>) -> Result<bool, ArenaError> {
        let failed = |e: Errno| ArenaError::Console { doing: "read from", source: e.into() };
        let mut fds = [PollFd::new(&self.source, PollFlags::IN), PollFd::new(&self.interrupt, PollFlags::IN)];
        match poll(&mut fds, None) {
            Err(Errno::INTR) => return Ok(true),
            other => other.map_err(failed)?,
        };
        if !fds[1].revents().is_empty() {
            return Err(ArenaError::Interrupted);
        }
        let mut chunk = [0; 1024];
        let count = rustix::io::read(&self.source, &mut chunk).map_err(failed)?;
        typed.extend_from_slice(&chunk[..count]);
        Ok(count > 0)
    }
}
