//! The least expected number of misses of any strategy, by dynamic programming over states of knowledge with bounds.
//!
//! A game has as many hits as the fleet has cells, whatever the strategy, so the least number of shots has the least number of
//! misses. Values are the misses of all fleets of a state, each times the weight of the fleet.
//!
//! **Certain cells.** A cell that is a part of every fleet is fired at first where a strategy loses nothing by it: one that does so
//! can imitate any strategy that does not, and needs no more shots, if it can tell the answers that the other would have heard. It
//! can (1) if nothing is told of sinkings, because the answer is a hit before and after; (2) if every fleet has one ship afloat,
//! because its sinking ends the game; (3) if the cell is the last one of the same kind of ship in every fleet: that ship sinks in
//! both, and all other answers are the same; (4) if it is told which ship sank, and the cell is a part of the same ship in every
//! fleet: when this ship sinks, the other strategy would have heard of a hit, and it would hear of the sinking at the certain cell.
//! Without one of these an early shot at a certain cell may hide which ship it is a part of, and it is one of the cells to choose
//! from.
//!
//! **Bounds.** In a strategy let the first hit be the shot after k misses, and the second after l more. All fleets with the same k
//! are hit at one cell; those with the same k, the same answer and the same l have two cells in common. So at most `min(w(k), e + r
//! (t - k + 1) p)` of weight, for each k up to t, ends with t misses or less, where w(k) is the weight of the k-th heaviest cell, p
//! that of the heaviest pair of cells, r the number of answers to a hit, and e the heaviest weight of a fleet that ends with its
//! first hit. The weight that is left, added up for all t, is no more than the misses. After a first shot at a given cell the
//! weights are known exactly. Another bound: a shooter that is told where all ships but one lie does not need more misses; it has
//! to find one ship in each of the parts into which this divides the fleets, and the optimum of one ship is quickly found.
#![expect(clippy::disallowed_types, reason = "the table of states is asked by key only, and never in its order")]

use crate::fleets::bits;
use crate::state::{State, Telling, Told, all};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Values that differ by less are equal.
pub(crate) const EQUAL: f64 = 1e-7;

/// A key that is random already is its own hash.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// The values of states that were solved, and of the others bounds.
pub(crate) struct Solver<const N: usize> {
    pub(crate) telling: Telling<N>,
    /// By key the value, or if it is negative, a lower bound.
    known: HashMap<(u64, u64), f64, BuildHasherDefault<KeyHasher>>,
    pairs: Box<[[f64; 64]; 64]>,
}

impl<const N: usize> Solver<N> {
    pub(crate) fn new(telling: Telling<N>) -> Solver<N> {
        Solver { telling, known: HashMap::default(), pairs: Box::new([[0.0; 64]; 64]) }
    }

    /// The number of states that were looked at.
    pub(crate) fn states(&self) -> usize {
        self.known.len()
    }

    /// The least number of misses if it is below `limit`; otherwise a lower bound that is not below it.
    pub(crate) fn least(&mut self, state: State<N>, limit: f64) -> f64 {
        let state = self.telling.without_certain(state);
        let key = self.telling.key(&state);
        self.least_of(&state, key, limit)
    }

    fn least_of(&mut self, state: &State<N>, key: u128, limit: f64) -> f64 {
        if state.fleets.len() < 2 {
            return 0.0;
        }
        let key = (key as u64, (key >> 64) as u64);
        match self.known.get(&key) {
            Some(value) if value.is_sign_positive() => return *value,
            Some(bound) if -bound >= limit => return -bound,
            _ => {}
        }
        let (value, is_exact) = match self.certain(state) {
            Some(cell) => self.after_shot(state, &Shot { cell, miss: 0.0, bounds: [0.0; 2] }, limit),
            None => self.least_of_all(state, limit),
        };
        self.known.insert(key, if is_exact { value } else { -value });
        value
    }

    fn least_of_all(&mut self, state: &State<N>, limit: f64) -> (f64, bool) {
        let (mut best, mut lowest, mut is_exact) = (limit, f64::INFINITY, false);
        for shot in self.shots(state, limit) {
            if shot.bound() >= best - EQUAL {
                lowest = lowest.min(shot.bound());
                break;
            }
            let (value, is_value) = self.after_shot(state, &shot, best);
            if is_value && value < best - EQUAL {
                (best, is_exact) = (value, true);
            } else {
                lowest = lowest.min(value);
            }
        }
        if is_exact { (best, true) } else { (lowest.max(limit - EQUAL), false) }
    }

