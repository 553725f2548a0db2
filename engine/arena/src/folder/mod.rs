//! Safe access to folders that bots can write in: nothing outside is reached or changed through what a bot left there.

mod match_folder;
mod open_folder;
mod regular;
mod removal;
mod replacing;
mod spool;

pub use match_folder::MatchFolder;
pub use open_folder::OpenFolder;
pub use regular::{MOST_OF_ANSWER, read_regular};
pub use removal::remove_folder;
pub use replacing::replace_file;
pub use spool::{Spool, restore, restore_spools};
