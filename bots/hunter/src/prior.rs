//! The ways in which opponents like to place their ships.
//!
//! Each prior gives every place of a ship a weight, and every fleet the product of the weights of its places. The hunter believes in
//! each as far as what it has found speaks for it.

use crate::Cells;
use crate::map::{CellList, Map};
use rules::entelect_2017::Ship;
use rules::{Direction, Grid, Point};
use std::sync::OnceLock;

/// The number of priors: places at random, in the middle, along the edge, in corners, side by side.
pub const PRIORS: usize = 5;
/// A number for each prior.
pub(crate) type Weights = [f64; PRIORS];
/// No weight by any prior.
pub(crate) const NOTHING: Weights = [0.0; PRIORS];

/// The number of the prior of ships side by side.
const SIDE_BY_SIDE: usize = 4;
/// The chance of each prior before the first shot. A few hits change them soon, and against fleets at random each chance of another
/// prior costs shots.
pub const CHANCES: [f64; PRIORS] = [0.78, 0.05, 0.05, 0.1, 0.02];
/// The logarithm of the weight of a place that a prior likes best, as against one that it likes least.
const STRENGTH: f64 = 3.0;

/// The weights of all places on an empty map.
#[derive(Debug)]
pub(crate) struct Priors {
    /// Those of each ship's places, in the order of [`Map::places`].
    pub(crate) places: [Vec<Weights>; 5],
    /// The cells beside each of them.
    around: [Vec<Cells>; 5],
    /// That of all fleets together, if ships may lie across each other.
    fleets: Weights,
}

impl Priors {
    /// The weights for maps of this size, which are squares.
    pub(crate) fn of(grid: Grid) -> &'static Priors {
        const SIDES: usize = 17;
        static MAPS: [OnceLock<Priors>; SIDES] = [const { OnceLock::new() }; SIDES];
        MAPS[grid.width() as usize].get_or_init(|| {
            let weights = |place: &CellList| weights(grid, place);
            let places = Ship::ALL.map(|ship| Map::of(grid).places(ship).iter().map(weights).collect::<Vec<_>>());
            let points: Vec<Point> = grid.points().collect();
            let around = Ship::ALL.map(|ship| {
                Map::of(grid).places(ship).iter().map(|place| around(grid, &points, place)).collect::<Vec<_>>()
            });
            let sum = |places: &Vec<Weights>| places.iter().fold(NOTHING, |sum, weights| plus(&sum, weights));
            let fleets = places.iter().map(sum).fold([1.0; PRIORS], |product, sum| times(&product, &sum, 1.0));
            let fleets = std::array::from_fn(|prior| if prior == SIDE_BY_SIDE { 1.0 } else { fleets[prior] });
            Priors { places, around, fleets }
        })
    }

    /// The weights of all places of each ship when ships are known to lie on the `damaged` cells, and that of all fleets.
    ///
    /// Where ships lie side by side, a place beside such a cell is likelier. That is taken of each ship as if the others were known.
    pub(crate) fn beside(&self, damaged: Cells) -> ([Vec<Weights>; 5], Weights) {
        let (mut places, mut fleets) = (self.places.clone(), self.fleets);
        for (places, around) in places.iter_mut().zip(&self.around) {
            let mut sum = 0.0;
            for (weights, around) in places.iter_mut().zip(around) {
                // A place has at least twice as many cells beside it as it has cells, but at the edge.
                let beside = around.and(damaged).len() as f64 / (around.len() as f64 / 2.0);
                weights[SIDE_BY_SIDE] = (STRENGTH * beside.min(1.0)).exp();
                sum += weights[SIDE_BY_SIDE];
            }
            fleets[SIDE_BY_SIDE] *= sum;
        }
        (places, fleets)
    }
}

fn weights(grid: Grid, place: &CellList) -> Weights {
    let side = grid.width();
    let (mut edge, mut is_in_corner) = (0.0, false);
    for cell in place.iter() {
        let from_edge = |at: i32| at.min(side - 1 - at);
        let (x, y) = (from_edge(cell as i32 / side), from_edge(cell as i32 % side));
        // From 1 on the outer ring to 0 from the third ring on.
        edge += 1.0 - f64::from(x.min(y).min(2)) / 2.0;
        is_in_corner |= x == 0 && y == 0;
    }
    let edge = edge / place.cells.len() as f64;
    [1.0, (-STRENGTH * edge).exp(), (STRENGTH * edge).exp(), if is_in_corner { STRENGTH.exp() } else { 1.0 }, 1.0]
}

fn around(grid: Grid, points: &[Point], place: &CellList) -> Cells {
    let beside =
        |cell: usize| Direction::ALL.into_iter().filter_map(move |to| points[cell].offset(to.step().0, to.step().1));
    Cells::at(grid, place.iter().flat_map(beside)).without(place.cells)
}

/// The sums of weights.
pub(crate) fn plus(a: &Weights, b: &Weights) -> Weights {
    std::array::from_fn(|prior| a[prior] + b[prior])
}

/// The products of weights and a factor.
pub(crate) fn times(a: &Weights, b: &Weights, factor: f64) -> Weights {
    std::array::from_fn(|prior| a[prior] * b[prior] * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_destroyer(cells: [(i32, i32); 2]) -> Weights {
        let grid = Grid::new(10, 10);
        let cells = Cells::at(grid, cells.map(|(x, y)| Point::new(x, y)));
        let places = Map::of(grid).places(Ship::Destroyer);
        let at = places.iter().position(|place| place.cells == cells).unwrap();
        Priors::of(grid).places[Ship::Destroyer.index()][at]
    }

    #[test]
    fn each_prior_prefers_its_own_places() {
        let [corner, edge, middle] = [[(0, 0), (0, 1)], [(0, 4), (0, 5)], [(4, 4), (4, 5)]].map(of_destroyer);
        assert!(corner[0] == middle[0] && edge[0] == middle[0]);
        assert!(middle[1] > edge[1] && edge[1] == corner[1]);
        assert!(middle[2] < edge[2] && edge[2] == corner[2]);
        assert!(middle[3] < corner[3] && edge[3] == middle[3]);
    }

    #[test]
    fn places_beside_damaged_cells_are_likelier_where_ships_lie_side_by_side() {
        let grid = Grid::new(10, 10);
        let damaged = Cells::at(grid, [(4, 4), (4, 5), (4, 6)].map(|(x, y)| Point::new(x, y)));
        let (weights, fleets) = Priors::of(grid).beside(damaged);
        let places = Map::of(grid).places(Ship::Destroyer);
        let of = |cells: [(i32, i32); 2]| {
            let cells = Cells::at(grid, cells.map(|(x, y)| Point::new(x, y)));
            let at = places.iter().position(|place| place.cells == cells).unwrap();
            weights[Ship::Destroyer.index()][at]
        };
        let (beside, afar) = (of([(5, 5), (5, 6)]), of([(8, 1), (8, 2)]));
        assert!(beside[SIDE_BY_SIDE] > 2.0 * afar[SIDE_BY_SIDE]);
        assert_eq!((beside[0], beside[3]), (afar[0], afar[3]));
        assert!(fleets[SIDE_BY_SIDE] > fleets[0]);
    }

    #[test]
    fn the_chances_of_all_priors_add_up_to_one() {
        assert!((CHANCES.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
