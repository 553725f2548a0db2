//! The broadcast of a final: its games, which were played out of sight, one after another at the pace of the screens.
//!
//! The times follow from the journal of the final alone, so that a server that was killed goes on in the middle of a game.

use crate::state::finals::final_plan::time;
use crate::state::finals::screening::{duration, rest, shown_after};
use arena::ArenaError;
use chrono::{DateTime, Utc};
use std::path::Path;
use std::time::Duration;
use tournament::{
    Entrant, FinalBracket, Fixture, GAMES_JSONL, GameLine, JournalLine, NextGame, ScoreTable, TournamentHeader,
};

/// A final with the times at which screens show its games.
#[derive(Debug)]
pub(crate) struct Broadcast {
    header: TournamentHeader,
    entrants: Vec<Entrant>,
    /// The games and retirements, in the order of the journal.
    events: Vec<BroadcastEvent>,
    pace: u64,
}

/// A game of a final, or the retirement of an entrant.
#[derive(Debug)]
struct BroadcastEvent {
    /// The line of the journal.
    line: JournalLine,
    /// The time from which on it may be told.
    told: DateTime<Utc>,
    /// The time when screens begin to show it, if it is a game.
    begins: Option<DateTime<Utc>>,
}

/// A game of a final on the screens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShownGame {
    pub(crate) fixture: Fixture,
    /// The time of its first moment.
    pub(crate) begins: DateTime<Utc>,
    /// The time of its result.
    pub(crate) ends: DateTime<Utc>,
    /// The rounds or moves.
    pub(crate) turns: u32,
}

/// The next thing that screens show.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NextShown {
    /// This game, which may have begun.
    Game(ShownGame),
    /// A game that is being played.
    Unknown,
    /// Nothing: all was shown, and no more is played.
    Nothing,
}

impl Broadcast {
    /// Reads a final from its folder. It began at this time; screens show each turn for `pace` milliseconds.
    ///
    /// # Errors
    /// The journal is damaged, or the disk fails.
    pub(crate) fn read(folder: &Path, began: DateTime<Utc>, pace: u64) -> Result<Option<Broadcast>, ArenaError> {
        let path = folder.join(GAMES_JSONL);
        if !path.is_file() {
            return Ok(None);
        }
        let (mut lines, mut header) = (Vec::new(), None);
        ScoreTable::read_with(&path, |line| match line {
            JournalLine::Tournament(known) => header = Some(known.clone()),
            line => lines.push(line.clone()),
        })?;
        Ok(header.map(|header| Broadcast::new(header, lines, began, pace)))
    }

    fn new(header: TournamentHeader, lines: Vec<JournalLine>, began: DateTime<Utc>, pace: u64) -> Broadcast {
        let mut broadcast = Broadcast { header, entrants: Vec::new(), events: Vec::new(), pace };
        let mut free = began;
        for line in lines {
            let begins = match &line {
                JournalLine::Entrant(entrant) => {
                    broadcast.entrants.push(entrant.clone());
                    continue;
                }
                JournalLine::Game(game) => Some(time(&game.ended).unwrap_or(free).max(free + rest(pace))),
                _ => None,
            };
            if let (Some(begins), JournalLine::Game(game)) = (begins, &line) {
                free = begins + duration(game.outcome.turns, pace);
            }
            broadcast.events.push(BroadcastEvent { line, told: free, begins });
        }
        broadcast
    }

    /// The final as far as the screens have shown it at this time.
    pub(crate) fn table(&self, now: DateTime<Utc>) -> ScoreTable {
        let mut table = ScoreTable::new(self.header.clone());
        self.entrants.iter().for_each(|entrant| table.enter(entrant.clone()));
        for event in self.events.iter().filter(|event| event.told <= now) {
            match &event.line {
                JournalLine::Game(game) => table.add(game),
                JournalLine::Retired(retired) => drop(table.retire(&retired.name)),
                _ => {}
            }
        }
        table
    }

    /// The games that were shown until this time, in their order.
    pub(crate) fn games(&self, now: DateTime<Utc>) -> impl Iterator<Item = &GameLine> {
        self.events.iter().filter(move |event| event.told <= now).filter_map(|event| match &event.line {
            JournalLine::Game(game) => Some(&**game),
            _ => None,
        })
    }

