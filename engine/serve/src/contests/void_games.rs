//! The games of a set that is declared void.

use crate::contests::contest_folder::version_at;
use crate::state::contests::contest_line::VoidSet;
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
