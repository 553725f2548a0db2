//! Linux.

pub(crate) mod files;
pub(crate) mod process;
pub(crate) mod sandbox;
pub(crate) mod signals;
pub(crate) mod sockets;
pub(crate) mod terminal;
pub(crate) mod wait;
