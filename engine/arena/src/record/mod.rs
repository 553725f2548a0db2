//! What a match leaves behind on the disk.

mod entelect_folder;
mod journal;
mod match_folder;

pub use entelect_folder::EntelectFolder;
pub use journal::{Journal, restore, restore_leftovers};
pub use match_folder::MatchFolder;
