//! The views of contests: ladders, the queue, versions and their games.

use crate::contests::contest_folder::{version_at, version_path};
use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::ladder::{PlayedGame, name_for_all};
use crate::contests::submissions::turns::{self, VersionKey};
use crate::contests::wire::{
    ContestSummary, ContestView, EndingRow, FaultCount, GameEvent, GameRow, GamesView, LadderRow, LengthsView,
    OpponentRow, PublicBot, VersionGames, VersionState, VersionView, WaitingView,
};
use crate::state::contests::contest::{Contest, ContestBot};
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::version::{Progress, Version, VersionSource};
use crate::state::name::BotId;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use runner::game_name;
use std::sync::Arc;
use submissions::JudgeStep;
use tournament::{Estimate, LadderPlace, LadderRatings, LadderRules, ScoreTable};
use web::EventScope;

/// The most games that are told to be played now: a cluster has many in hand.
const MOST_PLAYING: usize = 64;

/// All contests.
pub(crate) fn contests(contests: &ContestHost) -> Vec<ContestSummary> {
    let all = contests.host.store.look(|state| {
        let summary = |(name, contest): (&ContestName, &Contest)| {
            let bots = contest.bots().filter(|(_, bot)| bot.playing().is_some()).count();
            (name.clone(), contest.settings.title.clone(), contest.settings.game.name().to_owned(), bots)
        };
        state.contests.iter().map(summary).collect::<Vec<_>>()
    });
    let summary = |(name, title, game, bots): (ContestName, String, String, usize)| {
        let games = contests.ladder(&name).map_or(0, |ladder| ladder.look(|state| state.table.results().games()));
        ContestSummary { name: name.to_string(), title, game, bots, games }
    };
    all.into_iter().map(summary).collect()
}

/// A contest.
pub(crate) fn contest(contests: &ContestHost, name: &ContestName) -> RequestResult<ContestView> {
    let ladder = contests.ladder(name)?;
    let rated = ladder.ratings();
    let hidden = contests.look(name, Contest::hidden)?;
    let (mut rows, playing, games) = ladder.look(|state| {
        let named = |entrant: usize| name_for_all(&state.table.entrants()[entrant], &hidden);
        let playing: Vec<[String; 2]> =
            state.playing.iter().take(MOST_PLAYING).map(|game| game.seated().map(named)).collect();
        (ladder_rows(&state.table, &rated), playing, state.table.results().games())
    });
    // Their places stay empty: games against them count.
    rows.retain(|row| !hidden.iter().any(|bot| row.bot.as_ref() == Some(&bot.to_string())));
    let queue = queue(contests, name)?;
    contests.host.store.look(|state| {
        for row in &mut rows {
            let bot = row.bot.as_ref().and_then(|bot| state.bot(BotId(bot.parse().ok()?)));
            bot.into_iter().for_each(|bot| row.name = bot.name.to_string());
        }
    });
    let parked = contests.host.store.look(|state| {
        let contest = state.contests.get(name).ok_or_else(missing)?;
        let is_parked = |(bot, entry): (BotId, &ContestBot)| {
            let version = entry.playing().filter(|_| !entry.is_hidden)?;
            version.parked.as_ref().and_then(|_| Some(state.bot(bot)?.name.to_string()))
        };
        RequestResult::Ok(contest.bots().filter_map(is_parked).collect())
    })?;
    contests.look(name, |contest| ContestView {
        name: name.to_string(),
        settings: contest.settings.for_all(),
        announcement: contest.announcement.clone(),
        is_ranked: contest.is_ranked,
        ranked_why: contest.ranked_why.clone(),
        refusal: contests.refusal.clone(),
        games,
        ladder: rows,
        parked,
        playing,
        queue,
    })
}

/// The versions of a contest that wait for a verdict, in their order.
pub(crate) fn queue(contests: &ContestHost, name: &ContestName) -> RequestResult<Vec<WaitingView>> {
    let judged = contests.judged_now();
    contests.host.store.look(|state| {
        let contest = state.contests.get(name).ok_or_else(missing)?;
        let waiting = turns::waiting(state, |key| key.0 == *name && !judged.contains_key(key));
        let view = |key: &VersionKey| {
            let entry = contest.bot(key.1).filter(|entry| !entry.is_hidden)?;
            let version = entry.version(key.2).filter(|version| version.is_open())?;
            let state_now = state_of(version, judged.get(key).copied());
            Some(WaitingView { name: state.bot(key.1)?.name.to_string(), version: key.2, state: state_now })
        };
        let judged = judged.keys().filter(|key| key.0 == *name);
        Ok(judged.chain(&waiting).filter_map(view).collect())
    })
}

