//! The records of matches in the server's folder.

use crate::matches::host::MatchHost;
use crate::matches::match_feed::MatchFeed;
use crate::state::finals::screening::Screening;
use crate::state::journal_line::MatchLine;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{MatchBegun, MatchOver, MatchView, PastTournamentView, WholeMatch};
use analysis::analyse_record_as;
use arena::ArenaError;
use arena::record::{self, Record, replay_record};
use rules::sea_battle::{self, MoveLimit, SeaBattle};
use rules::{Eye, Seat};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::sync::Arc;
use web::{About, EventLog};

/// The name of the folder of records in the server's folder.
const RECORDS: &str = "records";

/// The file that shows if the server can write to a folder.
const WRITE_CHECK: &str = "write-check.tmp";

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

/// Writes a file to the server's folder and one to that of the records, to the disk, and removes them.
pub(crate) fn check_that_writable(host: &MatchHost) -> Result<(), ArenaError> {
    [host.folder.join(WRITE_CHECK), host.folder.join(RECORDS).join(WRITE_CHECK)].iter().try_for_each(|path| {
        let written = File::create(path).and_then(|mut file| {
            // As much as a long record.
            file.write_all(&vec![b'.'; 1 << 20])?;
            file.sync_all()
        });
        // Also what a full disk has left of it.
        let removed = fs::remove_file(path);
        written.and(removed).map_err(|e| ArenaError::disk("write", path, e))
    })
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
    if host.store.index.trouble().is_some() {
        return log::warn!("records that belong to no match stay: the index does not know all matches");
    }
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
    host.blocking(move |host| {
        let line = host.store.index.match_line(id).map_err(RequestError::internal)?;
        let missing = || RequestError::missing(format!("there is no match {id} that was played to its end"));
        let line = line.ok_or_else(missing)?;
        // After the index was asked: before, the game may not have been over.
        match host.match_on_screen() == Some(id) {
            true => {
                Err(RequestError::missing(format!("match {id} is on the screens now; it can be replayed afterwards")))
            }
            false => work(host, line),
        }
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
    host.blocking(move |host| {
        let mut lines = host.store.index.matches(bot, before, most).map_err(RequestError::internal)?;
        // It may have been played since.
        let shown = host.match_on_screen();
        lines.retain(|line| Some(line.id) != shown);
        Ok(lines)
    })
    .await
}

/// The last tournaments, the newest first.
pub(crate) async fn past_tournaments(host: &Arc<MatchHost>, most: u32) -> RequestResult<Vec<PastTournamentView>> {
    host.blocking(move |host| host.store.index.tournaments(most).map_err(RequestError::internal)).await
}

/// The record of a match.
pub(crate) fn record_of(host: &MatchHost, line: &MatchLine) -> RequestResult<Arc<Record>> {
    Ok(Arc::new(Record::read(&host.folder.join(record_path(line.id)))?))
}

/// The facts about a match that its pages show.
pub(crate) fn about(begun: &MatchBegun, engine: &str) -> About {
    let movers = if begun.together { 1 } else { 2 };
    About {
        names: begun.names.iter().cloned().collect(),
        title: match &begun.final_game {
            Some(place) => format!("Final: {}, game {}", place.round, place.game),
            None => format!("Tournament {} · match {} of {}", begun.tournament, begun.nth, begun.of),
        },
        played: String::new(),
        seed: None,
        engine: engine.to_owned(),
        note: None,
        // The first turn is the placement.
        most_turns: Some(1 + movers * begun.max_moves),
    }
}

/// The stream of a match that is over, for browsers.
pub(crate) fn finished_log(host: &MatchHost, line: MatchLine) -> RequestResult<Arc<EventLog>> {
    let record = record_of(host, &line)?;
    let engine = record.header().engine.clone();
    let begun = begun(host, &line, &record)?;
    let shown = record::show(&record)?;
    let about = about(&begun, &engine);
    let analysed = analyse_record_as(&record, about.names.clone(), true)?;
    Ok(web::finished_log(shown.history.as_ref(), &about, Some(&analysed.analysis)))
}

/// The beginning of a match that is over.
pub(crate) fn begun(host: &MatchHost, line: &MatchLine, record: &Record) -> RequestResult<MatchBegun> {
    let view = MatchView::from(line);
    let [nth, of] = match &line.final_game {
        Some(_) => [0, 0],
        None => host.store.index.place(line.id, line.tournament).map_err(RequestError::internal)?,
    };
    let rules: sea_battle::Settings = serde_json::from_value(record.header().settings.clone()).unwrap_or_default();
    Ok(MatchBegun {
        r#match: line.id,
        tournament: line.tournament,
        nth,
        of,
        names: view.names,
        bots: view.bots,
        max_moves: rules.max_moves.number(),
        together: matches!(rules.max_moves, MoveLimit::Together(_)),
        final_game: line.final_game.clone(),
        screening: Screening::of(line, host.store.look(|state| state.settings.pace)),
    })
}

/// A match with all its turns.
pub(crate) fn whole_match(host: &MatchHost, line: MatchLine) -> RequestResult<WholeMatch> {
    let id = line.id;
    let record = record_of(host, &line)?;
    let mut turns = Vec::new();
    let mut feed = MatchFeed::new(id, Eye::Referee, |turn| turns.push(turn));
    replay_record::<SeaBattle>(&record, &mut feed)?;
    let fleets = [Seat::A, Seat::B].map(|seat| feed.notes.fleets[seat].clone());
    let (begun, result) = (begun(host, &line, &record)?, Some(MatchView::from(&line)));
    Ok(WholeMatch { begun, turns, over: MatchOver { r#match: id, result, broken_off: None, fleets } })
}
