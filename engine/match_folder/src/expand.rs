//! Writes the folder of 2017 that belongs to a record.

use crate::files::EntelectFiles;
use crate::round_writer::RoundWriter;
use crate::verify::RemovalWatch;
use arena::folder::MatchFolder;
use arena::record::{Clock, FolderStore, MatchFiles, MatchStore, Record, RecordError, replay_record};
use arena::{ArenaError, Observers};
use chrono::DateTime;
use rules::Outcome;
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::Files;
use std::sync::Arc;

/// Writes the folder of 2017 that belongs to a record. Its logs have only what the record has, with the time at
/// which the match began. `folder` creates the folder, and is called only if the record is good. Gives the outcome.
///
/// # Errors
/// The record is not what the rules make of it, or is of another game. [`RecordError::Unfinished`] if it ends
/// early; the folder is written up to there. The disk fails.
pub fn expand(
    record: &Arc<Record>,
    folder: impl FnOnce() -> Result<MatchFolder, ArenaError>,
) -> Result<Outcome, ArenaError> {
    // A record that the rules cannot play leaves no folder.
    match replay_record::<Entelect2017>(record, &mut RemovalWatch::default()) {
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => return Err(error),
    }
    let folder = folder()?;
    let started = record.header().started.as_ref().and_then(|started| DateTime::parse_from_rfc3339(started).ok());
    let place = FolderStore::new(Arc::new(folder));
    let (played, written) = write(record, Box::new(place), Clock::Stopped(started), &mut RemovalWatch::default());
    written.and(played)
}

/// Plays the match again and writes its files. Gives the outcome of the match, and of writing.
pub(crate) fn write(
    record: &Arc<Record>,
    store: Box<dyn MatchStore>,
    clock: Clock,
    ending: &mut RemovalWatch,
) -> (Result<Outcome, ArenaError>, Result<(), ArenaError>) {
    let files = Files::new(record.header().seats.map(|recorded| recorded.details.clone()));
    let seats = record.header().seats.len() as u8;
    let rounds = RoundWriter::new(files, clock, seats, Vec::new());
    let mut archive = MatchFiles::new(store, Box::new(EntelectFiles::default().with_rounds(rounds)));
    let mut observers = Observers::new();
    observers.add(&mut archive);
    observers.add(ending);
    let played = replay_record(record, &mut observers);
    drop(observers);
    (played, archive.close())
}
