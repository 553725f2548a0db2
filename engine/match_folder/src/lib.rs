//! The folder of a match of the Entelect Challenge 2017: written, verified, imported, and written again from a record.
//!
//! [`open()`] takes a record or a folder, ours or one that the original engine left; [`verify()`] compares both with what the
//! rules make of the answers. [`EntelectFiles`] writes the folders of the rounds, and the bundles of turns that went wrong,
//! while a match is played; [`expand()`] writes the rounds from a record.
//!
//! ```
//! use match_folder::{open, verify};
//!
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/entelect-2017.jsonl");
//! let verified = verify(&open(path.as_ref())?)?;
//! assert!(verified.outcome.is_some_and(|outcome| outcome.turns == verified.turns));
//! # Ok::<(), arena::ArenaError>(())
//! ```

mod bundles;
mod comparing_store;
mod expand;
mod files;
mod import;
mod open;
mod round_writer;
mod verify;

pub use bundles::Keep;
pub use expand::expand;
pub use files::{EntelectFiles, move_match_aside};
pub use import::{import, import_different};
pub use open::{OpenedRecord, open};
pub use round_writer::RoundWriter;
pub use verify::{Verified, verify};
