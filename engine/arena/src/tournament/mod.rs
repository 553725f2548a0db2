//! Tournaments.

mod fixture;
mod journal;
mod knockout;
mod plan;
mod results;
mod swiss;
mod times;

pub use fixture::{Fixture, Score};
pub use journal::{
    Entrant, Event, Failure, GAMES_JSONL, GameLine, JOURNAL_VERSION, Journal, JournalError, JournalWriter, Line,
    PlayerLine,
};
pub use plan::{Format, Plan, Step};
pub use results::Results;
pub use times::Times;
