//! The order of the matches in a round robin.

use crate::state::name::BotId;
use rand::RngExt;
use rand::seq::SliceRandom;
use sha2::{Digest, Sha256};

/// All pairings of these bots, once each. The order and the seats follow from the seed.
pub(crate) fn order(seed: u64, bots: &[BotId]) -> Vec<[BotId; 2]> {
    let mut random = rules::random(seed);
    let pairs = bots.iter().enumerate().flat_map(|(at, one)| bots[at + 1..].iter().map(move |other| [*one, *other]));
    let mut order: Vec<[BotId; 2]> =
        pairs.map(|[one, other]| if random.random() { [one, other] } else { [other, one] }).collect();
    order.shuffle(&mut random);
    order
}

/// A seed that follows from another seed and these numbers.
pub(crate) fn derived(seed: u64, from: &[u64]) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    from.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    hasher.finalize()[..8].iter().rev().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn bots(count: u32) -> Vec<BotId> {
        (1..=count).map(BotId).collect()
    }

    #[test]
    fn everyone_meets_everyone_once() {
        let order = order(5, &bots(30));
        assert_eq!(order.len(), 435);
        let pairs: BTreeSet<[BotId; 2]> = order.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        assert_eq!(pairs.len(), 435);
        assert!(pairs.iter().all(|[a, b]| a < b));
        let first_seats = order.iter().filter(|[a, b]| a < b).count();
        assert!((150..285).contains(&first_seats), "{first_seats}");
    }

    #[test]
    fn the_order_follows_from_the_seed() {
        assert_eq!(order(5, &bots(9)), order(5, &bots(9)));
        assert_ne!(order(5, &bots(9)), order(6, &bots(9)));
        assert!(order(5, &bots(1)).is_empty());
        assert_ne!(derived(1, &[2, 3]), derived(1, &[3, 2]));
    }
}
