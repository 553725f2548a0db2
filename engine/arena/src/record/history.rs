//! A recorded match as a film.

use super::{Record, initial_state, replay_record};
use crate::{ArenaError, GameHistory, MatchHistory};
use rules::{Listed, WithGame};
use std::sync::Arc;

/// A recorded match to be watched.
pub struct Playback {
    /// Its scenes, as far as the record is what the rules make of it.
    pub history: Box<dyn MatchHistory>,
    /// Why there is no more of it; [`super::RecordError::Unfinished`] if the record just ends.
    pub failure: Option<ArenaError>,
}

/// Plays a recorded match again to have its scenes.
pub fn show(record: &Arc<Record>) -> Result<Playback, ArenaError> {
    struct Showing<'a>(&'a Arc<Record>);
    impl WithGame for Showing<'_> {
        type Output = Result<Playback, ArenaError>;
        fn with<G: Listed>(self) -> Self::Output {
            let Showing(record) = self;
            let seats = record.header().seats.len() as u8;
            let mut history = GameHistory::new(initial_state::<G>(record)?, seats);
            let failure = replay_record(record, &G::reader(seats), &mut history).err();
            Ok(Playback { history: Box::new(history), failure })
        }
    }
    record.header().game.with(Showing(record))
}
