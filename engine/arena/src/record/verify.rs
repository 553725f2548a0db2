//! Verifies that a match is what the rules make of its answers, and writes its folder from them.

use super::comparing_store::ComparingStore;
use super::import::unplayed;
use super::replay_record;
use super::{
    Archive, Clock, EntelectFiles, EntelectFolder, FolderStore, MatchStore, OpenedRecord, Record, RecordError,
};
use crate::folder::MatchFolder;
use crate::{ArenaError, MatchEvent, Observer, Observers};
use chrono::DateTime;
use rules::entelect_2017::files::{COMMAND_TXT, Files, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, Phase};
use rules::{Game, GameKind, Listed, Outcome, WithGame};
use std::path::Path;
use std::sync::Arc;

/// The result of a match that was verified.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The game that was played.
    pub game: GameKind,
    /// The outcome; `None` if the original engine crashed when it was to remove a player, as it always did.
    pub outcome: Option<Outcome>,
    /// The number of turns that were played.
    pub turns: u32,
}

/// Plays a match again and compares its record, and its folder if there is one, with what the rules make of its
/// answers.
///
/// ```
/// use arena::record::{open, verify};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/sea-battle.jsonl");
/// let verified = verify(&open(path.as_ref())?)?;
/// assert!(verified.outcome.is_some_and(|outcome| outcome.turns == verified.turns));
/// # Ok::<(), arena::ArenaError>(())
/// ```
///
/// # Errors
/// The first difference; [`RecordError::Unfinished`] if there is none, but the record has no outcome.
pub fn verify(opened: &OpenedRecord) -> Result<Verified, ArenaError> {
    let record = &opened.record;
    let game = record.header().game;
    let is_imported = record.header().imported.is_some();
    let mut ending = RemovalWatch::default();
    let played = match &opened.rounds {
        // Only a match of 2017 can have come from a folder.
        None if is_imported && game == GameKind::Entelect2017 => replay_record::<Entelect2017>(record, &mut ending),
        None => game.with(Again(record)),
        Some(folder) => compare(record, folder, &mut ending),
    };
    let difference = record.header().imported.as_ref().and_then(|note| note.difference.clone());
    match (played, difference) {
        (Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }), Some(difference)) => {
            Err(RecordError::Imported(difference).of(record.path()))
        }
        (Ok(outcome), None) => Ok(Verified { game, turns: outcome.turns, outcome: Some(outcome) }),
        (Err(ArenaError::Record { source: RecordError::Unfinished { turns, .. }, .. }), None)
            // The original engine ends here; a record of this engine continues after a removal.
            if ending.removal_is_due && is_imported =>
        {
            Ok(Verified { game, turns, outcome: None })
        }
        (Err(error), _) => Err(error),
    }
}

/// Plays a record again, to see that the rules can.
struct Again<'a>(&'a Arc<Record>);

impl WithGame for Again<'_> {
    type Output = Result<Outcome, ArenaError>;
    fn with<G: Listed>(self) -> Self::Output {
        replay_record::<G>(self.0, &mut Observers::new())
    }
}

/// Remembers whether the rules remove a player in the last state.
#[derive(Default)]
struct RemovalWatch {
    removal_is_due: bool,
}

impl Observer<Entelect2017> for RemovalWatch {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        if let MatchEvent::Advanced { game, .. } = event {
            self.removal_is_due = game.awaited().is_empty() && game.outcome().is_none();
        }
        Ok(())
    }
}

/// Plays the match again, and compares its folder with what the rules make of it.
fn compare(record: &Arc<Record>, folder: &Path, ending: &mut RemovalWatch) -> Result<Outcome, ArenaError> {
    let mut unknown: Vec<String> = unplayed(folder)?.map(|round| format!("{round}/")).into_iter().collect();
    unknown.extend(record.strange_answers().flat_map(|(turn, seat)| {
        [Phase::One, Phase::Two].into_iter().flat_map(move |phase| {
            let folder = Files::player_folder(phase, turn, seat);
            [PLACE_TXT, COMMAND_TXT].map(|name| format!("{folder}/{name}"))
        })
    }));
    match write(record, Box::new(ComparingStore::new(folder, unknown)), Clock::Stopped(None), ending) {
        // The folder may differ although the record only ends early.
        (Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }), Err(difference)) => {
            Err(difference)
        }
        (played, _) => played,
    }
}

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
fn write(
    record: &Arc<Record>,
    store: Box<dyn MatchStore>,
    clock: Clock,
    ending: &mut RemovalWatch,
) -> (Result<Outcome, ArenaError>, Result<(), ArenaError>) {
    let files = Files::new(record.header().seats.map(|recorded| recorded.details.clone()));
    let seats = record.header().seats.len() as u8;
    let folder = EntelectFolder::new(files, clock, seats, Vec::new());
    let mut archive = Archive::new(store, Box::new(EntelectFiles::default().with_folder(folder)));
    let mut observers = Observers::new();
    observers.add(&mut archive);
    observers.add(ending);
    let played = replay_record(record, &mut observers);
    drop(observers);
    (played, archive.close())
}