    /// The misses from a shot on if they are fewer than `limit`, and true; otherwise a lower bound.
    fn after_shot(&mut self, state: &State<N>, shot: &Shot, limit: f64) -> (f64, bool) {
        let after = self.telling.after(state, shot.cell);
        let is_one_hit = after.iter().filter(|(answer, _)| *answer > 0).count() == 1;
        let mut parts: Vec<(State<N>, u128, f64, bool)> = Vec::new();
        for (answer, state) in after {
            let state = self.telling.without_certain(state);
            if state.fleets.len() < 2 {
                continue;
            }
            let key = self.telling.key(&state);
            let short = (key as u64, (key >> 64) as u64);
            let value = match self.known.get(&short) {
                Some(value) => *value,
                None => {
                    let bound = -self.least_apart(&state);
                    self.known.insert(short, bound);
                    bound
                }
            };
            let bound = match answer {
                0 => shot.bounds[0],
                _ if is_one_hit => shot.bounds[1],
                _ => 0.0,
            };
            let is_exact = value.is_sign_positive();
            parts.push((state, key, if is_exact { value } else { bound.max(-value) }, is_exact));
        }
        let mut total = shot.miss + parts.iter().map(|(_, _, value, _)| value).sum::<f64>();
        // Small states first: they cost little and may show that the shot is not the best.
        parts.sort_by_key(|(state, ..)| state.fleets.len());
        for (state, key, bound, _) in parts.iter().filter(|(.., is_exact)| !is_exact) {
            if total >= limit {
                return (total, false);
            }
            let others = total - bound;
            let value = self.least_of(state, *key, limit - others);
            total = others + value.max(*bound);
        }
        (total, total < limit)
    }

    /// A bound of the misses: for the ship for which it is the largest, those of shooters that know where all other ships lie.
    fn least_apart(&mut self, state: &State<N>) -> f64 {
        let is_one_left = |ships: &[u64; N]| ships.iter().filter(|ship| **ship != 0).count() < 2;
        if state.fleets.iter().all(|(ships, _)| is_one_left(ships)) {
            return 0.0;
        }
        let mut most: f64 = 0.0;
        for nth in 0..N {
            let known = |ships: &[u64; N]| {
                let mut known = *ships;
                known[nth] = 0;
                known
            };
            let mut fleets = state.fleets.clone();
            fleets.sort_unstable_by_key(|(ships, _)| known(ships));
            let mut misses = 0.0;
            for part in fleets.chunk_by(|a, b| known(&a.0) == known(&b.0)).filter(|part| part.len() > 1) {
                let alone = part.iter().filter(|(ships, _)| ships[nth] != 0).map(|(ships, weight)| {
                    let mut alone = [0; N];
                    alone[nth] = ships[nth];
                    (alone, *weight)
                });
                let alone = self.telling.state(alone.collect());
                misses += self.least(alone, f64::INFINITY);
            }
            most = most.max(misses);
        }
        most
    }

    /// A cell at which to fire first, as the documentation of the module says; where nothing is told, there are none left.
    fn certain(&self, state: &State<N>) -> Option<u32> {
        if self.telling.told == Told::Nothing {
            return None;
        }
        let (first, _) = state.fleets.first()?;
        let fleets = || state.fleets.iter().map(|(ships, _)| ships);
        if fleets().all(|ships| ships.iter().filter(|ship| **ship != 0).count() == 1) {
            let cells = fleets().fold(u64::MAX, |cells, ships| cells & all(ships));
            return (cells != 0).then(|| cells.trailing_zeros());
        }
        let kinds = &self.telling.kinds;
        let is_only = |nth: usize| kinds.iter().filter(|kind| **kind == kinds[nth]).count() == 1;
        (0..N).find_map(|nth| {
            let all = fleets().fold(u64::MAX, |all, ships| all & ships[nth]);
            let is_last = all == first[nth] && all.count_ones() == 1 && fleets().all(|ships| ships[nth] == all);
            let is_safe = is_last || self.telling.told == Told::Which && is_only(nth);
            (all != 0 && is_safe).then(|| all.trailing_zeros())
        })
    }

