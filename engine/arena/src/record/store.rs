//! Stores for the files of a match.

use super::growing_file::GrowingFile;
use crate::ArenaError;
use crate::folder::{MatchFolder, Spool};
use rules::Part;
use std::sync::Arc;

/// A store for the files of a match. Each has a folder, relative to that of the match, and a name.
pub trait MatchStore {
    /// Writes a file; one of the same name is replaced.
    ///
    /// # Errors
    /// The disk fails.
    fn write(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError>;

    /// Writes several files.
    ///
    /// # Errors
    /// The disk fails.
    fn write_parts(&mut self, folder: &str, parts: &[Part]) -> Result<(), ArenaError> {
        parts.iter().try_for_each(|part| self.write(folder, part.name, &part.bytes))
    }

    /// Adds bytes to the end of the file `name` at the top.
    ///
    /// # Errors
    /// The disk fails.
    fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArenaError>;

    /// Writes everything to its place. Call it however the match ended.
    ///
    /// # Errors
    /// The disk fails.
    fn close(self: Box<Self>) -> Result<(), ArenaError>;
}

/// Writes files to the match's folder at once.
#[derive(Debug)]
pub struct FolderStore {
    folder: Arc<MatchFolder>,
    growing: Vec<GrowingFile>,
}

impl FolderStore {
    /// A store in this folder.
    pub fn new(folder: Arc<MatchFolder>) -> FolderStore {
        FolderStore { folder, growing: Vec::new() }
    }
}

impl MatchStore for FolderStore {
    fn write(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        self.folder.write(folder, name, bytes)
    }

    fn write_parts(&mut self, folder: &str, parts: &[Part]) -> Result<(), ArenaError> {
        let open = self.folder.folder(folder)?;
        parts.iter().try_for_each(|part| open.write(part.name, &part.bytes))
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        if let Some(file) = self.growing.iter_mut().find(|file| file.name == name) {
            return file.append(bytes);
        }
        self.growing.push(GrowingFile::create(&self.folder, name, bytes)?);
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), ArenaError> {
        self.growing.into_iter().try_for_each(GrowingFile::close)
    }
}

/// Writes files to a spool, and to the match's folder when the match is over.
#[derive(Debug)]
pub struct SpooledStore {
    folder: Arc<MatchFolder>,
    journal: Spool,
    begun: Vec<String>,
}

impl SpooledStore {
    /// A store in this spool, and then in this folder.
    pub fn new(folder: Arc<MatchFolder>, journal: Spool) -> SpooledStore {
        SpooledStore { folder, journal, begun: Vec::new() }
    }
}

impl MatchStore for SpooledStore {
    fn write(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        self.journal.add(folder, name, bytes)
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        if self.begun.iter().any(|begun| begun == name) {
            return self.journal.append(name, bytes);
        }
        // The beginning of the file replaces what a bot left there.
        self.begun.push(name.to_owned());
        self.journal.add("", name, bytes)
    }

    fn close(self: Box<Self>) -> Result<(), ArenaError> {
        self.journal.unpack(&self.folder)
    }
}

/// Discards all files: of a match that is not to leave any.
#[derive(Debug)]
pub struct DiscardingStore;

impl MatchStore for DiscardingStore {
    fn write(&mut self, _folder: &str, _name: &str, _bytes: &[u8]) -> Result<(), ArenaError> {
        Ok(())
    }

    fn append(&mut self, _name: &str, _bytes: &[u8]) -> Result<(), ArenaError> {
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), ArenaError> {
        Ok(())
    }
}
