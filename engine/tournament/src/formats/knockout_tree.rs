//! The bracket of a knockout with its results, for people.

use crate::formats::knockout::{Meeting, games_of, places, round_of};
use crate::{Entrant, Fixture, Format, ScoreTable, WinDrawLoss};
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

    /// The number of the round, counted from 1.
    pub(crate) fn number(self) -> u32 {
        self.number
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

/// The seeds of a knockout: each entrant has one of its own, but one that has entered in the place of another has the seed of that.
#[derive(Debug, Clone)]
pub struct KnockoutSeeds {
    /// The seed of each entrant, counted from 0.
    seeds: Vec<usize>,
    count: usize,
}

impl KnockoutSeeds {
    /// The seeds of these entrants.
    pub fn of(entrants: &[Entrant]) -> KnockoutSeeds {
        let (mut seeds, mut count) = (Vec::with_capacity(entrants.len()), 0);
        for Entrant { replaces, .. } in entrants {
            let before =
                replaces.as_ref().and_then(|old| entrants[..seeds.len()].iter().position(|one| one.name == *old));
            seeds.push(before.map_or(count, |old| seeds[old]));
            count += usize::from(before.is_none());
        }
        KnockoutSeeds { seeds, count }
    }

    /// The round to which a game belongs.
    pub fn round(&self, fixture: Fixture) -> KnockoutRound {
        let [first, second] = [fixture.first, fixture.second].map(|entrant| self.seeds[entrant]);
        KnockoutRound::of(self.count, Fixture { first, second, ..fixture })
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
    pub fn of(table: &ScoreTable) -> Option<KnockoutTree> {
        let mut places = places(table.results(), table.entrants().len());
        if table.event().plan != Format::Knockout || places.len() < 3 {
            return None;
        }
        let games = games_of(table);
        let plays = |seed: Option<usize>| table.results().versions(seed?).pop();
        let mut tree = KnockoutTree { rounds: Vec::new() };
        while places.len() > 1 {
            let mut winners = Vec::new();
            let meeting = |pair: &[Option<usize>]| match [pair[0], pair[1]] {
                [Some(one), Some(other)] => {
                    let Meeting { pair, winner, .. } = Meeting::of(table.results(), games, [one, other]);
                    // In the order of the bracket.
                    let pair = if table.results().seed(pair[0]) == one { pair } else { [pair[1], pair[0]] };
                    winners.push(winner);
                    let at = winner.map(|winner| pair[usize::from(winner == other)]);
                    KnockoutMeeting { entrants: pair.map(Some), games: table.between(pair[0], pair[1]), winner: at }
                }
                entrants => {
                    // Where somebody is missing, the other one begins a round later.
                    let through = if tree.rounds.is_empty() { entrants[0].or(entrants[1]) } else { None };
                    winners.push(through);
                    let (entrants, winner) = (entrants.map(plays), plays(through));
                    KnockoutMeeting { entrants, winner, ..KnockoutMeeting::default() }
                }
            };
            let meetings: Vec<KnockoutMeeting> = places.chunks(2).map(meeting).collect();
            tree.rounds.push(meetings);
            places = winners;
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
