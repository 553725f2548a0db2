//! Linear systems of the matrix that pairings span.

use crate::strength::cholesky::Cholesky;
use crate::strength::sparse::SparseLaplacian;

pub(crate) use crate::strength::sparse::LANES;

/// The most bots whose matrix is always decomposed as a whole.
const FEW: usize = 200;
/// With fewer pairings than the square of the bots divided by this, the sparse method is the faster one.
const SPARSE: usize = 16;

/// A Laplacian: each pairing of `first` and `second` adds its weight to both diagonal elements and subtracts it where the
/// two cross. Weights are not negative.
///
/// Many bots with few opponents each, as in a Swiss tournament, are solved by iteration, with a relative
/// error of about 1e-8. The time grows with bots times pairings instead of the cube of the bots.
#[derive(Debug)]
pub(crate) enum Laplacian {
    Dense(Cholesky),
    Sparse(SparseLaplacian),
}

impl Laplacian {
    /// The Laplacian of so many bots, with the weights of their pairings. No pairing is named twice.
    pub(crate) fn of(bots: usize, pairings: &[(usize, usize, f64)]) -> Laplacian {
        if bots <= FEW || pairings.len() > bots * bots / SPARSE {
            Laplacian::Dense(Cholesky::of(bots, pairings.iter().copied()))
        } else {
            Laplacian::Sparse(SparseLaplacian::of(bots, pairings))
        }
    }

    /// The solutions for up to [`LANES`] right-hand sides. The elements of each group of linked bots must add up to 0 in
    /// each of them. Only differences within a group are meaningful in a solution.
    pub(crate) fn solve(&self, rights: &[Vec<f64>]) -> Vec<Vec<f64>> {
        match self {
            Laplacian::Dense(cholesky) => rights.iter().map(|right| cholesky.solve(right)).collect(),
            Laplacian::Sparse(sparse) => sparse.solve(rights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use std::collections::BTreeMap;

    /// Solves for a unit of two bots each, and compares the differences of the solutions by both methods.
    fn compare(bots: usize, pairings: &[(usize, usize, f64)], linked: &[[usize; 2]]) {
        let unit = |&[one, other]: &[usize; 2]| {
            let mut right = vec![0.0; bots];
            (right[one], right[other]) = (1.0, -1.0);
            right
        };
        let rights: Vec<Vec<f64>> = linked.iter().map(unit).collect();
        let sparse = Laplacian::Sparse(SparseLaplacian::of(bots, pairings)).solve(&rights);
        let dense = Laplacian::Dense(Cholesky::of(bots, pairings.iter().copied())).solve(&rights);
        for (at, [one, other]) in linked.iter().enumerate() {
            let [found, wanted] = [&sparse, &dense].map(|all| all[at][*one] - all[at][*other]);
            // The ridge of the dense method costs a chain of bots a few digits.
            assert!((found / wanted - 1.0).abs() < 1e-4, "{one} and {other} of {bots}: {found}, not {wanted}");
        }
    }

    /// Weights from 0.01 to 10.
    fn weight(at: usize) -> f64 {
        10.0_f64.powf((at * 7919 % 31) as f64 / 10.0 - 2.0)
    }

    #[test]
    fn both_methods_agree_about_swiss_tournaments() {
        let pairings: Vec<_> = (0..6)
            .flat_map(|round| (0..150).map(move |bot| (bot, (bot + 1 + round * 17) % 150, weight(bot * 6 + round))))
            .collect();
        compare(150, &pairings, &[[0, 1], [0, 149], [3, 77], [20, 21], [99, 98]]);
    }

    /// So many rounds of a Swiss tournament of the bots from `first` on.
    fn swiss(first: usize, bots: usize, rounds: usize) -> Vec<(usize, usize, f64)> {
        let round = |round| move |bot| (first + bot, first + (bot + 1 + round * 17) % bots, weight(bot * 6 + round));
        (0..rounds).flat_map(|at| (0..bots).map(round(at))).collect()
    }

    #[test]
    fn both_methods_agree_about_two_tournaments_that_one_bot_links() {
        let mut pairings = swiss(0, 200, 3);
        pairings.extend(swiss(200, 200, 3));
        pairings.extend([(0, 400, weight(1)), (200, 400, weight(2))]);
        compare(401, &pairings, &[[0, 1], [0, 400], [5, 250], [399, 7], [201, 300]]);
    }

    #[test]
    fn both_methods_agree_about_random_pairings() {
        let mut random = rules::random(1);
        for bots in [30, 100, 400] {
            for mean_opponents in [1, 2, 3] {
                let mut pairings = BTreeMap::new();
                for at in 0..bots * mean_opponents {
                    let (one, other) = (random.random_range(0..bots), random.random_range(0..bots));
                    if one != other {
                        pairings.insert((one.min(other), one.max(other)), weight(at));
                    }
                }
                let pairings: Vec<_> =
                    pairings.into_iter().map(|((one, other), weight)| (one, other, weight)).collect();
                let of_first = group_of(pairings[0].0, bots, &pairings);
                let linked: Vec<_> = of_first[1..].iter().map(|other| [of_first[0], *other]).take(LANES).collect();
                compare(bots, &pairings, &linked);
            }
        }
    }

    /// The bots that are linked with `bot`, itself among them.
    fn group_of(bot: usize, bots: usize, pairings: &[(usize, usize, f64)]) -> Vec<usize> {
        let mut is_in = vec![false; bots];
        is_in[bot] = true;
        for _ in 0..bots {
            for &(one, other, _) in pairings {
                let either = is_in[one] || is_in[other];
                (is_in[one], is_in[other]) = (either, either);
            }
        }
        (0..bots).filter(|bot| is_in[*bot]).collect()
    }

    #[test]
    fn both_methods_agree_about_trees_stars_and_chains() {
        let linked = [[0, 1], [0, 99], [3, 77], [50, 51]];
        let of = |opponent: fn(usize) -> usize| -> Vec<_> {
            (1..100).map(|bot| (opponent(bot), bot, weight(bot))).collect()
        };
        compare(100, &of(|bot| bot / 2), &linked);
        compare(100, &of(|_| 0), &linked);
        compare(100, &of(|bot| bot - 1), &linked);
    }

    #[test]
    fn a_chain_is_solved_exactly() {
        let pairings: Vec<_> = (1..5000).map(|bot| (bot - 1, bot, weight(bot))).collect();
        let mut right = vec![0.0; 5000];
        (right[0], right[4999]) = (1.0, -1.0);
        let found = &SparseLaplacian::of(5000, &pairings).solve(&[right])[0];
        let wanted: f64 = (1..5000).map(|bot| weight(bot).recip()).sum();
        assert!(((found[0] - found[4999]) / wanted - 1.0).abs() < 1e-7);
    }

    #[test]
    fn both_methods_keep_groups_apart_and_leave_idle_bots_alone() {
        let pairings = [(0, 1, 2.0), (1, 2, 0.5), (0, 2, 1.0), (3, 4, 100.0)];
        compare(6, &pairings, &[[0, 1], [2, 1], [3, 4]]);
        let sparse = SparseLaplacian::of(6, &pairings).solve(&[vec![1.0, -1.0, 0.0, 0.0, 0.0, 0.0]]);
        assert_eq!(sparse[0][3..], [0.0; 3]);
        assert_eq!(SparseLaplacian::of(0, &[]).solve(&[vec![]]), [vec![0.0; 0]]);
    }
}
