//! Facts of fleets in the views of all games, along games at random.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end here")]

mod complete;
mod games;
mod luck;
mod orders;
mod played;
mod sound;
mod told;
