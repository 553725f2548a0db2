//! The ships that no explanation needs, and the count of all that was found.

use crate::search::{Problem, Search};
use crate::{Effort, PlaceNumber};

/// The most parts into which samples are divided, so that the differences between these give the error.
pub(crate) const PARTS: usize = 8;

/// Sums of weights of fleets: for each part and prior those of each place.
pub(crate) struct Tally {
    /// The number of parts: one where nothing is drawn, so that there is no error.
    pub(crate) parts: usize,
    /// The number of priors.
    priors: usize,
    places: usize,
    kinds: usize,
    /// By part, prior and place.
    pub(crate) taken: Vec<f64>,
    /// By part, prior and kind: the ships that lie anywhere, by their number.
    free: Vec<f64>,
    /// By part and prior: the weights of all fleets.
    pub(crate) all: Vec<f64>,
    /// The number of fleets, where ships of a kind are told apart.
    pub(crate) fleets: f64,
    /// The sum of the weights of free places, by prior and kind.
    free_weights: Vec<f64>,
    /// Fleets with the sum of their weights, if they are wanted.
    pub(crate) kept: Option<Vec<(Vec<f64>, Vec<PlaceNumber>)>>,
    /// The part of the next sample.
    part: usize,
}

impl Tally {
    pub(crate) fn new(problem: &Problem<'_>, effort: Effort) -> Tally {
        let layout = problem.layout;
        let (priors, places, kinds) = (layout.priors().len(), layout.all().len(), layout.kinds());
        let weights = layout.priors().iter().flat_map(|(_, weights)| {
            problem.free.iter().map(move |free| free.iter().map(|place| weights[*place]).sum::<f64>())
        });
        let parts = if effort.fleets == 0 { 1 } else { PARTS };
        Tally {
            parts,
            priors,
            places,
            kinds,
            taken: vec![0.0; parts * priors * places],
            free: vec![0.0; parts * priors * kinds],
            all: vec![0.0; parts * priors],
            fleets: 0.0,
            free_weights: weights.collect(),
            kept: effort.keeps.then(Vec::new),
            part: 0,
        }
    }

    /// The weights of the places on a board as a product, by prior.
    fn weight(&self, problem: &Problem<'_>, prior: usize, chosen: &[PlaceNumber]) -> f64 {
        let weights = &problem.layout.priors()[prior].1;
        chosen.iter().map(|place| weights[*place]).product()
    }

    fn add(&mut self, part: usize, prior: usize, weight: f64, chosen: &[PlaceNumber]) {
        let at = part * self.priors + prior;
        self.all[at] += weight;
        let taken = &mut self.taken[at * self.places..(at + 1) * self.places];
        chosen.iter().for_each(|place| taken[*place] += weight);
    }

    /// Divides the weights of ships that lie anywhere among their places.
    pub(crate) fn spread_free(&mut self, problem: &Problem<'_>) {
        for part in 0..self.parts {
            for (prior, (_, weights)) in problem.layout.priors().iter().enumerate() {
                let at = part * self.priors + prior;
                for (kind, free) in problem.free.iter().enumerate() {
                    let sum = self.free_weights[prior * self.kinds + kind];
                    let each = self.free[at * self.kinds + kind] / sum;
                    if each > 0.0 {
                        free.iter().for_each(|place| self.taken[at * self.places + place] += each * weights[*place]);
                    }
                }
            }
        }
    }
}

