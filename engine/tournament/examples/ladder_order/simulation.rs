//! Ladders of bots of known strength, until their order is right. The tests of the crate use it as well.

use rand::RngExt;
use rules::Random;
use std::collections::BTreeMap;
use tournament::{GameResult, LadderBot, LadderRules, PairingResult, Pentanomial, Ratings, score_of_elo};

/// A way to choose the next pairing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choice {
    Ladder,
    /// All pairings, again and again.
    RoundRobin,
    Random,
}

/// A ladder of bots of known strength.
pub(crate) struct Simulation {
    /// In Elo.
    strengths: Vec<f64>,
    /// The time of the answers of each bot in a pair, in milliseconds.
    times: Vec<u64>,
    pub(crate) ratings: Ratings,
    bots: Vec<LadderBot>,
    results: BTreeMap<[usize; 2], Pentanomial>,
    pairs: u64,
    random: Random,
}

/// The number of pairs between two ratings. On a server, too, games are played meanwhile.
const BETWEEN_RATINGS: u64 = 20;

impl Simulation {
    pub(crate) fn new(strengths: Vec<f64>, seed: u64) -> Simulation {
        let ratings = Ratings::of(strengths.len(), &[], None);
        let bots = vec![LadderBot { playing: 0, last_opponent: None, spent: 0, is_free: true }; strengths.len()];
        let times = vec![1000; strengths.len()];
        Simulation { strengths, times, ratings, bots, results: BTreeMap::new(), pairs: 0, random: rules::random(seed) }
    }

    /// Bots whose strengths have this deviation.
    pub(crate) fn of_deviation(count: usize, deviation: f64, seed: u64) -> Simulation {
        let mut random = rules::random(seed);
        // The sum of twelve uniform numbers is close to normal.
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        Simulation::new((0..count).map(|_| deviation * normal()).collect(), seed + 1)
    }

    /// The same ladder, whose first bot loses all games, and whose second one takes this multiple of the time of others.
    pub(crate) fn with_crasher_and_slow(mut self, slow: u64) -> Simulation {
        self.strengths[0] = -10_000.0;
        self.times[1] *= slow;
        self
    }

    /// The pairs of the first bot as a multiple of the median, and the share of all time that the second one took.
    pub(crate) fn shares(&self) -> (f64, f64) {
        let mut pairs = vec![0; self.bots.len()];
        for (pairing, results) in &self.results {
            pairing.iter().for_each(|bot| pairs[*bot] += results.pairs());
        }
        let first = pairs[0];
        pairs.sort_unstable();
        let all: u64 = self.bots.iter().map(|bot| bot.spent).sum();
        (first as f64 / pairs[pairs.len() / 2] as f64, self.bots[1].spent as f64 / all as f64)
    }

    fn choose(&mut self, choice: Choice) -> [usize; 2] {
        let count = self.bots.len();
        match choice {
            Choice::Ladder => LadderRules::default().next(&self.ratings, &self.bots).expect("all are free"),
            Choice::RoundRobin => {
                let one = self.pairs as usize % count;
                let distance = self.pairs as usize / count % (count - 1) + 1;
                [one, (one + distance) % count]
            }
            Choice::Random => {
                let one = self.random.random_range(0..count);
                [one, (one + self.random.random_range(1..count)) % count]
            }
        }
    }

    fn play(&mut self, [one, other]: [usize; 2]) {
        let chance = score_of_elo(self.strengths[one] - self.strengths[other]);
        let mut game = || if self.random.random_bool(chance) { GameResult::Win } else { GameResult::Loss };
        let [first, second] = [game(), game()];
        self.results.entry([one, other]).or_default().count(first, second);
        for (bot, opponent) in [(one, other), (other, one)] {
            self.bots[bot].last_opponent = Some(opponent);
            self.bots[bot].spent += self.times[bot];
            // Until the next ratings.
            self.bots[bot].playing += 1;
        }
        self.pairs += 1;
    }

    fn rate(&mut self) {
        let result =
            |(&[first, second], pairs): (&[usize; 2], &Pentanomial)| PairingResult { first, second, pairs: *pairs };
        let results: Vec<PairingResult> = self.results.iter().map(result).collect();
        self.ratings = Ratings::of(self.bots.len(), &results, None);
        self.bots.iter_mut().for_each(|bot| bot.playing = 0);
    }

    /// Plays so many pairs.
    pub(crate) fn play_on(&mut self, pairs: u64, choice: Choice) {
        for _ in 0..pairs {
            let pairing = self.choose(choice);
            self.play(pairing);
            if self.pairs.is_multiple_of(BETWEEN_RATINGS) {
                self.rate();
            }
        }
    }

    /// The share of all pairings whose order is wrong.
    pub(crate) fn wrong(&self) -> f64 {
        let count = self.bots.len();
        let pairings = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
        let is_wrong = |&(one, other): &(usize, usize)| {
            let lead = self.ratings.all()[one].elo - self.ratings.all()[other].elo;
            lead * (self.strengths[one] - self.strengths[other]) <= 0.0
        };
        pairings.filter(is_wrong).count() as f64 / (count * (count - 1) / 2) as f64
    }

    /// The number of pairs until at most this share of the order is wrong.
    pub(crate) fn pairs_until(&mut self, wrong: f64, choice: Choice) -> u64 {
        while self.pairs == 0 || self.wrong() > wrong {
            self.play_on(BETWEEN_RATINGS, choice);
            assert!(self.pairs < 1_000_000, "{choice:?}: {} of the order is wrong", self.wrong());
        }
        self.pairs
    }
}