    /// The cells at which a shot may hit, the one with the lowest bound first. A bound is not made better once it is over `limit`.
    fn shots(&mut self, state: &State<N>, limit: f64) -> Vec<Shot> {
        let (mut ends, mut answers, mut open) = ([0.0; 64], [0_u32; 64], 0_u64);
        self.pairs.iter_mut().for_each(|row| row.fill(0.0));
        for (ships, weight) in &state.fleets {
            let cells = all(ships);
            open |= cells;
            for first in bits(cells) {
                bits(cells).for_each(|second| self.pairs[first][second] += weight);
            }
            if cells.count_ones() == 1 {
                ends[cells.trailing_zeros() as usize] += weight;
                continue;
            }
            for (ship, kind) in ships.iter().zip(&self.telling.kinds) {
                let is_last = ship.count_ones() == 1 && self.telling.told != Told::Nothing;
                bits(*ship).for_each(|cell| answers[cell] |= 1 << if is_last { 2 + kind } else { 1 });
            }
        }
        let pairs = &self.pairs;
        let cells: Vec<usize> = bits(open).collect();
        let heaviest = cells.iter().flat_map(|first| cells.iter().map(move |second| (first, second)));
        let pair = heaviest.filter(|(a, b)| a != b).map(|(a, b)| pairs[*a][*b]).fold(0.0, f64::max);
        let branches = cells.iter().map(|cell| answers[*cell].count_ones().max(1)).max().unwrap_or(1);
        let end = cells.iter().map(|cell| ends[*cell]).fold(0.0, f64::max);
        let total = state.weight();
        let (mut shots, mut weights): (Vec<Shot>, Vec<f64>) = (Vec::new(), Vec::new());
        for &cell in &cells {
            let of = pairs[cell][cell];
            // Of cells that are in the same fleets one is as good as the other.
            let is_same = |shot: &Shot| pairs[cell][shot.cell as usize] == of && total - shot.miss == of;
            if self.telling.told == Told::Nothing && shots.iter().any(is_same) {
                continue;
            }
            let mut shot = Shot { cell: cell as u32, miss: total - of, bounds: [0.0; 2] };
            if shot.miss < limit {
                heaviest_first(&mut weights, cells.iter().map(|other| pairs[*other][*other] - pairs[cell][*other]));
                let capacity = |left: usize| end + f64::from(branches) * (left + 1) as f64 * pair;
                shot.bounds[0] = least_misses(shot.miss, |most| {
                    let first = weights.iter().take(most + 1).enumerate();
                    first.map(|(nth, weight)| weight.min(capacity(most - nth))).sum()
                });
            }
            if shot.bound() < limit {
                let others = cells.iter().filter(|other| **other != cell);
                heaviest_first(&mut weights, others.map(|other| pairs[cell][*other]));
                let each = answers[cell].count_ones().max(1) as usize;
                shot.bounds[1] = least_misses(of - ends[cell], |most| weights.iter().take(each * (most + 1)).sum());
            }
            shots.push(shot);
        }
        shots.sort_by(|a, b| a.bound().total_cmp(&b.bound()));
        shots
    }
}

/// A shot, with the weight of the fleets that it misses, and bounds of the misses that follow a miss and a hit.
struct Shot {
    cell: u32,
    miss: f64,
    bounds: [f64; 2],
}

impl Shot {
    fn bound(&self) -> f64 {
        self.miss + self.bounds[0] + self.bounds[1]
    }
}

/// Puts these weights that are not 0 in the place of those before, the heaviest first.
fn heaviest_first(weights: &mut Vec<f64>, others: impl Iterator<Item = f64>) {
    weights.clear();
    weights.extend(others.filter(|weight| *weight > 0.0));
    weights.sort_unstable_by(|a, b| b.total_cmp(a));
}

/// The least number of misses of fleets of this weight, of which at most `ending(t)` of weight ends with t misses or less.
fn least_misses(weight: f64, ending: impl Fn(usize) -> f64) -> f64 {
    (0..64).map(|most| weight - ending(most)).take_while(|left| *left > EQUAL).sum()
}