impl Search<'_> {
    /// The end of an explanation: the ships that it does not need lie anywhere else.
    pub(crate) fn place_the_rest(&mut self, budget: usize, stands_for: f64) {
        if self.effort.fleets == 0 {
            self.rest_independently(stands_for);
            return;
        }
        let mut rest: Vec<usize> = Vec::new();
        (0..self.board.left.len()).for_each(|kind| rest.extend(vec![kind; self.board.left[kind]]));
        let length =
            |kind: &usize| self.problem.free[*kind].first().map_or(0, |place| self.problem.layout.place(*place).len());
        rest.sort_by_key(|kind| std::cmp::Reverse(length(kind)));
        // Without ships to draw, one look is as good as many.
        let samples = if rest.is_empty() { 1 } else { budget };
        for _ in 0..samples {
            self.draw_rest(&rest, stands_for / samples as f64);
        }
    }

    /// Takes the other ships as independent of each other and of the explanation.
    fn rest_independently(&mut self, stands_for: f64) {
        let Search { problem, board, tally, .. } = self;
        let part = tally.next_part();
        tally.fleets += stands_for
            * (0..tally.kinds)
                .map(|kind| (problem.free[kind].len() as f64).powi(board.left[kind] as i32))
                .product::<f64>();
        for prior in 0..tally.priors {
            let at = prior * tally.kinds;
            let anywhere = (0..tally.kinds).map(|kind| tally.free_weights[at + kind].powi(board.left[kind] as i32));
            let weight = stands_for * anywhere.product::<f64>() * tally.weight(problem, prior, &board.chosen);
            tally.add(part, prior, weight, &board.chosen);
            let at = (part * tally.priors + prior) * tally.kinds;
            for kind in 0..tally.kinds {
                tally.free[at + kind] += weight * board.left[kind] as f64;
            }
        }
    }

    /// Draws a place for each of these ships, one after the other, and counts for each ship all places that it could have beside the
    /// others.
    fn draw_rest(&mut self, rest: &[usize], stands_for: f64) {
        let explained = self.board.chosen.len();
        let mut ways = stands_for;
        let mut weights: Vec<f64> = (0..self.tally.priors)
            .map(|prior| stands_for * self.tally.weight(self.problem, prior, &self.board.chosen))
            .collect();
        let mut open = Vec::new();
        for &kind in rest {
            self.find_open(kind, &mut open);
            ways *= open.len() as f64;
            if open.is_empty() {
                break;
            }
            let place = open[self.random.below(open.len())];
            self.board.put(place);
            // Step by step, so that no product of many ships grows out of range.
            for (weight, (_, of)) in weights.iter_mut().zip(self.problem.layout.priors()) {
                *weight *= of[place] * open.len() as f64;
            }
        }
        let part = self.tally.next_part();
        if ways > 0.0 {
            self.tally.fleets += ways;
            for (prior, weight) in weights.iter().enumerate() {
                self.tally.add(part, prior, *weight, &self.board.chosen[..explained]);
            }
            for (nth, &kind) in (explained..).zip(rest) {
                let number = self.board.lift(nth);
                self.find_open(kind, &mut open);
                self.board.put_back(nth, number);
                for (prior, weight) in weights.iter().enumerate() {
                    let of = &self.problem.layout.priors()[prior].1;
                    let each = weight / open.iter().map(|place| of[*place]).sum::<f64>();
                    let at = (part * self.tally.priors + prior) * self.tally.places;
                    open.iter().for_each(|place| self.tally.taken[at + place] += each * of[*place]);
                }
            }
            if let Some(kept) = &mut self.tally.kept {
                kept.push((weights, self.board.chosen.clone()));
            }
        }
        while self.board.chosen.len() > explained {
            self.board.take_last();
        }
    }

    fn find_open(&self, kind: usize, open: &mut Vec<PlaceNumber>) {
        open.clear();
        open.extend(self.problem.free[kind].iter().filter(|place| self.board.has_room(**place)));
    }

    /// Enumerates the fleets in which the ships that are not explained lie at free places: those of `kind` from the place `from` of its free
    /// ones on, and all of later kinds. Ships of a kind lie in the order of their places, so that each fleet is found once.
    pub(crate) fn enumerate_the_rest(&mut self, kind: usize, from: usize, steps: &mut usize) -> bool {
        let Some(&left) = self.board.left.get(kind) else {
            let part = self.tally.next_part();
            self.tally.fleets += 1.0;
            let weights: Vec<f64> = (0..self.tally.priors)
                .map(|prior| self.tally.weight(self.problem, prior, &self.board.chosen))
                .collect();
            for (prior, weight) in weights.iter().enumerate() {
                self.tally.add(part, prior, *weight, &self.board.chosen);
            }
            if let Some(kept) = &mut self.tally.kept {
                kept.push((weights, self.board.chosen.clone()));
            }
            return true;
        };
        if left == 0 {
            return self.enumerate_the_rest(kind + 1, 0, steps);
        }
        for nth in from..self.problem.free[kind].len() {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            let place = self.problem.free[kind][nth];
            if self.board.has_room(place) {
                self.board.put(place);
                let is_done = self.enumerate_the_rest(kind, nth + 1, steps);
                self.board.take_last();
                if !is_done {
                    return false;
                }
            }
        }
        true
    }
}

impl Tally {
    fn next_part(&mut self) -> usize {
        self.part = (self.part + 1) % self.parts;
        self.part
    }
}
