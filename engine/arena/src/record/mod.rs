//! What a match leaves behind on the disk.

mod again;
mod archive;
mod bundles;
mod comparison;
mod entelect_folder;
mod error;
mod format;
mod growing;
mod import;
mod journal;
mod match_folder;
mod open;
mod reader;
mod scribe;
mod seal;
mod shelf;
mod showing;
mod verify;

pub use again::{first, play_again};
pub use archive::Archive;
pub use bundles::{Bundle, Keep};
pub use comparison::Comparison;
pub use entelect_folder::EntelectFolder;
pub use error::RecordError;
pub use format::{End, Header, LimitsLine, Sitter, VERSION};
pub use import::import;
pub use journal::{Journal, restore, restore_leftovers};
pub use match_folder::MatchFolder;
pub use open::{Opened, open};
pub use reader::{MATCH_JSONL, MATCH_JSONL_ZST, Record, save};
pub use scribe::{Clock, Scribe};
pub use shelf::{HeldBack, InPlace, Shelf};
pub use showing::{Shown, show};
pub use verify::{Verified, expand, verify};
