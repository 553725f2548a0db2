//! A lower bound of the mean shots for the classic game, which is too large for the optimum: 10 x 10 with ships of 5, 4, 3, 3 and 2.
//!
//! Take any strategy, and let it be told more than the rules tell: which ship was hit, and, at the first hit of a ship, where all of it
//! lies. It may leave that unused, so a bound for all strategies that are told this is one for every kind of telling. Of the N
//! fleets, all equally likely, let F(t) have at most t misses. The mean of the misses is the sum of 1 - F(t) / N for t = 0, 1, …, and
//! the hits are 17. F(t) is at most each of two numbers. A *new* shot is one at a cell of which nothing is known. A miss is one, and so is
//! the first hit of a ship; all others hit. Each shot of a fleet of F(t) is one of at most t misses, or hits.
//!
//! **1. Large ships are met slowly.** Let no j cells together meet more than c(r, j) of the places of ship r: see [`most_met`]. A cell meets
//! at most 2 L places of a ship of length L. Let J = t + 5, the most new shots that find all ships with t misses. *Claim*: F(t) is at most
//! c(5, J) c(4, J) times 6 · 6 · 4 (J - 2)(J - 3)(J - 4). *Proof*, by induction on the shots that are left: let X be the cells of the new
//! shots so far, m = J - |X|; of the ships that are not found let A be those of 5 and 4, a in number, and let k be the number of others.
//! The fleets that are found from here on are at most U · Q · (m - a)(m - a - 1)…, k factors, where U is the product of u(r) =
//! c(r, J) - n(r, X) for r in A, n(r, X) the places of r that X meets, and Q the product of 2 L for the others. For k = a = 0 that is 1; for m <
//! a + k it is 0 or nothing can be found. A new shot meets d(r) further places of r in A, so that u'(r) = u(r) - d(r). If it misses, at most
//! U' Q (m - 1 - a)…, k factors, are found; if it finds one of the k others, at most U' Q (m - 1 - a)…, k - 1 factors, for each of these. Together
//! they are U' Q (m - a)…, k factors. If it finds r of A, it is d(r) times U' without r times Q (m - a)…, k factors. U' and these products
//! with d(r) are some of the terms of the product of u'(r) + d(r), which is U; the other terms are not negative. At the start X is empty.
//!
//! **2. The small ships alone.** Fix legal places of the ships of 5 and 4, and let M be the number of legal places of the others. In
//! the runs against these M fleets, let R be the small ships that are not found, and let m be the misses left and |R| more. Let g(R, m) be the most fleets
//! that can be found then. A new shot that does not hit the fixed ships is a miss, or finds r at one of at most 2 L places; so g(R, m) is at most
//! g(R, m - 1) and the sum of 2 L g(R without r, m - 1). Of the last ship, r, only the cell of the first hit is told, not where it lies. If it is hit first
//! by shot i of m, one of the m - i + 1 next new shots has to hit it again, and two cells meet at most L - 1 places. So g({r}, m) is at
//! most the sum of min(2 L, (m - i + 1)(L - 1)) for i from 1 to m. F(t) is at most the sum of min(M, g({3, 3, 2}, t + 3)) for all places of 5 and 4.

use std::collections::BTreeMap;

/// The columns and rows of the board.
const SIDE: u32 = 10;
/// The lengths of the ships.
const SHIPS: [u32; 5] = [5, 4, 3, 3, 2];
/// The cells of the last column.
const LAST_COLUMN: u128 = (1 << 9 | 1 << 19 | 1 << 29 | 1 << 39 | 1 << 49) | (1 << 59 | 1 << 69 | 1 << 79 | 1 << 89 | 1 << 99);
/// The steps down the slope for one number.
const STEPS: usize = 2000;

/// The places of a straight ship, as masks: cell (x, y) is bit 10 y + x.
fn places(length: u32) -> Vec<u128> {
    let across = (0..length).fold(0, |line, step| line | 1_u128 << step);
    let down = (0..length).fold(0, |line, step| line | 1_u128 << (step * SIDE));
    let starts = (0..SIDE).flat_map(|along| (0..=SIDE - length).map(move |start| (along, start)));
    starts.flat_map(|(along, start)| [across << (along * SIDE + start), down << (start * SIDE + along)]).collect()
}

/// For each number of fixed ships, longest first, the numbers M with the number of times that each occurs.
pub(crate) struct Legal {
    numbers: [BTreeMap<u64, u64>; 4],
    /// The numbers for four fixed ships.
    of_last: [u64; 256],
}

