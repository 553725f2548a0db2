//! A ladder: bots that come, change and go, and play without end. It decides who plays next.

use crate::strength::bradley_terry::expected;
use crate::{Rating, Ratings};

/// The variance of the difference of two bots that no games link, in squared log odds: 400 Elo are a standard deviation.
const UNLINKED: f64 = 5.3;

/// A bot of a ladder, as the choice of the next pairing sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LadderBot {
    /// The number of pairs that it is playing.
    pub playing: u64,
    /// The bot with which it began its last pair.
    pub last_opponent: Option<usize>,
    /// The time of its answers so far, in milliseconds.
    pub spent: u64,
    /// True if it can begin a pair now.
    pub is_free: bool,
}

/// The rules by which a ladder chooses who plays next.
///
/// ```
/// use tournament::{LadderBot, LadderRules, PairingResult, Pentanomial, Ratings};
///
/// let met = |first, second| PairingResult { first, second, pairs: Pentanomial::new([0, 9, 30, 12, 0]) };
/// // Bot 3 is new.
/// let ratings = Ratings::of(4, &[met(0, 1), met(1, 2), met(0, 2)], None);
/// let bots = [LadderBot { playing: 0, last_opponent: None, spent: 0, is_free: true }; 4];
/// let [first, _] = LadderRules::default().next(&ratings, &bots).expect("all are free");
/// assert_eq!(first, 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LadderRules {
    /// Half the width of the 95 % interval, in Elo, above which a rating is provisional.
    pub provisional: f64,
    /// The first pairs of a bot whose rating is provisional, which come before those of others.
    pub placement: u64,
    /// The most pairs of a bot, as a multiple of the median of all bots, while others can play.
    pub most_of_median: u64,
    /// The most time of the answers of a bot that has had its placement, as a multiple of the mean of all bots, while others can play. So
    /// few bots share the time as they like, and of many none takes more than this multiple of its part. Players of the engine take none.
    pub most_of_time: u64,
    /// One pairing in so many is begun by the bot that has played least.
    pub share: u64,
}

impl Default for LadderRules {
    fn default() -> LadderRules {
        LadderRules { provisional: 100.0, placement: 10, most_of_median: 2, most_of_time: 4, share: 4 }
    }
}

impl LadderRules {
    /// True if a rating is not sure enough to be a place.
    pub fn is_provisional(&self, rating: &Rating) -> bool {
        rating.error.is_none_or(|error| error > self.provisional)
    }

    /// The two bots that play the next pair, by their indexes; the first is the one for which the pair is played. `None` if fewer than
    /// two are free.
    ///
    /// A bot that has not had its [`placement`](LadderRules::placement) comes first, and of several the one that has played least.
    /// Otherwise it is the pair that tells most about the order, but one pair in [`share`](LadderRules::share) is for the bot that has
    /// played least. While others are free, nobody plays more than [`most_of_median`](LadderRules::most_of_median) times the median or takes
    /// more than [`most_of_time`](LadderRules::most_of_time) times the mean time, and nobody meets its last opponent again. It is a
    /// function of the values alone.
    ///
    /// The ratings may go on with those of bots that do not play any more.
    ///
    /// # Panics
    /// If there are fewer ratings than bots.
    pub fn next(&self, ratings: &Ratings, bots: &[LadderBot]) -> Option<[usize; 2]> {
        assert!(ratings.all().len() >= bots.len(), "each bot has a rating");
        let played = |bot: usize| ratings.all()[bot].pairs + bots[bot].playing;
        let mut counts: Vec<u64> = (0..bots.len()).map(played).collect();
        counts.sort_unstable();
        let median = counts.get(counts.len() / 2).copied().unwrap_or_default();
        // A ladder begins with a median of 0.
        let most = (median * self.most_of_median).max(self.placement);
        let free: Vec<usize> = (0..bots.len()).filter(|bot| bots[*bot].is_free).collect();
        let times = bots.iter().map(|bot| bot.spent).filter(|spent| *spent > 0);
        let (all, takers) = times.fold((0, 0), |(all, takers): (u64, u64), spent| (all + spent, takers + 1));
        let longest = self.most_of_time * all / takers.max(1);
        let is_within =
            |bot: &usize| played(*bot) < most && (bots[*bot].spent <= longest || played(*bot) < self.placement);
        let within: Vec<usize> = free.iter().copied().filter(is_within).collect();

        // The bot for which the pair is played, if it is not the pair itself that is chosen.
        let least = |bot: &usize| (played(*bot), *bot);
        let new = within
            .iter()
            .filter(|bot| self.is_provisional(&ratings.all()[**bot]) && played(**bot) < self.placement)
            .min_by_key(|bot| least(bot));
        let pairs = counts.iter().sum::<u64>() / 2;
        let is_shared = pairs.is_multiple_of(self.share.max(1));
        let first = new.or_else(|| within.iter().filter(|_| is_shared).min_by_key(|bot| least(bot)));

        let order = Order::of(ratings, bots.len());
        let best = |firsts: &[usize], others: &[usize], may_repeat: bool| {
            let pairings = firsts.iter().flat_map(|first| others.iter().map(|other| [*first, *other]));
            let may_meet = |[first, other]: &[usize; 2]| {
                first != other && (may_repeat || bots[*first].last_opponent != Some(*other))
            };
            let valued = pairings.filter(may_meet).map(|pairing| (order.gain(pairing), pairing));
            // Of equals those that have played less, then those with the lower index.
            let compare = |one: &(f64, [usize; 2]), other: &(f64, [usize; 2])| {
                one.0
                    .total_cmp(&other.0)
                    .then_with(|| other.1.map(|bot| least(&bot)).cmp(&one.1.map(|bot| least(&bot))))
            };
            valued.max_by(compare).map(|(_, pairing)| pairing)
        };
        // From what is wanted to what is left.
        [(&within, false), (&free, false), (&within, true), (&free, true)]
            .into_iter()
            .find_map(|(others, may_repeat)| best(first.map_or(&others[..], std::slice::from_ref), others, may_repeat))
    }
}

