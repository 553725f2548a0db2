//! Cholesky's decomposition of the matrix that pairings span.

/// The decomposition of a [`Laplacian`](crate::strength::laplacian::Laplacian) as a whole.
#[derive(Debug)]
pub(crate) struct Cholesky {
    size: usize,
    /// The lower triangle, by rows.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Decomposes the matrix of so many bots. A small ridge on the diagonal makes it invertible: pairings do not determine the
    /// mean strength of each connected group. Only differences within a group are meaningful in a solution.
    pub(crate) fn of(size: usize, pairings: impl Iterator<Item = (usize, usize, f64)>) -> Cholesky {
        let mut lower = vec![0.0; size * size];
        for (first, second, weight) in pairings {
            lower[first * size + first] += weight;
            lower[second * size + second] += weight;
            lower[first.max(second) * size + first.min(second)] -= weight;
        }
        for i in 0..size {
            lower[i * size + i] = lower[i * size + i] * (1.0 + 1e-9) + 1e-12;
            for j in 0..=i {
                let known = dot(&lower[i * size..i * size + j], &lower[j * size..j * size + j]);
                let rest = lower[i * size + j] - known;
                lower[i * size + j] = if i == j { rest.max(1e-15).sqrt() } else { rest / lower[j * size + j] };
            }
        }
        Cholesky { size, lower }
    }

    /// The solution for this right-hand side.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut solution = right.to_vec();
        for i in 0..n {
            let known = dot(&self.lower[i * n..i * n + i], &solution[..i]);
            solution[i] = (solution[i] - known) / self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            solution[i] /= self.lower[i * n + i];
            let (own, row) = (solution[i], &self.lower[i * n..i * n + i]);
            solution[..i].iter_mut().zip(row).for_each(|(other, factor)| *other -= factor * own);
        }
        solution
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_within_a_group_are_solved_exactly_and_nobody_else_moves() {
        let pairings = [(0, 1, 2.0), (1, 2, 0.5), (3, 4, 100.0)];
        let wanted = [3.0, 1.0, -4.0, 0.25, -0.25, 0.0];
        let mut right = [0.0; 6];
        for (first, second, weight) in pairings {
            right[first] += weight * (wanted[first] - wanted[second]);
            right[second] += weight * (wanted[second] - wanted[first]);
        }
        let found = Cholesky::of(6, pairings.into_iter()).solve(&right);
        for (first, second, _) in pairings {
            let missed = (found[first] - found[second]) - (wanted[first] - wanted[second]);
            assert!(missed.abs() < 1e-6, "{first} and {second}: {missed}");
        }
        assert_eq!(found[5], 0.0);
    }
}
