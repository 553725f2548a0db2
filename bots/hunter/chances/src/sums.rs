//! Fleets of which only numbers of hits are known: drawn by Gibbs sampling.
//!
//! A chain begins with any fleet. Each step takes one ship away and draws its place anew, given the others: a place is the less likely, the
//! more facts the fleet would break with it. The penalty grows from round to round, so that a chain comes to fleets that break none, and
//! is lowered again, so that it goes on to others. Only fleets that break no fact count.

use crate::facts::{Facts, Sum};
use crate::fleets::PARTS;
use crate::random::Random;
use crate::search::{Board, Problem};
use crate::{Chances, Effort, Layout, PlaceNumber};

/// The penalties of the rounds of one cycle, as factors of each broken fact.
const PENALTIES: [f64; 8] = [0.5, 0.3, 0.15, 0.06, 0.02, 0.003, 0.003, 0.003];
/// The cycles that a chain goes through before its fleets count.
const WARM_UP: usize = 2;
/// The same where little work may be done: then there are two chains, and more of them only if these found no fleet.
const QUICK_WARM_UP: usize = 1;
const QUICK_CHAINS: usize = 2;
/// The broken facts from which a fleet is out of the question.
const MOST_BROKEN: i32 = 200;
/// The most attempts to place a first fleet.
const ATTEMPTS: usize = 50;

/// The chances of the fleets that agree. The shares of priors are taken as they are: their weights are mixed.
pub(crate) fn chances(problem: &Problem<'_>, facts: &Facts, effort: Effort, seed: u64) -> Chances {
    let layout = problem.layout;
    let mut parts = vec![vec![0.0; layout.all().len()]; PARTS];
    let (mut kept, mut weights) = (Vec::new(), vec![0.0; PARTS]);
    let is_quick = effort.fleets == 0;
    let warm_up = if is_quick { QUICK_WARM_UP } else { WARM_UP };
    let cycles = if is_quick { 3 } else { (effort.fleets / PARTS / 5).max(4) };
    let bounds = Bounds::new(problem, facts);
    for (part, taken) in parts.iter_mut().enumerate() {
        if is_quick && part >= QUICK_CHAINS && weights.iter().any(|weight| *weight > 0.0) {
            break;
        }
        let Some(mut chain) = Chain::new(problem, &bounds, seed ^ (part as u64) << 32) else {
            return Chances::nothing(layout);
        };
        for cycle in 0..cycles + warm_up {
            for penalties in &bounds.penalties {
                let mut tally = (cycle >= warm_up).then_some((&mut *taken, &mut weights[part]));
                (0..chain.board.chosen.len()).for_each(|nth| chain.draw(nth, penalties, &mut tally));
            }
            if effort.keeps && cycle >= warm_up && chain.broken == 0 {
                kept.push((1.0, chain.board.chosen.clone()));
            }
        }
    }
    let all: f64 = weights.iter().sum();
    if all == 0.0 {
        return Chances::nothing(layout);
    }
    let places = (0..layout.all().len()).map(|place| parts.iter().map(|part| part[place]).sum::<f64>() / all).collect();
    let parts = parts.into_iter().zip(&weights).filter(|(_, weight)| **weight > 0.0);
    let parts: Vec<Vec<f64>> = parts.map(|(part, weight)| part.iter().map(|taken| taken / weight).collect()).collect();
    let count = kept.len() as f64;
    kept.iter_mut().for_each(|(share, _)| *share /= count);
    Chances::drawn(layout, places, &parts, kept)
}

/// The numbers that a fleet has to add up to, and what each place adds to them.
struct Bounds {
    /// The least and the most: of sums, of each hit cell as a sum of one, and of each sinking.
    of_sums: Vec<(usize, usize)>,
    /// The most that a place adds to a sum, and one more.
    width: usize,
    /// For each place the sums that it adds to and how much it adds, as `sum * width + more`.
    adds: Vec<Vec<usize>>,
    /// The places of each kind that agree with the facts about single cells.
    open: Vec<Vec<PlaceNumber>>,
    /// The weight of each place.
    weights: Vec<f64>,
    /// For each round the factor of so many broken facts.
    penalties: Vec<Vec<f64>>,
}

impl Bounds {
    fn new(problem: &Problem<'_>, facts: &Facts) -> Bounds {
        let layout = problem.layout;
        let hits = problem.hits.iter().map(|(cell, _)| Sum { cells: vec![*cell], least: 1, most: 1 });
        let sinkings = problem.sinkings.iter().map(|(count, _)| Sum { cells: Vec::new(), least: *count, most: *count });
        let first_sinking = problem.hits.len();
        let sums: Vec<Sum> = hits.chain(sinkings).chain(facts.sums.iter().cloned()).collect();
        let mut of_cell = vec![Vec::new(); layout.cells()];
        for (nth, sum) in sums.iter().enumerate() {
            sum.cells.iter().for_each(|cell| of_cell[*cell].push(nth));
        }
        let width = 1 + layout.all().iter().map(|place| place.cells.len()).max().unwrap_or(0);
        let adds = (0..layout.all().len()).map(|place| {
            let sinking = problem.sinking_of[place].map(|class| (first_sinking + class) * width + 1);
            let mut adds: Vec<usize> = sinking.into_iter().collect();
            for sum in layout.place(place).iter().flat_map(|cell| &of_cell[*cell]) {
                match adds.iter_mut().find(|add| **add / width == *sum) {
                    Some(add) => *add += 1,
                    None => adds.push(sum * width + 1),
                }
            }
            adds
        });
        let mut open = problem.free.clone();
        let explaining = problem.hits.iter().chain(problem.sinkings.iter()).flat_map(|(_, places)| places);
        explaining.for_each(|place| open[layout.all()[*place].kind].push(*place));
        for places in &mut open {
            places.sort_unstable();
            places.dedup();
        }
        let weight = |place| layout.priors().iter().map(|(share, weights)| share * weights[place]).sum();
        Bounds {
            adds: adds.collect(),
            of_sums: sums.iter().map(|sum| (sum.least, sum.most)).collect(),
            width,
            open,
            weights: (0..layout.all().len()).map(weight).collect(),
            penalties: PENALTIES.map(|penalty| (0..MOST_BROKEN).map(|broken| penalty.powi(broken)).collect()).to_vec(),
        }
    }
}

