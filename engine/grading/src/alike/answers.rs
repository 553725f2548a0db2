//! Answers of bots in the same games, compared turn by turn.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The least number of turns in which two bots are compared before they can be of one group.
pub const LEAST_TURNS: usize = 20;

/// The answers of a bot in the games that all bots of a class play: against the same baselines, in the same seat, with the same seeds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// A hash of each answer by the numbers of the baseline and the game; 0 for none.
    games: BTreeMap<(u32, u32), Vec<u64>>,
}

impl Answers {
    /// Adds a game: the answers in the order of turns. An empty text stands for a turn without an answer.
    pub fn add<T: AsRef<str>>(&mut self, baseline: u32, game: u32, answers: impl IntoIterator<Item = T>) {
        let hash = |text: &str| {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            hasher.finish().max(1)
        };
        let hashes = answers.into_iter().map(|answer| match answer.as_ref() {
            "" => 0,
            text => hash(text),
        });
        self.games.insert((baseline, game), hashes.collect());
    }

    /// The numbers of common games, of turns in them in which either answered, and of those with equal answers.
    fn compared(&self, other: &Answers) -> (usize, usize, usize) {
        let (mut games, mut turns, mut equal) = (0, 0, 0);
        for (key, one) in &self.games {
            let Some(other) = other.games.get(key) else { continue };
            games += 1;
            // Two bots that crash are not alike in that.
            let both = one.iter().zip(other);
            let silent = both.clone().filter(|(one, other)| **one == 0 && **other == 0).count();
            equal += both.filter(|(one, other)| one == other).count() - silent;
            turns += one.len().max(other.len()) - silent;
        }
        (games, turns, equal)
    }
}

/// Two bots and how often they gave the same answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlikePair {
    /// The name of one bot.
    pub first: String,
    /// The name of the other.
    pub second: String,
    /// The share of equal answers, turn by turn, from 0 to 1. Turns that only one game has count as unequal.
    pub equal: f64,
    /// The number of games that both played.
    pub games: usize,
    /// The number of turns that were compared.
    pub turns: usize,
}

/// The bots of a class, compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Alike {
    /// All pairs that have turns to compare, the most alike first.
    pub pairs: Vec<AlikePair>,
    /// The median of the shares of all pairs; `None` without pairs. A task that leaves few choices makes all bots alike, and a pair says
    /// something only as far as it is above this.
    pub usual: Option<f64>,
    /// Bots that pairs connect whose share is at least the bound, in [`LEAST_TURNS`] turns or more; the largest group first.
    pub groups: Vec<Vec<String>>,
    /// The share of equal answers from which on a pair is to be looked at.
    pub bound: f64,
}

/// The most bots of a group of which each pair is told, and the most pairs.
const MOST_OF_GROUP: usize = 3;
const MOST_PAIRS: usize = 100;

impl Alike {
    /// The pairs from the bound on, in [`LEAST_TURNS`] turns or more, the most alike first.
    pub fn striking(&self) -> impl Iterator<Item = &AlikePair> {
        self.pairs.iter().filter(|pair| pair.equal >= self.bound && pair.turns >= LEAST_TURNS)
    }

    /// Those of the striking pairs that a page tells one by one: not those within a large group, and not too many.
    pub(crate) fn told(&self) -> Vec<&AlikePair> {
        let large = |pair: &&AlikePair| {
            let is_in = |group: &&Vec<String>| group.len() > MOST_OF_GROUP && group.contains(&pair.first);
            !self.groups.iter().any(|group| is_in(&group))
        };
        self.striking().filter(large).take(MOST_PAIRS).collect()
    }

    /// The groups whose pairs are not told one by one.
    pub(crate) fn large_groups(&self) -> Vec<&[String]> {
        self.groups.iter().map(Vec::as_slice).filter(|group| group.len() > MOST_OF_GROUP).collect()
    }
}

/// Compares the answers of all bots with each other. Pairs with a share of equal answers from `bound` on make groups.
///
/// ```
/// use grading::{Answers, alike};
///
/// let bot = |answers: [&str; 3]| {
///     let mut bot = Answers::default();
///     (0..10).for_each(|game| bot.add(0, game, answers));
///     bot
/// };
/// let bots = [("Ann", ["1,1", "2,2", "3,3"]), ("Bo", ["5,5", "2,2", "7,1"]), ("Cy", ["1,1", "2,2", "3,3"])];
/// let found = alike(&bots.map(|(name, answers)| (name.to_owned(), bot(answers))), 0.9);
/// assert_eq!(found.groups, [["Ann", "Cy"]]);
/// assert_eq!(found.usual, Some(1.0 / 3.0));
/// ```
pub fn alike(bots: &[(String, Answers)], bound: f64) -> Alike {
    let (mut pairs, mut groups): (Vec<_>, Vec<_>) = (Vec::new(), (0..bots.len()).collect());
    for (at, (first, answers)) in bots.iter().enumerate() {
        for (other, (second, others)) in bots.iter().enumerate().skip(at + 1) {
            let (games, turns, equal) = answers.compared(others);
            if turns == 0 {
                continue;
            }
            let equal = equal as f64 / turns as f64;
            if equal >= bound && turns >= LEAST_TURNS {
                let [one, other] = [at, other].map(|bot| root(&mut groups, bot));
                groups[other] = one;
            }
            pairs.push(AlikePair { first: first.clone(), second: second.clone(), equal, games, turns });
        }
    }
    // A stable sort: pairs that are equal stay in the order of the bots.
    pairs.sort_by(|one, other| other.equal.total_cmp(&one.equal).then(other.turns.cmp(&one.turns)));
    let usual = match pairs.len() {
        0 => None,
        count => Some(f64::midpoint(pairs[(count - 1) / 2].equal, pairs[count / 2].equal)),
    };
    let mut members = BTreeMap::<usize, Vec<String>>::new();
    for (bot, (name, _)) in bots.iter().enumerate() {
        members.entry(root(&mut groups, bot)).or_default().push(name.clone());
    }
    let mut groups: Vec<_> = members.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
    Alike { pairs, usual, groups, bound }
}

/// The first bot of the group of a bot.
fn root(groups: &mut [usize], mut bot: usize) -> usize {
    while groups[bot] != bot {
        groups[bot] = groups[groups[bot]];
        bot = groups[bot];
    }
    bot
}
