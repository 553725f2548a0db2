//! The rules of the Battleship games, and the text their players read and write.
//!
//! ```
//! use rules::sea_battle::{BOARD, Order, SeaBattle, Settings, random_fleet};
//! use rules::{Game, Seat};
//!
//! let mut game = SeaBattle::start(&Settings::default(), 2, 7)?;
//! let order = |game: &SeaBattle, seat: Seat| match game.view(seat) {
//!     view if view.turn == 0 => Order::Place(random_fleet(&mut rules::random(seat.index() as u64))),
//!     view => Order::Shoot(BOARD.points().nth(view.own_shots.len()).unwrap_or_default()),
//! };
//! while game.outcome().is_none() {
//!     let answers = game.awaited().iter().map(|seat| (seat, Ok(order(&game, seat)))).collect();
//!     game.advance(answers);
//! }
//! assert_eq!(game.moves(), 240);
//! # Ok::<(), rules::SetupError>(())
//! ```
//!
//! Everything here is pure: no clock, disk, network, threads or environment, and randomness only from a given seed.
//! The same settings, seats, seed and answers always give the same match.

mod dialect;
mod fleet;
mod game;
mod games;
mod grid;
mod kind;
mod listed;
mod look;
mod player_info;
mod printable;
mod scene;
mod seat;
mod team_name;

pub mod bots_arena;
pub mod entelect_2017;
pub mod salvo;
pub mod sea_battle;

pub use dialect::{BOUNDARY, ContentType, Dialect, FolderMessage, HttpRequest, Part};
pub use fleet::{random_fleet, straight};
pub use game::{Answer, AnswerRef, Answers, Audience, Ending, Fault, Game, Illegal, Outcome, SetupError, Told};
pub use grid::{Direction, Grid, Point};
pub use kind::{GameKind, counted};
pub use listed::{Listed, Reach, WithGame};
pub use look::{FirstRow, Hue, Look, ShipLook};
pub use player_info::PlayerInfo;
pub use printable::{printable, printable_line, printable_prefix, printable_text};
pub use scene::{BoardScene, CellScene, Eye, Highlight, HighlightKind, Mark, Scene};
pub use seat::{BySeat, NoSuchSeat, Seat, Seats, TooManySeats};
pub use team_name::{TeamNameError, check_team_name, look_alike};

/// The generator behind everything random: its sequence for a seed is the same on every machine and in every version.
pub type Random = rand_chacha::ChaCha8Rng;

/// A generator for `seed`.
pub fn random(seed: u64) -> Random {
    rand::SeedableRng::seed_from_u64(seed)
}

/// The seed that the player in `seat` is given in a match with this seed. The seed of another seat cannot be computed from
/// it.
pub fn seat_seed(seed: u64, seat: Seat) -> u64 {
    use rand::{Rng, SeedableRng};
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8] = seat.index() as u8;
    Random::from_seed(key).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_of_the_seats_differ_and_never_change() {
        let seeds = [seat_seed(7, Seat::A), seat_seed(7, Seat::B), seat_seed(8, Seat::A)];
        assert_eq!(seeds, [14095323943061994099, 16046041343225761205, 5565730000310580210]);
    }
}
