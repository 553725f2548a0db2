//! Habits that an opponent can exploit, each with a test for chance.

use super::chance_test::{at_least, at_most_marked, binomial_test, corrected, log_binomial};
use super::fleet_traits::{RandomFleets, is_on_ring};
use super::sums::{FIRST, OPENING, ProfileSums};
use serde::Serialize;

/// The probability below which a habit is told, after the correction for the number of tests.
pub(crate) const SIGNIFICANT: f64 = 0.01;

/// A habit of a player. Ships are named by the number of their kind, cells by the order of [`rules::Grid::points`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "habit")]
pub enum Habit {
    /// The same fleet in several games.
    SameFleet,
    /// A ship in a corner of the board.
    ShipInCorner {
        /// The kind of ship.
        ship: usize,
    },
    /// A ship on the outer ring with all its cells.
    ShipOnRing {
        /// The kind of ship.
        ship: usize,
    },
    /// More or fewer cells of ships on the outer ring than random fleets have.
    CellsOnRing,
    /// Ships edge to edge.
    ShipsTouch,
    /// More ships in columns than in rows.
    MoreUpright,
    /// More ships in rows than in columns.
    MoreLevel,
    /// The same cell for the first shot.
    FirstShot {
        /// The cell.
        cell: usize,
    },
    /// The same cells for the first five shots, in the same order.
    Opening,
    /// More or fewer of the first ten shots on the outer ring than of shots that are drawn.
    FirstShotsOnRing,
    /// A shot that the shield caught, followed by one at the same cell.
    ShotsAtShield,
}

/// A habit that is not chance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hint {
    /// The habit.
    #[serde(flatten)]
    pub habit: Habit,
    /// The games, or for [`Habit::ShotsAtShield`] the shots, that are so.
    pub times: u64,
    /// The number of all.
    pub of: u64,
    /// The number that would be so by chance.
    pub by_chance: f64,
    /// The probability of such a count by chance, corrected for the number of tests (Holm).
    pub probability: f64,
    /// A sentence for people.
    pub words: String,
}

impl Hint {
    /// True if an opponent can make use of it: of what is repeated, that it comes again in one game of five.
    fn is_worth_it(&self) -> bool {
        let is_repeated = matches!(self.habit, Habit::SameFleet | Habit::FirstShot { .. } | Habit::Opening);
        !is_repeated || 5 * self.times >= self.of
    }

    /// True if it is so more often than by chance.
    pub fn is_more(&self) -> bool {
        self.times as f64 > self.by_chance
    }
}

/// The habits that are significant, the least likely first, and the number of tests that were made.
pub(crate) fn hints(sums: &ProfileSums, random: &RandomFleets) -> (Vec<Hint>, usize) {
    let mut tests = Tests(Vec::new());
    fleet_tests(sums, random, &mut tests);
    shot_tests(sums, &mut tests);
    let tried = tests.0.len();
    let probabilities: Vec<f64> = tests.0.iter().map(|hint| hint.probability).collect();
    let mut hints: Vec<Hint> = tests
        .0
        .into_iter()
        .zip(corrected(&probabilities))
        .map(|(hint, probability)| Hint { probability, ..hint })
        .collect();
    hints.retain(|hint| hint.probability < SIGNIFICANT && hint.is_worth_it());
    hints.sort_by(|one, other| one.probability.total_cmp(&other.probability));
    hints.iter_mut().for_each(|hint| hint.words = super::words::of(hint, sums, random));
    (hints, tried)
}

/// The tests that were made, each with its own probability.
struct Tests(Vec<Hint>);

impl Tests {
    fn add(&mut self, habit: Habit, times: u32, of: u32, by_chance: f64, probability: f64) {
        let (times, of) = (times.into(), of.into());
        self.0.push(Hint { habit, times, of, by_chance, probability, words: String::new() });
    }

    /// Tests a count of games against the shares of games that would be so by both kinds of chance: the kinder one counts.
    fn add_shares(&mut self, habit: Habit, times: u32, of: u32, shares: [f64; 2]) {
        let test = |share: &f64| binomial_test(times.into(), of.into(), *share);
        let share = if test(&shares[0]) >= test(&shares[1]) { shares[0] } else { shares[1] };
        self.add_share(habit, times, of, share);
    }

