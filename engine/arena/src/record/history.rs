//! The scenes of a recorded match.

use super::{Record, initial_state, replay_record};
use crate::{ArenaError, GameHistory, MatchHistory};
use rules::{Listed, WithGame};
use std::sync::Arc;

/// The scenes of a recorded match, as far as the rules can play it.
pub struct Playback {
    /// The scenes, up to the first turn in which the record and the rules differ.
    pub history: Box<dyn MatchHistory>,
    /// The reason why the scenes end there; `None` if the match is complete, [`super::RecordError::Unfinished`]
    /// if the record ends before the match.
    pub failure: Option<ArenaError>,
}

/// Plays a recorded match again and gives its scenes.
///
/// # Errors
/// The match cannot begin: its settings are wrong. Later failures are in [`Playback::failure`].
pub fn show(record: &Arc<Record>) -> Result<Playback, ArenaError> {
    struct Showing<'a>(&'a Arc<Record>);
    impl WithGame for Showing<'_> {
        type Output = Result<Playback, ArenaError>;
        fn with<G: Listed>(self) -> Self::Output {
            let Showing(record) = self;
            let seats = record.header().seats.len() as u8;
            let mut history = GameHistory::new(initial_state::<G>(record)?, seats);
            let failure = replay_record(record, &mut history).err();
            Ok(Playback { history: Box::new(history), failure })
        }
    }
    record.header().game.with(Showing(record))
}
