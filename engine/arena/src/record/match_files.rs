//! All files that a match leaves on the disk.

use super::{Clock, Header, MATCH_JSONL, MatchStore, RecordWriter};
use crate::{ArenaError, MatchEvent, Observer};
use rules::{Game, Seat};

/// The files of a match: its record, and the [`SideFiles`] beside it.
///
/// In tournament mode nothing of this is on the disk where bots can read it before the match is over: the store is a spool
/// then, which also has the files that were removed from the players' folders.
pub struct MatchFiles<G: Game> {
    store: Box<dyn MatchStore>,
    side_files: Box<dyn SideFiles<G>>,
    writer: Option<RecordWriter>,
}

/// Writer of the files of a match beside its record.
pub trait SideFiles<G: Game> {
    /// Writes the files that a step of the match adds.
    ///
    /// # Errors
    /// The disk failed.
    fn on(&mut self, event: &MatchEvent<'_, G>, store: &mut dyn MatchStore) -> Result<(), ArenaError>;

    /// The fault bundles that were written so far.
    fn bundles(&self) -> &[Bundle] {
        &[]
    }
}

/// A bundle that was written: the files of one turn of a bot, with which its author can see what went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The seat of the bot.
    pub seat: Seat,
    /// The round.
    pub round: u32,
    /// The fault; `None` if there was none.
    pub why: Option<String>,
    /// The path of the bundle in the match's folder.
    pub folder: String,
    /// The first and the last lines that the bot wrote to standard error.
    pub said: Vec<String>,
}

/// No files beside the record.
impl<G: Game> SideFiles<G> for () {
    fn on(&mut self, _: &MatchEvent<'_, G>, _: &mut dyn MatchStore) -> Result<(), ArenaError> {
        Ok(())
    }
}

impl<G: Game> MatchFiles<G> {
    /// The files of a match in this place, without a record until [`MatchFiles::begin_record`].
    pub fn new(store: Box<dyn MatchStore>, side_files: Box<dyn SideFiles<G>>) -> MatchFiles<G> {
        MatchFiles { store, side_files, writer: None }
    }

    /// The fault bundles that were written so far.
    pub fn bundles(&self) -> &[Bundle] {
        self.side_files.bundles()
    }

    /// Begins the record, before the match does.
    ///
    /// # Errors
    /// The disk failed.
    pub fn begin_record(&mut self, header: &Header, clock: Clock) -> Result<(), ArenaError> {
        let (writer, first) = RecordWriter::begin(header, clock)?;
        self.writer = Some(writer);
        self.store.append(MATCH_JSONL, &first)
    }

    /// Brings all files to their place. To be called however the match ended.
    ///
    /// # Errors
    /// The disk failed.
    pub fn close(self) -> Result<(), ArenaError> {
        self.store.close()
    }
}

impl<G: Game> Observer<G> for MatchFiles<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let store = self.store.as_mut();
        self.side_files.on(event, store)?;
        match self.writer.as_mut().map(|writer| writer.write(event)) {
            Some(lines) if !lines.is_empty() => store.append(MATCH_JSONL, &lines),
            _ => Ok(()),
        }
    }
}
