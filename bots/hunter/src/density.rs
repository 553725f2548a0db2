//! Where the opponent's ships may lie: a chance for every cell, from all fleets that agree with what is known.

use crate::explanations::Explanations;
use crate::{Cells, Sight};
use rules::entelect_2017::Ship;
use rules::{Direction, Grid, Random, straight};

/// How likely every place of every ship is.
#[derive(Debug, Clone)]
pub struct Density {
    unknown: Cells,
    chances: Vec<f64>,
    places: [Vec<Place>; 5],
}

/// A place where a ship can lie.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) cells: Cells,
    /// The damaged ones among its cells.
    pub(crate) wounds: Cells,
    chance: f64,
}

impl Density {
    /// Weighs all fleets that agree with `sight`. Randomness is drawn only when they are too many to look at all.
    pub fn of(sight: &Sight, random: &mut Random) -> Density {
        let mut places = Ship::ALL.map(|ship| places(sight, ship));
        let shares = Explanations::of(sight, &places, random).shares();
        for (place, share) in places.iter_mut().flatten().zip(shares.into_iter().flatten()) {
            place.chance = share;
        }
        let unknown = sight.unknown();
        let mut chances = vec![0.0; sight.grid.len()];
        for place in places.iter().flatten() {
            for cell in place.cells.and(unknown).iter() {
                chances[cell] += place.chance;
            }
        }
        Density { unknown, chances, places }
    }

    /// The chance that a shot at `cell` is a new hit.
    pub fn chance(&self, cell: usize) -> f64 {
        self.chances[cell]
    }

    /// The chance that `area` has at least one cell in which a shot is a new hit. Takes the places of different ships
    /// as independent of each other.
    pub fn chance_within(&self, area: Cells) -> f64 {
        let area = area.and(self.unknown);
        let all_stay_out: f64 = self
            .places
            .iter()
            .map(|places| {
                let inside = places.iter().filter(|place| place.cells.overlaps(area));
                1.0 - inside.map(|place| place.chance).sum::<f64>().min(1.0)
            })
            .product();
        1.0 - all_stay_out
    }
}

/// Where `ship` can lie. A sunk ship lies on damaged cells only. A ship afloat lies on no miss, and at least one of its
/// cells is not damaged.
fn places(sight: &Sight, ship: Ship) -> Vec<Place> {
    let may_lie = |cells: &Cells| {
        let all_damaged = cells.lies_within(sight.damaged);
        if sight.sunk[ship.index()] { all_damaged } else { !all_damaged && !cells.overlaps(sight.missed) }
    };
    let place = |cells: Cells| Place { cells, wounds: cells.and(sight.damaged), chance: 0.0 };
    everywhere(sight.grid, ship).filter(may_lie).map(place).collect()
}

/// All places of `ship` on an empty map. To the east and to the north is enough: the others are the same cells.
fn everywhere(grid: Grid, ship: Ship) -> impl Iterator<Item = Cells> {
    let starts = grid.points().flat_map(|start| [Direction::East, Direction::North].map(|to| (start, to)));
    starts.filter_map(move |(start, direction)| {
        straight(start, direction, ship.length()).map(|point| grid.index(point?)).collect()
    })
}