/// The last games whose records are kept, the newest first.
pub(crate) fn recent_games(contests: &ContestHost, name: &ContestName, most: usize) -> RequestResult<Vec<GameEvent>> {
    let hidden = contests.look(name, Contest::hidden)?;
    contests.ladder(name)?.look(|state| {
        let named = |entrant: usize| name_for_all(&state.table.entrants()[entrant], &hidden);
        let told = |game: &Arc<PlayedGame>| GameEvent {
            id: game_name(game.fixture),
            names: game.fixture.seated().map(named),
            winner: game.winner.map(named),
        };
        Ok(state.recent().take(most).map(told).collect())
    })
}

/// Tells everyone who waits for a verdict.
pub(crate) fn publish_queue(contests: &ContestHost, name: &ContestName) {
    if let (Ok(queue), Ok(ladder)) = (queue(contests, name), contests.ladder(name)) {
        ladder.publish("queue", EventScope::TOPIC, &queue);
    }
}

fn missing() -> RequestError {
    RequestError::missing("there is no contest of this name")
}

/// The ladder, best first. Entrants without games come last.
pub(crate) fn ladder_rows(table: &ScoreTable, rated: &LadderRatings) -> Vec<LadderRow> {
    let rules = LadderRules::default();
    let row = |&LadderPlace { at, place, is_tied }: &LadderPlace| {
        let (rating, number) = (&rated.ratings().all()[at], rated.active()[at]);
        let (entrant, row) = (&table.entrants()[number], &table.rows()[number]);
        let version = version_at(&entrant.bot);
        LadderRow {
            place,
            is_tied,
            is_provisional: rules.is_provisional(rating),
            // That of a bot is known by its number only.
            name: entrant.name.clone(),
            bot: version.map(|(bot, _)| bot.to_string()),
            version: version.map(|(_, number)| number),
            language: version.map(|_| entrant.details.bot_type.clone()).unwrap_or_default(),
            elo: rating.elo,
            error: rating.error,
            games: row.games().into(),
            faulty: row.faulty,
        }
    };
    rated.places().iter().map(row).collect()
}

fn state_of(version: &Version, step: Option<JudgeStep>) -> VersionState {
    match (&version.progress, step) {
        (Progress::Accepted(_), _) if version.removed.is_some() => VersionState::Removed,
        (Progress::Accepted(_), _) => VersionState::Accepted,
        (Progress::Rejected(_), _) => VersionState::Rejected,
        (_, None) => VersionState::Queued,
        (_, Some(JudgeStep::Unpacking)) => VersionState::Unpacking,
        (_, Some(JudgeStep::Building)) => VersionState::Building,
        (_, Some(JudgeStep::Probing)) => VersionState::Probing,
    }
}

/// The versions of a bot, the newest first.
pub(crate) fn versions(contests: &ContestHost, name: &ContestName, bot: BotId) -> RequestResult<Vec<VersionView>> {
    let judged = contests.judged_now();
    let (versions, active, waiting) = contests.host.store.look(|state: &ServerState| {
        let contest = state.contests.get(name).ok_or_else(missing)?;
        let entry = contest.bot(bot).cloned().unwrap_or_default();
        // Those of all contests wait in one queue.
        let waiting = turns::waiting(state, |key| !judged.contains_key(key));
        let active = entry.playing().map(|version| version.number);
        RequestResult::Ok((entry.versions, active, waiting))
    })?;
    let ladder = contests.ladder(name)?;
    let rated = ladder.ratings();
    ladder.look(|ladder| {
        let view = |version: &Version| {
            let path = version_path(bot, version.number);
            let entrant = ladder.table.entrants().iter().position(|entrant| entrant.bot == path);
            let rating = entrant.and_then(|entrant| rated.rating_of(entrant));
            let key = (name.clone(), bot, version.number);
            let state = state_of(version, judged.get(&key).copied());
            let place = waiting.iter().position(|waiting| *waiting == key);
            let (language, slowest, rejected) = match &version.progress {
                Progress::Accepted(accepted) => (Some(accepted.language.clone()), accepted.slowest, None),
                Progress::Rejected(rejection) => (None, None, Some(rejection.reason.clone())),
                _ => (None, None, None),
            };
            let (archive, bytes, url) = match &version.source {
                VersionSource::Archive { archive, bytes } => (Some(archive.clone()), Some(*bytes), None),
                VersionSource::Url { url } => (None, None, Some(url.as_str().to_owned())),
            };
            VersionView {
                version: version.number,
                state,
                place: place.filter(|_| state == VersionState::Queued).map(|place| place + 1),
                is_active: active == Some(version.number),
                reason: rejected.or_else(|| version.removed.clone()).or_else(|| version.parked.clone()),
                submitted: version.submitted.clone(),
                archive,
                bytes,
                url,
                language,
                slowest,
                rating: rating.and_then(|rating| Some([rating.elo, rating.error?])),
                games: entrant.map(|at| ladder.table.rows()[at].games().into()).unwrap_or_default(),
            }
        };
        Ok(versions.iter().rev().map(view).collect())
    })
}

