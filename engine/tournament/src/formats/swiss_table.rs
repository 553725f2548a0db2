//! The rounds of a Swiss tournament with their results, for people.

use crate::formats::swiss::{PairedMeeting, SwissRounds};
use crate::{Fixture, Format, Results, ScoreTable, WinDrawLoss};
use std::collections::BTreeSet;
use std::ops::Range;

/// The rounds of a Swiss tournament that have begun, with their results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissTable {
    rounds: Vec<SwissRound>,
    /// The number of rounds in all.
    planned: u32,
}

/// A round of a Swiss tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissRound {
    /// The meetings, those of the best scores so far first.
    pub meetings: Vec<SwissMeeting>,
    /// The entrant that rests, which counts as won.
    pub resting: Option<usize>,
}

/// A meeting of two entrants in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissMeeting {
    /// The entrants, by their numbers.
    pub entrants: [usize; 2],
    /// The games so far, seen from the first of the two.
    pub games: WinDrawLoss,
    /// The numbers of the meeting's games among those of the two.
    pub numbers: Range<u32>,
    is_over: bool,
}

impl SwissMeeting {
    /// True if none of its games is still to be played.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

impl SwissTable {
    /// The rounds of a Swiss tournament; `None` for other tournaments, without games, and if the games are not those of one
    /// plan, e.g. because bots entered later.
    ///
    /// The journal does not tell how many games a meeting has. So each number that occurs is tried: the pairings of a round follow
    /// from the results before it, and with the right number all games belong to meetings.
    pub fn of(table: &ScoreTable) -> Option<SwissTable> {
        if table.event().plan != Format::Swiss || table.results().games() == 0 {
            return None;
        }
        let counts = table.pairings().values().map(|row| row.games.games().next_multiple_of(2) as u32);
        let counts: BTreeSet<u32> = counts.collect();
        counts.into_iter().find_map(|games| {
            let plan = SwissRounds::new(table.entrants().len(), games, table.event().rounds);
            let found = SwissTable { planned: plan.most(), rounds: rounds(plan, games, table.results()) };
            let played = found.rounds.iter().flat_map(|round| &round.meetings).map(|meeting| meeting.games.games());
            (played.sum::<u64>() == table.results().games()).then_some(found)
        })
    }

    /// The rounds that have begun, first to last.
    pub fn rounds(&self) -> &[SwissRound] {
        &self.rounds
    }

    /// The number of rounds in all.
    pub fn planned(&self) -> u32 {
        self.planned
    }

    /// True if all games of all rounds are finished.
    pub fn is_complete(&self) -> bool {
        let is_over = |round: &SwissRound| round.meetings.iter().all(SwissMeeting::is_over);
        self.rounds.len() == self.planned as usize && self.rounds.iter().all(is_over)
    }
}

/// The rounds of a plan with so many games for each meeting, up to the last round with a result.
fn rounds(mut plan: SwissRounds, games: u32, results: &Results) -> Vec<SwissRound> {
    let mut rounds = Vec::new();
    while let Some((meetings, resting)) = plan.begin_round(results) {
        let meeting = |(first, second, begin): PairedMeeting| {
            let numbers = begin..begin + games;
            let scores = numbers.clone().filter_map(|number| results.score(Fixture { first, second, number }));
            let is_over = results.halves(first, second, numbers.clone()).is_some();
            SwissMeeting { entrants: [first, second], games: scores.collect(), numbers, is_over }
        };
        let meetings: Vec<SwissMeeting> = meetings.into_iter().map(meeting).collect();
        if meetings.iter().all(|meeting| meeting.games.games() == 0) {
            break;
        }
        rounds.push(SwissRound { meetings, resting });
    }
    rounds
}
