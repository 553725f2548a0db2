//! A file that grows while bots run that may do with it what they like.

use crate::ArenaError;
use crate::folder::MatchFolder;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

/// A file at the top of a match's folder. Every addition reaches the disk's cache at once, so a killed engine leaves it
/// readable. What bots may have done to it is undone in the end.
#[derive(Debug)]
pub(super) struct GrowingFile {
    folder: Arc<MatchFolder>,
    pub(super) name: String,
    file: File,
    written: Vec<u8>,
    /// True if the file could not be completed.
    failed: bool,
}

impl GrowingFile {
    /// A new file that begins with `bytes`.
    pub(super) fn create(folder: &Arc<MatchFolder>, name: &str, bytes: &[u8]) -> Result<GrowingFile, ArenaError> {
        let file = folder.create_file(name)?;
        let mut growing =
            GrowingFile { folder: Arc::clone(folder), name: name.to_owned(), file, written: Vec::new(), failed: false };
        growing.append(bytes)?;
        Ok(growing)
    }

    /// Adds to its end.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), ArenaError> {
        self.written.extend_from_slice(bytes);
        self.file.write_all(bytes).map_err(|e| {
            self.failed = true;
            ArenaError::disk("write", self.folder.path().join(&self.name), e)
        })
    }

    /// Checks that the file is there as it was written; otherwise writes it again.
    pub(super) fn close(self) -> Result<(), ArenaError> {
        // On a full disk, keep the part that was written.
        if self.failed || self.folder.holds(&self.name, &self.written) {
            return Ok(());
        }
        log::warn!("{} was changed while the match was played; it is written again", self.name);
        self.folder.replace(&self.name, &self.written)
    }
}
