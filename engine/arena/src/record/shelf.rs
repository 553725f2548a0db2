//! Where the files of a match go.

use super::{Journal, MatchFolder};
use crate::ArenaError;
use rules::Part;
use std::sync::Arc;

/// The folder of the match; or first a journal, until the match is over.
#[derive(Debug)]
pub(super) enum Shelf {
    /// To their place at once.
    Folder(Arc<MatchFolder>),
    /// To a journal first.
    Journal(Arc<MatchFolder>, Journal),
}

impl Shelf {
    pub(super) fn new(folder: Arc<MatchFolder>, journal: Option<Journal>) -> Shelf {
        match journal {
            Some(journal) => Shelf::Journal(folder, journal),
            None => Shelf::Folder(folder),
        }
    }

    /// Whether nothing is at its place before the end.
    pub(super) fn holds_back(&self) -> bool {
        matches!(self, Shelf::Journal(..))
    }

    pub(super) fn write(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        match self {
            Shelf::Folder(root) => root.write(folder, name, bytes),
            Shelf::Journal(_, journal) => journal.append(folder, name, bytes),
        }
    }

    pub(super) fn write_parts(&mut self, folder: &str, parts: &[Part]) -> Result<(), ArenaError> {
        match self {
            Shelf::Folder(root) => {
                let open = root.folder(folder)?;
                parts.iter().try_for_each(|part| root.write_in(&open, folder, part.name, &part.bytes))
            }
            Shelf::Journal(_, journal) => {
                parts.iter().try_for_each(|part| journal.append(folder, part.name, &part.bytes))
            }
        }
    }

    /// Brings everything to its place.
    pub(super) fn close(self) -> Result<(), ArenaError> {
        match self {
            Shelf::Folder(_) => Ok(()),
            Shelf::Journal(folder, journal) => journal.unpack(&folder),
        }
    }
}
