//! The views of tournaments within a contest.

use crate::contests::contest_host::ContestHost;
use crate::contests::finals::final_views::{Told, told};
use crate::contests::ladders::ladder::{HIDDEN, Ladder, is_hidden, name_for_all};
use crate::contests::ladders::wanted::Wanted;
use crate::contests::tournaments::tournament_wire::{
    ContestTournamentView, TournamentGameRow, TournamentResults, TournamentRow,
};
use crate::matches::host::MatchHost;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::contest_tournament::ContestTournament;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use runner::game_name;
use std::collections::{BTreeSet, VecDeque};
use tournament::{GAMES_JSONL, GameLine, JournalLine, ScoreTable, Standings};

/// The number of tournaments that are listed, and of games of one.
const LISTED: usize = 50;

/// The last tournaments of a contest, the newest first: those of everyone, or those that a team has asked for.
pub(crate) fn tournaments(
    contests: &ContestHost,
    name: &ContestName,
    by: Option<BotId>,
) -> RequestResult<Vec<ContestTournamentView>> {
    let ladder = contests.ladder(name)?;
    let games = ladder.look(|state| state.tournaments.clone());
    contests.host.store.look(|state| {
        let contest = state.contests.get(name).ok_or_else(missing)?;
        let all = contest.tournaments.iter().enumerate().rev();
        let own = all.filter(|(_, tournament)| tournament.plan.by == by).take(LISTED);
        let view = |(at, tournament): (usize, &ContestTournament)| {
            let number = at as u32 + 1;
            view(state, name, number, tournament, games.get(&number).copied())
        };
        Ok(own.map(view).collect())
    })
}

fn view(
    state: &ServerState,
    contest: &ContestName,
    number: u32,
    tournament: &ContestTournament,
    games: Option<u64>,
) -> ContestTournamentView {
    let plan = &tournament.plan;
    let hidden = state.contests.get(contest).map(|of| hidden_in(of, plan.by)).unwrap_or_default();
    let has_hidden = plan.entrants.iter().any(|path| is_hidden(path, &hidden));
    let named = |path: &String| match is_hidden(path, &hidden) {
        true => HIDDEN.to_owned(),
        false => Wanted::at(path, contest.as_str(), state).name,
    };
    ContestTournamentView {
        number,
        format: plan.format.name(),
        games_of_meeting: plan.games,
        sprt: plan.sprt,
        entrants: plan.entrants.iter().map(named).collect(),
        began: tournament.began.clone(),
        is_over: !tournament.is_open(),
        games: games.filter(|_| tournament.is_open()),
        // It may have a name that is hidden.
        result: tournament.result.clone().map(|result| if has_hidden { "over".to_owned() } else { result }),
    }
}

/// The bots of a contest that are not shown to everyone, but for that of the team that sees it.
fn hidden_in(contest: &Contest, team: Option<BotId>) -> BTreeSet<BotId> {
    contest.hidden().into_iter().filter(|bot| Some(*bot) != team).collect()
}

/// The team that asked for the games of a tournament, of which only it is told; `None` if everyone is.
pub(crate) fn asked_by(contests: &ContestHost, name: &ContestName, number: u32) -> RequestResult<Option<BotId>> {
    let by = |contest: &Contest| contest.tournament(number).map(|tournament| tournament.plan.by);
    contests.look(name, by)?.ok_or_else(missing_tournament)
}

/// True if a game of a tournament may be seen: of a final that is not over only those that the screens have shown.
pub(crate) fn is_shown(contests: &ContestHost, name: &ContestName, number: u32, game: &str) -> RequestResult<bool> {
    let ladder = contests.ladder(name)?;
    Ok(match told(&contests.host, &ladder, number)? {
        Told::All => true,
        Told::Nothing => false,
        Told::Shown(shown) => shown.games(ladder.screen_clock.now()).any(|shown| game_name(shown.fixture) == game),
    })
}

/// Looks at the games of a tournament that may be told, in their order, and returns their table; `None` before the first of them.
pub(crate) fn shown_games(
    host: &MatchHost,
    ladder: &Ladder,
    number: u32,
    mut each: impl FnMut(&GameLine),
) -> RequestResult<Option<ScoreTable>> {
    let path = ladder.folder.tournament(number).path().join(GAMES_JSONL);
    Ok(match told(host, ladder, number)? {
        Told::Shown(broadcast) => {
            let now = ladder.screen_clock.now();
            broadcast.games(now).for_each(each);
            Some(broadcast.table(now))
        }
        Told::All if path.is_file() => Some(ScoreTable::read_with(&path, |line| {
            if let JournalLine::Game(game) = line {
                each(game);
            }
        })?),
        Told::All | Told::Nothing => None,
    })
}

/// A tournament, with its table and its last games.
pub(crate) fn results(contests: &ContestHost, name: &ContestName, number: u32) -> RequestResult<TournamentResults> {
    let games = contests.ladder(name)?.look(|state| state.tournaments.get(&number).copied());
    let ladder = contests.ladder(name)?;
    let (tournament, hidden) = contests.host.store.look(|state| {
        let contest = state.contests.get(name).ok_or_else(missing)?;
        let tournament = contest.tournament(number).ok_or_else(missing_tournament)?;
        let hidden = hidden_in(contest, tournament.plan.by);
        RequestResult::Ok((view(state, name, number, tournament, games), hidden))
    })?;
    let mut last: VecDeque<GameLine> = VecDeque::new();
    let table = shown_games(&contests.host, &ladder, number, |game| {
        last.push_front(game.clone());
        last.truncate(LISTED);
    })?;
    let Some(table) = table else {
        return Ok(TournamentResults { tournament, rows: Vec::new(), games: Vec::new() });
    };
    let named = |at: usize| name_for_all(&table.entrants()[at], &hidden);
    let game = |game: &GameLine| TournamentGameRow {
        id: game_name(game.fixture),
        names: game.fixture.seated().map(named),
        winner: game.outcome.winner.map(|winner| named(game.fixture.seated()[winner.index().min(1)])),
        turns: game.outcome.turns,
        ended: game.ended.clone(),
    };
    let row = |standing: &tournament::Standing<'_>| TournamentRow {
        place: standing.place,
        name: name_for_all(standing.entrant, &hidden),
        games: standing.row.games().into(),
        elo: standing.rating.elo,
        error: standing.rating.error,
        faulty: standing.row.faulty,
    };
    let rows = Standings::new(&table, None).all().iter().map(row).collect();
    Ok(TournamentResults { tournament, rows, games: last.iter().map(game).collect() })
}

fn missing() -> RequestError {
    RequestError::missing("there is no contest of this name")
}

fn missing_tournament() -> RequestError {
    RequestError::missing("there is no tournament of this number")
}
