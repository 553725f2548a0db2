//! The reasons why the submissions of a class cannot be read.

use archives::ArchiveError;
use arena::ArenaError;
use std::path::PathBuf;

/// The submissions of a class cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SubmittedError {
    /// There is nothing at the path.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// The zip of the class cannot be unpacked.
    #[error("cannot unpack {}: {why}", path.display())]
    Archive {
        /// The zip.
        path: PathBuf,
        /// The reason.
        why: ArchiveError,
    },
    /// The metadata that names the students cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Metadata {
        /// The file.
        path: PathBuf,
        /// The reason, with its place.
        why: String,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] ArenaError),
}

impl SubmittedError {
    /// Advice for the user.
    pub fn hint(&self) -> &'static str {
        match self {
            SubmittedError::NoFolder(_) => "name the folder or the zip with all submissions",
            SubmittedError::Archive { .. } => "unpack it with another program, and name the folder",
            SubmittedError::Metadata { .. } => "download it again, or remove it: folders are then the students' names",
            SubmittedError::Disk(_) => "check the disk and the permissions",
        }
    }
}
