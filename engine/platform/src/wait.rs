//! Waiting for several things at once: processes, pipes, sockets, terminals and flags.

pub use crate::linux::wait::{Flag, Handle, WaitSet, Waitable, read, set_nonblocking, write};
