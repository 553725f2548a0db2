//! The curvature of the likelihood of strengths: its negative second derivatives, and Newton's step by them.

/// A symmetric matrix: the weight of each pairing is added to the diagonal for both bots, and subtracted where they
/// cross.
#[derive(Debug, Clone)]
pub(super) struct Curvature {
    pairings: Vec<(u32, u32, f64)>,
    diagonal: Vec<f64>,
}

impl Curvature {
    /// A matrix for this many bots that have not met, with room for this many pairings.
    pub(super) fn new(bots: usize, pairings: usize) -> Curvature {
        Curvature { pairings: Vec::with_capacity(pairings), diagonal: vec![0.0; bots] }
    }

    /// Adds a pairing.
    pub(super) fn add(&mut self, first: usize, second: usize, weight: f64) {
        self.pairings.push((first as u32, second as u32, weight));
        self.diagonal[first] += weight;
        self.diagonal[second] += weight;
    }

    /// Newton's step for this gradient. At most this share of the gradient is left after it.
    ///
    /// The mean of each group of linked bots is not determined: only differences mean something.
    pub(super) fn step(&self, gradient: &[f64], share: f64) -> Vec<f64> {
        self.by_conjugate_gradients(gradient, share).unwrap_or_else(|| self.by_cholesky(gradient))
    }

    /// The step by conjugate gradients, scaled by the diagonal (Hestenes and Stiefel, 1952). Each iteration
    /// takes time proportional to the number of pairings, and few are needed; `None` if it needs many more than
    /// there are bots.
    fn by_conjugate_gradients(&self, gradient: &[f64], share: f64) -> Option<Vec<f64>> {
        let inverse = |diagonal: &f64| if *diagonal > 0.0 { 1.0 / diagonal } else { 0.0 };
        let scale: Vec<f64> = self.diagonal.iter().map(inverse).collect();
        let mut step = vec![0.0; scale.len()];
        let mut rest = gradient.to_vec();
        let mut scaled: Vec<f64> = rest.iter().zip(&scale).map(|(rest, scale)| rest * scale).collect();
        let mut direction = scaled.clone();
        let mut bent = vec![0.0; scale.len()];
        let mut size = dot(&rest, &scaled);
        if !size.is_finite() {
            return None;
        }
        let enough = size * share * share;
        for _ in 0..2 * scale.len() + 20 {
            if size <= enough {
                return Some(step);
            }
            self.bend(&direction, &mut bent);
            let length = size / dot(&direction, &bent);
            if !length.is_finite() {
                return None;
            }
            step.iter_mut().zip(&direction).for_each(|(step, direction)| *step += length * direction);
            rest.iter_mut().zip(&bent).for_each(|(rest, bent)| *rest -= length * bent);
            scaled.iter_mut().zip(rest.iter().zip(&scale)).for_each(|(scaled, (rest, scale))| *scaled = rest * scale);
            let before = size;
            size = dot(&rest, &scaled);
            let kept = size / before;
            direction.iter_mut().zip(&scaled).for_each(|(direction, scaled)| *direction = scaled + kept * *direction);
        }
        None
    }

    /// The product of this matrix and `direction`.
    fn bend(&self, direction: &[f64], bent: &mut [f64]) {
        bent.fill(0.0);
        // The pairings of a bot usually follow each other.
        for row in self.pairings.chunk_by(|one, other| one.0 == other.0) {
            let first = row[0].0 as usize;
            let (own, mut sum) = (direction[first], 0.0);
            for &(_, second, weight) in row {
                let part = weight * (own - direction[second as usize]);
                sum += part;
                bent[second as usize] -= part;
            }
            bent[first] += sum;
        }
    }

