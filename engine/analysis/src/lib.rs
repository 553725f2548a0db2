//! What a match says about skill and luck.
//!
//! [`Analysed`] is a game whose fleets can be reasoned about: what a seat knows of its opponents' ships as the [`Facts`] of the crate
//! `chances`. [`Knowledge`] is that of one seat at one moment, with the chance of a hit in each cell.

mod game;
mod games;
mod knowledge;

pub use chances::{Chances, Effort, Facts, Layout};
pub use game::{Analysed, Fired, TargetBoard};
pub use games::battleship;
pub use knowledge::Knowledge;
