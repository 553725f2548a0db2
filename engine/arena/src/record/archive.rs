//! All that a match leaves on the disk.

use super::bundles::{Bundle, BundleWriter, Keep};
use super::{Clock, EntelectFolder, Header, MATCH_JSONL, MatchStore, RecordWriter};
use crate::{ArenaError, MatchEvent, Observer};
use rules::Game;
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::Files;

/// Writes what is wanted of a match: the record, and what `E` has beside it.
///
/// In tournament mode nothing of this is on the disk where bots can read it before the match is over: the store is a
/// journal then, which also has what was taken away from the players' folders.
pub struct Archive<E = EntelectFiles> {
    store: Box<dyn MatchStore>,
    enclosed: E,
    writer: Option<RecordWriter>,
}

/// What is written of a match beside its record.
pub trait SideFiles<G: Game> {
    /// Writes what a step of the match adds.
    fn on(&mut self, event: &MatchEvent<'_, G>, store: &mut dyn MatchStore) -> Result<(), ArenaError>;
}

/// Nothing beside the record.
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
    /// Of the record only, in this place.
    pub fn of_record(store: Box<dyn MatchStore>) -> Archive<()> {
        Archive { store, enclosed: (), writer: None }
    }
}

impl Archive {
    /// Nothing, in this place.
    pub fn new(store: Box<dyn MatchStore>) -> Archive {
        Archive { store, enclosed: EntelectFiles::default(), writer: None }
    }

    /// With the folder of 2017.
    #[must_use]
    pub fn with_folder(mut self, folder: EntelectFolder) -> Archive {
        self.enclosed.folder = Some(folder);
        self
    }

    /// With bundles of these turns, which have these files.
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
    /// Begins a record, before the match does.
    pub fn begin_record(&mut self, header: &Header, clock: Clock) -> Result<(), ArenaError> {
        let (writer, first) = RecordWriter::begin(header, clock)?;
        self.writer = Some(writer);
        self.store.append(MATCH_JSONL, &first)
    }

    /// Brings everything to its place. To be called however the match ended.
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
