//! The begin of a tournament within a contest: who plays in it, and in which order.

use crate::contests::contest_folder::{version_at, version_path};
use crate::contests::ladders::ladder::Ladder;
use crate::contests::tournaments::tournament_wire::ContestTournamentEvent;
use crate::matches::host::MatchHost;
use crate::state::contests::contest::{Contest, ContestBot};
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_tournament::TournamentPlan;
use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use tournament::{GAMES_JSONL, LadderPlace, ScoreTable, Standings};

/// The most tournaments that wait or are being played.
const MOST_OPEN: usize = 100;

/// The bots of a contest in the order of its ladder, the best first; those without games come last. Without a ladder the order is that
/// of the last tournament of the administrator that is over.
pub(crate) fn best_first(host: &MatchHost, ladder: &Ladder) -> Vec<BotId> {
    let rated = ladder.ratings();
    let order: Vec<BotId> = ladder.look(|state| {
        let has_games = rated.ratings().all().iter().any(|rating| rating.error.is_some());
        let places = rated.places().iter().filter(|_| has_games);
        let bot = |place: &LadderPlace| version_at(&state.table.entrants()[rated.active()[place.at]].bot);
        places.filter_map(|place| Some(bot(place)?.0)).collect()
    });
    if !order.is_empty() {
        return order;
    }
    let last = host.store.look(|state| {
        let all = state.contests.get(&ladder.name)?.tournaments.iter().enumerate().rev();
        let mut all = all.filter(|(_, one)| one.plan.by.is_none() && !one.is_open());
        Some(all.next()?.0 as u32 + 1)
    });
    let path = last.map(|number| ladder.folder.tournament(number).path().join(GAMES_JSONL));
    let Some(table) = path.and_then(|path| ScoreTable::read(&path).ok()) else { return Vec::new() };
    let standings = Standings::new(&table, None);
    standings.all().iter().filter_map(|one| Some(version_at(&one.entrant.bot)?.0)).collect()
}

/// The paths of the versions that play, of the bots that are wanted, in this order; others come last.
pub(crate) fn active_versions(
    contest: &Contest,
    order: &[BotId],
    is_wanted: impl Fn(&ContestBot) -> bool,
) -> Vec<String> {
    let active = |(bot, entry): (BotId, &ContestBot)| {
        let version = entry.playing().filter(|version| version.parked.is_none() && is_wanted(entry))?;
        Some((bot, version.number))
    };
    let mut all: Vec<(BotId, u32)> = contest.bots().filter_map(active).collect();
    all.sort_by_key(|(bot, _)| order.iter().position(|other| other == bot).unwrap_or(usize::MAX));
    all.into_iter().map(|(bot, number)| version_path(bot, number)).collect()
}

/// Begins a tournament with the plan that follows from the state. Gives its number.
pub(crate) fn begin(
    host: &MatchHost,
    ladder: &Ladder,
    plan: impl FnOnce(&ServerState, &Contest) -> RequestResult<TournamentPlan>,
) -> RequestResult<u32> {
    let line = host.store.enter(|state| {
        let known = state.contests.get(&ladder.name);
        let known = known.ok_or_else(|| RequestError::missing("there is no such contest"))?;
        let (number, plan) = (known.tournaments.len() as u32 + 1, plan(state, known)?);
        if plan.pace.is_none() && known.open_tournaments().count() >= MOST_OPEN {
            return Err(RequestError::busy("too many games were asked for; try again later"));
        }
        let change = ContestLine::TournamentBegan { number, plan };
        known.check(&change).map_err(RequestError::conflict)?;
        Ok(ServerJournalLine::Contest { contest: ladder.name.clone(), change, at: now() })
    })?;
    let ServerJournalLine::Contest { change: ContestLine::TournamentBegan { number, .. }, .. } = line else {
        unreachable!("it was just made")
    };
    ladder.changed.tell();
    ladder.tell("tournament", &ContestTournamentEvent { number, is_over: false });
    Ok(number)
}
