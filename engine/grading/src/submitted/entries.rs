//! The entries of a folder that strangers filled. No link is followed.

use archives::is_added;
use arena::ArenaError;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Folder,
    File,
    Link,
    /// A FIFO, a socket or a device.
    Other,
}

/// An entry of a folder.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The name, as far as it is text.
    pub(super) name: String,
    /// The path in the folder of all.
    pub(super) path: PathBuf,
    pub(super) kind: EntryKind,
    /// The time of the last change; files of one archive have that of the archive.
    pub(super) modified: Option<SystemTime>,
    /// True for the clone of a repository.
    pub(super) is_repository: bool,
}

impl Entry {
    /// The entries of a folder by its path in `root`, sorted by their names.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(super) fn all_in(root: &Path, folder: &Path) -> Result<Vec<Entry>, ArenaError> {
        let failed = |e| ArenaError::disk("read", root.join(folder), e);
        let mut entries = Vec::new();
        for found in fs::read_dir(root.join(folder)).map_err(failed)? {
            let found = found.map_err(failed)?;
            let kind = match found.file_type().map_err(failed)? {
                kind if kind.is_dir() => EntryKind::Folder,
                kind if kind.is_file() => EntryKind::File,
                kind if kind.is_symlink() => EntryKind::Link,
                _ => EntryKind::Other,
            };
            let is_repository = kind == EntryKind::Folder
                && found.path().join(".git").symlink_metadata().is_ok_and(|git| !git.is_symlink());
            entries.push(Entry {
                name: found.file_name().to_string_lossy().into_owned(),
                path: folder.join(found.file_name()),
                kind,
                modified: found.metadata().ok().and_then(|meta| meta.modified().ok()),
                is_repository,
            });
        }
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(entries)
    }

    /// The reason why an entry has no part in anything: a system added it, or it is hidden.
    pub(super) fn of_systems(&self) -> Option<&'static str> {
        if is_added(&self.name) {
            return Some("a system added it");
        }
        self.name.starts_with('.').then_some("it is hidden")
    }
}

/// The endings of archives. Those that are neither zip nor tar.gz are submissions, too: unpacking them tells the student what is
/// read.
const ARCHIVES: [&str; 14] = [
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tbz2", ".tgz", ".txz", ".zip", ".rar", ".7z", ".tar", ".gz",
    ".bz2", ".xz",
];

/// The name of an archive without its ending; `None` for the names of other files.
pub(super) fn archive_stem(name: &str) -> Option<&str> {
    ARCHIVES.iter().find_map(|ending| {
        let (stem, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        (end.eq_ignore_ascii_case(ending) && !stem.is_empty()).then_some(stem)
    })
}
