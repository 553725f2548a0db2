//! Tournaments: which games are played, what came of them, and what that says about the strength of bots.
//!
//! `plan.rs` says what is to be played, `run.rs` plays it, `journal.rs` keeps what came of it, `table.rs` adds that up,
//! `standings.rs` and `columns.rs` say it. The statistics are arithmetic on counts: bots are indexes, results are seen from the first bot, and whatever is random comes
//! from a seed. `docs/statistics.md` explains them to organisers.

mod bradley_terry;
mod cholesky;
mod columns;
mod elo;
mod fixture;
mod journal;
mod knockout;
mod likelihood;
mod matching;
mod normal;
mod pairs;
mod plan;
mod rated_pairings;
mod rating;
mod results;
mod scheduler;
mod score_table;
#[cfg(test)]
mod simulation;
mod sprt;
mod standings;
mod swiss;
mod times;

pub use arena::GAMES_JSONL;
pub use columns::{Column, ColumnGroup, columns};
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use fixture::{Fixture, NextGame};
pub use journal::{Entrant, FailedGame, GameLine, JOURNAL_VERSION, JournalLine, PlayerLine, TournamentHeader};
pub use pairs::{GameResult, PairingResult, Pentanomial, WinDrawLoss};
pub use plan::{Format, Plan};
pub use rating::{Rating, RatingError, Ratings};
pub use results::Results;
pub use scheduler::{GameRunner, IN_A_ROW, RunSettings, SchedulerEvent, StopReason, run};
pub use score_table::{EntrantRow, PairingRow, ScoreTable};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
pub use standings::{Standing, Standings};
pub use times::Times;
