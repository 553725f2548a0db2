//! Sets of games of a ladder that are declared void: what changes is shown before.

use crate::contests::contest_folder::version_at;
use crate::contests::contest_host::ContestHost;
use crate::contests::ladder::LadderState;
use crate::contests::views::ladder_rows;
use crate::contests::wire::{LadderRow, VoidChange, VoidPreview};
use crate::state::contests::contest_line::{ContestLine, VoidSet};
use crate::state::contests::contest_settings::ContestName;
use crate::state::request_error::RequestResult;
use arena::ArenaError;
use chrono::{DateTime, Utc};
use std::path::Path;
use tournament::{Entrant, Fixture, GAMES_JSONL, GameLine, JournalLine, ScoreTable};

/// True of a game that is in the set.
fn has(set: &VoidSet, game: &GameLine, entrants: &[Entrant]) -> bool {
    let time = |text: &str| DateTime::parse_from_rfc3339(text).map(|time| time.with_timezone(&Utc)).ok();
    let ended = time(&game.ended);
    let is_late = set.since.as_deref().is_none_or(|since| time(since) <= ended);
    let is_early = ended <= time(&set.until);
    let is_of = |at: usize| {
        let version = entrants.get(at).and_then(|entrant| version_at(&entrant.bot));
        version.is_some_and(|(bot, version)| set.bot == Some(bot) && set.version.is_none_or(|wanted| wanted == version))
    };
    is_late && is_early && (set.bot.is_none() || game.fixture.seated().into_iter().any(is_of))
}

/// The games of a set, as the journal of the ladder in this folder has them.
pub(crate) fn games_of(set: &VoidSet, folder: &Path) -> Result<Vec<Fixture>, ArenaError> {
    let (mut entrants, mut games): (Vec<Entrant>, Vec<Fixture>) = Default::default();
    ScoreTable::read_with(&folder.join(GAMES_JSONL), |line| match line {
        JournalLine::Entrant(entrant) => entrants.push(entrant.clone()),
        JournalLine::Game(game) if has(set, game, &entrants) => games.push(game.fixture),
        _ => {}
    })?;
    Ok(games)
}

/// What would change if a set were void.
pub(crate) fn preview(contests: &ContestHost, contest: &ContestName, set: &VoidSet) -> RequestResult<VoidPreview> {
    let ladder = contests.ladder(contest)?;
    let games = games_of(set, ladder.folder.path())?;
    let path = ladder.folder.path().join(GAMES_JSONL);
    let is_left = |game: &GameLine| !games.contains(&game.fixture);
    let mut after = LadderState::new(ScoreTable::read_some(&path, is_left, |_| ())?);
    let (before, after) = (ladder.look(ladder_rows), ladder_rows(&mut after));
    let place = |row: &LadderRow| row.error.map(|_| (row.place, row.elo));
    let change = |row: &LadderRow| {
        let same = after.iter().find(|other| other.name == row.name);
        let (before, after) = (place(row), same.and_then(place));
        (before.map(|before| before.0) != after.map(|after| after.0)).then(|| VoidChange {
            name: row.name.clone(),
            before: before.map(|before| before.0),
            after: after.map(|after| after.0),
        })
    };
    Ok(VoidPreview { games: games.len(), changes: before.iter().filter_map(change).collect() })
}

/// Declares a set void. The ladder plays the games again whose entrants play on.
pub(crate) fn declare(contests: &ContestHost, contest: &ContestName, set: VoidSet, why: String) -> RequestResult<()> {
    contests.enter(contest, ContestLine::Voided { set, why })?;
    contests.ladder(contest)?.changed.tell();
    Ok(())
}
