//! The bracket of a knockout with its results, for people.

use crate::formats::knockout::{MORE_PAIRS, has_gone_on, order, round_of};
use crate::{Fixture, Format, ScoreTable, WinDrawLoss};
use std::fmt;

/// A round of a knockout.
///
/// ```
/// use tournament::{Fixture, KnockoutRound};
///
/// let round = |first, second| KnockoutRound::of(16, Fixture { first, second, number: 0 });
/// assert_eq!(round(0, 15).to_string(), "round 1");
/// assert_eq!(round(0, 1).to_string(), "final");
/// assert!(round(0, 1).is_final() && !round(0, 3).is_final());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnockoutRound {
    /// The number of the round, counted from 1.
    number: u32,
    /// The number of rounds in all.
    all: u32,
}

impl KnockoutRound {
    /// The round to which a game of a knockout of so many entrants belongs.
    pub fn of(entrants: usize, fixture: Fixture) -> KnockoutRound {
        KnockoutRound { number: round_of(entrants, fixture.first, fixture.second), all: rounds(entrants) }
    }

    /// The round with this index, counted from 0, of so many rounds.
    pub fn nth(index: usize, rounds: usize) -> KnockoutRound {
        KnockoutRound { number: index as u32 + 1, all: rounds as u32 }
    }

    /// True if its winner wins the tournament.
    pub fn is_final(self) -> bool {
        self.number == self.all
    }
}

impl fmt::Display for KnockoutRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all - self.number {
            0 => f.write_str("final"),
            1 => f.write_str("semi-final"),
            2 => f.write_str("quarter-final"),
            _ => write!(f, "round {}", self.number),
        }
    }
}

/// The number of rounds of a knockout of so many entrants.
fn rounds(entrants: usize) -> u32 {
    entrants.next_power_of_two().ilog2()
}

/// A meeting of two entrants, or a place in the bracket that only one or nobody has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KnockoutMeeting {
    /// The entrants, by their numbers; `None` where it is not known yet who comes, and where nobody does.
    pub entrants: [Option<usize>; 2],
    /// The games so far, seen from the first of the two.
    pub games: WinDrawLoss,
    /// The entrant that went on to the next round, or has won the final; `None` if that is not known yet.
    pub winner: Option<usize>,
}

impl KnockoutMeeting {
    /// The points of the winner, or of the first if there is none, and those of the other; `None` without games.
    pub fn score(&self) -> Option<[f64; 2]> {
        let own =
            if self.winner.is_some() && self.winner == self.entrants[1] { self.games.swapped() } else { self.games };
        (own.games() > 0).then(|| [own.points(), own.swapped().points()])
    }
}

/// The bracket of a knockout with its results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnockoutTree {
    rounds: Vec<Vec<KnockoutMeeting>>,
}

impl KnockoutTree {
    /// The bracket of a knockout of three entrants or more; `None` for other tournaments.
    ///
    /// The journal does not tell how many games a meeting has. So the meetings of a round are over if the next one has begun, and
    /// those of the last round that has begun if they have as many games as a meeting before, and no tie that is played on.
    pub fn of(table: &ScoreTable) -> Option<KnockoutTree> {
        let entrants = table.entrants().len();
        if table.event().plan != Format::Knockout || entrants < 3 {
            return None;
        }
        let round = |pair: &(usize, usize)| round_of(entrants, pair.0, pair.1);
        let begun = table.pairings().keys().map(round).max().unwrap_or_default();
        let is_full = |pair: &(usize, usize)| [pair.0, pair.1].iter().all(|one| !table.results().is_retired(*one));
        let before = table.pairings().iter().filter(|(pair, _)| round(pair) < begun && is_full(pair));
        let usual = before.map(|(_, row)| row.games.games()).min();
        let is_over = |number: u32, games: WinDrawLoss| match usual {
            _ if number != begun => number < begun,
            Some(usual) if games.wins == games.losses => games.games() >= usual + 2 * u64::from(MORE_PAIRS),
            Some(usual) => games.games() >= usual && games.games().is_multiple_of(2),
            None => false,
        };
        let mut places: Vec<Option<usize>> =
            order(entrants).into_iter().map(|at| (at < entrants).then_some(at)).collect();
        let mut tree = KnockoutTree { rounds: Vec::new() };
        for number in 1..=rounds(entrants) {
            let meeting = |pair: &[Option<usize>]| match [pair[0], pair[1]] {
                [Some(one), Some(other)] => {
                    let (first, second) = (one.min(other), one.max(other));
                    let goes_on = if has_gone_on(table, first, second) { first } else { second };
                    let games = table.between(one, other);
                    // Nobody waits for the games of a retired entrant.
                    let is_short = [one, other].iter().any(|entrant| table.results().is_retired(*entrant));
                    let winner = (is_short || is_over(number, games)).then_some(goes_on);
                    KnockoutMeeting { entrants: [Some(one), Some(other)], games, winner }
                }
                // Where somebody is missing, the other one begins a round later.
                [one, other] if number == 1 => {
                    KnockoutMeeting { entrants: [one, other], winner: one.or(other), ..KnockoutMeeting::default() }
                }
                entrants => KnockoutMeeting { entrants, ..KnockoutMeeting::default() },
            };
            let meetings: Vec<KnockoutMeeting> = places.chunks(2).map(meeting).collect();
            places = meetings.iter().map(|meeting| meeting.winner).collect();
            tree.rounds.push(meetings);
        }
        Some(tree)
    }

    /// The meetings of each round, first to last, from one end of the bracket to the other.
    pub fn rounds(&self) -> &[Vec<KnockoutMeeting>] {
        &self.rounds
    }

    /// The round with this index in [`KnockoutTree::rounds`].
    pub fn round(&self, index: usize) -> KnockoutRound {
        KnockoutRound::nth(index, self.rounds.len())
    }

    /// The final.
    pub fn last(&self) -> &KnockoutMeeting {
        &self.rounds[self.rounds.len() - 1][0]
    }
}
