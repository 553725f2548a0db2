//! Verifies that a match is what the rules make of its answers.

use crate::comparing_store::ComparingStore;
use crate::expand::write;
use crate::import::unplayed;
use crate::open::OpenedRecord;
use arena::record::{Clock, Record, RecordError, replay_record};
use arena::{ArenaError, MatchEvent, Observer, Observers};
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
/// use match_folder::{open, verify};
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
pub(crate) struct RemovalWatch {
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
