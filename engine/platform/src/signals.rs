//! Signals that ask the program to stop.

pub use crate::linux::signals::{raise_on_finish_or_stop, raise_on_stop};
