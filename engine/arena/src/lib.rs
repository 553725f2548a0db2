//! The arena: one match between players, what it leaves behind, and what many matches say.
//!
//! [`play()`] is the loop. Players answer, observers watch; the arena knows neither processes nor terminals.

mod error;
pub mod folder;
mod history;
mod interrupt;
mod journal;
mod observer;
mod play;
mod player;
pub mod record;
mod time;

pub use error::ArenaError;
pub use history::{GameHistory, MatchHistory};
pub use interrupt::Interrupt;
pub use journal::{Journal, JournalError, JournalFormat, JournalHeader};
pub use observer::{MatchEvent, Observer, Observers};
pub use play::{Players, play};
pub use player::{Ask, Excess, Invocation, Output, Player, Reply, RunEnd, RunReport, TimeUsed};
pub use time::{Limits, Sequence};

/// The file name of a tournament's journal. A folder that holds one is not part of a bot.
pub const GAMES_JSONL: &str = "games.jsonl";
