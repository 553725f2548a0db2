//! Profiles: the habits and the strength of a player over many recorded games, in numbers.
//!
//! [`game_sheets`] plays a record again and writes down what a player did in it. [`ProfileSums`] adds up the sheets of one player, and takes as much
//! memory for ten thousand games as for ten, but for a few numbers a game. [`Profile`] is made of the sums: heat maps, shots, losses, and hints
//! where a habit can be exploited ([`Hint`]), each tested against [`RandomFleets`] and shots that are drawn.

mod chance_test;
mod fleet_traits;
mod habits;
mod report;
mod sheet;
mod sums;
#[cfg(test)]
mod tests;
mod words;

pub use fleet_traits::RandomFleets;
pub use habits::{Habit, Hint};
pub use report::{
    FirstShots, Losses, PhaseShots, Profile, Quartiles, SalvoUse, ShieldUse, ShipLeft, WeaponUse, WhereShipsStood,
};
pub use sheet::{Board, GameSheet, ShieldShots, ShipKind, Volley, game_sheets};
pub use sums::ProfileSums;