/// A bot, as everyone sees it, with the games of a version: this one, or the one that plays, or the newest.
pub(crate) fn contest_bot(
    contests: &ContestHost,
    contest: &ContestName,
    bot: &RegisteredBot,
    version: Option<u32>,
) -> RequestResult<PublicBot> {
    if contests.look(contest, |contest| contest.bot(bot.id).is_some_and(|entry| entry.is_hidden))? {
        return Err(RequestError::missing("there is no bot of this name"));
    }
    let mut versions = versions(contests, contest, bot.id)?;
    versions.retain(|version| version.state.is_public());
    let shown = match version {
        Some(number) => versions.iter().find(|view| view.version == number),
        None => versions.iter().find(|view| view.is_active).or(versions.first()),
    };
    let shown = shown.map(|view| view.version);
    if version.is_some() && shown.is_none() {
        return Err(RequestError::missing("there is no such version, or it was not accepted"));
    }
    let games = shown.map(|version| games_of(contests, contest, bot.id, version)).transpose()?.unwrap_or_default();
    let versions = versions.into_iter().map(Into::into).collect();
    Ok(PublicBot { name: bot.name.to_string(), versions, shown, games })
}

/// The games of a version.
pub(crate) fn games_of(
    contests: &ContestHost,
    name: &ContestName,
    bot: BotId,
    version: u32,
) -> RequestResult<VersionGames> {
    let hidden = contests.look(name, Contest::hidden)?;
    contests.ladder(name)?.look(|ladder| {
        let path = version_path(bot, version);
        let table = &ladder.table;
        let Some(own) = table.entrants().iter().position(|entrant| entrant.bot == path) else {
            return Ok(VersionGames::default());
        };
        let named = |at: usize| match at {
            at if at == own => table.entrants()[at].name.clone(),
            at => name_for_all(&table.entrants()[at], &hidden),
        };
        let met = table.pairings().keys().filter_map(|(first, second)| match own {
            own if own == *first => Some(*second),
            own if own == *second => Some(*first),
            _ => None,
        });
        let opponent = |other: usize| {
            let pairs = table.pairs_between(own, other);
            let estimate = (pairs.pairs() > 0).then(|| Estimate::of_pairs(&pairs));
            OpponentRow {
                name: named(other),
                games: table.between(own, other).into(),
                lead: estimate.map(|estimate| [estimate.elo(), estimate.error()]),
            }
        };
        let mut opponents: Vec<OpponentRow> = met.map(opponent).collect();
        opponents.sort_by(|one, other| one.name.cmp(&other.name));
        let (row, counts) = (&table.rows()[own], ladder.counts_of(own));
        let ending = |(ending, [wins, draws, losses]): (&&str, &[u64; 3])| EndingRow {
            ending: (*ending).to_owned(),
            games: GamesView { wins: *wins, draws: *draws, losses: *losses },
        };
        let range = counts.lengths.first_key_value().zip(counts.lengths.last_key_value()).zip(counts.median_length());
        Ok(VersionGames {
            opponents,
            endings: counts.endings.iter().map(ending).collect(),
            lengths: range.map(|(((shortest, _), (longest, _)), median)| LengthsView {
                shortest: *shortest,
                median,
                longest: *longest,
            }),
            last_games: ladder.games_of(own).map(|game| game_row(game, own, named)).collect(),
            faults: row.faults.iter().map(|(kind, turns)| FaultCount { kind: kind.clone(), turns: *turns }).collect(),
            latency: [0.5, 0.95, 0.99].map(|share| row.times.quantile(share)),
        })
    })
}

fn game_row(game: &PlayedGame, own: usize, named: impl Fn(usize) -> String) -> GameRow {
    let is_first = game.fixture.first == own;
    let opponent = if is_first { game.fixture.second } else { game.fixture.first };
    let result = match game.winner {
        Some(winner) if winner == own => "win",
        Some(_) => "loss",
        None => "draw",
    };
    GameRow {
        id: game_name(game.fixture),
        opponent: named(opponent),
        result,
        why: game.ending.told(|seat| named(game.fixture.seated()[seat.index().min(1)])),
        turns: game.turns,
        lost: game.lost[usize::from(!is_first)],
        ended: game.ended.clone(),
    }
}
