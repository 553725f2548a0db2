//! A tournament: everyone meets everyone once.

use crate::state::name::BotId;
use crate::state::round_robin::order;
use std::collections::{BTreeMap, BTreeSet};

/// A tournament, and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tournament {
    pub(crate) number: u32,
    pub(crate) seed: u64,
    /// The pairings in their order, by seats.
    pub(crate) order: Vec<[BotId; 2]>,
    /// The pairings that were played or skipped, with the numbers of the matches.
    pub(crate) played: BTreeMap<[BotId; 2], u64>,
    /// The number of the last match before the tournament.
    after: u64,
    pub(crate) is_over: bool,
}

impl Tournament {
    /// The tournament of these bots that begins after the match of number `after`.
    pub(crate) fn begin(number: u32, seed: u64, bots: &[BotId], after: u64) -> Tournament {
        Tournament { number, seed, order: order(seed, bots), played: BTreeMap::new(), after, is_over: false }
    }

    /// The pairings that are neither played nor skipped.
    pub(crate) fn left(&self) -> impl Iterator<Item = [BotId; 2]> {
        self.order.iter().copied().filter(|pairing| !self.played.contains_key(pairing))
    }

    /// True if a match of the tournament has this number, or could not have it.
    pub(crate) fn excludes(&self, id: u64) -> bool {
        id <= self.after || self.played.values().any(|played| *played == id)
    }

    /// The reason why these bots do not meet now, if there is one.
    pub(crate) fn check(&self, pairing: [BotId; 2]) -> Result<(), String> {
        let [a, b] = pairing;
        if !self.order.contains(&pairing) {
            return Err(format!("{a} and {b} do not meet so in tournament {}", self.number));
        }
        match self.played.contains_key(&pairing) {
            true => Err(format!("{a} and {b} have met already")),
            false => Ok(()),
        }
    }

    /// Lets the pairings of these matches be played again.
    pub(crate) fn reopen(&mut self, matches: &BTreeSet<u64>) {
        self.played.retain(|_, id| !matches.contains(id));
    }
}
