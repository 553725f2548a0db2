//! The records of matches in the server's folder.

use super::course::Course;
use super::line::MatchLine;
use super::table::rules_of;
use super::wire::{MatchBegun, MatchOver, MatchView, WholeMatch};
use super::{Refusal, Venue};
use arena::ArenaError;
use arena::record::{Record, replay_record};
use rules::Seat;
use rules::sea_battle::SeaBattle;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// The folder of records in the server's folder.
const RECORDS: &str = "records";

/// Where the record of a match is, relative to the server's folder.
pub(super) fn place(id: u64) -> String {
    format!("{RECORDS}/{id:06}.jsonl.zst")
}

/// Which files without a match are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    /// All: no match is being played.
    All,
    /// Those of matches that were played to their end.
    Older,
}

impl Venue {
    /// Makes the folder for records.
    pub(super) fn make_records(&self) -> Result<(), ArenaError> {
        let folder = self.folder.join(RECORDS);
        fs::create_dir_all(&folder).map_err(|e| ArenaError::disk("make the folder", folder, e))
    }

    /// Removes records that belong to no match: of a cleared history, or of a match that was never entered.
    pub(super) fn sweep_records(&self, which: Sweep) {
        let known = self.books.index.ask(|connection| {
            let mut ids = connection.prepare("SELECT id FROM matches")?;
            let ids = ids.query_map([], |row| row.get::<_, i64>(0))?;
            ids.collect::<Result<BTreeSet<i64>, _>>()
        });
        let known = match known {
            Ok(known) => known,
            Err(error) => return log::warn!("{error}"),
        };
        let last = self.books.look(|ledger| ledger.last_match()) as i64;
        let Ok(entries) = fs::read_dir(self.folder.join(RECORDS)) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            // The name of a record, or of one that was being written.
            let id = name.to_str().and_then(|name| name.split_once(".jsonl.zst")).and_then(|(id, _)| id.parse().ok());
            let goes = |id: i64| !known.contains(&id) && (which == Sweep::All || id <= last);
            if id.is_some_and(goes)
                && let Err(error) = fs::remove_file(entry.path())
            {
                log::warn!("{} cannot be removed: {error}", entry.path().display());
            }
        }
    }

    /// The match with this number.
    pub(super) fn match_line(&self, id: u64) -> Result<MatchLine, Refusal> {
        let line = self.books.index.match_line(id).map_err(Refusal::internal)?;
        line.ok_or_else(|| Refusal::missing(format!("there is no match {id} that was played to its end")))
    }

    /// The record of a match.
    pub(super) fn record(&self, line: &MatchLine) -> Result<Arc<Record>, Refusal> {
        Ok(Arc::new(Record::read(&self.folder.join(PathBuf::from(place(line.id))))?))
    }

    /// A match with all its turns, as those were told who watched it.
    pub(super) fn whole_match(&self, id: u64) -> Result<WholeMatch, Refusal> {
        let line = self.match_line(id)?;
        let record = self.record(&line)?;
        let mut turns = Vec::new();
        let mut course = Course::new(id, true, |turn| turns.push(turn));
        replay_record::<SeaBattle>(&record, &mut course)?;
        let fleets = [Seat::A, Seat::B].map(|seat| course.notes.fleets[seat].clone());
        let view = MatchView::from(&line);
        let begun = MatchBegun {
            r#match: id,
            tournament: line.tournament,
            names: view.names.clone(),
            bots: view.bots.clone(),
            max_moves: rules_of(&record).max_moves,
        };
        Ok(WholeMatch { begun, turns, over: MatchOver { r#match: id, result: Some(view), broken_off: None, fleets } })
    }
}
