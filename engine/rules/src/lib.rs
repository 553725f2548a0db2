//! The rules of the Battleship games, and the text their players read and write.
//!
//! Everything here is pure: no clock, disk, network, threads or environment, and randomness only from a given seed.
//! The same settings, seats, seed and answers always give the same match.

mod dialect;
mod fleet;
mod game;
mod grid;
mod kind;
mod scene;
mod seat;

pub mod entelect_2017;

pub use dialect::{Dialect, Message, Part};
pub use fleet::{random_fleet, straight};
pub use game::{Answer, Answers, Audience, Ending, Fault, Game, Illegal, Outcome, SetupError, Told};
pub use grid::{Direction, Grid, Point};
pub use kind::GameKind;
pub use scene::{BoardScene, CellScene, Eye, Mark, Scene};
pub use seat::{BySeat, NoSuchSeat, Seat, Seats};

/// The generator behind everything random: its sequence for a seed is the same on every machine and in every version.
pub type Random = rand_chacha::ChaCha8Rng;

/// A generator for `seed`.
pub fn random(seed: u64) -> Random {
    rand::SeedableRng::seed_from_u64(seed)
}
