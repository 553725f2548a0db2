//! The ways in which ships can explain the damaged cells, and how often each place of a ship is taken among them.

use crate::density::Place;
use crate::prior::{NOTHING, PRIORS, Weights, plus, times};
use crate::{Cells, Sight};
use rules::{Random, RngExt};
use std::ops::Range;

/// The most explanations that are looked at. This bounds the time when many ships are wounded at once.
const MOST: usize = 20_000;

/// A search through the explanations: sets of places that cover every damaged cell once. A sunk ship is part of every
/// explanation. The ships that are not needed lie anywhere else, so an explanation counts as often as there are places
/// for them; that these may not lie across each other is left aside.
pub(crate) struct Explanations {
    sunk: [bool; 5],
    /// The places in which ships cover wounds, in the order of the ships and of their places.
    places: Vec<WoundedPlace>,
    /// The end of each ship's places.
    ends: [u16; 5],
    /// The places that cover each wound.
    by_wound: PlacesByWound,
    /// The candidates of all steps that the search is in, as numbers of places.
    candidates: Vec<u16>,
    /// The weight of all places of each ship in which it covers no wound.
    free_places: [Weights; 5],
    /// The weight of the fleets in which each place is taken.
    taken: Vec<Weights>,
    /// The weight of the fleets in which each ship lies on no wound.
    free: [Weights; 5],
    /// The weight of all fleets.
    fleets: Weights,
}

/// A place in which a ship covers wounds.
struct WoundedPlace {
    ship: usize,
    cells: Cells,
    wounds: Cells,
    weights: Weights,
}

/// The weight of the fleets that agree with what is known, by prior.
pub(crate) struct Sums {
    /// Those in which a ship covers no wound, by ship.
    pub(crate) free: [Weights; 5],
    /// The sums of the weights of the places without wounds, by ship.
    pub(crate) free_places: [Weights; 5],
    /// Those in which a place with wounds is taken, in the order of the ships and of their places.
    pub(crate) wounded: Vec<Weights>,
    /// That of all.
    pub(crate) fleets: Weights,
}

/// The numbers of the places that cover each wound, in ascending order.
struct PlacesByWound {
    /// The first number of each cell, and after the last cell the count of all.
    starts: [u16; Cells::MOST + 1],
    numbers: Vec<u16>,
}

impl PlacesByWound {
    fn of(places: &[WoundedPlace]) -> PlacesByWound {
        let mut starts = [0; Cells::MOST + 1];
        for cell in places.iter().flat_map(|place| place.wounds.iter()) {
            starts[cell] += 1;
        }
        let mut before = 0;
        for start in &mut starts {
            before += *start;
            *start = before;
        }
        let mut numbers = vec![0; usize::from(before)];
        // From the last place on, so that the numbers of each cell ascend, and its end becomes its start.
        for (number, place) in places.iter().enumerate().rev() {
            for cell in place.wounds.iter() {
                starts[cell] -= 1;
                numbers[usize::from(starts[cell])] = number as u16;
            }
        }
        PlacesByWound { starts, numbers }
    }

    fn at(&self, wound: usize) -> &[u16] {
        &self.numbers[usize::from(self.starts[wound])..usize::from(self.starts[wound + 1])]
    }
}

/// The wounds that are left to explain, and the ships that can explain them.
#[derive(Clone, Copy)]
struct Rest {
    wounds: Cells,
    occupied: Cells,
    unused: [bool; 5],
    /// The number of explanations that may still be looked at.
    budget: usize,
    /// The number of explanations that one stands for: more than one where the budget is too small to look at all.
    stands_for: Weights,
}