impl Legal {
    pub(crate) fn new() -> Legal {
        let mut legal = Legal { numbers: Default::default(), of_last: [0; 256] };
        legal.count(0, &SHIPS.map(places), 0);
        legal
    }

    /// The number of legal places of the ships that are not fixed, beside cells that are taken.
    fn count(&mut self, fixed: usize, places: &[Vec<u128>], taken: u128) -> u64 {
        let Some(places_here) = places.get(fixed).filter(|_| fixed < 4) else {
            let open = ((1_u128 << (SIDE * SIDE)) - 1) & !taken;
            let across = open & open >> 1 & !LAST_COLUMN;
            let legal = across.count_ones() + (open & open >> SIDE).count_ones();
            self.of_last[legal as usize] += 1;
            return u64::from(legal);
        };
        let free = places_here.iter().filter(|place| **place & taken == 0);
        let legal = free.map(|place| self.count(fixed + 1, places, taken | place)).sum();
        *self.numbers[fixed].entry(legal).or_default() += 1;
        legal
    }

    /// The number of all fleets.
    pub(crate) fn fleets(&self) -> u64 {
        self.numbers[0].keys().sum()
    }

    /// The sum of the numbers M for so many fixed ships, each at most `found`.
    fn at_most(&self, fixed: usize, found: u64) -> u64 {
        match self.numbers.get(fixed) {
            Some(numbers) => numbers.iter().map(|(legal, times)| times * found.min(*legal)).sum(),
            None => (0..).zip(&self.of_last).map(|(legal, times)| times * found.min(legal)).sum(),
        }
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

/// The number c(r, j): the most places of a ship that `cells` cells can meet, or a little more.
///
/// For each choice of shares from 0 to 1, one for each place, cells meet at most: the sum of 1 - share for all places, and the `cells`
/// largest sums of the shares of the places through a cell. For a place that is met counts 1, which is at most 1 - share and the
/// share for each chosen cell in it; one that is not met counts 0. Any shares will do; good ones are sought by going down the slope.
pub(crate) fn most_met(length: u32, cells: usize) -> u64 {
    let places: Vec<Vec<usize>> =
        places(length).iter().map(|place| (0..100).filter(|cell| place >> cell & 1 != 0).collect()).collect();
    let mut shares = vec![0.5_f64; places.len()];
    let mut least = places.len() as f64;
    for step in 1..=STEPS {
        let mut sums: Vec<(f64, usize)> = (0..100).map(|cell| (0.0, cell)).collect();
        for (place, share) in places.iter().zip(&shares) {
            place.iter().for_each(|cell| sums[*cell].0 += share);
        }
        sums.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rest: f64 = shares.iter().map(|share| 1.0 - share).sum();
        least = least.min(rest + sums[..cells].iter().map(|(sum, _)| sum).sum::<f64>());
        let mut chosen = [0.0; 100];
        sums[..cells].iter().for_each(|(_, cell)| chosen[*cell] = 1.0);
        for (place, share) in places.iter().zip(&mut shares) {
            let slope = place.iter().map(|cell| chosen[*cell]).sum::<f64>() - 1.0;
            *share = (*share - slope * 0.3 / (step as f64).sqrt()).clamp(0.0, 1.0);
        }
    }
    // The number of places is whole, and sums of floating point numbers are right to far less than a millionth.
    (least + 1e-6).floor() as u64
}

/// The most fleets with at most so many misses: F(t), or more.
pub(crate) fn most_with(misses: u64, legal: &Legal) -> u64 {
    let shots = misses + 5;
    let large = most_met(5, shots as usize) * most_met(4, shots as usize);
    let by_large = large * 6 * 6 * 4 * (shots - 2) * (shots - 3) * (shots - 4);
    let by_others = (0..SHIPS.len()).map(|fixed| {
        let others = &SHIPS[fixed..];
        legal.at_most(fixed, found(others, misses + others.len() as u64))
    });
    by_others.fold(by_large, u64::min)
}

/// Prints the bound, and the numbers of which it is made.
pub(crate) fn print() {
    let legal = Legal::new();
    let fleets = legal.fleets();
    println!("{fleets} fleets");
    let mut shots = f64::from(SHIPS.iter().sum::<u32>());
    for misses in 0.. {
        let more = 1.0 - most_with(misses, &legal) as f64 / fleets as f64;
        if more <= 0.0 {
            break;
        }
        println!("more than {misses} misses: at least {:.2} %", 100.0 * more);
        shots += more;
    }
    println!("no strategy needs fewer than {shots:.3} shots on average");
}
