//! Files and folders: what a bot may have put there, locks, permissions, links, holes, and the room on a disk.

pub use crate::linux::files::{
    Folder, bytes_on_disk, check_writable, close_path_to_others, close_to_others, create_private_folder, free_space,
    identity, is_executable, last_change, lock, make_executable, next_data, open_input, open_private, open_regular,
    path_of, readable_by_all, regain_rights, symlink, try_lock, unlock,
};
use std::hash::{BuildHasher, RandomState};

/// The most bytes that [`Folder::remove_excess`] counts for a file or folder in addition to its size, because each needs an
/// entry in the file system's tables.
pub const ENTRY_COST: u64 = 1 << 10;
/// The depth of folders beyond which [`Folder::remove_excess`] takes them for too large, whatever they hold.
pub const MAX_DEPTH: usize = 32;

/// A file that [`Folder::remove_excess`] does not remove unless it is larger than `most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptFile<'a> {
    /// The name in the folder.
    pub name: &'a str,
    /// The largest allowed size in bytes.
    pub most: u64,
}

/// The files in a folder besides those that are kept, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftFiles {
    /// Those that are there.
    pub left: u64,
    /// Those that were there.
    pub removed: u64,
}

/// The use of a file in a folder that is opened by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Read it.
    Reading,
    /// Read it, and do not wait for the writer of a FIFO.
    ReadingAtOnce,
    /// Append to it.
    Appending,
}

/// The used part of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUse {
    /// The bytes.
    pub bytes: u64,
    /// The number of files and folders.
    pub files: u64,
}

/// The identity of a file: two files that exist at the same time differ in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    /// The number of the device.
    pub device: u64,
    /// The number of the file on the device.
    pub number: u64,
}

/// A number that no bot can predict.
pub fn unguessable() -> u64 {
    RandomState::new().hash_one(0)
}
