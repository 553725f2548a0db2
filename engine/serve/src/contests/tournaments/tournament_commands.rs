//! Commands about tournaments within a contest: a team asks for games, the administrator begins a tournament or calls one off.

use crate::contests::contest_folder::version_path;
use crate::contests::contest_host::ContestHost;
use crate::contests::finals::final_views::publish_final;
use crate::contests::tournaments::tournament_begin::{active_versions, begin, best_first};
use crate::contests::tournaments::tournament_wire::ContestTournamentEvent;
use crate::state::contests::contest::{Contest, ContestBot};
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::contest_tournament::{CALLED_OFF, MOST_ENTRANTS, TournamentPlan};
use crate::state::name::{BotId, BotName};
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use players::BuiltIn;
use serde::Deserialize;
use tournament::Format;
use utoipa::ToSchema;

/// The most games that a team can ask for at once.
const MOST_ASKED: u32 = 400;

/// Games that a team asks for, which do not count for the ladder.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GamesAsked {
    /// The own version that plays; without one the version that is active.
    pub version: Option<u32>,
    /// The opponent: the name of a bot, whose active version plays, or `builtin:NAME`.
    pub against: Option<String>,
    /// The own version that is the opponent, instead of another bot.
    pub against_version: Option<u32>,
    /// The number of games, the most of them with a test.
    #[schema(minimum = 2, maximum = 400)]
    pub games: u32,
    /// Two differences in Elo, such as `[0, 50]`: the games end as soon as a sequential test accepts one of them.
    pub sprt: Option<[f64; 2]>,
}

/// Asks for games of a team's bot. Gives the number of their tournament.
pub(crate) fn ask(contests: &ContestHost, contest: &ContestName, bot: BotId, asked: &GamesAsked) -> RequestResult<u32> {
    if !(2..=MOST_ASKED).contains(&asked.games) {
        return Err(RequestError::bad(format!("games is a number from 2 to {MOST_ASKED}, not {}", asked.games)));
    }
    let ladder = contests.ladder(contest)?;
    begin(&contests.host, &ladder, |state, known| {
        if known.open_tournaments().any(|(_, one)| one.plan.by == Some(bot)) {
            return Err(RequestError::conflict("games that you have asked for are not over yet"));
        }
        let entrants = vec![own_version(known, bot, asked.version)?, opponent(state, known, bot, asked)?];
        if entrants[0] == entrants[1] {
            return Err(RequestError::bad("a version does not play against itself"));
        }
        let (format, games, sprt) = (Format::RoundRobin, asked.games, asked.sprt);
        Ok(TournamentPlan { by: Some(bot), format, games, pace: None, sprt, entrants })
    })
}

/// The path of a version of a team's own bot: of this one, or of the one that plays.
fn own_version(contest: &Contest, bot: BotId, version: Option<u32>) -> RequestResult<String> {
    let none = || RequestError::conflict("none of your versions plays yet; hand one in first");
    let entry = contest.bot(bot).ok_or_else(none)?;
    let number = version.or(entry.active).ok_or_else(none)?;
    match entry.version(number) {
        Some(version) if version.is_accepted() => Ok(version_path(bot, number)),
        Some(_) => Err(RequestError::conflict(format!("version {number} was not accepted"))),
        None => Err(RequestError::missing(format!("there is no version {number}"))),
    }
}

fn opponent(state: &ServerState, contest: &Contest, bot: BotId, asked: &GamesAsked) -> RequestResult<String> {
    let named = match (asked.against.as_deref().map(str::trim).filter(|name| !name.is_empty()), asked.against_version) {
        (None, Some(version)) => return own_version(contest, bot, Some(version)),
        (Some(named), None) => named,
        _ => return Err(RequestError::bad("the opponent is another bot, or a version of your own: give one of them")),
    };
    if let Some(name) = named.strip_prefix(BuiltIn::PREFIX) {
        let known = BuiltIn::from_name(name).map(|_| named.to_owned());
        return known.ok_or_else(|| RequestError::missing("there is no built-in player of this name"));
    }
    let missing = || RequestError::missing("no bot of this name plays in the contest");
    let name = BotName::registered(named).map_err(|_| missing())?;
    let other = state.named(&name).ok_or_else(missing)?;
    let active =
        contest.bot(other.id).filter(|entry| !entry.is_hidden).and_then(ContestBot::playing).ok_or_else(missing)?;
    Ok(version_path(other.id, active.number))
}

/// A tournament that the administrator begins.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TournamentWanted {
    /// The format: `round-robin`, `swiss` or `knockout`.
    #[schema(value_type = String)]
    pub format: Format,
    /// The games of a meeting.
    #[schema(minimum = 1, maximum = 1000)]
    pub games: u32,
    /// The number of the best on the ladder that take part; all without one.
    pub best: Option<usize>,
    /// True if the baselines take part.
    #[serde(default)]
    pub baselines: bool,
}

/// Begins a tournament between the versions that play, the best on the ladder first. Gives its number.
pub(crate) fn begin_tournament(
    contests: &ContestHost,
    contest: &ContestName,
    wanted: &TournamentWanted,
) -> RequestResult<u32> {
    let ladder = contests.ladder(contest)?;
    let order = best_first(&contests.host, &ladder);
    if wanted.format == Format::Final {
        return Err(RequestError::bad("a final is planned at /api/admin/contests/NAME/final"));
    }
    begin(&contests.host, &ladder, |_, known| {
        let mut entrants = active_versions(known, &order, |_| true);
        if wanted.baselines {
            entrants.extend(known.settings.baselines.iter().cloned());
        }
        entrants.truncate(wanted.best.unwrap_or(MOST_ENTRANTS));
        let (format, games) = (wanted.format, wanted.games);
        Ok(TournamentPlan { by: None, format, games, pace: None, sprt: None, entrants })
    })
}

/// Calls a tournament off: no more of its games begin. Its results stay.
pub(crate) fn call_off(contests: &ContestHost, contest: &ContestName, number: u32) -> RequestResult<()> {
    let result = CALLED_OFF.to_owned();
    contests.enter(contest, ContestLine::TournamentEnded { number, result })?;
    let ladder = contests.ladder(contest)?;
    ladder.changed.tell();
    ladder.final_changed.tell();
    let is_final = |known: &Contest| known.tournament(number).is_some_and(|one| one.plan.pace.is_some());
    if contests.look(contest, is_final)? {
        publish_final(&contests.host, &ladder);
    }
    ladder.tell("tournament", &ContestTournamentEvent { number, is_over: true });
    Ok(())
}
