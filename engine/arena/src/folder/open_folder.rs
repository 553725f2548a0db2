//! An open folder in which a bot may have put anything, with its path for errors.

use crate::ArenaError;
use platform::files::Folder;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder below a match's folder, held open: it stays the same folder wherever a bot moves it and whatever the
/// bot puts in its place.
#[derive(Debug)]
pub struct OpenFolder {
    path: PathBuf,
    /// The folder around it.
    outer: Option<Folder>,
    open: Folder,
    is_new: bool,
}

impl OpenFolder {
    /// An open folder, called `path` in errors.
    pub(super) fn of(open: Folder, path: &Path) -> OpenFolder {
        OpenFolder { path: path.to_owned(), outer: None, open, is_new: false }
    }

    /// Opens or creates a folder in it. Anything else of that name is removed.
    pub(super) fn step_into(self, name: &Path) -> Result<OpenFolder, ArenaError> {
        let path = self.path.join(name);
        let (open, is_new) = self.open.step_into(name).map_err(|e| ArenaError::disk("open the folder", &path, e))?;
        Ok(OpenFolder { path, outer: Some(self.open), open, is_new })
    }

    /// The folder itself.
    pub fn folder(&self) -> &Folder {
        &self.open
    }

    /// Tells whether the folder was created when it was opened, so that it holds nothing of an earlier turn.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The path of the folder when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a new file `name`. Anything else of that name is removed, and so is the file if it cannot be
    /// completed.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents the write again and again.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let mut file = self.create(name)?;
        file.write_all(bytes).map_err(|e| {
            // Half a file would mislead its reader; the error is reported.
            let _ = self.open.unlink(name);
            ArenaError::disk("write", self.path.join(name), e)
        })
    }

    /// Creates a new file `name` and leaves it open. Anything else of that name is removed.
    pub(super) fn create(&self, name: &str) -> Result<File, ArenaError> {
        self.open.create(name).map_err(|e| ArenaError::disk("make", self.path.join(name), e))
    }

    /// Removes the file `name`, if there is one.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents the removal again and again.
    pub fn remove(&self, name: &str) -> Result<(), ArenaError> {
        self.open.remove(name).map_err(|e| ArenaError::disk("remove", self.path.join(name), e))
    }

    /// Removes the folder itself if it is empty and still in its place. Tells whether it was removed: a bot may
    /// have put another folder there.
    pub fn remove_empty(&self) -> bool {
        let (Some(outer), Some(name)) = (&self.outer, self.path.file_name()) else { return false };
        outer.remove_empty(name).is_ok() && self.open.is_gone()
    }
}
