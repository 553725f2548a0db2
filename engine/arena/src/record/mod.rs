//! What a match leaves behind on the disk.

mod bundles;
mod entelect_folder;
mod journal;
mod match_folder;
mod shelf;

pub use bundles::{Bundle, Keep};
pub use entelect_folder::EntelectFolder;
pub use journal::{Journal, restore, restore_leftovers};
pub use match_folder::MatchFolder;
