//! Safe access to folders that bots can write in: nothing outside is reached or changed through what a bot left there.
//!
//! # How it works
//!
//! - **Answers** are read as regular files only, at most 64 KiB, without following links, through the folder as it was before
//!   the bot ran; what lay there before is removed first. The engine's own files are written through open folders, too,
//!   always as new files, so a link that a bot leaves leads nowhere (`match_folder.rs`,
//!   `platform/src/files/folder.rs`).
//! - **Attacks on the match's folder** are undone where that is possible: rights that were taken away are taken back, what
//!   stands in the way of a file is removed or, if it is a folder, renamed. A folder in use is locked, so two engines never
//!   play in the same one.

mod match_folder;
mod oldest;
mod open_folder;
mod removal;
mod replacing;
mod spool;

pub use match_folder::MatchFolder;
pub use oldest::{bytes_in, remove_oldest};
pub use open_folder::OpenFolder;
pub use removal::remove_folder;
pub use replacing::replace_file;
pub use spool::{Spool, restore, restore_spools};

/// The largest answer that is read, in bytes. The longest useful one has a few hundred.
pub const MOST_OF_ANSWER: u64 = 64 * 1024;