    /// The game that screens show at this time, or the one that follows.
    pub(crate) fn next(&self, now: DateTime<Utc>) -> NextShown {
        let next = self.events.iter().find_map(|event| match (&event.line, event.begins) {
            (JournalLine::Game(game), Some(begins)) if event.told > now => {
                let (fixture, ends, turns) = (game.fixture, event.told, game.outcome.turns);
                Some(NextShown::Game(ShownGame { fixture, begins, ends, turns }))
            }
            _ => None,
        });
        next.unwrap_or_else(|| match self.bracket().next(self.table(now).results()) {
            NextGame::Done => NextShown::Nothing,
            NextGame::Play(_) | NextGame::Wait => NextShown::Unknown,
        })
    }

    /// The bracket of all entrants.
    pub(crate) fn bracket(&self) -> FinalBracket {
        FinalBracket::new(self.entrants.len(), self.header.games.unwrap_or(1))
    }

    pub(crate) fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    pub(crate) fn pace(&self) -> u64 {
        self.pace
    }
}

impl ShownGame {
    /// The time after the first moment for which a moment waits; that before the first turn has the number 0.
    pub(crate) fn waits(&self, moment: u32, pace: u64) -> Duration {
        shown_after(moment.min(self.turns), pace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::journal_line::written;
    use rules::{Ending, GameKind, Outcome, PlayerInfo, Seat};
    use tournament::{Format, PlayerLine, Retirement};

    const PACE: u64 = 100;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::<Utc>::UNIX_EPOCH + chrono::TimeDelta::seconds(seconds)
    }

    /// A game of 30 turns that the first entrant has won, and that ended at this second.
    fn game(first: usize, second: usize, ended: i64) -> JournalLine {
        let fixture = Fixture { first, second, number: 0 };
        let winner = fixture.seat_of_first();
        JournalLine::Game(Box::new(GameLine {
            fixture,
            seed: "1".to_owned(),
            outcome: Outcome {
                winner: Some(winner),
                ranking: vec![winner, winner.opponent()],
                points: [Seat::A, Seat::B].map(|_| 1).into_iter().collect(),
                scoring: Default::default(),
                ending: Ending::MoveLimit { moves: 30 },
                turns: 30,
            },
            players: [PlayerLine::default(), PlayerLine::default()].into_iter().collect(),
            suspect: None,
            repeats: 0,
            record: None,
            took_ms: 1,
            ended: written(at(ended)),
            machine: None,
        }))
    }

    /// A final of four that began at second 0: its games are shown for 3.5 s each, after a rest of 2.5 s.
    fn broadcast(lines: Vec<JournalLine>) -> Broadcast {
        let mut header = TournamentHeader::new(GameKind::SeaBattle, serde_json::json!({}), Format::Final, None, 1);
        header.games = Some(1);
        let entrant = |name: &str| {
            let entrant = Entrant::new(name.to_owned(), name.to_owned(), PlayerInfo::named(name));
            JournalLine::Entrant(entrant)
        };
        let entrants = ["a", "b", "c", "d"].map(entrant);
        Broadcast::new(header, entrants.into_iter().chain(lines).collect(), at(0), PACE)
    }

    #[test]
    fn games_follow_one_another_however_fast_they_were_played() {
        let shown = broadcast(vec![game(0, 3, 1), game(1, 2, 1), game(2, 3, 60)]);
        let next = |milliseconds: i64| shown.next(at(0) + chrono::TimeDelta::milliseconds(milliseconds));
        let times = |next: NextShown| match next {
            NextShown::Game(game) => [game.begins, game.ends].map(|time| (time - at(0)).num_milliseconds()),
            other => panic!("{other:?}"),
        };
        assert_eq!(times(next(0)), [2500, 6000]);
        assert_eq!(times(next(5999)), [2500, 6000]);
        assert_eq!(times(next(6000)), [8500, 12_000]);
        assert_eq!(times(next(12_000)), [60_000, 63_500], "it was not played before");
        assert_eq!(next(63_500), NextShown::Unknown, "the last game is being played");
        let all = broadcast(vec![game(0, 3, 1), game(1, 2, 1), game(2, 3, 60), game(0, 1, 61)]);
        assert_eq!(all.next(at(600)), NextShown::Nothing);
    }

    #[test]
    fn nothing_counts_before_it_was_shown() {
        let retired = JournalLine::Retired(Retirement { name: "b".to_owned() });
        let shown = broadcast(vec![game(0, 3, 1), retired, game(0, 2, 2)]);
        let told = |milliseconds: i64| {
            let now = at(0) + chrono::TimeDelta::milliseconds(milliseconds);
            let table = shown.table(now);
            assert_eq!(table.results().games(), shown.games(now).count() as u64);
            (table.results().games(), table.results().is_retired(1))
        };
        assert_eq!((told(5999), told(6000), told(11_999), told(12_000)), ((0, false), (1, true), (1, true), (2, true)));
    }
}
