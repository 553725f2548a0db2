//! The games of a set that is declared void.

use crate::contests::contest_folder::version_at;
use crate::state::contests::contest_line::VoidSet;
use arena::ArenaError;
use chrono::{DateTime, Utc};
use std::path::Path;
use tournament::{Entrant, Fixture, GAMES_JSONL, GameLine, JournalLine, ScoreTable, VoidGames};

/// The most games of one line: a journal has a longest line.
const MOST: usize = 10_000;

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

/// The lines of the journal that declare a set void. Only the last one has the number of the set: if the server is killed in between, the
/// rest is declared when it is started again.
pub(crate) fn void_lines(number: u32, games: &[Fixture], why: &str) -> Vec<JournalLine> {
    let parts: Vec<&[Fixture]> = if games.is_empty() { vec![games] } else { games.chunks(MOST).collect() };
    let line = |(at, part): (usize, &&[Fixture])| {
        let number = if at + 1 == parts.len() { number } else { number - 1 };
        JournalLine::Void(VoidGames { number, games: part.to_vec(), why: why.to_owned() })
    };
    parts.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_many_games_has_several_lines_of_which_the_last_one_ends_it() {
        let games: Vec<Fixture> =
            (0..25_000).map(|number| Fixture { first: 123_456, second: 234_567, number: 1_000_000 + number }).collect();
        let lines = void_lines(3, &games, &"w".repeat(500));
        let told = lines.iter().map(|line| match line {
            JournalLine::Void(void) => (void.number, void.games.len()),
            line => panic!("{line:?}"),
        });
        assert_eq!(told.collect::<Vec<_>>(), [(2, 10_000), (2, 10_000), (3, 5_000)]);
        assert!(lines.iter().all(|line| serde_json::to_string(line).unwrap().len() < 1 << 20));
        // A set without games is done as well.
        assert_eq!(void_lines(1, &[], "none").len(), 1);
    }
}
