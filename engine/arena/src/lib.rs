//! The arena: one match between players, and the record that it leaves.
//!
//! [`play()`] is the loop: players answer, the rules advance the game, and observers see each step. [`record`] writes a
//! match down and plays it again. The arena knows neither processes nor terminals.
//!
//! ```
//! use arena::record::{Record, replay_record};
//! use arena::{ArenaError, MatchEvent, Observer};
//! use rules::salvo::Salvo;
//!
//! /// Counts the events of a match.
//! #[derive(Default)]
//! struct Count(usize);
//!
//! impl Observer<Salvo> for Count {
//!     fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
//!         if let MatchEvent::Advanced { told, .. } = event {
//!             self.0 += told.len();
//!         }
//!         Ok(())
//!     }
//! }
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/salvo.jsonl");
//! let record = std::sync::Arc::new(Record::read(path.as_ref())?);
//!
//! // An observer of a recorded match sees the same events as one of the match itself.
//! let mut count = Count::default();
//! let outcome = replay_record(&record, &mut count)?;
//! assert!(count.0 > outcome.turns as usize);
//! # Ok::<(), ArenaError>(())
//! ```

mod error;
pub mod folder;
mod folder_lock;
mod hex;
mod history;
mod interrupt;
mod journal;
mod notes;
mod observer;
mod play;
mod player;
pub mod record;
mod time;
mod trace;

pub use error::{ArenaError, JournalError};
pub use folder_lock::lock_folder;
pub use hex::hex;
pub use history::{GameHistory, MatchHistory, notes_of};
pub use interrupt::Interrupt;
pub use journal::{Journal, JournalFormat, JournalHeader};
pub use notes::{MOST_OF_NOTES, NOTES_JSON, Notes, NotesLevel};
pub use observer::{MatchEvent, Observer, Observers};
pub use platform::files::{open_input, open_regular};
pub use play::{Players, play};
pub use player::{Ask, Excess, Invocation, Output, Player, Reply, RunEnd, RunReport, Stood, TimeUsed};
pub use time::{Limits, Sequence};
pub use trace::{error_line, place_of_crash};

/// The name and version of this program, as records and journals have it.
pub const ENGINE: &str = concat!("broadside ", env!("CARGO_PKG_VERSION"));

/// The file name of a tournament's journal. A folder that holds one is not part of a bot.
pub const GAMES_JSONL: &str = "games.jsonl";
