//! What the program does, one file each.

mod bot_seats;
mod check;
mod contestant;
mod guard;
mod languages;
mod new;
mod play;
mod seclusion;

pub(crate) use check::check;
pub(crate) use contestant::Program;
pub(crate) use guard::guard;
pub(crate) use languages::{Found, languages};
pub(crate) use new::new;
pub(crate) use play::play;
