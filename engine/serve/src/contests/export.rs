//! Files of contests: the ladder, its games, and the versions that were handed in as comma-separated values, and the rules as TOML.

use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::ladder::name_for_all;
use crate::contests::views;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::version::{Progress, Version};

use crate::state::request_error::{RequestError, RequestResult};
use rules::{Seat, csv_field};
use runner::game_name;
use tournament::{Entrant, GAMES_JSONL, GameLine, JournalLine, ScoreTable};

/// A table with these columns.
fn begun(columns: &[&str]) -> String {
    columns.join(",") + "\n"
}

/// Adds a row of texts.
fn add(table: &mut String, row: &[String]) {
    let fields: Vec<String> = row.iter().map(|text| csv_field(text)).collect();
    table.push_str(&fields.join(","));
    table.push('\n');
}

/// A number as a spreadsheet reads it; `csv_field` would take the sign of one below 0 for the begin of a formula.
fn number(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.1}")).unwrap_or_default()
}

/// The rules of Battleship by any rules, as a file for `--rules`.
pub(crate) fn rules(contests: &ContestHost, name: &ContestName) -> RequestResult<String> {
    let rules = contests.look(name, |contest| contest.settings.battleship())?;
    let rules = rules.ok_or_else(|| RequestError::missing("the game of this contest has no file of rules"))?;
    toml::to_string(&rules).map_err(RequestError::internal)
}

/// The ladder, best first.
pub(crate) fn ladder(contests: &ContestHost, name: &ContestName) -> RequestResult<String> {
    let columns = [
        "place",
        "tied",
        "provisional",
        "bot",
        "version",
        "language",
        "wins",
        "draws",
        "losses",
        "games_with_faults",
        "elo",
        "error",
    ];
    let mut table = begun(&columns);
    for row in views::contest(contests, name)?.ladder {
        let place = row.error.map(|_| row.place.to_string()).unwrap_or_default();
        let mut fields = vec![place, row.is_tied.to_string(), row.is_provisional.to_string(), row.name];
        fields.extend([row.version.map(|version| version.to_string()).unwrap_or_default(), row.language]);
        fields.extend([row.games.wins, row.games.draws, row.games.losses, row.faulty].map(|count| count.to_string()));
        let mut line = String::new();
        add(&mut line, &fields);
        let (elo, error) = (number(row.error.map(|_| row.elo)), number(row.error));
        table.push_str(&format!("{},{elo},{error}\n", line.trim_end_matches('\n')));
    }
    Ok(table)
}

/// The games of the ladder that count, in the order in which they ended.
pub(crate) fn games(contests: &ContestHost, name: &ContestName) -> RequestResult<String> {
    let hidden = contests.look(name, Contest::hidden)?;
    let mut table = begun(&["game", "ended", "a", "b", "winner", "turns", "lost_turns_a", "lost_turns_b", "seed"]);
    let mut entrants: Vec<Entrant> = Vec::new();
    let mut add_game = |entrants: &[Entrant], game: &GameLine| {
        let [a, b] = game.fixture.seated().map(|at| name_for_all(&entrants[at], &hidden));
        let winner = game.outcome.winner.map(|winner| [&a, &b][winner.index().min(1)].clone()).unwrap_or_default();
        let lost = |seat: Seat| game.players[seat].faults.values().sum::<u32>().to_string();
        let (lost_a, lost_b) = (lost(Seat::A), lost(Seat::B));
        let turns = game.outcome.turns.to_string();
        let row = [game_name(game.fixture), game.ended.clone(), a, b, winner, turns, lost_a, lost_b, game.seed.clone()];
        add(&mut table, &row);
    };
    ScoreTable::read_with(&contests.folder(name).path().join(GAMES_JSONL), |line| match line {
        JournalLine::Entrant(entrant) => entrants.push(entrant.clone()),
        JournalLine::Game(game) => add_game(&entrants, game),
        _ => {}
    })?;
    Ok(table)
}

/// All versions that were handed in, for administrators.
pub(crate) fn submissions(contests: &ContestHost, name: &ContestName) -> RequestResult<String> {
    let columns =
        ["team", "version", "handed_in", "state", "reason", "plays", "language", "author", "bytes", "archive", "url"];
    let mut table = begun(&columns);
    contests.host.store.look(|state| {
        let missing = || RequestError::missing("there is no contest of this name");
        for (bot, entry) in state.contests.get(name).ok_or_else(missing)?.bots() {
            let team = state.bot(bot).map(|bot| bot.name.to_string()).unwrap_or_default();
            for version in &entry.versions {
                let plays = entry.playing().is_some_and(|playing| playing.number == version.number);
                add(&mut table, &submission(&team, version, plays));
            }
        }
        Ok(table)
    })
}

fn submission(team: &str, version: &Version, plays: bool) -> Vec<String> {
    let (state, reason, language, author) = match &version.progress {
        Progress::Queued | Progress::Judged { .. } => ("open", None, None, None),
        Progress::Accepted(accepted) => {
            let reason = version.removed.as_ref().or(version.parked.as_ref());
            ("accepted", reason.cloned(), Some(accepted.language.clone()), accepted.author.clone())
        }
        Progress::Rejected(rejection) => ("rejected", Some(rejection.reason.clone()), None, None),
    };
    let url = version.source.url().map(|url| url.as_str().to_owned());
    let bytes = version.source.bytes().map(|bytes| bytes.to_string());
    let archive = version.source.archive().map(str::to_owned);
    let mut row = vec![team.to_owned(), version.number.to_string(), version.submitted.clone(), state.to_owned()];
    row.extend([reason, Some(plays.to_string()), language, author].map(Option::unwrap_or_default));
    row.extend([bytes, archive, url].map(Option::unwrap_or_default));
    row
}
