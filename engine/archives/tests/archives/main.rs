//! Archives as somebody hands them in: usual ones, careless ones and hostile ones.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod hostile;
mod usual;
mod written;

use archives::{ArchiveError, ArchiveLimits, unpack_upload};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Small limits: 100 kB in 20 files and folders, of which 5 lie in one another.
const SMALL: ArchiveLimits = ArchiveLimits { bytes: 100_000, entries: 20, depth: 5 };

/// A folder with an archive, and the folder to which it is unpacked.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn with(archive: &[u8]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("archive"), archive).unwrap();
        Desk { folder }
    }

    fn bot(&self) -> PathBuf {
        self.folder.path().join("bot")
    }

    fn unpack(&self, limits: ArchiveLimits) -> Result<(), ArchiveError> {
        unpack_upload(&self.folder.path().join("archive"), &self.bot(), limits)
    }
}

/// The reason for which an archive is refused. Nothing of it is left.
fn refusal(archive: &[u8]) -> String {
    let desk = Desk::with(archive);
    let error = desk.unpack(SMALL).unwrap_err();
    assert!(matches!(error, ArchiveError::Refused(_)), "{error}");
    let left: Vec<_> = fs::read_dir(desk.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["archive"], "{error}");
    error.to_string()
}
