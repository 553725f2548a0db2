//! All that a match leaves on the disk.

use super::bundles::{Bundle, Bundles, Keep};
use super::{Clock, EntelectFolder, Header, MATCH_JSONL, Scribe, Shelf};
use crate::{ArenaError, MatchEvent, Observer};
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::Files;

/// Writes what is wanted of a match: the folder of 2017, bundles of turns that went wrong, the record.
///
/// In tournament mode nothing of this is on the disk where bots can read it before the match is over: the shelf is a
/// journal then, which also has what was taken away from the players' folders.
pub struct Archive {
    shelf: Box<dyn Shelf>,
    folder: Option<EntelectFolder>,
    bundles: Option<(Files, Bundles)>,
    scribe: Option<Scribe>,
}

impl Archive {
    /// Nothing, in this place.
    pub fn new(shelf: Box<dyn Shelf>) -> Archive {
        Archive { shelf, folder: None, bundles: None, scribe: None }
    }

    /// With the folder of 2017.
    #[must_use]
    pub fn with_folder(self, folder: EntelectFolder) -> Archive {
        Archive { folder: Some(folder), ..self }
    }

    /// With bundles of these turns, which have these files.
    #[must_use]
    pub fn with_bundles(self, files: Files, keep: Keep) -> Archive {
        Archive { bundles: Some((files, Bundles::new(keep))), ..self }
    }

    /// Begins a record, before the match does.
    pub fn begin_record(&mut self, header: &Header, clock: Clock) -> Result<(), ArenaError> {
        let (scribe, first) = Scribe::begin(header, clock);
        self.scribe = Some(scribe);
        self.shelf.append(MATCH_JSONL, &first)
    }

    /// The bundles that were written so far.
    pub fn bundles(&self) -> &[Bundle] {
        self.bundles.as_ref().map_or(&[], |(_, bundles)| bundles.written())
    }

    /// Brings everything to its place. To be called however the match ended.
    pub fn close(self) -> Result<(), ArenaError> {
        self.shelf.close()
    }
}

impl Observer<Entelect2017> for Archive {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        let shelf = self.shelf.as_mut();
        if let Some(folder) = &mut self.folder {
            folder.on(event, shelf)?;
        }
        if let Some((files, bundles)) = &mut self.bundles {
            bundles.on(event, files, shelf)?;
        }
        match self.scribe.as_mut().map(|scribe| scribe.write(event)) {
            Some(lines) if !lines.is_empty() => shelf.append(MATCH_JSONL, &lines),
            _ => Ok(()),
        }
    }
}
