//! Two policies that look one shot ahead, and the misses that they have on average.

use crate::fleets::bits;
use crate::state::{State, Telling};

/// A policy that chooses the cell that is best by a measure of one shot; of equal cells the first one, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// The likeliest cell.
    Likeliest,
    /// A cell that is certain, if there is one; otherwise the cell whose answer has most entropy.
    Entropy,
}

impl Policy {
    fn cell<const N: usize>(self, telling: &Telling<N>, state: &State<N>) -> u32 {
        let mut weights = [0.0; 64];
        for (ships, weight) in &state.fleets {
            ships.iter().flat_map(|ship| bits(*ship)).for_each(|cell| weights[cell] += weight);
        }
        let total = state.weight();
        let is_certain = weights.iter().any(|weight| *weight > total * (1.0 - 1e-9));
        let worth = |cell: usize| match self {
            Policy::Entropy if !is_certain => {
                let parts: Vec<f64> = telling.after(state, cell as u32).iter().map(|(_, part)| part.weight()).collect();
                let over = total - parts.iter().sum::<f64>();
                let shares = parts.into_iter().chain([over]).map(|part| part / total).filter(|share| *share > 1e-12);
                shares.map(|share| -share * share.log2()).sum()
            }
            _ => weights[cell] / total,
        };
        let cells = (0..64).filter(|cell| weights[*cell] > 0.0).map(|cell| (cell, worth(cell)));
        let best = cells.fold((0, -1.0), |best, next| if next.1 > best.1 + 1e-9 { next } else { best });
        best.0 as u32
    }

    /// The misses of all fleets of a state, each times the weight of the fleet.
    pub(crate) fn misses<const N: usize>(self, telling: &Telling<N>, state: &State<N>) -> f64 {
        if state.fleets.is_empty() {
            return 0.0;
        }
        let after = telling.after(state, self.cell(telling, state));
        let misses = |(answer, part): &(usize, State<N>)| {
            self.misses(telling, part) + if *answer == 0 { part.weight() } else { 0.0 }
        };
        after.iter().map(misses).sum()
    }
}
