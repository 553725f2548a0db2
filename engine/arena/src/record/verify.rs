//! Whether a match is what the rules make of its answers, and its folder written anew from them.

use super::import::unplayed;
use super::replay_record;
use super::{
    Archive, Clock, Comparison, EntelectFolder, FolderStore, MatchFolder, MatchStore, Opened, Record, RecordError,
};
use crate::{ArenaError, MatchEvent, Observer, Observers};
use chrono::DateTime;
use rules::entelect_2017::files::{COMMAND_TXT, Files, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, Phase};
use rules::{Game, GameKind, Listed, Outcome, WithGame};
use std::path::Path;
use std::sync::Arc;

/// A match that is what the rules make of its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The game that was played.
    pub game: GameKind,
    /// How it ended; `None` if the original engine crashed when it was to remove a player, as it always did.
    pub outcome: Option<Outcome>,
    /// How many turns were played.
    pub turns: u32,
}

/// Plays a match again, and compares everything that there is of it with what the rules make of its answers.
///
/// Fails with the first difference; with [`RecordError::Unfinished`] where there is none, but no end either.
pub fn verify(opened: &Opened) -> Result<Verified, ArenaError> {
    let record = &opened.record;
    let game = record.header().game;
    let mut ending = Ending::default();
    let played = match &opened.rounds {
        None => game.with(Again(record)),
        Some(folder) => compare(record, folder, &mut ending),
    };
    match played {
        Ok(outcome) => Ok(Verified { game, turns: outcome.turns, outcome: Some(outcome) }),
        Err(ArenaError::Record { source: RecordError::Unfinished { turns, .. }, .. })
            // A record of ours goes on after a removal.
            if ending.removal_is_due && opened.rounds.as_deref() == Some(record.path()) =>
        {
            Ok(Verified { game, turns, outcome: None })
        }
        Err(error) => Err(error),
    }
}

/// Plays a record again, only to see whether that is possible.
struct Again<'a>(&'a Arc<Record>);

impl WithGame for Again<'_> {
    type Output = Result<Outcome, ArenaError>;
    fn with<G: Listed>(self) -> Self::Output {
        replay_record::<G>(self.0, &mut Observers::new())
    }
}

/// Whether the last state seen is one in which the rules remove a player.
#[derive(Default)]
struct Ending {
    removal_is_due: bool,
}

impl Observer<Entelect2017> for Ending {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        if let MatchEvent::Advanced { game, .. } = event {
            self.removal_is_due = game.awaited().is_empty() && game.outcome().is_none();
        }
        Ok(())
    }
}

/// Plays the match again, and compares its folder with what the rules make of it.
fn compare(record: &Arc<Record>, folder: &Path, ending: &mut Ending) -> Result<Outcome, ArenaError> {
    let mut unknown: Vec<String> = unplayed(folder)?.map(|round| format!("{round}/")).into_iter().collect();
    unknown.extend(record.strange_answers().flat_map(|(turn, seat)| {
        [Phase::One, Phase::Two].into_iter().flat_map(move |phase| {
            let folder = Files::player_folder(phase, turn, seat);
            [PLACE_TXT, COMMAND_TXT].map(|name| format!("{folder}/{name}"))
        })
    }));
    let comparison = Comparison::new(folder, unknown);
    let played = write(record, Box::new(comparison), Clock::Stopped(None), ending);
    match played {
        // What there is of the match may still be wrong.
        (Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }), Err(difference)) => {
            Err(difference)
        }
        (played, _) => played,
    }
}

/// Writes the folder of 2017 that belongs to a record. What only the run knew is not in its logs, and they have the time
/// at which the match began, if that is known. Gives how the match ended, or that it did not. `folder` is made only if the
/// record is good.
pub fn expand(
    record: &Arc<Record>,
    folder: impl FnOnce() -> Result<MatchFolder, ArenaError>,
) -> Result<Outcome, ArenaError> {
    // Nothing is written of a match that never was.
    match replay_record::<Entelect2017>(record, &mut Ending::default()) {
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => return Err(error),
    }
    let folder = folder()?;
    let started = record.header().started.as_ref().and_then(|started| DateTime::parse_from_rfc3339(started).ok());
    let place = FolderStore::new(Arc::new(folder));
    let (played, written) = write(record, Box::new(place), Clock::Stopped(started), &mut Ending::default());
    written.and(played)
}

/// What became of the match, and of its files.
type Written = (Result<Outcome, ArenaError>, Result<(), ArenaError>);

fn write(record: &Arc<Record>, shelf: Box<dyn MatchStore>, clock: Clock, ending: &mut Ending) -> Written {
    let files = Files::new(record.header().seats.map(|sitter| sitter.details.clone()));
    let seats = record.header().seats.len() as u8;
    let folder = EntelectFolder::new(files, clock, seats, Vec::new());
    let mut archive = Archive::new(shelf).with_folder(folder);
    let mut observers = Observers::new();
    observers.add(&mut archive);
    observers.add(ending);
    let played = replay_record(record, &mut observers);
    drop(observers);
    (played, archive.close())
}
