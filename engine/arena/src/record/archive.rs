//! The archive of a match: all files that it leaves on the disk.

use super::bundles::{Bundle, BundleWriter, Keep};
use super::{Clock, EntelectFolder, Header, MATCH_JSONL, MatchStore, RecordWriter};
use crate::{ArenaError, MatchEvent, Observer};
use rules::Game;
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::Files;

/// The files of a match: its record, and the [`SideFiles`] beside it.
///
/// In tournament mode nothing of this is on the disk where bots can read it before the match is over: the store is a spool
/// then, which also has the files that were removed from the players' folders.
pub struct Archive<G: Game> {
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

/// No files beside the record.
impl<G: Game> SideFiles<G> for () {
    fn on(&mut self, _: &MatchEvent<'_, G>, _: &mut dyn MatchStore) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// The files of the Entelect Challenge 2017: the folder of all rounds, and bundles of turns with faults.
#[derive(Debug, Default)]
pub struct EntelectFiles {
    folder: Option<EntelectFolder>,
    bundles: Option<(Files, BundleWriter)>,
}

impl EntelectFiles {
    /// The same with the folder of all rounds.
    #[must_use]
    pub fn with_folder(self, folder: EntelectFolder) -> EntelectFiles {
        EntelectFiles { folder: Some(folder), ..self }
    }

    /// The same with bundles of the turns that `keep` names, in a match between players with these files.
    #[must_use]
    pub fn with_bundles(self, files: Files, keep: Keep) -> EntelectFiles {
        EntelectFiles { bundles: Some((files, BundleWriter::new(keep))), ..self }
    }
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

    fn bundles(&self) -> &[Bundle] {
        self.bundles.as_ref().map_or(&[], |(_, bundles)| &bundles.written)
    }
}

impl<G: Game> Archive<G> {
    /// An archive in this place, without a record until [`Archive::begin_record`].
    pub fn new(store: Box<dyn MatchStore>, side_files: Box<dyn SideFiles<G>>) -> Archive<G> {
        Archive { store, side_files, writer: None }
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

impl<G: Game> Observer<G> for Archive<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let store = self.store.as_mut();
        self.side_files.on(event, store)?;
        match self.writer.as_mut().map(|writer| writer.write(event)) {
            Some(lines) if !lines.is_empty() => store.append(MATCH_JSONL, &lines),
            _ => Ok(()),
        }
    }
}
