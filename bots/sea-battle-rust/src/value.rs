//! The value of a shot at each cell.

use crate::chart::{Chart, Mark, Ship, around};
use crate::wire::Cell;
use rand::{Rng, RngExt};

/// The factor by which a place becomes likelier with each of its cells in which a ship was hit or seen. More is not
/// better: two such cells in a row may be two ships.
const EVIDENCE: f64 = 30.0;

/// The number of hits that a shot at each cell may be expected to land.
///
/// Every ship afloat lies somewhere. Of each kind all places are looked at that agree with what is known; those that explain
/// more hits are likelier. This alone makes a good hunter: on an empty board it keeps its distance from shots that missed,
/// and where something was hit it follows the ship along its line.
#[derive(Debug)]
pub struct Values {
    cells: Vec<(Cell, f64)>,
}

impl Values {
    /// Weighs all places of all ships.
    pub fn of(chart: &Chart) -> Values {
        let mut cells: Vec<(Cell, f64)> = chart.waters.cells().map(|cell| (cell, 0.0)).collect();
        for &(ship, count) in chart.afloat.iter().filter(|(_, count)| *count > 0) {
            let possible = chart.waters.places(ship.length).filter(|place| can_lie(chart, ship, place));
            let weighed: Vec<(f64, Vec<Cell>)> = possible.map(|place| (weight(chart, &place), place)).collect();
            let sum: f64 = weighed.iter().map(|(weight, _)| weight).sum();
            for (weight, place) in weighed {
                for cell in targets(chart, ship, &place) {
                    if let Some(at) = chart.waters.index(cell) {
                        cells[at].1 += count as f64 * weight / sum;
                    }
                }
            }
        }
        Values { cells }
    }

    /// The cell that is most likely hit; one of them if there are several. `None` if nothing can be hit anywhere.
    pub fn best_cell(&self, random: &mut impl Rng) -> Option<Cell> {
        best(self.cells.iter().copied(), random)
    }

    /// The cell around which there is most to be seen.
    pub fn best_centre(&self, random: &mut impl Rng) -> Cell {
        let seen_from = |centre: Cell| {
            let near = |cell: Cell| (cell.x - centre.x).abs() <= 1 && (cell.y - centre.y).abs() <= 1;
            self.cells.iter().filter(|(cell, _)| near(*cell)).map(|(_, value)| value).sum::<f64>()
        };
        let centres = self.cells.iter().map(|(centre, _)| (*centre, seen_from(*centre)));
        best(centres, random).unwrap_or(Cell { x: 0, y: 0 })
    }
}

fn best(cells: impl Iterator<Item = (Cell, f64)>, random: &mut impl Rng) -> Option<Cell> {
    let cells: Vec<(Cell, f64)> = cells.collect();
    let most = cells.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let best: Vec<Cell> =
        cells.into_iter().filter(|(_, value)| *value > 0.0 && *value > most - 1e-9).map(|(cell, _)| cell).collect();
    (!best.is_empty()).then(|| best[random.random_range(0..best.len())])
}

/// True if a ship that is afloat can lie there.
fn can_lie(chart: &Chart, ship: Ship, place: &[Cell]) -> bool {
    let fits = |cell: &Cell| {
        let agrees_with_shots = match chart.mark(*cell) {
            Mark::Unknown | Mark::Hit => true,
            Mark::Water | Mark::Sunk => false,
            Mark::HitWithoutArmour => !ship.has_armour,
            Mark::HitThroughArmour => ship.has_armour,
        };
        agrees_with_shots && chart.radar(*cell).is_none_or(|seen| seen != ship.is_stealthy)
    };
    let is_ship = |cell: Cell| chart.mark(cell).is_wound() || chart.radar(cell) == Some(true);
    let touches = || place.iter().flat_map(|cell| around(*cell)).any(|near| !place.contains(&near) && is_ship(near));
    place.iter().all(fits) && !targets(chart, ship, place).is_empty() && (chart.waters.ships_may_touch || !touches())
}

/// The cells to fire at if the ship lies there: those that were not hit, and then those that were, through the armour.
fn targets(chart: &Chart, ship: Ship, place: &[Cell]) -> Vec<Cell> {
    let marked = |mark| place.iter().copied().filter(|cell| chart.mark(*cell) == mark).collect::<Vec<Cell>>();
    let fresh = marked(Mark::Unknown);
    if fresh.is_empty() && ship.has_armour { marked(Mark::Hit) } else { fresh }
}

/// The likelihood of a place, compared with one that explains nothing.
fn weight(chart: &Chart, place: &[Cell]) -> f64 {
    let explains = |cell: &&Cell| chart.mark(**cell).is_wound() || chart.radar(**cell) == Some(true);
    EVIDENCE.powi(place.iter().filter(explains).count() as i32)
}