    /// The step by Cholesky's decomposition. A small ridge on the diagonal makes the matrix invertible: the
    /// games do not determine the mean rating of each connected group.
    fn by_cholesky(&self, gradient: &[f64]) -> Vec<f64> {
        let n = gradient.len();
        let mut matrix = vec![0.0; n * n];
        for (i, diagonal) in self.diagonal.iter().enumerate() {
            matrix[i * n + i] = diagonal * (1.0 + 1e-9) + 1e-12;
        }
        for &(i, j, weight) in &self.pairings {
            let (i, j) = (i as usize, j as usize);
            matrix[i * n + j] -= weight;
            matrix[j * n + i] -= weight;
        }
        let mut step = gradient.to_vec();
        for i in 0..n {
            for j in 0..=i {
                let known = dot(&matrix[i * n..i * n + j], &matrix[j * n..j * n + j]);
                let rest = matrix[i * n + j] - known;
                matrix[i * n + j] = if i == j { rest.max(1e-15).sqrt() } else { rest / matrix[j * n + j] };
            }
        }
        for i in 0..n {
            let known = dot(&matrix[i * n..i * n + i], &step[..i]);
            step[i] = (step[i] - known) / matrix[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| matrix[k * n + i] * step[k]).sum();
            step[i] = (step[i] - known) / matrix[i * n + i];
        }
        step
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    /// Of as many bots as the pairings name, with weights that are up to a thousand times as large as others.
    fn weighted(pairings: &[(usize, usize)]) -> Curvature {
        let mut random = rules::random(1);
        let bots = pairings.iter().map(|pairing| pairing.0.max(pairing.1) + 1).max().unwrap();
        let mut curvature = Curvature::new(bots, pairings.len());
        for &(first, second) in pairings {
            curvature.add(first, second, 10_f64.powf(random.random_range(-1.5..1.5)));
        }
        curvature
    }

    fn rounds(bots: usize, opponents: usize) -> Vec<(usize, usize)> {
        let mut random = rules::random(2);
        let pairing = |first| (first, (first + random.random_range(1..bots)) % bots);
        (0..bots * opponents / 2).map(|at| at % bots).map(pairing).collect()
    }

    #[test]
    fn both_ways_lead_to_the_same_place() {
        let chain: Vec<_> = (0..60).map(|bot| (bot, bot + 1)).collect();
        let star: Vec<_> = (1..60).map(|bot| (0, bot)).collect();
        let all: Vec<_> = (0..20).flat_map(|one| (one + 1..20).map(move |other| (one, other))).collect();
        for pairings in [chain, star, all, rounds(80, 6), vec![(0, 1), (2, 3)]] {
            let curvature = weighted(&pairings);
            let bots = curvature.diagonal.len();
            let mut gradient = vec![0.0; bots];
            curvature.bend(&(0..bots).map(|bot| (bot as f64).sin()).collect::<Vec<_>>(), &mut gradient);
            let [one, other] = [
                curvature.by_conjugate_gradients(&gradient, 1e-10).expect("it is not that hard"),
                curvature.by_cholesky(&gradient),
            ];
            // The ridge is noticeable where weights differ; the next step corrects it.
            for &(first, second) in &pairings {
                let exact = (first as f64).sin() - (second as f64).sin();
                assert!((one[first] - one[second] - exact).abs() < 1e-6, "{first} and {second} of {bots}");
                assert!((other[first] - other[second] - exact).abs() < 1e-4, "{first} and {second} of {bots}");
            }
        }
    }

    #[test]
    fn where_conjugate_gradients_fail_there_is_a_step_all_the_same() {
        let mut curvature = Curvature::new(3, 2);
        curvature.add(0, 1, 1e-320);
        curvature.add(1, 2, 1.0);
        let gradient = [1e-6, 0.0, -1e-6];
        assert_eq!(curvature.by_conjugate_gradients(&gradient, 1e-10), None);
        assert!(curvature.step(&gradient, 1e-10).iter().all(|part| part.is_finite()));
    }

    #[test]
    fn nobody_who_met_nobody_is_moved() {
        let mut curvature = Curvature::new(3, 1);
        curvature.add(0, 2, 2.0);
        assert_eq!(curvature.step(&[1.0, 0.0, -1.0], 1e-10), [0.25, 0.0, -0.25]);
        assert_eq!(curvature.step(&[0.0; 3], 1e-10), [0.0; 3]);
    }
}