impl Explanations {
    pub(crate) fn of(sight: &Sight, places: &[Vec<Place>; 5], random: &mut Random) -> Explanations {
        let (mut wounded, mut free_places, mut ends) = (Vec::new(), [NOTHING; 5], [0; 5]);
        for (ship, places) in places.iter().enumerate() {
            let with_wounds = places.iter().filter(|place| !place.wounds.is_empty());
            wounded.extend(with_wounds.map(|place| WoundedPlace {
                ship,
                cells: place.cells(),
                wounds: place.wounds,
                weights: place.weights,
            }));
            for place in places.iter().filter(|place| place.wounds.is_empty()) {
                free_places[ship] = plus(&free_places[ship], &place.weights);
            }
            // Five ships have fewer than 2 * 256 places each.
            ends[ship] = wounded.len() as u16;
        }
        let mut search = Explanations {
            sunk: sight.sunk,
            by_wound: PlacesByWound::of(&wounded),
            taken: vec![NOTHING; wounded.len()],
            places: wounded,
            ends,
            candidates: Vec::new(),
            free_places,
            free: [NOTHING; 5],
            fleets: NOTHING,
        };
        let all = Rest {
            wounds: sight.damaged,
            occupied: Cells::NONE,
            unused: [true; 5],
            budget: MOST,
            stands_for: [1.0; PRIORS],
        };
        search.fleets = search.explain(all, random);
        search
    }

    /// What was found.
    pub(crate) fn sums(self) -> Sums {
        Sums { free: self.free, free_places: self.free_places, wounded: self.taken, fleets: self.fleets }
    }

    /// The number of fleets that explain the rest.
    fn explain(&mut self, rest: Rest, random: &mut Random) -> Weights {
        let Some(candidates) = self.candidates(&rest) else {
            return self.count(&rest);
        };
        let found = candidates.len();
        let tried = found.min(rest.budget);
        if tried < found {
            for i in 0..tried {
                self.candidates.swap(candidates.start + i, candidates.start + random.random_range(i..found));
            }
        }
        let mut fleets = NOTHING;
        for at in candidates.start..candidates.start + tried {
            let number = usize::from(self.candidates[at]);
            let place = &self.places[number];
            let mut next = Rest {
                wounds: rest.wounds.without(place.wounds),
                occupied: rest.occupied.or(place.cells),
                budget: (rest.budget / tried).max(1),
                stands_for: times(&rest.stands_for, &place.weights, found as f64 / tried as f64),
                ..rest
            };
            next.unused[place.ship] = false;
            let with_this = self.explain(next, random);
            self.taken[number] = plus(&self.taken[number], &with_this);
            fleets = plus(&fleets, &with_this);
        }
        self.candidates.truncate(candidates.start);
        fleets
    }

    /// Adds the places one of which must be taken next to the candidates: those of a sunk ship, else those that cover the first
    /// wound. `None` when nothing is left to explain.
    fn candidates(&mut self, rest: &Rest) -> Option<Range<usize>> {
        let start = self.candidates.len();
        let fits = |number: &u16| {
            let place = &self.places[usize::from(*number)];
            rest.unused[place.ship] && place.wounds.lies_within(rest.wounds) && !place.cells.overlaps(rest.occupied)
        };
        match (0..5).find(|&ship| rest.unused[ship] && self.sunk[ship]) {
            Some(ship) => {
                let first = if ship == 0 { 0 } else { self.ends[ship - 1] };
                self.candidates.extend((first..self.ends[ship]).filter(fits));
            }
            None => {
                let all = self.by_wound.at(rest.wounds.first()?);
                self.candidates.extend(all.iter().copied().filter(fits));
            }
        }
        Some(start..self.candidates.len())
    }

    /// The end of an explanation: the ships not needed for it lie anywhere.
    fn count(&mut self, rest: &Rest) -> Weights {
        let unused = || (0..5).filter(|&ship| rest.unused[ship]);
        let fleets = unused().fold(rest.stands_for, |product, ship| times(&product, &self.free_places[ship], 1.0));
        for ship in unused() {
            self.free[ship] = plus(&self.free[ship], &fleets);
        }
        fleets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_of_each_wound_are_in_their_order() {
        let place = |ship, wounds: &[usize]| {
            let wounds: Cells = wounds.iter().copied().collect();
            WoundedPlace { ship, cells: wounds, wounds, weights: [1.0; PRIORS] }
        };
        let places = [place(0, &[3, 4]), place(0, &[4]), place(1, &[0, 4, 255]), place(4, &[255])];
        let by_wound = PlacesByWound::of(&places);
        let found = [0, 1, 3, 4, 5, 255].map(|wound| by_wound.at(wound).to_vec());
        assert_eq!(found, [vec![2], vec![], vec![0], vec![0, 1, 2], vec![], vec![2, 3]]);
    }
}
