//! Where the files of a match go.

use super::growing_file::GrowingFile;
use crate::ArenaError;
use crate::folder::{MatchFolder, Spool};
use rules::Part;
use std::sync::Arc;

/// A place for the files of a match, by folder (relative to that of the match) and name.
pub trait MatchStore {
    /// Puts a file there; one of the same name is replaced.
    fn write(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError>;

    /// Puts several files there.
    fn write_parts(&mut self, folder: &str, parts: &[Part]) -> Result<(), ArenaError> {
        parts.iter().try_for_each(|part| self.write(folder, part.name, &part.bytes))
    }

    /// Adds bytes to the end of the file `name` at the top.
    fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArenaError>;

    /// Brings everything to its place. To be called however the match ended.
    fn close(self: Box<Self>) -> Result<(), ArenaError>;
}

/// To their place at once.
#[derive(Debug)]
pub struct FolderStore {
    folder: Arc<MatchFolder>,
    growing: Vec<GrowingFile>,
}

impl FolderStore {
    /// In this folder.
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
        match self.growing.iter_mut().find(|file| file.name() == name) {
            Some(file) => file.append(bytes),
            None => {
                self.growing.push(GrowingFile::create(&self.folder, name, bytes)?);
                Ok(())
            }
        }
    }

    fn close(self: Box<Self>) -> Result<(), ArenaError> {
        self.growing.into_iter().try_for_each(GrowingFile::close)
    }
}

/// To a journal, until the match is over.
#[derive(Debug)]
pub struct SpooledStore {
    folder: Arc<MatchFolder>,
    journal: Spool,
    begun: Vec<String>,
}

impl SpooledStore {
    /// In this journal, and then in this folder.
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
        // Whatever a bot left there is replaced by the beginning.
        self.begun.push(name.to_owned());
        self.journal.add("", name, bytes)
    }

    fn close(self: Box<Self>) -> Result<(), ArenaError> {
        self.journal.unpack(&self.folder)
    }
}
