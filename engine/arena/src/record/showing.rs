//! A recorded match as a film.

use super::verify::files;
use super::{Record, first, play_again};
use crate::{ArenaError, Film, Footage};
use rules::GameKind;
use rules::entelect_2017::Entelect2017;
use std::sync::Arc;

/// A recorded match to be watched.
pub struct Shown {
    /// Its scenes, as far as the record is what the rules make of it.
    pub film: Box<dyn Film>,
    /// Why there is no more of it; [`super::RecordError::Unfinished`] if the record just ends.
    pub wrong: Option<ArenaError>,
}

/// Plays a recorded match again to have its scenes.
pub fn show(record: &Arc<Record>) -> Result<Shown, ArenaError> {
    match record.header().game {
        GameKind::Entelect2017 => {
            let mut footage = Footage::new(first::<Entelect2017>(record)?, record.header().seats.len() as u8);
            let wrong = play_again(record, &files(record), &mut footage).err();
            Ok(Shown { film: Box::new(footage), wrong })
        }
    }
}
