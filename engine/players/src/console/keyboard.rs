//! Lines from people, one keyboard for all of them.

use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use platform::terminal;
use platform::wait::{Handle, WaitSet, read};
use std::io;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex};

/// The keyboard. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Keyboard {
    source: Arc<Handle>,
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
        let stdin = terminal::input().map_err(|source| ArenaError::Console { doing: "read from", source })?;
        Ok(Keyboard::new(stdin, interrupt))
    }

    /// Any file, pipe or terminal.
    pub fn new(source: Handle, interrupt: Interrupt) -> Keyboard {
        Keyboard { source: Arc::new(source), typed: Arc::default(), interrupt }
    }

    /// The next line without its end; `None` when no more will come (Ctrl-D).
    pub(super) fn line(&self) -> Result<Option<String>, ArenaError> {
        let mut typed = lock(&self.typed);
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
        let failed = |source: io::Error| ArenaError::Console { doing: "read from", source };
        let mut set = WaitSet::new().readable(&*self.source).readable(&self.interrupt);
        set.wait(None).map_err(failed)?;
        if set.is_ready(1) {
            return Err(ArenaError::Interrupted);
        }
        let mut chunk = [MaybeUninit::uninit(); 1024];
        let bytes = read(&*self.source, &mut chunk).map_err(failed)?;
        typed.extend_from_slice(bytes);
        Ok(!bytes.is_empty())
    }
}
