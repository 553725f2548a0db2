//! The ways in which ships can explain the damaged cells, and how often each place of a ship is taken among them.

use crate::density::Place;
use crate::{Cells, Sight};
use rand::RngExt;
use rules::Random;

/// The most explanations that are looked at. This bounds the time when many ships are wounded at once.
const MOST: usize = 20_000;

/// A search through the explanations: sets of places that cover every damaged cell once. A sunk ship is part of every
/// explanation. The ships that are not needed lie anywhere else, so an explanation counts as often as there are places
/// for them; that these may not lie across each other is left aside.
pub(crate) struct Explanations<'a> {
    sunk: [bool; 5],
    places: &'a [Vec<Place>; 5],
    /// The places of each ship in which it covers wounds.
    wounded: [Vec<usize>; 5],
    /// The number of places of each ship in which it covers no wound.
    free_places: [f64; 5],
    /// The number of fleets in which each place is taken, for places with wounds.
    taken: [Vec<f64>; 5],
    /// The number of fleets in which each ship lies on no wound.
    free: [f64; 5],
    /// The number of fleets.
    fleets: f64,
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
        let wounded = places.each_ref().map(|places| {
            let wounded = places.iter().enumerate().filter(|(_, place)| !place.wounds.is_empty());
            wounded.map(|(nth, _)| nth).collect::<Vec<_>>()
        });
        let free_places = std::array::from_fn(|ship| (places[ship].len() - wounded[ship].len()) as f64);
        let taken = places.each_ref().map(|places| vec![0.0; places.len()]);
        let mut search =
            Explanations { sunk: sight.sunk, places, wounded, free_places, taken, free: [0.0; 5], fleets: 0.0 };
        let all =
            Rest { wounds: sight.damaged, occupied: Cells::NONE, unused: [true; 5], budget: MOST, stands_for: 1.0 };
        search.fleets = search.explain(all, random);
        search
    }

    /// The share of the fleets that have each place taken; all 0 if no fleet agrees with what is known.
    pub(crate) fn shares(&self) -> [Vec<f64>; 5] {
        let fleets = if self.fleets > 0.0 { self.fleets } else { 1.0 };
        std::array::from_fn(|ship| {
            let free = self.free[ship] / self.free_places[ship].max(1.0);
            let taken = self.places[ship].iter().zip(&self.taken[ship]);
            taken.map(|(place, &taken)| if place.wounds.is_empty() { free } else { taken } / fleets).collect()
        })
    }

    /// The number of fleets that explain the rest.
    fn explain(&mut self, rest: Rest, random: &mut Random) -> f64 {
        let Some(mut candidates) = self.candidates(&rest) else {
            return self.count(&rest);
        };
        let found = candidates.len();
        let tried = found.min(rest.budget);
        if tried < found {
            for i in 0..tried {
                candidates.swap(i, random.random_range(i..found));
            }
        }
        let mut fleets = 0.0;
        for &(ship, nth) in &candidates[..tried] {
            let place = &self.places[ship][nth];
            let mut next = Rest {
                wounds: rest.wounds.without(place.wounds),
                occupied: rest.occupied.or(place.cells),
                budget: (rest.budget / tried).max(1),
                stands_for: rest.stands_for * found as f64 / tried as f64,
                ..rest
            };
            next.unused[ship] = false;
            let with_this = self.explain(next, random);
            self.taken[ship][nth] += with_this;
            fleets += with_this;
        }
        fleets
    }

    /// The places one of which must be taken next: those of a sunk ship, else those that cover the first wound.
    /// `None` when nothing is left to explain.
    fn candidates(&self, rest: &Rest) -> Option<Vec<(usize, usize)>> {
        let unused = || (0..5).filter(|&ship| rest.unused[ship]);
        let sunk = unused().find(|&ship| self.sunk[ship]);
        let wound = if sunk.is_some() { None } else { Some(rest.wounds.first()?) };
        let fits = |place: &Place| {
            wound.is_none_or(|wound| place.wounds.contains(wound))
                && place.wounds.lies_within(rest.wounds)
                && !place.cells.overlaps(rest.occupied)
        };
        let ships = unused().filter(|&ship| sunk.is_none_or(|sunk| sunk == ship));
        let places = ships.flat_map(|ship| self.wounded[ship].iter().map(move |&nth| (ship, nth)));
        Some(places.filter(|&(ship, nth)| fits(&self.places[ship][nth])).collect())
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
