//! The files of 2017 beside the record of a match.

use crate::bundles::{BundleWriter, FOLDER, Keep};
use crate::round_writer::RoundWriter;
use arena::folder::MatchFolder;
use arena::record::{Bundle, MATCH_JSONL, MATCH_JSONL_ZST, MatchStore, SideFiles};
use arena::{ArenaError, MatchEvent};
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::Files;

/// The files of the Entelect Challenge 2017: the folders of all rounds, and bundles of turns with faults.
#[derive(Debug, Default)]
pub struct EntelectFiles {
    rounds: Option<RoundWriter>,
    bundles: Option<(Files, BundleWriter)>,
}

impl EntelectFiles {
    /// The same with the folders of all rounds.
    #[must_use]
    pub fn with_rounds(self, rounds: RoundWriter) -> EntelectFiles {
        EntelectFiles { rounds: Some(rounds), ..self }
    }

    /// The same with bundles of the turns that `keep` names, in a match between players with these files.
    #[must_use]
    pub fn with_bundles(self, files: Files, keep: Keep) -> EntelectFiles {
        EntelectFiles { bundles: Some((files, BundleWriter::new(keep))), ..self }
    }
}

impl SideFiles<Entelect2017> for EntelectFiles {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>, store: &mut dyn MatchStore) -> Result<(), ArenaError> {
        if let Some(rounds) = &mut self.rounds {
            rounds.on(event, store)?;
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

/// Moves the files of an earlier match in `folder` into its folder `aside`. Tells whether there were any.
///
/// # Errors
/// The folder cannot be read, or something in it cannot be moved.
pub fn move_match_aside(folder: &MatchFolder, aside: &str) -> Result<bool, ArenaError> {
    let names = [FOLDER, MATCH_JSONL, MATCH_JSONL_ZST];
    folder.move_aside(aside, |name| name.starts_with(b"Phase ") || names.iter().any(|other| name == other.as_bytes()))
}
