//! The records of matches in the server's folder.

use super::app::App;
use super::finals::Screening;
use super::journal_line::{BotId, MatchLine};
use super::match_feed::MatchFeed;
use super::request_error::{RequestError, RequestResult};
use super::wire::{MatchBegun, MatchOver, MatchView, PastTournamentView, WholeMatch};
use arena::ArenaError;
use arena::record::{Record, replay_record};
use rules::Seat;
use rules::sea_battle::{self, MoveLimit, SeaBattle};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the folder of records in the server's folder.
const RECORDS: &str = "records";

/// The path of the record of a match, relative to the server's folder.
pub(super) fn record_path(id: u64) -> String {
    format!("{RECORDS}/{id:06}.jsonl.zst")
}

/// The selection of files that may be removed if they belong to no match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    /// All files: no match is being played.
    All,
    /// Only files of matches that were played to their end.
    Older,
}

impl App {
    /// Makes the folder for records.
    pub(super) fn make_records(&self) -> Result<(), ArenaError> {
        let folder = self.folder.join(RECORDS);
        fs::create_dir_all(&folder).map_err(|e| ArenaError::disk("make the folder", folder, e))
    }

    /// Removes records that belong to no match: those of a cleared history, and of matches that were never entered.
    pub(super) fn sweep_records(&self, which: Sweep) {
        let known = self.store.index.ask(|connection| {
            let mut ids = connection.prepare("SELECT id FROM matches")?;
            let ids = ids.query_map([], |row| row.get::<_, i64>(0))?;
            ids.collect::<Result<BTreeSet<i64>, _>>()
        });
        let known = match known {
            Ok(known) => known,
            Err(error) => return log::warn!("{error}"),
        };
        let last = self.store.look(|state| state.last_match) as i64;
        let Ok(entries) = fs::read_dir(self.folder.join(RECORDS)) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            // The name of a record, or of the temporary file of one.
            let id = name.to_str().and_then(|name| name.split_once(".jsonl.zst")).and_then(|(id, _)| id.parse().ok());
            let goes = |id: i64| !known.contains(&id) && (which == Sweep::All || id <= last);
            if id.is_some_and(goes)
                && let Err(error) = fs::remove_file(entry.path())
            {
                log::warn!("{} cannot be removed: {error}", entry.path().display());
            }
        }
    }

    /// Does work with the match of this number, which takes memory and processor time, on another thread.
    pub(super) async fn replay<T: Send + 'static>(
        self: &Arc<App>,
        id: &str,
        work: impl FnOnce(&App, MatchLine) -> RequestResult<T> + Send + 'static,
    ) -> RequestResult<T> {
        let id = id.parse().map_err(|_| RequestError::missing("the number of a match is needed"))?;
        let _permit = self.replays.acquire().await.map_err(RequestError::internal)?;
        if self.match_on_screen() == Some(id) {
            return Err(RequestError::missing(format!(
                "match {id} is on the screens now; it can be replayed afterwards"
            )));
        }
        self.blocking(move |app| {
            let line = app.store.index.match_line(id).map_err(RequestError::internal)?;
            let missing = || RequestError::missing(format!("there is no match {id} that was played to its end"));
            work(app, line.ok_or_else(missing)?)
        })
        .await
    }

    /// The last matches before a number, of one bot or of all, the newest first.
    pub(super) async fn matches_of(
        self: &Arc<App>,
        bot: Option<BotId>,
        before: Option<u64>,
        most: u32,
    ) -> RequestResult<Vec<MatchLine>> {
        // The match on the screens is the last one.
        let before = before.into_iter().chain(self.match_on_screen()).min();
        self.blocking(move |app| app.store.index.matches(bot, before, most).map_err(RequestError::internal)).await
    }

    /// The last tournaments, the newest first.
    pub(super) async fn past_tournaments(self: &Arc<App>, most: u32) -> RequestResult<Vec<PastTournamentView>> {
        self.blocking(move |app| app.store.index.tournaments(most).map_err(RequestError::internal)).await
    }

    /// The record of a match.
    pub(super) fn record(&self, line: &MatchLine) -> RequestResult<Arc<Record>> {
        Ok(Arc::new(Record::read(&self.folder.join(PathBuf::from(record_path(line.id))))?))
    }

    /// A match with all its turns. `reveals` tells if the first turn has the ships.
    pub(super) fn whole_match(&self, line: MatchLine, reveals: bool) -> RequestResult<WholeMatch> {
        let id = line.id;
        let record = self.record(&line)?;
        let mut turns = Vec::new();
        let mut feed = MatchFeed::new(id, reveals, |turn| turns.push(turn));
        replay_record::<SeaBattle>(&record, &mut feed)?;
        let fleets = [Seat::A, Seat::B].map(|seat| feed.notes.fleets[seat].clone());
        let view = MatchView::from(&line);
        let [nth, of] = match &line.final_game {
            Some(_) => [0, 0],
            None => self.store.index.place(id, line.tournament).map_err(RequestError::internal)?,
        };
        let rules: sea_battle::Settings = serde_json::from_value(record.header().settings.clone()).unwrap_or_default();
        let begun = MatchBegun {
            r#match: id,
            tournament: line.tournament,
            nth,
            of,
            names: view.names.clone(),
            bots: view.bots.clone(),
            max_moves: rules.max_moves.number(),
            together: matches!(rules.max_moves, MoveLimit::Together(_)),
            final_game: line.final_game.clone(),
            screening: Screening::of(&line, self.store.look(|state| state.settings.pace)),
        };
        Ok(WholeMatch { begun, turns, over: MatchOver { r#match: id, result: Some(view), broken_off: None, fleets } })
    }
}
