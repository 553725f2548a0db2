//! What the program does, one file each.

mod contestant;
mod guard;
mod play;
mod seclusion;

pub(crate) use guard::guard;
pub(crate) use play::play;
