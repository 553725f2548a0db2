//! The terminal behind standard input and output, by termios(3).

use crate::wait::Handle;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::SIGWINCH;
use signal_hook::{SigId, low_level};
use std::io::{self, IsTerminal};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The columns and rows of a terminal, each at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalSize {
    /// The columns.
    pub columns: usize,
    /// The rows.
    pub rows: usize,
}

/// The size of the terminal; `None` if standard output is not a terminal or its size is not known.
pub fn size() -> Option<TerminalSize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = tcgetwinsize(stdout).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && rows > 0).then_some(TerminalSize { columns, rows })
}

/// Standard input, for waiting and reading.
///
/// # Errors
/// The system has no more file descriptors.
pub fn input() -> io::Result<Handle> {
    io::stdin().as_fd().try_clone_to_owned()
}

/// The mode of the terminal in which a key is read at once and not shown.
#[derive(Debug)]
pub struct KeyMode {
    before: Termios,
}

impl KeyMode {
    /// Begins the mode.
    ///
    /// # Errors
    /// Standard input is not a terminal.
    pub fn begin() -> io::Result<KeyMode> {
        Ok(KeyMode { before: changed(LocalModes::ICANON | LocalModes::ECHO, LocalModes::empty())? })
    }

    /// Restores the mode that the terminal had before.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn end(self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &self.before)?)
    }
}

/// The mode of the terminal in which lines are read as usual, but of what is typed only the end of the line is shown: for
/// passwords.
#[derive(Debug)]
pub struct PasswordMode {
    before: Termios,
}

impl PasswordMode {
    /// Begins the mode.
    ///
    /// # Errors
    /// Standard input is not a terminal.
    pub fn begin() -> io::Result<PasswordMode> {
        Ok(PasswordMode { before: changed(LocalModes::ECHO, LocalModes::ICANON | LocalModes::ECHONL)? })
    }

    /// Restores the mode that the terminal had before.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn end(self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &self.before)?)
    }
}

/// Changes these modes of the terminal, and gives those that it had before.
fn changed(without: LocalModes, with: LocalModes) -> io::Result<Termios> {
    let before = tcgetattr(io::stdin())?;
    let mut after = before.clone();
    after.local_modes.remove(without);
    after.local_modes.insert(with);
    tcsetattr(io::stdin(), OptionalActions::Now, &after)?;
    Ok(before)
}

/// Reports changes of the terminal's size: it can be waited for, and is readable after a change.
#[derive(Debug)]
pub struct ResizeSignal {
    changed: OwnedFd,
    signal: SigId,
}

impl ResizeSignal {
    /// Listens from now on.
    ///
    /// # Errors
    /// The system has no pipe left, or refuses a signal handler.
    pub fn listen() -> io::Result<ResizeSignal> {
        let (changed, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(ResizeSignal { changed, signal: low_level::pipe::register(SIGWINCH, writer)? })
    }

    /// Forgets the changes so far, of which there is at least one.
    ///
    /// # Errors
    /// There is none.
    pub fn forget(&self) -> io::Result<()> {
        rustix::io::read(&self.changed, &mut [MaybeUninit::uninit(); 1024])?;
        Ok(())
    }
}

impl AsFd for ResizeSignal {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.changed.as_fd()
    }
}

impl Drop for ResizeSignal {
    fn drop(&mut self) {
        low_level::unregister(self.signal);
    }
}
