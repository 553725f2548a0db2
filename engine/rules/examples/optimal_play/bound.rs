//! A lower bound of the mean shots on boards that are too large for the optimum, such as the classic game.
//!
//! Fix any strategy, whatever it is told of sinkings. Of the N fleets, all equally likely, let it have at most t misses against
//! F(t). The mean of the misses is the sum of 1 - F(t) / N for t = 0, 1, …, and the hits are the cells of a fleet. Ships of equal
//! length are told apart here. F(t) is at most each of these numbers; L is the length of a ship, of which at most 2 L places meet
//! in a cell:
//!
//! **1. The places of the two longest ships.** Let no j cells together meet more than c(r, j) of the places of ship r
//! ([`Game::most_met`]). A ship is found by the first shot that hits it. Call a shot new if it does not hit a ship that was found
//! before. With t misses and s ships, all ships are found by the first J = t + s new shots. *Claim*: F(t) is at most c(r, J) for
//! both longest ships, multiplied by 2 L for each of the q other ships and by (J - 2)(J - 3)…, q factors. *Proof* by induction on
//! the new shots that are left: let X be the cells of those so far, and m = J - |X|. Of the ships not found let A be those of the
//! two longest, a in number, and let k be the number of others. The fleets that are found from here on are at most U Q (m - a)(m -
//! a - 1)…, k factors, where U is the product for r in A of u(r) = c(r, J) - n(r, X), with n(r, X) the places of r that X meets,
//! and Q that of 2 L for the others. If no ship is left to be found that is 1, and if m < a + k none are found. Let the next new
//! shot meet d(r) more places of each r in A, and U' be the product of u(r) - d(r). If it misses, at most U' Q (m - 1 - a)…, k
//! factors, are found. Finding one of the k others leaves at most U' Q (m - 1 - a)…, k - 1 factors, for each of them. Both together
//! are U' Q (m - a)…, k factors. Finding r in A leaves, for each of d(r) places, at most U' without r, times Q (m - a)…, k factors.
//! All of these are Q (m - a)…, k factors, times U' and the sum of d(r) times U' without r. These are terms of the product of (u(r)
//! - d(r)) + d(r), which is U, and its other terms are not negative. At first X is empty.
//!
//! **2. Some ships alone.** Fix legal places of some of the longest ships, and let M be the number of legal places of the others
//! beside them. In the runs against these M fleets call a shot new if it hits neither a fixed ship nor one that was found before.
//! While the ships R are not found and m - |R| misses are left, let at most g(R, m) fleets be found. A new shot misses, or finds a
//! ship r at one of 2 L places; so g(R, m) is g(R, m - 1) and the sum of 2 L g(R without r, m - 1). The last ship must be hit a
//! second time, too: if it is found by shot i of m, by one of the m - i + 1 shots after this that do not hit other ships. Two cells
//! have at most L - 1 places in common. So g({r}, m) is the sum of min(2 L, (m - i + 1)(L - 1)) for i = 1 to m. F(t) is at most the
//! sum of min(M, g(others, t + number of others)) for all places of the fixed ships.

use std::collections::BTreeMap;

/// The steps down the slope for one number.
const STEPS: usize = 2000;

/// A square board with ships, longest first; the last one has two cells, and ships may touch.
pub(crate) struct Game<'a> {
    pub(crate) side: u32,
    pub(crate) ships: &'a [u32],
}

/// The game on 10 x 10.
pub(crate) const CLASSIC: Game<'static> = Game { side: 10, ships: &[5, 4, 3, 3, 2] };

/// The numbers M for each number of fixed ships.
struct Legal {
    /// For fewer fixed ships than all but one: each number with the times that it occurs.
    numbers: Vec<BTreeMap<u64, u64>>,
    /// For all ships fixed but the last: the times that each number occurs.
    of_last: Vec<u64>,
}