    /// Tests a count of games against the share of games that would be so by chance.
    fn add_share(&mut self, habit: Habit, times: u32, of: u32, share: f64) {
        self.add(habit, times, of, share * f64::from(of), binomial_test(times.into(), of.into(), share));
    }
}

fn fleet_tests(sums: &ProfileSums, random: &RandomFleets, tests: &mut Tests) {
    let (fleets, games) = (&sums.fleets, sums.fleets.games);
    let (Some(one), Some(median)) = (random.one(), random.median_on_ring()) else { return };
    if games < 2 {
        return;
    }
    let same = fleets.same.values().copied().max().unwrap_or_default();
    tests.add(Habit::SameFleet, same, games, 1.0, repeated(same, games, one));
    for ship in 0..sums.board.ships.len() {
        let both = [
            (Habit::ShipInCorner { ship }, fleets.corner[ship], random.shares(|traits| traits.corner[ship])),
            (Habit::ShipOnRing { ship }, fleets.ring[ship], random.shares(|traits| traits.ring[ship])),
        ];
        for (habit, times, shares) in both {
            shares.into_iter().for_each(|shares| tests.add_shares(habit, times, games, shares));
        }
    }
    let more = fleets.on_ring.range(median + 1..).map(|(_, games)| games).sum();
    let plain = [
        (Habit::CellsOnRing, more, random.shares(|traits| traits.on_ring > median)),
        (Habit::ShipsTouch, fleets.touching, random.shares(|traits| traits.touching)),
        (Habit::MoreUpright, fleets.upright[0], random.shares(|traits| traits.upright > 0)),
        (Habit::MoreLevel, fleets.upright[1], random.shares(|traits| traits.upright < 0)),
    ];
    for (habit, times, shares) in plain {
        shares.into_iter().for_each(|shares| tests.add_shares(habit, times, games, shares));
    }
}

fn shot_tests(sums: &ProfileSums, tests: &mut Tests) {
    let (first, games, cells) = (&sums.first, sums.first.games, sums.board.grid.len());
    if games >= 2 {
        let (cell, times) = first.first.iter().copied().enumerate().max_by_key(|(_, times)| *times).unwrap_or_default();
        let share = 1.0 / cells as f64;
        let probability = (cells as f64 * at_least(times.into(), games.into(), share)).min(1.0);
        tests.add(Habit::FirstShot { cell }, times, games, share * f64::from(games), probability);
    }
    let openings = first.openings.values().sum();
    if openings >= 2 && cells > OPENING {
        let same = first.openings.values().copied().max().unwrap_or_default();
        let one: f64 = (0..OPENING).map(|nth| 1.0 / (cells - nth) as f64).product();
        tests.add(Habit::Opening, same, openings, 1.0, repeated(same, openings, one));
    }
    let whole: u32 = first.on_ring.values().sum();
    if whole >= 2 && cells > FIRST {
        let ring = (0..cells).filter(|cell| is_on_ring(sums.board.grid, *cell)).count();
        let at_most = |most: usize| at_most_marked(most as u64, FIRST as u64, ring as u64, cells as u64);
        let median = (0..=FIRST).find(|most| at_most(*most) >= 0.5).unwrap_or(FIRST);
        let more = first.on_ring.range(median + 1..).map(|(_, games)| games).sum();
        tests.add_share(Habit::FirstShotsOnRing, more, whole, 1.0 - at_most(median));
    }
    let shield = sums.at_shields;
    if shield.next >= 2 {
        tests.add_share(Habit::ShotsAtShield, shield.again, shield.next, shield.by_chance / f64::from(shield.next));
    }
}

/// The probability, at most, that `times` or more of `of` draws are alike, if each of all that can be drawn has this `share` at most.
fn repeated(times: u32, of: u32, share: f64) -> f64 {
    if times < 2 {
        return 1.0;
    }
    (log_binomial(of.into(), times.into()) + f64::from(times - 1) * share.ln()).exp().min(1.0)
}
