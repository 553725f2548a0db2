//! The terminal, which is written to and not asked.

use super::missing;
use crate::terminal::TerminalSize;
use crate::wait::Handle;
use std::io;

const FILE: &str = "terminal.rs";

/// The size of the terminal: not known.
pub fn size() -> Option<TerminalSize> {
    None
}

/// Standard input, for waiting and reading.
///
/// # Errors
/// Always.
pub fn input() -> io::Result<Handle> {
    missing("keys cannot be read while something else is waited for", FILE)
}

/// The mode of the terminal in which a key is read at once and not shown.
#[derive(Debug)]
pub enum KeyMode {}

impl KeyMode {
    /// Begins the mode.
    ///
    /// # Errors
    /// Always.
    pub fn begin() -> io::Result<KeyMode> {
        missing("single keys cannot be read", FILE)
    }

    /// Ends the mode.
    ///
    /// # Errors
    /// None.
    pub fn end(self) -> io::Result<()> {
        match self {}
    }
}

/// Reports changes of the terminal's size.
#[derive(Debug)]
pub enum ResizeSignal {}

impl ResizeSignal {
    /// Listens from now on.
    ///
    /// # Errors
    /// Always.
    pub fn listen() -> io::Result<ResizeSignal> {
        missing("changes of the terminal's size are not told", FILE)
    }

    /// Forgets the changes so far.
    ///
    /// # Errors
    /// None.
    pub fn forget(&self) -> io::Result<()> {
        match *self {}
    }
}