impl Game<'_> {
    /// The places of a straight ship, as masks: cell (x, y) is bit side y + x.
    fn places(&self, length: u32) -> Vec<u128> {
        let across = (0..length).fold(0, |line, step| line | 1_u128 << step);
        let down = (0..length).fold(0, |line, step| line | 1_u128 << (step * self.side));
        let starts = (0..self.side).flat_map(|along| (0..=self.side - length).map(move |start| (along, start)));
        starts
            .flat_map(|(row, start)| [across << (row * self.side + start), down << (start * self.side + row)])
            .collect()
    }

    /// Counts the legal places of the ships that are not fixed, beside cells that are taken.
    fn count(&self, places: &[Vec<u128>], fixed: usize, taken: u128, legal: &mut Legal) -> u64 {
        if fixed + 1 == self.ships.len() {
            let open = ((1_u128 << (self.side * self.side)) - 1) & !taken;
            let last_column = (0..self.side).fold(0, |column, y| column | 1_u128 << (y * self.side + self.side - 1));
            let across = open & open >> 1 & !last_column;
            let count = across.count_ones() + (open & open >> self.side).count_ones();
            legal.of_last[count as usize] += 1;
            return u64::from(count);
        }
        let free = places[fixed].iter().filter(|place| **place & taken == 0);
        let count = free.map(|place| self.count(places, fixed + 1, taken | place, legal)).sum();
        *legal.numbers[fixed].entry(count).or_default() += 1;
        count
    }

    /// The number c(r, j): the most places of a ship that so many cells can meet, or a little more.
    ///
    /// For each choice of shares from 0 to 1, one for each place, they meet at most: the sum of 1 - share for all places, and the
    /// largest sums of the shares of the places through a cell, one for each of the cells. For a place that is met counts 1, which
    /// is at most 1 - share and the share for each chosen cell in it; one that is not met counts 0. Any shares will do; good ones
    /// are sought by going down the slope.
    fn most_met(&self, length: u32, cells: usize) -> u64 {
        let all = (self.side * self.side) as usize;
        let cells = cells.min(all);
        let of = |place: &u128| (0..all).filter(|cell| place >> cell & 1 != 0).collect();
        let places: Vec<Vec<usize>> = self.places(length).iter().map(of).collect();
        let mut shares = vec![0.5_f64; places.len()];
        let mut least = places.len() as f64;
        for step in 1..=STEPS {
            let mut sums: Vec<(f64, usize)> = (0..all).map(|cell| (0.0, cell)).collect();
            for (place, share) in places.iter().zip(&shares) {
                place.iter().for_each(|cell| sums[*cell].0 += share);
            }
            sums.sort_by(|a, b| b.0.total_cmp(&a.0));
            let rest: f64 = shares.iter().map(|share| 1.0 - share).sum();
            least = least.min(rest + sums[..cells].iter().map(|(sum, _)| sum).sum::<f64>());
            let mut chosen = vec![0.0; all];
            sums[..cells].iter().for_each(|(_, cell)| chosen[*cell] = 1.0);
            for (place, share) in places.iter().zip(&mut shares) {
                let slope = place.iter().map(|cell| chosen[*cell]).sum::<f64>() - 1.0;
                *share = (*share - slope * 0.3 / (step as f64).sqrt()).clamp(0.0, 1.0);
            }
        }
        // The number of places is whole, and sums of floating point numbers are right to far less than a millionth.
        (least + 1e-6).floor() as u64
    }

    /// The shares of fleets that have more than 0, 1, … misses, at least.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let mut legal = Legal { numbers: vec![BTreeMap::new(); self.ships.len() - 1], of_last: vec![0; 256] };
        let places: Vec<Vec<u128>> = self.ships.iter().map(|length| self.places(*length)).collect();
        let fleets = self.count(&places, 0, 0, &mut legal);
        let more = (0..).map(|misses| 1.0 - self.most_with(misses, &legal) as f64 / fleets as f64);
        more.take_while(|share| *share > 0.0).collect()
    }

    /// The most fleets with at most so many misses: F(t), or more.
    fn most_with(&self, misses: u64, legal: &Legal) -> u64 {
        let shots = misses + self.ships.len() as u64;
        let (longest, others) = self.ships.split_at(2);
        let met = longest.iter().map(|length| self.most_met(*length, shots as usize)).product::<u64>();
        let found_later = (2..).zip(others).map(|(before, length)| u64::from(2 * length) * (shots - before));
        let by_longest = met * found_later.product::<u64>();
        let by_others = (0..self.ships.len()).map(|fixed| {
            let others = &self.ships[fixed..];
            let found = found(others, misses + others.len() as u64);
            match legal.numbers.get(fixed) {
                Some(numbers) => numbers.iter().map(|(legal, times)| times * found.min(*legal)).sum(),
                None => (0..).zip(&legal.of_last).map(|(legal, times)| times * found.min(legal)).sum(),
            }
        });
        by_others.fold(by_longest, u64::min)
    }

    /// The bound of the mean shots.
    pub(crate) fn shots(&self, shares: &[f64]) -> f64 {
        f64::from(self.ships.iter().sum::<u32>()) + shares.iter().sum::<f64>()
    }
}

/// The number g(R, m) for ships of these lengths.
fn found(lengths: &[u32], left: u64) -> u64 {
    match lengths {
        [length] => (1..=left).map(|later| u64::from(2 * length).min(later * u64::from(length - 1))).sum(),
        _ if left < lengths.len() as u64 => 0,
        _ => {
            let after = (0..lengths.len()).map(|nth| {
                let others = [&lengths[..nth], &lengths[nth + 1..]].concat();
                u64::from(2 * lengths[nth]) * found(&others, left - 1)
            });
            found(lengths, left - 1) + after.sum::<u64>()
        }
    }
}
