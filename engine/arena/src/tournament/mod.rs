//! Tournaments.

mod fixture;
mod journal;
mod knockout;
mod plan;
mod results;
mod run;
mod swiss;
mod times;

pub use fixture::{Fixture, Score};
pub use journal::{
    Entrant, Event, Failure, GAMES_JSONL, GameLine, JOURNAL_VERSION, Journal, JournalError, JournalWriter, Line,
    PlayerLine,
};
pub use plan::{Format, Plan, Step};
pub use results::Results;
pub use run::{Ended, Host, Progress, RunSettings, note, run};
pub use times::Times;