/// A fleet that is changed ship by ship.
struct Chain<'a> {
    problem: &'a Problem<'a>,
    bounds: &'a Bounds,
    board: Board<'a>,
    /// The number that each sum has with the ships on the board.
    counts: Vec<usize>,
    /// The number of hits by which the fleet breaks facts.
    broken: i32,
    /// The change of that number where a place adds so much to a sum, by `sum * width + more`: looked up for each place that is weighed.
    changes: Vec<i32>,
    /// The places that are weighed, with the facts that the fleet would break: kept to save their memory.
    weighed: Vec<(PlaceNumber, i32)>,
    random: Random,
}

impl<'a> Chain<'a> {
    /// A chain with its first fleet; `None` if none was found.
    fn new(problem: &'a Problem<'a>, bounds: &'a Bounds, seed: u64) -> Option<Chain<'a>> {
        let mut chain = Chain {
            problem,
            bounds,
            board: Board::new(problem.layout),
            counts: vec![0; bounds.of_sums.len()],
            broken: bounds.of_sums.iter().map(|(least, _)| *least as i32).sum(),
            changes: vec![0; bounds.of_sums.len() * bounds.width],
            weighed: Vec::new(),
            random: Random::new(seed),
        };
        (0..bounds.of_sums.len()).for_each(|sum| chain.note_changes(sum));
        (0..ATTEMPTS).any(|_| chain.begin(problem.layout)).then_some(chain)
    }

    /// Places all ships at random; false if one had no room.
    fn begin(&mut self, layout: &Layout) -> bool {
        while !self.board.chosen.is_empty() {
            let last = self.board.chosen[self.board.chosen.len() - 1];
            self.board.take_last();
            self.count(last, false);
        }
        let mut kinds: Vec<usize> = (0..layout.kinds()).collect();
        kinds.sort_by_key(|kind| {
            std::cmp::Reverse(self.bounds.open[*kind].first().map_or(0, |place| layout.place(*place).len()))
        });
        for kind in kinds {
            for _ in 0..layout.count(kind) {
                let fits: Vec<PlaceNumber> =
                    self.bounds.open[kind].iter().copied().filter(|place| self.board.has_room(*place)).collect();
                if fits.is_empty() {
                    return false;
                }
                let place = fits[self.random.below(fits.len())];
                self.board.put(place);
                self.count(place, true);
            }
        }
        true
    }

    fn count(&mut self, place: PlaceNumber, is_added: bool) {
        let bounds = self.bounds;
        for add in &bounds.adds[place] {
            let (sum, more) = (add / bounds.width, add % bounds.width);
            let before = self.excess(sum, 0);
            self.counts[sum] = if is_added { self.counts[sum] + more } else { self.counts[sum] - more };
            self.broken += self.excess(sum, 0) - before;
            self.note_changes(sum);
        }
    }

    /// The number by which a sum is out of its bounds with so many more.
    fn excess(&self, sum: usize, more: usize) -> i32 {
        let (count, (least, most)) = (self.counts[sum] + more, self.bounds.of_sums[sum]);
        (least.saturating_sub(count) + count.saturating_sub(most)) as i32
    }

    fn note_changes(&mut self, sum: usize) {
        let now = self.excess(sum, 0);
        for more in 1..self.bounds.width {
            self.changes[sum * self.bounds.width + more] = self.excess(sum, more) - now;
        }
    }

    /// Draws the place of a ship anew. If the fleet breaks nothing, all places that the ship could have beside the others are counted.
    fn draw(&mut self, nth: usize, penalties: &[f64], tally: &mut Option<(&mut Vec<f64>, &mut f64)>) {
        let counts = self.broken == 0;
        let before = self.board.lift(nth);
        self.count(before, false);
        let bounds = self.bounds;
        let kind = self.problem.layout.all()[before].kind;
        let mut weighed = std::mem::take(&mut self.weighed);
        weighed.clear();
        for &place in bounds.open[kind].iter().filter(|place| self.board.has_room(**place)) {
            let changes = bounds.adds[place].iter().map(|add| self.changes[*add]);
            weighed.push((place, self.broken + changes.sum::<i32>()));
        }
        if let Some((taken, all)) = tally.as_mut().filter(|_| counts) {
            let agree = || weighed.iter().filter(|(_, broken)| *broken == 0);
            let sum: f64 = agree().map(|(place, _)| bounds.weights[*place]).sum();
            agree().for_each(|(place, _)| taken[*place] += bounds.weights[*place] / sum);
            // Each ship of the fleet adds one, so that a fleet counts once.
            **all += 1.0 / self.board.chosen.len() as f64;
        }
        let weight = |(place, broken): &(PlaceNumber, i32)| {
            bounds.weights[*place] * penalties.get(*broken as usize).copied().unwrap_or(0.0)
        };
        let mut left = self.random.share() * weighed.iter().map(weight).sum::<f64>();
        let chosen = weighed.iter().find(|of| {
            left -= weight(of);
            left < 0.0
        });
        let place = chosen.map_or(before, |(place, ..)| *place);
        self.weighed = weighed;
        self.board.put_back(nth, place);
        self.count(place, true);
    }
}
