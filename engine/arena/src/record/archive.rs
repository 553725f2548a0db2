//! The archive of a match: everything that it leaves on the disk.

use super::bundles::{Bundle, BundleWriter, Keep};
use super::{Clock, EntelectFolder, Header, MATCH_JSONL, MatchStore, RecordWriter};
use crate::{ArenaError, MatchEvent, Observer};
use rules::Game;
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::Files;

/// Writes the record of a match, and the side files `E`.
///
/// In tournament mode, bots can read none of it before the match is over: the store is a spool then, which also
/// holds the files that were removed from the players' folders.
pub struct Archive<E = EntelectFiles> {
    store: Box<dyn MatchStore>,
    enclosed: E,
    writer: Option<RecordWriter>,
}

/// The files of a match beside its record.
pub trait SideFiles<G: Game> {
    /// Writes the files that a step of the match adds.
    ///
    /// # Errors
    /// The disk fails.
    fn on(&mut self, event: &MatchEvent<'_, G>, store: &mut dyn MatchStore) -> Result<(), ArenaError>;
}

/// No side files.
impl<G: Game> SideFiles<G> for () {
    fn on(&mut self, _: &MatchEvent<'_, G>, _: &mut dyn MatchStore) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// The folder of 2017, and bundles of turns that went wrong.
#[derive(Default)]
pub struct EntelectFiles {
    folder: Option<EntelectFolder>,
    bundles: Option<(Files, BundleWriter)>,
}

impl SideFiles<Entelect2017> for EntelectFiles {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>, store: &mut dyn MatchStore) -> Result<(), ArenaError> {
        if let Some(folder) = &mut self.folder {
            folder.on(event, store)?;
        }
        if let Some((files, bundles)) = &mut self.bundles {
            bundles.on(event, files, store)?;
        }
        Ok(())
    }
}

impl Archive<()> {
    /// An archive of the record only, in this store.
    pub fn of_record(store: Box<dyn MatchStore>) -> Archive<()> {
        Archive { store, enclosed: (), writer: None }
    }
}

impl Archive {
    /// An archive in this store, without any files yet.
    pub fn new(store: Box<dyn MatchStore>) -> Archive {
        Archive { store, enclosed: EntelectFiles::default(), writer: None }
    }

    /// Adds the folder of 2017.
    #[must_use]
    pub fn with_folder(mut self, folder: EntelectFolder) -> Archive {
        self.enclosed.folder = Some(folder);
        self
    }

    /// Adds bundles of these turns. `files` writes what the bots were shown.
    #[must_use]
    pub fn with_bundles(mut self, files: Files, keep: Keep) -> Archive {
        self.enclosed.bundles = Some((files, BundleWriter::new(keep)));
        self
    }

    /// The bundles that were written so far.
    pub fn bundles(&self) -> &[Bundle] {
        self.enclosed.bundles.as_ref().map_or(&[], |(_, bundles)| bundles.written())
    }
}

impl<E> Archive<E> {
    /// Begins the record. Call it before the match.
    ///
    /// # Errors
    /// As [`RecordWriter::begin`]; the disk fails.
    pub fn begin_record(&mut self, header: &Header, clock: Clock) -> Result<(), ArenaError> {
        let (writer, first) = RecordWriter::begin(header, clock)?;
        self.writer = Some(writer);
        self.store.append(MATCH_JSONL, &first)
    }

    /// Writes everything to its place. Call it however the match ended.
    ///
    /// # Errors
    /// The disk fails, or files in the folder are not what the rules make of the answers
    /// ([`super::Comparison`]).
    pub fn close(self) -> Result<(), ArenaError> {
        self.store.close()
    }
}

impl<G: Game, E: SideFiles<G>> Observer<G> for Archive<E> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let store = self.store.as_mut();
        self.enclosed.on(event, store)?;
        match self.writer.as_mut().map(|writer| writer.write(event)) {
            Some(lines) if !lines.is_empty() => store.append(MATCH_JSONL, &lines),
            _ => Ok(()),
        }
    }
}
