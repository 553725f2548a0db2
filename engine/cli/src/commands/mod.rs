//! What the program does, one file each.

mod contestant;
mod guard;
mod languages;
mod play;
mod seclusion;

pub(crate) use guard::guard;
pub(crate) use languages::{Found, languages};
pub(crate) use play::play;
