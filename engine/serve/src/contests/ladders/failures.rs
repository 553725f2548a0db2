//! The failures of the bots of a ladder: one that fails again and again is parked, and if most fail at once it is not their fault.

use rules::Seat;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tournament::GameLine;

/// A version that has failed in so many games in a row is parked.
pub(crate) const PARKED_AFTER: u32 = 6;
/// The time within which most bots have failed in their last games if the machine is to blame.
const AT_ONCE: Duration = Duration::from_secs(60);
/// The fewest bots that say something about the machine.
const FEWEST: usize = 4;

/// The failures of the bots of a ladder since the server was started: they lost half of their turns or more.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// The number of games in a row in which each entrant has failed.
    in_a_row: BTreeMap<usize, u32>,
    /// The end of the last game of each bot, and whether it failed.
    last: BTreeMap<usize, (Instant, bool)>,
}

impl Failures {
    /// Counts the failures of both entrants of a game that ended at this time. Built-in players are no bots. Returns those that are to be
    /// parked.
    pub(crate) fn take(&mut self, game: &GameLine, ended: Instant, is_bot: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut parked = Vec::new();
        for (seat, entrant) in [Seat::A, Seat::B].into_iter().zip(game.fixture.seated()) {
            let lost: u32 = game.players[seat].faults.values().sum();
            if self.count(entrant, lost > 0 && lost * 2 >= game.outcome.turns) {
                parked.push(entrant);
            }
            if is_bot(entrant) {
                self.last.insert(entrant, (ended, self.in_a_row.get(&entrant).is_some_and(|count| *count > 0)));
            }
        }
        parked
    }

    /// Counts a game of an entrant. Returns true if it is to be parked.
    fn count(&mut self, entrant: usize, has_failed: bool) -> bool {
        let count = self.in_a_row.entry(entrant).or_default();
        *count = if has_failed { *count + 1 } else { 0 };
        has_failed && count.is_multiple_of(PARKED_AFTER)
    }

    /// True if more than half of the bots that have played a moment ago have failed. It begins anew then.
    pub(crate) fn most_fail(&mut self, now: Instant) -> bool {
        self.last.retain(|_, (ended, _)| now.duration_since(*ended) <= AT_ONCE);
        let failed = self.last.values().filter(|(_, has_failed)| *has_failed).count();
        let most_fail = self.last.len() >= FEWEST && failed * 2 > self.last.len();
        if most_fail {
            *self = Failures::default();
        }
        most_fail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_fails_six_times_in_a_row_is_parked() {
        let mut failures = Failures::default();
        let told: Vec<bool> = (0..13).map(|_| failures.count(3, true)).collect();
        let parked: Vec<usize> = (0..13).filter(|at| told[*at]).collect();
        assert_eq!(parked, [5, 11]);
        assert!(!failures.count(3, false));
        assert!((0..5).all(|_| !failures.count(3, true)) && failures.count(3, true));
    }

    #[test]
    fn if_most_bots_fail_within_a_minute_it_is_not_their_fault() {
        let (start, mut failures) = (Instant::now(), Failures::default());
        let at = |seconds| start + Duration::from_secs(seconds);
        let play = |failures: &mut Failures, games: &[(usize, u64, bool)]| {
            failures.last = games.iter().map(|(bot, ended, failed)| (*bot, (at(*ended), *failed))).collect();
            failures.most_fail(at(60))
        };
        let [fine, wrong] = [false, true];
        assert!(!play(&mut failures, &[(1, 60, wrong), (2, 60, wrong), (3, 60, wrong)]), "they are too few");
        assert!(!play(&mut failures, &[(1, 60, wrong), (2, 60, wrong), (3, 60, fine), (4, 60, fine)]), "half of them");
        assert!(play(&mut failures, &[(1, 60, wrong), (2, 60, wrong), (3, 60, wrong), (4, 60, fine)]));
        assert!(failures.last.is_empty(), "it begins anew");
        failures.last = (1..5).map(|bot| (bot, (at(0), wrong))).collect();
        assert!(!failures.most_fail(at(61)), "that was long ago");
    }
}
