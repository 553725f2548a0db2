//! The analysis of a recorded match.

use crate::{Analysed, MatchAnalysis, MatchAnalyst};
use arena::ArenaError;
use arena::record::{Record, replay_record};
use rules::BySeat;
use std::sync::Arc;

/// The analysis of a record, as far as the rules can play it.
#[derive(Debug)]
pub struct RecordAnalysis {
    /// The analysis, up to the first turn in which the record and the rules differ.
    pub analysis: MatchAnalysis,
    /// The reason why it ends there; `None` if the match is complete.
    pub failure: Option<ArenaError>,
}

/// Plays a recorded match again and analyses it. `wants_boards` says whether the chances of all cells are wanted.
///
/// # Errors
/// The match cannot begin: its settings are wrong. Later failures are in [`RecordAnalysis::failure`].
pub fn analyse_record(record: &Arc<Record>, wants_boards: bool) -> Result<RecordAnalysis, ArenaError> {
    analyse_record_as(record, record.names().iter().map(|(_, name)| name.clone()).collect(), wants_boards)
}

/// Plays a recorded match again and analyses it, with other names for the players, one for each seat.
///
/// # Errors
/// The match cannot begin, as for [`analyse_record`].
pub fn analyse_record_as(
    record: &Arc<Record>,
    names: BySeat<String>,
    wants_boards: bool,
) -> Result<RecordAnalysis, ArenaError> {
    rules::for_game!(record.header().game, G => analyse::<G>(record, names, wants_boards))
}

fn analyse<G: Analysed>(
    record: &Arc<Record>,
    names: BySeat<String>,
    wants_boards: bool,
) -> Result<RecordAnalysis, ArenaError> {
    let mut analyst = MatchAnalyst::<G>::new(names, wants_boards);
    // Settings that are wrong leave nothing to show.
    arena::record::initial_state::<G>(record)?;
    let failure = replay_record(record, &mut analyst).err();
    Ok(RecordAnalysis { analysis: analyst.finish(), failure })
}
