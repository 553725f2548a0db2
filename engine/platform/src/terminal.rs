//! The terminal behind standard input and output.

pub use crate::linux::terminal::{KeyMode, ResizeSignal, input, size};

/// The columns and rows of a terminal, each at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalSize {
    /// The columns.
    pub columns: usize,
    /// The rows.
    pub rows: usize,
}
