//! Tournaments: what many games between bots say about their strength.
//!
//! Everything here is arithmetic on counts. Bots are indexes, results are seen from the first bot, and whatever is random
//! comes from a seed. `docs/statistics.md` explains it to organisers.

mod bootstrap;
mod bradley_terry;
mod elo;
mod likelihood;
mod normal;
mod pairs;
mod played;
mod rating;
#[cfg(test)]
mod simulation;
mod sprt;

pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use pairs::{GameResult, Pentanomial, Tally};
pub use rating::{PairingResult, Rating, RatingError, RatingSettings, Ratings};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
