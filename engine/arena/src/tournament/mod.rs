//! Tournaments: which games are played, what came of them, and what that says about the strength of bots.
//!
//! `plan.rs` says what is to be played, `run.rs` plays it, `journal.rs` keeps what came of it, `table.rs` adds that up,
//! `standings.rs` and `columns.rs` say it. The statistics are arithmetic on counts: bots are indexes, results are seen from the first bot, and whatever is random comes
//! from a seed. `docs/statistics.md` explains them to organisers.

mod bootstrap;
mod bradley_terry;
mod columns;
mod curvature;
mod elo;
mod fixture;
mod journal;
mod knockout;
mod likelihood;
mod matching;
mod normal;
mod pairs;
mod plan;
mod played;
mod rating;
mod results;
mod run;
#[cfg(test)]
mod simulation;
mod sprt;
mod standings;
mod swiss;
mod table;
mod times;

pub use columns::{Column, Part, columns};
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use fixture::Fixture;
pub use journal::{
    Entrant, Event, Failure, GAMES_JSONL, GameLine, JOURNAL_VERSION, Journal, JournalError, JournalWriter, Line,
    PlayerLine,
};
pub use pairs::{GameResult, Pentanomial, Tally};
pub use plan::{Format, Plan, Step};
pub use rating::{PairingResult, Rating, RatingError, RatingSettings, Ratings};
pub use results::Results;
pub use run::{Ended, Host, IN_A_ROW, Progress, RunSettings, note, run};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
pub use standings::{Standing, Standings};
pub use table::{PairingRow, Row, Table};
pub use times::Times;
