//! The final of a contest, as far as the screens have shown it.

use crate::contests::contest_folder::{ContestFolder, version_at};
use crate::contests::finals::broadcast::Broadcast;
use crate::contests::ladders::ladder::{Ladder, name_for_all};
use crate::contests::ladders::wanted::Wanted;
use crate::contests::tournaments::tournament_begin::{active_versions, best_first};
use crate::matches::finals::view::{FinalState, FinalView, seeds};
use crate::matches::host::MatchHost;
use crate::state::contests::contest_tournament::{ContestTournament, PlannedFinal};
use crate::state::finals::final_plan::time;
use crate::state::finals::screening::Screening;
use crate::state::journal_line::{FinalGameLine, written};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeSet;
use tournament::{FinalBracket, Fixture, Results};
use utoipa::ToSchema;
use web::EventScope;

/// A game of a final that screens begin to show.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FinalGameEvent {
    /// Its name in addresses.
    pub id: String,
    /// The names of the entrants, the one in seat A first.
    pub names: [String; 2],
    /// Its place in the final.
    #[serde(rename = "final")]
    pub place: FinalGameLine,
    /// The times of its turns.
    pub screening: Screening,
}

/// The final that is planned, or the last one that has begun, with its number.
enum Known {
    Planned(u32, PlannedFinal),
    Begun(u32, ContestTournament),
}

/// The final that is planned or being played, or the last one, as far as the screens have shown it.
pub(crate) fn present_final(host: &MatchHost, ladder: &Ladder) -> RequestResult<FinalView> {
    let now = ladder.screen_clock.now();
    let none = FinalView { now: written(now), ..FinalView::default() };
    let found = host.store.look(|state| {
        let contest = state.contests.get(&ladder.name)?;
        let planned = contest.planned_final.clone();
        let planned = planned.map(|planned| Known::Planned(contest.tournaments.len() as u32 + 1, planned));
        let begun = || contest.last_final().map(|(number, begun)| Known::Begun(number, begun.clone()));
        Some((planned.or_else(begun)?, contest.hidden()))
    });
    match found {
        None => Ok(none),
        Some((Known::Begun(_, begun), _)) if begun.is_called_off() => Ok(none),
        Some((Known::Planned(number, planned), _)) => Ok(planned_view(host, ladder, none, number, &planned)),
        Some((Known::Begun(number, begun), hidden)) => {
            let view = FinalView {
                state: if begun.is_open() { FinalState::Playing } else { FinalState::Over },
                number,
                best_of: begun.plan.games,
                start: Some(begun.began.clone()),
                entrants: begun.plan.entrants.len() as u32,
                ..none.clone()
            };
            let broadcast = read(&ladder.folder, number, &begun).map_err(RequestError::internal)?;
            Ok(match broadcast {
                Some(broadcast) => begun_view(view, &broadcast, now, &hidden),
                // It has no journal yet.
                None => view.with(named(host, ladder, &begun.plan.entrants), bracket(&begun), &Results::default()),
            })
        }
    }
}

/// The final that is planned or being played, for pages about other things: without one nothing is read, and a journal of it that is
/// damaged is told to the operator.
pub(crate) fn open_final(host: &MatchHost, ladder: &Ladder) -> FinalView {
    let is_open = host.store.look(|state| {
        let contest = state.contests.get(&ladder.name);
        contest.is_some_and(|contest| contest.planned_final.is_some() || contest.open_final().is_some())
    });
    let view = is_open.then(|| present_final(host, ladder)).transpose();
    view.inspect_err(|error| host.report_trouble(error)).ok().flatten().unwrap_or_default()
}

/// A final that has begun, as far as it was shown at this time; all of one that is over.
fn begun_view(view: FinalView, broadcast: &Broadcast, now: DateTime<Utc>, hidden: &BTreeSet<BotId>) -> FinalView {
    let is_over = view.state == FinalState::Over;
    let table = broadcast.table(if is_over { DateTime::<Utc>::MAX_UTC } else { now });
    let ranking = broadcast.bracket().ranking(table.results()).filter(|_| is_over);
    let bots = broadcast.entrants().iter().map(|entrant| (bot_id(&entrant.bot), name_for_all(entrant, hidden)));
    let view = view.with(bots, broadcast.bracket(), table.results());
    FinalView { ranking: seeds(ranking.iter().flatten()), ..view }
}

