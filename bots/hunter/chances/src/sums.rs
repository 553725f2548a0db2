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
const PENALTIES: [f64; 12] = [0.7, 0.5, 0.35, 0.25, 0.15, 0.08, 0.03, 0.01, 0.003, 0.003, 0.003, 0.003];
/// The cycles that a chain goes through before its fleets count.
const WARM_UP: usize = 2;
/// The same where little work may be done: then there are two chains, and more of them only if these found no fleet.
const QUICK_WARM_UP: usize = 1;
const QUICK_CHAINS: usize = 2;
/// The most attempts to place a first fleet.
const ATTEMPTS: usize = 50;

/// The chances of the fleets that agree. The shares of priors are taken as they are: their weights are mixed.
pub(crate) fn chances(problem: &Problem<'_>, facts: &Facts, effort: Effort, seed: u64) -> Chances {
    let layout = problem.layout;
    let mut parts = vec![vec![0.0; layout.all().len()]; PARTS];
    let (mut kept, mut weights) = (Vec::new(), vec![0.0; PARTS]);
    let is_quick = effort.fleets == 0;
    let warm_up = if is_quick { QUICK_WARM_UP } else { WARM_UP };
    let cycles = if is_quick { 2 } else { (effort.fleets / PARTS / 4).max(4) };
    for (part, taken) in parts.iter_mut().enumerate() {
        if is_quick && part >= QUICK_CHAINS && weights.iter().any(|weight| *weight > 0.0) {
            break;
        }
        let Some(mut chain) = Chain::new(problem, facts, seed ^ (part as u64) << 32) else {
            return Chances::nothing(layout);
        };
        for cycle in 0..cycles + warm_up {
            for penalty in PENALTIES {
                let mut tally = (cycle >= warm_up).then_some((&mut *taken, &mut weights[part]));
                (0..chain.board.chosen.len()).for_each(|nth| chain.draw(nth, penalty, &mut tally));
            }
            if effort.keeps && cycle >= warm_up && chain.broken() == 0 {
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

/// A fleet that is changed ship by ship.
struct Chain<'a> {
    problem: &'a Problem<'a>,
    board: Board<'a>,
    /// The places of each kind that agree with the facts about single cells.
    open: Vec<Vec<PlaceNumber>>,
    /// The weight of each place.
    weights: Vec<f64>,
    /// The numbers that a fleet has to add up to: sums, each hit cell as a sum of one, and the number of each sinking.
    sums: Vec<Sum>,
    /// The sums that each place adds to, with how much.
    adds: Vec<Vec<(usize, usize)>>,
    /// The number that each sum has with the ships on the board.
    counts: Vec<usize>,
    random: Random,
}

impl<'a> Chain<'a> {
    /// A chain with its first fleet; `None` if none was found.
    fn new(problem: &'a Problem<'a>, facts: &Facts, seed: u64) -> Option<Chain<'a>> {
        let layout = problem.layout;
        let hits = problem.hits.iter().map(|(cell, _)| Sum { cells: vec![*cell], least: 1, most: 1 });
        let sinkings = problem.sinkings.iter().map(|(count, _)| Sum { cells: Vec::new(), least: *count, most: *count });
        let first_sinking = problem.hits.len();
        let sums: Vec<Sum> = hits.chain(sinkings).chain(facts.sums.iter().cloned()).collect();
        let mut of_cell = vec![Vec::new(); layout.cells()];
        for (nth, sum) in sums.iter().enumerate() {
            sum.cells.iter().for_each(|cell| of_cell[*cell].push(nth));
        }
        let adds = (0..layout.all().len()).map(|place| {
            let sinking = problem.sinking_of[place].map(|class| first_sinking + class);
            let mut adds: Vec<(usize, usize)> = sinking.map(|sum| (sum, 1)).into_iter().collect();
            for sum in layout.place(place).iter().flat_map(|cell| &of_cell[*cell]) {
                match adds.iter_mut().find(|(other, _)| other == sum) {
                    Some((_, count)) => *count += 1,
                    None => adds.push((*sum, 1)),
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
        let mut chain = Chain {
            problem,
            board: Board::new(layout),
            open,
            weights: (0..layout.all().len()).map(weight).collect(),
            counts: vec![0; sums.len()],
            sums,
            adds: adds.collect(),
            random: Random::new(seed),
        };
        (0..ATTEMPTS).any(|_| chain.begin(layout)).then_some(chain)
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
            std::cmp::Reverse(self.open[*kind].first().map_or(0, |place| layout.place(*place).len()))
        });
        for kind in kinds {
            for _ in 0..layout.count(kind) {
                let fits: Vec<PlaceNumber> =
                    self.open[kind].iter().copied().filter(|place| self.board.has_room(*place)).collect();
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
        for (sum, count) in &self.adds[place] {
            self.counts[*sum] = if is_added { self.counts[*sum] + count } else { self.counts[*sum] - count };
        }
    }

    /// The number of hits by which the fleet breaks facts.
    fn broken(&self) -> usize {
        (0..self.sums.len()).map(|sum| self.excess(sum, 0)).sum()
    }

    /// The number by which a sum is out of its bounds with so many more.
    fn excess(&self, sum: usize, more: usize) -> usize {
        let (count, of) = (self.counts[sum] + more, &self.sums[sum]);
        of.least.saturating_sub(count) + count.saturating_sub(of.most)
    }

    /// Draws the place of a ship anew. If the fleet breaks nothing, all places that the ship could have beside the others are counted.
    fn draw(&mut self, nth: usize, penalty: f64, tally: &mut Option<(&mut Vec<f64>, &mut f64)>) {
        let counts = self.broken() == 0;
        let before = self.board.lift(nth);
        self.count(before, false);
        let without = self.broken();
        let kind = self.problem.layout.all()[before].kind;
        let mut weights = Vec::with_capacity(self.open[kind].len());
        for &place in self.open[kind].iter().filter(|place| self.board.has_room(**place)) {
            let change = |(sum, more): &(usize, usize)| self.excess(*sum, *more) as i64 - self.excess(*sum, 0) as i64;
            let broken = without as i64 + self.adds[place].iter().map(change).sum::<i64>();
            weights.push((place, broken, self.weights[place]));
        }
        if let Some((taken, all)) = tally.as_mut().filter(|_| counts) {
            let agree = || weights.iter().filter(|(_, broken, _)| *broken == 0);
            let sum: f64 = agree().map(|(.., weight)| weight).sum();
            agree().for_each(|(place, _, weight)| taken[*place] += weight / sum);
            // Each ship of the fleet adds one, so that a fleet counts once.
            **all += 1.0 / self.board.chosen.len() as f64;
        }
        let weight = |(_, broken, weight): &(PlaceNumber, i64, f64)| weight * penalty.powi(*broken as i32);
        let mut drawn = self.random.share() * weights.iter().map(weight).sum::<f64>();
        let chosen = weights.iter().find(|of| {
            drawn -= weight(of);
            drawn < 0.0
        });
        let place = chosen.map_or(before, |(place, ..)| *place);
        self.board.put_back(nth, place);
        self.count(place, true);
    }
}
