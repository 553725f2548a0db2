//! The worth of shots.

use crate::{Analysed, Fired, Knowledge};
use chances::Method;

/// The shots of a seat in one turn, with what could be expected of them by what the seat knew.
#[derive(Debug, Clone, PartialEq)]
pub struct Shots {
    /// The shots.
    pub fired: Fired,
    /// The number of hits that were to be expected.
    pub expected: f64,
    /// The expected hits of the best aims for as many shots of the same kind.
    pub best: f64,
    /// The expected hits of a player who draws its aims, each as likely.
    pub random: f64,
    /// False if no fleet was found that agrees with what the seat knew: then nothing could be expected, and these numbers are 0.
    pub is_weighed: bool,
}

impl Shots {
    /// Weighs the shots that a seat fired, given its view and its knowledge before.
    pub(crate) fn of<G: Analysed>(view: &G::View, knowledge: &Knowledge, fired: Fired) -> Shots {
        let worth = |cells: &Vec<usize>| knowledge.expected(cells, fired.hits_one);
        let mut aims: Vec<f64> = G::aims(view, &fired).iter().map(worth).collect();
        let count = fired.shots.len();
        let random = aims.iter().sum::<f64>() / aims.len().max(1) as f64 * count as f64;
        aims.sort_by(|a, b| b.total_cmp(a));
        let expected: f64 = fired.shots.iter().map(worth).sum();
        // Shots whose cells are told together may be worth more than the best ones apart, by rounding alone.
        let best = aims.iter().take(count).sum::<f64>().max(expected);
        let is_weighed = knowledge.chances.method() != Method::Nothing;
        Shots { expected, best, random, is_weighed, fired }
    }

    /// The share of the best that was chosen, 0 to 1; `None` if there was nothing to choose.
    pub fn accuracy(&self) -> Option<f64> {
        (self.best > 0.0).then(|| self.expected / self.best)
    }

    /// The hits of shots of which it is known what was to be expected.
    pub fn weighed_hits(&self) -> u32 {
        if self.is_weighed { self.fired.hits } else { 0 }
    }
}

/// The shots of a seat in several turns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// The turns in which it fired.
    pub turns: u32,
    /// The shots.
    pub shots: u32,
    /// The hits.
    pub hits: u32,
    /// The hits of shots of which it is known what was to be expected.
    pub weighed_hits: u32,
    /// The hits that were to be expected.
    pub expected: f64,
    /// Those of the best aims.
    pub best: f64,
    /// Those of aims that are drawn.
    pub random: f64,
}

impl Totals {
    /// Adds the shots of a turn.
    pub fn add(&mut self, shots: &Shots) {
        self.turns += 1;
        self.shots += shots.fired.shots.len() as u32;
        self.hits += shots.fired.hits;
        self.weighed_hits += shots.weighed_hits();
        self.expected += shots.expected;
        self.best += shots.best;
        self.random += shots.random;
    }

    /// The share of the best that was chosen, 0 to 1; `None` without a shot that could hit.
    pub fn accuracy(&self) -> Option<f64> {
        (self.best > 0.0).then(|| self.expected / self.best)
    }

    /// The accuracy that is likely from now on: that so far, with a usual one in place of shots that were not fired yet.
    pub fn likely_accuracy(&self) -> f64 {
        // As much as three safe shots, at what built-in players have on average.
        (self.expected + 3.0 * 0.8) / (self.best + 3.0)
    }

    /// The accuracy of a player who draws its aims.
    pub fn random_accuracy(&self) -> Option<f64> {
        (self.best > 0.0).then(|| self.random / self.best)
    }

    /// The hits beyond what was to be expected, of shots of which that is known.
    pub fn luck(&self) -> f64 {
        f64::from(self.weighed_hits) - self.expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_that_nothing_could_be_expected_of_are_not_luck() {
        let shots = |is_weighed| Shots {
            fired: Fired { by: rules::Seat::A, kind: "shot", shots: vec![vec![0]], hits_one: false, hits: 1, sunk: 0 },
            expected: if is_weighed { 0.25 } else { 0.0 },
            best: if is_weighed { 0.5 } else { 0.0 },
            random: 0.0,
            is_weighed,
        };
        let mut totals = Totals::default();
        totals.add(&shots(true));
        totals.add(&shots(false));
        assert_eq!((totals.shots, totals.hits, totals.luck(), totals.accuracy()), (2, 2, 0.75, Some(0.5)));
    }
}
