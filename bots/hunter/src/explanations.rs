//! The ways in which ships can explain the damaged cells, and how often each place of a ship is taken among them.

use crate::density::Place;
use crate::{Cells, Sight};
use rand::RngExt;
use rules::Random;
use std::ops::Range;

/// The most explanations that are looked at. This bounds the time when many ships are wounded at once.
const MOST: usize = 20_000;

/// A search through the explanations: sets of places that cover every damaged cell once. A sunk ship is part of every
/// explanation. The ships that are not needed lie anywhere else, so an explanation counts as often as there are places
/// for them; that these may not lie across each other is left aside.
pub(crate) struct Explanations<'a> {
    sunk: [bool; 5],
    places: &'a [Vec<Place>; 5],
    /// The places in which ships cover wounds, in the order of the ships and of their places.
    wounded: Vec<Candidate>,
    /// The end of each ship's places in `wounded`.
    ends: [usize; 5],
    /// The places that cover each wound.
    by_wound: PlacesByWound,
    /// The candidates of all steps that the search is in.
    candidates: Vec<Candidate>,
    /// The number of places of each ship in which it covers no wound.
    free_places: [f64; 5],
    /// The number of fleets in which each place is taken, for places with wounds.
    taken: [Vec<f64>; 5],
    /// The number of fleets in which each ship lies on no wound.
    free: [f64; 5],
    /// The number of fleets.
    fleets: f64,
}

/// A place of a ship: the ship, and the number of the place among those of the ship.
type Candidate = (u8, u16);

/// The places that cover each wound, in the order of the ships and of their places.
struct PlacesByWound {
    /// The first of those of each cell, and after the last cell the number of all.
    starts: [u16; Cells::MOST + 1],
    places: Vec<Candidate>,
}

impl PlacesByWound {
    fn of(places: &[Vec<Place>; 5], wounded: &[Candidate]) -> PlacesByWound {
        let wounds = |&(ship, nth): &Candidate| places[usize::from(ship)][usize::from(nth)].wounds.iter();
        let mut starts = [0; Cells::MOST + 1];
        for cell in wounded.iter().flat_map(wounds) {
            starts[cell] += 1;
        }
        let mut before = 0;
        for start in &mut starts {
            before += *start;
            *start = before;
        }
        let mut sorted = vec![(0, 0); usize::from(before)];
        // From the last place on, so that each cell's places keep their order, and its end becomes its start.
        for candidate in wounded.iter().rev() {
            for cell in wounds(candidate) {
                starts[cell] -= 1;
                sorted[usize::from(starts[cell])] = *candidate;
            }
        }
        PlacesByWound { starts, places: sorted }
    }

    fn at(&self, wound: usize) -> &[Candidate] {
        &self.places[usize::from(self.starts[wound])..usize::from(self.starts[wound + 1])]
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
    stands_for: f64,
}

impl<'a> Explanations<'a> {
    pub(crate) fn of(sight: &Sight, places: &'a [Vec<Place>; 5], random: &mut Random) -> Explanations<'a> {
        let mut wounded = Vec::new();
        let mut free_places = [0.0; 5];
        let ends = std::array::from_fn(|ship| {
            let places = (0..).zip(&places[ship]).filter(|(_, place)| !place.wounds.is_empty());
            wounded.extend(places.map(|(nth, _)| (ship as u8, nth)));
            wounded.len()
        });
        let mut before = 0;
        for ship in 0..5 {
            free_places[ship] = (places[ship].len() - (ends[ship] - before)) as f64;
            before = ends[ship];
        }
        let by_wound = PlacesByWound::of(places, &wounded);
        let taken = places.each_ref().map(|places| vec![0.0; places.len()]);
        let mut search = Explanations {
            sunk: sight.sunk,
            places,
            wounded,
            ends,
            by_wound,
            candidates: Vec::new(),
            free_places,
            taken,
            free: [0.0; 5],
            fleets: 0.0,
        };
        let all =
            Rest { wounds: sight.damaged, occupied: Cells::NONE, unused: [true; 5], budget: MOST, stands_for: 1.0 };
        search.fleets = search.explain(all, random);
        search
    }

    /// The share of the fleets that have each place taken; all 0 if no fleet agrees with what is known.
    pub(crate) fn shares(self) -> [Vec<f64>; 5] {
        let fleets = if self.fleets > 0.0 { self.fleets } else { 1.0 };
        let mut shares = self.taken;
        for (ship, shares) in shares.iter_mut().enumerate() {
            let free = self.free[ship] / self.free_places[ship].max(1.0);
            for (place, share) in self.places[ship].iter().zip(shares) {
                *share = if place.wounds.is_empty() { free } else { *share } / fleets;
            }
        }
        shares
    }

    /// The number of fleets that explain the rest.
    fn explain(&mut self, rest: Rest, random: &mut Random) -> f64 {
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
        let mut fleets = 0.0;
        for at in candidates.start..candidates.start + tried {
            let (ship, nth) = self.candidates[at];
            let (ship, nth) = (usize::from(ship), usize::from(nth));
            let place = &self.places[ship][nth];
            let mut next = Rest {
                wounds: rest.wounds.without(place.wounds),
                occupied: rest.occupied.or(place.cells()),
                budget: (rest.budget / tried).max(1),
                stands_for: rest.stands_for * found as f64 / tried as f64,
                ..rest
            };
            next.unused[ship] = false;
            let with_this = self.explain(next, random);
            self.taken[ship][nth] += with_this;
            fleets += with_this;
        }
        self.candidates.truncate(candidates.start);
        fleets
    }

    /// Adds the places one of which must be taken next to the candidates: those of a sunk ship, else those that cover the first
    /// wound. `None` when nothing is left to explain.
    fn candidates(&mut self, rest: &Rest) -> Option<Range<usize>> {
        let sunk = (0..5).find(|&ship| rest.unused[ship] && self.sunk[ship]);
        let places = match sunk {
            Some(ship) => &self.wounded[if ship == 0 { 0 } else { self.ends[ship - 1] }..self.ends[ship]],
            None => self.by_wound.at(rest.wounds.first()?),
        };
        let start = self.candidates.len();
        let fits = |&(ship, nth): &Candidate| {
            let place = &self.places[usize::from(ship)][usize::from(nth)];
            rest.unused[usize::from(ship)]
                && place.wounds.lies_within(rest.wounds)
                && !place.cells().overlaps(rest.occupied)
        };
        self.candidates.extend(places.iter().copied().filter(fits));
        Some(start..self.candidates.len())
    }

    /// The end of an explanation: the ships not needed for it lie anywhere.
    fn count(&mut self, rest: &Rest) -> f64 {
        let unused = || (0..5).filter(|&ship| rest.unused[ship]);
        let fleets = rest.stands_for * unused().map(|ship| self.free_places[ship]).product::<f64>();
        for ship in unused() {
            self.free[ship] += fleets;
        }
        fleets
    }
}
