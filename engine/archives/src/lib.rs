//! Folders in archives from strangers: reading one trusts nothing in it.
//!
//! [`unpack_upload`] unpacks a bot that somebody hands in, a zip or a tar.gz, [`unpack_class`] the zip of all that a class handed in. [`UnpackedFolder`] is for readers of other kinds.
//!
//! # How it works
//!
//! An archive is read entry by entry, never as a list: a hostile one has as many as it likes. Sizes count as they are unpacked,
//! whatever headers say. A name is looked at as text, part by part, before it is a path; nothing is written through a link. Links are
//! followed at the end, as the system follows them, when all that they can lead to is there.

mod contents;
mod unpacked_folder;
mod upload;

pub use contents::{ArchiveContents, ArchiveLimits};
pub use unpacked_folder::{ArchiveError, UnpackedFolder};
pub use upload::{copy_upload, is_added, unpack_class, unpack_upload};