/// The doubt about the order of bots, and the value of a pair of two that follows from it.
struct Order<'a> {
    ratings: &'a Ratings,
    /// For each bot, the sum of the [densities](Order::density) over all others.
    doubt: Vec<f64>,
}

impl Order<'_> {
    fn of(ratings: &Ratings, bots: usize) -> Order<'_> {
        let mut order = Order { ratings, doubt: Vec::new() };
        let bots = 0..bots;
        let of = |bot: usize| bots.clone().filter(|other| *other != bot).map(|other| order.density(bot, other)).sum();
        let doubt = bots.clone().map(of).collect();
        order.doubt = doubt;
        order
    }

    /// The lead of one bot over another and its variance.
    fn lead(&self, one: usize, other: usize) -> (f64, f64) {
        self.ratings.lead(one, other).unwrap_or((0.0, UNLINKED))
    }

    /// The density of the lead at 0, but for a constant factor: how likely it is that the two are equal.
    fn density(&self, one: usize, other: usize) -> f64 {
        let (lead, variance) = self.lead(one, other);
        (-lead.powi(2) / (2.0 * variance)).exp() / variance.sqrt()
    }

    /// The value of a pair of the two: the share of the variance of their difference that it takes away, times the geometric mean of
    /// their doubts.
    fn gain(&self, [one, other]: [usize; 2]) -> f64 {
        let (lead, variance) = self.lead(one, other);
        let share = expected(lead);
        // The Fisher information of two games.
        let told = 2.0 * share * (1.0 - share) * variance;
        (self.doubt[one] * self.doubt[other]).sqrt() * told / (1.0 + told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PairingResult, Pentanomial};

    /// The ratings of bots that have met with these numbers of pairs, by the half points of the first.
    fn rated(bots: usize, met: &[(usize, usize, [u64; 5])]) -> Ratings {
        let results: Vec<PairingResult> = met
            .iter()
            .map(|&(first, second, counts)| PairingResult { first, second, pairs: Pentanomial::new(counts) })
            .collect();
        Ratings::of(bots, &results, None)
    }

    fn free(bots: usize) -> Vec<LadderBot> {
        vec![LadderBot { playing: 0, last_opponent: None, spent: 0, is_free: true }; bots]
    }

    /// Without a share for who has played least.
    const FOR_ORDER: LadderRules =
        LadderRules { provisional: 100.0, placement: 10, most_of_median: 2, most_of_time: 4, share: 1 << 40 };

    #[test]
    fn who_is_new_comes_first_and_then_meets_its_equals() {
        let even = [0, 5, 40, 5, 0];
        let won = [0, 0, 5, 20, 25];
        // In the order of their strength: 0, 1, 2.
        let old = [(0, 1, won), (1, 2, won), (0, 2, [0, 0, 0, 5, 45])];
        let next = |met: &[_]| LadderRules::default().next(&rated(5, met), &free(5)).unwrap();
        assert_eq!(next(&[&old[..], &[(3, 1, even), (4, 1, [1, 0, 0, 0, 0])]].concat())[0], 4, "it has one pair");
        let strong = [&old[..], &[(3, 0, even), (4, 0, [0, 0, 1, 0, 2])]].concat();
        assert!(matches!(next(&strong), [4, 0 | 3]), "{:?}", next(&strong));
        let weak = [&old[..], &[(3, 2, even), (4, 2, [0, 0, 1, 0, 0])]].concat();
        assert!(matches!(next(&weak), [4, 2 | 3]), "{:?}", next(&weak));
    }

    #[test]
    fn bots_that_are_all_new_meet_one_another_in_turn() {
        let (ratings, mut bots, mut met) = (rated(5, &[]), free(5), Vec::new());
        while let Some([first, second]) = LadderRules::default().next(&ratings, &bots) {
            for (bot, other) in [(first, second), (second, first)] {
                bots[bot] = LadderBot { playing: 1, last_opponent: Some(other), is_free: false, ..bots[bot] };
            }
            met.push([first, second]);
        }
        assert_eq!(met, [[0, 1], [2, 3]], "the fifth waits for an opponent");
    }

    #[test]
    fn the_pair_that_tells_most_is_close_and_unsure() {
        let (even, won) = ([0, 10, 60, 10, 0], [0, 0, 0, 10, 60]);
        // 0 and 1 have met often; 1 and 2 are as close, and less is known; 3 is far away.
        let met = [(0, 1, [0, 12, 60, 12, 0]), (0, 2, [0, 6, 14, 6, 0]), (1, 3, won), (0, 3, won), (3, 4, even)];
        let (ratings, bots) = (rated(5, &met), free(5));
        assert!(matches!(FOR_ORDER.next(&ratings, &bots), Some([0 | 1, 2] | [2, 0 | 1])));
        let shared = LadderRules { share: 1, ..FOR_ORDER }.next(&ratings, &bots).unwrap();
        assert_eq!(shared[0], 2, "it has played least");
    }

    /// Without that, a few of them would play on among themselves, and all others would wait.
    #[test]
    fn groups_that_hardly_met_meet() {
        let even = [0, 50, 200, 50, 0];
        let mut met = Vec::new();
        for group in [0, 4] {
            met.extend((0..4).flat_map(|one| (0..one).map(move |other| (group + one, group + other, even))));
        }
        let is_across = |[one, other]: [usize; 2]| (one < 4) != (other < 4);
        assert!(is_across(FOR_ORDER.next(&rated(8, &met), &free(8)).unwrap()), "no games link them");
        met.push((0, 4, [0, 1, 0, 0, 0]));
        assert!(is_across(FOR_ORDER.next(&rated(8, &met), &free(8)).unwrap()));
    }

    #[test]
    fn nobody_meets_its_last_opponent_again_while_another_is_free() {
        let (even, won) = ([0, 5, 40, 5, 0], [0, 0, 0, 10, 40]);
        let (ratings, mut bots) = (rated(3, &[(0, 1, even), (0, 2, won), (1, 2, won)]), free(3));
        let next = |bots: &[LadderBot]| {
            let mut pairing = FOR_ORDER.next(&ratings, bots).unwrap();
            pairing.sort_unstable();
            pairing
        };
        assert_eq!(next(&bots), [0, 1]);
        (bots[0].last_opponent, bots[1].last_opponent) = (Some(1), Some(0));
        assert!(next(&bots).contains(&2));
        bots[2].is_free = false;
        assert_eq!(next(&bots), [0, 1], "nobody else is free");
    }

    #[test]
    fn a_slow_bot_waits_for_the_others_once_its_placement_is_over() {
        let even = [0, 1, 8, 1, 0];
        let circle = |bots: usize| (0..bots).map(|one| (one, (one + 1) % bots, even)).collect::<Vec<_>>();
        let (ratings, mut bots) = (rated(8, &circle(8)), free(8));
        bots.iter_mut().for_each(|bot| bot.spent = 100);
        let slow = |ratings: &Ratings, bots: &[LadderBot]| FOR_ORDER.next(ratings, bots).unwrap().contains(&7);
        bots[7].spent = 2000;
        assert!(!slow(&ratings, &bots), "it has had four times the mean, with its own time in it");
        bots[..6].iter_mut().for_each(|bot| bot.is_free = false);
        assert!(slow(&ratings, &bots), "but for one, nobody else is free");
        bots.iter_mut().for_each(|bot| bot.is_free = true);
        let few = [&circle(7)[..], &[(7, 0, [0, 0, 1, 0, 0])]].concat();
        assert!(slow(&rated(8, &few), &bots), "it is new");
        // Three players of the engine take no time, and no bot waits for them.
        bots.truncate(5);
        for (bot, spent) in bots.iter_mut().zip([0, 0, 0, 100, 200]) {
            bot.spent = spent;
        }
        let close =
            [(0, 1, [0, 0, 0, 0, 99]), (1, 2, [0, 0, 0, 0, 99]), (0, 2, [0, 0, 0, 0, 99]), (3, 4, even), (3, 0, even)];
        let next = FOR_ORDER.next(&rated(5, &close), &bots).unwrap();
        assert!(next.contains(&3) || next.contains(&4), "{next:?}");
    }

    #[test]
    fn nobody_plays_alone() {
        let next = |bots: &[LadderBot]| LadderRules::default().next(&rated(bots.len(), &[]), bots);
        assert_eq!((next(&[]), next(&free(1))), (None, None));
        let mut bots = free(2);
        bots[1].is_free = false;
        assert_eq!(next(&bots), None);
    }
}