/// The numbers and names of bots whose versions have these paths.
fn named(host: &MatchHost, ladder: &Ladder, paths: &[String]) -> impl Iterator<Item = (String, String)> {
    let named = host.store.look(|state| {
        let named = |path: &String| (bot_id(path), Wanted::at(path, ladder.name.as_str(), state).name);
        paths.iter().map(named).collect::<Vec<_>>()
    });
    named.into_iter()
}

/// The bracket of a final that has begun.
fn bracket(begun: &ContestTournament) -> FinalBracket {
    FinalBracket::new(begun.plan.entrants.len(), begun.plan.games)
}

/// A final that is planned, with the bots that would play now.
fn planned_view(host: &MatchHost, ladder: &Ladder, none: FinalView, number: u32, planned: &PlannedFinal) -> FinalView {
    let order = best_first(host, ladder);
    let mut versions = host.store.look(|state| {
        let contest = state.contests.get(&ladder.name);
        contest.map(|contest| active_versions(contest, &order, |bot| !bot.is_hidden)).unwrap_or_default()
    });
    versions.truncate(planned.entrants as usize);
    let bracket = FinalBracket::new(versions.len(), planned.best_of);
    let view = FinalView {
        state: FinalState::Planned,
        number,
        start: Some(planned.start.clone()),
        entrants: planned.entrants,
        best_of: planned.best_of,
        ..none
    };
    view.with(named(host, ladder, &versions), bracket, &Results::default())
}

/// The number of the bot whose version this is; empty for a player of the engine.
fn bot_id(path: &str) -> String {
    version_at(path).map(|(bot, _)| bot.to_string()).unwrap_or_default()
}

/// The broadcast of a final; `None` before its journal has all entrants.
pub(crate) fn read(
    contest: &ContestFolder,
    number: u32,
    begun: &ContestTournament,
) -> Result<Option<Broadcast>, arena::ArenaError> {
    let began = time(&begun.began).unwrap_or_default();
    let read = Broadcast::read(contest.tournament(number).path(), began, begun.plan.pace.unwrap_or_default())?;
    Ok(read.filter(|broadcast| broadcast.entrants().len() == begun.plan.entrants.len()))
}

/// The part of a tournament that may be told.
pub(crate) enum Told {
    /// All of it: the tournament is not a final, or is over.
    All,
    /// Nothing: the tournament is a final that has just begun.
    Nothing,
    /// The games of a final that screens have shown.
    Shown(Box<Broadcast>),
}

/// The part of the tournament of this number that may be told.
///
/// # Errors
/// The journal of a final is damaged, or the disk fails.
pub(crate) fn told(host: &MatchHost, ladder: &Ladder, number: u32) -> RequestResult<Told> {
    let open = host.store.look(|state| {
        let open = state.contests.get(&ladder.name)?.open_final()?;
        Some(open.1.clone()).filter(|_| open.0 == number)
    });
    let Some(begun) = open else { return Ok(Told::All) };
    let broadcast = read(&ladder.folder, number, &begun).map_err(RequestError::internal)?;
    Ok(broadcast.map_or(Told::Nothing, |broadcast| Told::Shown(Box::new(broadcast))))
}

/// A game of a final that screens begin to show at this time.
pub(crate) fn game_event(
    broadcast: &Broadcast,
    number: u32,
    fixture: Fixture,
    begins: DateTime<Utc>,
    hidden: &BTreeSet<BotId>,
) -> FinalGameEvent {
    let before = broadcast.table(begins);
    let bracket = broadcast.bracket();
    FinalGameEvent {
        id: runner::game_name(fixture),
        names: fixture.seated().map(|at| name_for_all(&broadcast.entrants()[at], hidden)),
        place: FinalGameLine {
            number,
            round: bracket.round(before.results(), fixture),
            game: fixture.number + 1,
            best_of: bracket.best_of(),
            pace: Some(broadcast.pace()),
        },
        screening: Screening { begun_at: written(begins), pace: broadcast.pace() },
    }
}

/// Tells everyone of the final.
pub(crate) fn publish_final(host: &MatchHost, ladder: &Ladder) {
    match present_final(host, ladder) {
        Ok(view) => ladder.publish("final", EventScope::TOPIC, &view),
        Err(error) => host.report_trouble(&error),
    }
}
