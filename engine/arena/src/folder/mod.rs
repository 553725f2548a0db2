//! Safe access to folders that bots can write in: nothing outside is reached or changed through what a bot left there.

mod match_folder;
mod open_folder;
mod removal;
mod replacing;
mod spool;

pub use match_folder::MatchFolder;
pub use open_folder::OpenFolder;
pub use removal::remove_folder;
pub use replacing::replace_file;
pub use spool::{Spool, restore, restore_spools};

/// The largest answer that is read, in bytes. The longest useful one has a few hundred.
pub const MOST_OF_ANSWER: u64 = 64 * 1024;
