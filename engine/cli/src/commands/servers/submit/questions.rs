//! Questions to the person at the terminal, and Ctrl-C, which ends the program at once.

use crate::exit::Exit;
use crate::show;
use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use platform::terminal::{self, PasswordMode};
use platform::wait::{Handle, WaitSet, read};
use std::io::{self, IsTerminal};
use std::mem::MaybeUninit;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A person at the terminal.
pub(super) struct Questions {
    keyboard: Handle,
    interrupt: Interrupt,
    /// Locked while the terminal shows nothing of what is typed.
    is_hidden: Arc<Mutex<()>>,
}

impl Questions {
    /// The person at the terminal; `None` if standard input or standard error is no terminal.
    ///
    /// # Errors
    /// The system has no more file descriptors.
    pub(super) fn on_terminal(interrupt: &Interrupt) -> Result<Option<Questions>, ArenaError> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Ok(None);
        }
        let keyboard = terminal::input().map_err(failed)?;
        Ok(Some(Questions { keyboard, interrupt: interrupt.clone(), is_hidden: Arc::default() }))
    }

    /// Asks a question that is answered by yes or no.
    ///
    /// # Errors
    /// Somebody has stopped the program, or the terminal cannot be read.
    pub(super) fn is_confirmed(&self, question: &str) -> Result<bool, ArenaError> {
        let answer = self.line(question)?;
        Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
    }

    /// Asks for a line; it is empty at the end of the input (Ctrl-D).
    ///
    /// # Errors
    /// As [`Questions::is_confirmed`].
    pub(super) fn line(&self, question: &str) -> Result<String, ArenaError> {
        show::say(question);
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            let mut set = WaitSet::new().readable(&self.keyboard).readable(&self.interrupt);
            set.wait(None).map_err(failed)?;
            if set.is_ready(1) {
                return Err(ArenaError::Interrupted);
            }
            let mut chunk = [MaybeUninit::uninit(); 1024];
            match read(&self.keyboard, &mut chunk).map_err(failed)? {
                [] => break,
                bytes => line.extend_from_slice(bytes),
            }
        }
        Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
    }

    /// Asks for a line of which the terminal shows nothing.
    ///
    /// # Errors
    /// As [`Questions::is_confirmed`].
    pub(super) fn password(&self, question: &str) -> Result<String, ArenaError> {
        let _hidden = lock(&self.is_hidden);
        let mode = PasswordMode::begin().map_err(failed)?;
        let line = self.line(question);
        mode.end().map_err(failed)?;
        line
    }
}

fn failed(source: io::Error) -> ArenaError {
    ArenaError::Console { doing: "read from", source }
}

/// The end of the program at Ctrl-C.
pub(super) struct Ending(Arc<AtomicBool>);

impl Ending {
    /// Lets the program say from now on that the version stays.
    pub(super) fn was_handed_in(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Ends the program as soon as it is interrupted, also while it waits for the server. A terminal that hides a password is shown
/// again before.
pub(super) fn end_at_once(interrupt: &Interrupt, questions: Option<&Questions>) -> Ending {
    let (interrupt, was_handed_in) = (interrupt.clone(), Arc::<AtomicBool>::default());
    let is_hidden = questions.map(|questions| Arc::clone(&questions.is_hidden)).unwrap_or_default();
    let ending = Ending(Arc::clone(&was_handed_in));
    thread::spawn(move || {
        interrupt.wait();
        let _shown = lock(&is_hidden);
        if was_handed_in.load(Ordering::SeqCst) {
            show::say("Stopped; the version that was handed in stays");
        }
        process::exit(Exit::Interrupted as i32);
    });
    ending
}
