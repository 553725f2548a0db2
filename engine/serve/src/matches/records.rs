//! The records of matches in the server's folder.

use crate::matches::host::MatchHost;
use crate::matches::match_feed::MatchFeed;
use crate::state::journal_line::{BotId, MatchLine};
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::screening::Screening;
use crate::state::wire::{MatchBegun, MatchOver, MatchView, PastTournamentView, WholeMatch};
use arena::ArenaError;
use arena::record::{Record, replay_record};
use rules::Seat;
use rules::sea_battle::{self, MoveLimit, SeaBattle};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

/// The name of the folder of records in the server's folder.
const RECORDS: &str = "records";

/// The path of the record of a match, relative to the server's folder.
pub(crate) fn record_path(id: u64) -> String {
    format!("{RECORDS}/{id:06}.jsonl.zst")
}

/// The selection of files that may be removed if they belong to no match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// All files: no match is being played.
    All,
    /// Only files of matches that were played to their end.
    Older,
}

/// Makes the folder for records.
pub(crate) fn make_folder(host: &MatchHost) -> Result<(), ArenaError> {
    let folder = host.folder.join(RECORDS);
    fs::create_dir_all(&folder).map_err(|e| ArenaError::disk("make the folder", folder, e))
}

/// Removes records that belong to no match: those of a cleared history, and of matches that were never entered.
pub(crate) fn sweep(host: &MatchHost, which: Sweep) {
    let known = host.store.index.ask(|connection| {
        let mut ids = connection.prepare("SELECT id FROM matches")?;
        let ids = ids.query_map([], |row| row.get::<_, i64>(0))?;
        ids.collect::<Result<BTreeSet<i64>, _>>()
    });
    let known = match known {
        Ok(known) => known,
        Err(error) => return log::warn!("{error}"),
    };
    let last = host.store.look(|state| state.last_match) as i64;
    let Ok(entries) = fs::read_dir(host.folder.join(RECORDS)) else { return };
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
pub(crate) async fn replay<T: Send + 'static>(
    host: &Arc<MatchHost>,
    id: &str,
    work: impl FnOnce(&MatchHost, MatchLine) -> RequestResult<T> + Send + 'static,
) -> RequestResult<T> {
    let id = id.parse().map_err(|_| RequestError::missing("the number of a match is needed"))?;
    let _permit = host.replays.acquire().await.map_err(RequestError::internal)?;
    if host.match_on_screen() == Some(id) {
        return Err(RequestError::missing(format!("match {id} is on the screens now; it can be replayed afterwards")));
    }
    host.blocking(move |host| {
        let line = host.store.index.match_line(id).map_err(RequestError::internal)?;
        let missing = || RequestError::missing(format!("there is no match {id} that was played to its end"));
        work(host, line.ok_or_else(missing)?)
    })
    .await
}

/// The last matches before a number, of one bot or of all, the newest first.
pub(crate) async fn matches_of(
    host: &Arc<MatchHost>,
    bot: Option<BotId>,
    before: Option<u64>,
    most: u32,
) -> RequestResult<Vec<MatchLine>> {
    // The match on the screens is the last one.
    let before = before.into_iter().chain(host.match_on_screen()).min();
    host.blocking(move |host| host.store.index.matches(bot, before, most).map_err(RequestError::internal)).await
}

/// The last tournaments, the newest first.
pub(crate) async fn past_tournaments(host: &Arc<MatchHost>, most: u32) -> RequestResult<Vec<PastTournamentView>> {
    host.blocking(move |host| host.store.index.tournaments(most).map_err(RequestError::internal)).await
}

/// The record of a match.
pub(crate) fn record(host: &MatchHost, line: &MatchLine) -> RequestResult<Arc<Record>> {
    Ok(Arc::new(Record::read(&host.folder.join(record_path(line.id)))?))
}

/// A match with all its turns. `reveals` tells if the first turn has the ships.
pub(crate) fn whole_match(host: &MatchHost, line: MatchLine, reveals: bool) -> RequestResult<WholeMatch> {
    let id = line.id;
    let record = record(host, &line)?;
    let mut turns = Vec::new();
    let mut feed = MatchFeed::new(id, reveals, |turn| turns.push(turn));
    replay_record::<SeaBattle>(&record, &mut feed)?;
    let fleets = [Seat::A, Seat::B].map(|seat| feed.notes.fleets[seat].clone());
    let view = MatchView::from(&line);
    let [nth, of] = match &line.final_game {
        Some(_) => [0, 0],
        None => host.store.index.place(id, line.tournament).map_err(RequestError::internal)?,
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
        screening: Screening::of(&line, host.store.look(|state| state.settings.pace)),
    };
    Ok(WholeMatch { begun, turns, over: MatchOver { r#match: id, result: Some(view), broken_off: None, fleets } })
}
