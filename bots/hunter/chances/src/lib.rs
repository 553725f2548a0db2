//! The chances of fleets that agree with what a player knows of a board.
//!
//! A [`Layout`] has the ships of a fleet and the places in which each may lie. [`Facts`] are what a player knows of one fleet. [`Chances`] say
//! how likely a ship lies in each cell. Nothing here knows a game: cells are numbers, and so are times.
//!
//! ```
//! use chances::{Chances, Effort, Facts, Kind, Layout};
//!
//! // A ship of two cells in a row of three.
//! let layout = Layout::new(3, vec![Kind { count: 1, places: vec![vec![0, 1], vec![1, 2]] }], |_| Vec::new());
//! let mut facts = Facts::new(&layout);
//! assert_eq!(Chances::of(&layout, &facts, Effort::QUICK, 7).cells(), [0.5, 1.0, 0.5]);
//! facts.close(2);
//! assert_eq!(Chances::of(&layout, &facts, Effort::QUICK, 7).cells(), [1.0, 1.0, 0.0]);
//! ```
//!
//! # How it is computed
//!
//! A ship that was hit or sunk has to explain something: each hit cell belongs to one ship, and each sinking is that of one ship. All
//! ways to explain everything that is known are searched; where they are too many, a sample of them stands for the rest (Knuth 1975,
//! "Estimating the efficiency of backtrack programs", whose estimate is right on average). The ships that are not needed
//! for an explanation lie anywhere else. [`Effort`] says what becomes of these: they are taken as independent of each other, or placed
//! one after the other, or all fleets are looked at.
//!
//! Where only numbers of hits are told ([`Facts::add_sum`]), there is nothing to explain cell by cell: such fleets are
//! drawn by Gibbs sampling. On large boards ([`Layout::is_large`]) that takes too long, and such numbers are left aside.

mod chances;
mod facts;
mod fleets;
mod layout;
mod random;
mod search;
mod sums;
#[cfg(test)]
mod tests;

pub use chances::{Chances, Effort, Method};
pub use facts::{Facts, NEVER, Sum, Sunk};
pub use layout::{Kind, Layout, PlaceNumber, Prior};
