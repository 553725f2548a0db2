//! A recorded match as a film.

use super::{Record, first, replay_record};
use crate::{ArenaError, GameHistory, MatchHistory};
use rules::{Listed, WithGame};
use std::sync::Arc;

/// A recorded match to be watched.
pub struct Shown {
    /// Its scenes, as far as the record is what the rules make of it.
    pub film: Box<dyn MatchHistory>,
    /// Why there is no more of it; [`super::RecordError::Unfinished`] if the record just ends.
    pub wrong: Option<ArenaError>,
}

/// Plays a recorded match again to have its scenes.
pub fn show(record: &Arc<Record>) -> Result<Shown, ArenaError> {
    struct Showing<'a>(&'a Arc<Record>);
    impl WithGame for Showing<'_> {
        type Output = Result<Shown, ArenaError>;
        fn with<G: Listed>(self) -> Self::Output {
            let Showing(record) = self;
            let seats = record.header().seats.len() as u8;
            let mut footage = GameHistory::new(first::<G>(record)?, seats);
            let wrong = replay_record(record, &mut footage).err();
            Ok(Shown { film: Box::new(footage), wrong })
        }
    }
    record.header().game.with(Showing(record))
}
