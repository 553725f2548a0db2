//! Records of matches: writing and reading them, and playing them again.
//!
//! # How it works
//!
//! A record holds the answers, not the states: the rules make the states again from the answers. So there is one loop,
//! `play`, for everything. A recorded match is played by players that give the recorded answers (`replay.rs`), a folder of
//! 2017 by players that read theirs from it (`import.rs` of the crate `match_folder`). The observers are the same as in a
//! match: the observer that writes the folder writes it when a record is expanded, and verifies it when its store only
//! compares. No second piece of code knows which files a match has.
//!
//! After every turn the record has a fingerprint of the state, so that rules which play differently are noticed at once. It
//! is made from serde's view of the state in the postcard format: a new field of a state counts without further work. (A new
//! field also changes all fingerprints, and the version of the format must go up; records kept in git see to that.)
//!
//! Bots may do to the record in the match's folder what they like: the engine keeps its lines, some kilobytes, and checks at
//! the end that they are there. In tournament mode they are in a spool until then. A match that leaves only its record is
//! played in memory (`/dev/shm`); the guardian removes that folder if the engine dies, by a note that the engine leaves it
//! (`Cleanup`).
//!
//! Most games of a tournament leave no record. `RecordBuffer` keeps the first state and the answers of a match in memory, and
//! the rules play the match again when its record is wanted: serialising and hashing every state takes longer than playing.

mod buffer;
mod checksum;
mod clock;
mod error;
mod format;
mod growing_file;
mod history;
mod match_files;
mod reader;
mod replay;
mod store;
mod writer;

pub use buffer::RecordBuffer;
pub use clock::{Clock, SHOWN_TIME, shown_time};
pub use error::RecordError;
pub use format::{Header, ImportNote, LimitsLine, RecordEnd, RecordedSeat, StartMode, VERSION};
pub use history::{Playback, show};
pub use match_files::{Bundle, MatchFiles, SideFiles};
pub use reader::{MATCH_JSONL, MATCH_JSONL_ZST, Record, compress_record, save};
pub use replay::{initial_state, replay_record, resume};
pub use rules::milliseconds;
pub use store::{DiscardingStore, FolderStore, MatchStore, SpooledStore};
pub use writer::RecordWriter;
