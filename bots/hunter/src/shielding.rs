//! When to raise our shield, and where.
//!
//! A raised shield protects for as many rounds as it has charges, but raising it takes the place of a shot. An opponent
//! that notices goes hunting elsewhere and loses little, so a shield of one or two rounds loses games: it is not worth
//! the shot. From three charges on it wins some, if the opponent is after a wounded ship.

use crate::shadow::covers;
use crate::{Density, Sight};
use rules::entelect_2017::files::wire::{OwnShip, PlayerMap};
use rules::{Grid, Point, Random};

/// The charges it takes to be worth a shot.
const LEAST_CHARGES: u32 = 3;
/// The sum of chances to be hit, as the opponent sees them, that the covered cells must have.
const LEAST_DANGER: f64 = 1.0;

/// The centre of the shield to raise now; `None` if raising it does not pay.
pub fn choose(grid: Grid, map: &PlayerMap, random: &mut Random) -> Option<Point> {
    let shield = &map.owner.shield;
    if shield.active || shield.current_charges < LEAST_CHARGES || !map.owner.ships.iter().any(is_wounded) {
        return None;
    }
    let endangered = endangered(grid, map, random);
    let danger = |centre: Point| -> f64 {
        let covered = endangered.iter().filter(|(point, _)| covers(centre, shield.current_radius, *point));
        covered.map(|(_, chance)| chance).sum()
    };
    let dangers = grid.points().map(|centre| (centre, danger(centre)));
    let (centre, danger) = dangers.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (danger >= LEAST_DANGER).then_some(centre)
}

fn is_wounded(ship: &OwnShip) -> bool {
    !ship.destroyed && ship.cells.iter().flatten().any(|cell| cell.hit)
}

/// The cells of our ships that are not hit yet, each with its chance in the eyes of the opponent.
fn endangered(grid: Grid, map: &PlayerMap, random: &mut Random) -> Vec<(Point, f64)> {
    let density = Density::of(&Sight::of_own(grid, map), random);
    let healthy = map.cells.iter().filter(|cell| cell.occupied && !cell.hit).map(|cell| Point::new(cell.x, cell.y));
    healthy.filter_map(|point| Some((point, density.chance(grid.index(point)?)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use rules::entelect_2017::MapSize;

    const GRID: Grid = Grid::new(7, 7);

    /// Our map with the shield charged so often and shots on the given cells.
    fn map(charges: u32, hits: &[(i32, i32)]) -> PlayerMap {
        let mut map = example::placed(MapSize::Small).player_map.unwrap();
        map.owner.shield.current_charges = charges;
        map.owner.shield.current_radius = charges.min(1);
        let ship_cells = map.owner.ships.iter_mut().flat_map(|ship| &mut ship.cells).flatten();
        for cell in map.cells.iter_mut().chain(ship_cells).filter(|cell| hits.contains(&(cell.x, cell.y))) {
            cell.hit = true;
        }
        map
    }

    fn raised(map: &PlayerMap) -> Option<Point> {
        choose(GRID, map, &mut rules::random(1))
    }

    /// Half of the battleship at (6, 0) to (6, 3).
    const HALF_A_BATTLESHIP: [(i32, i32); 2] = [(6, 0), (6, 1)];

    #[test]
    fn a_wounded_ship_is_covered_when_the_shield_lasts() {
        let centre = raised(&map(3, &HALF_A_BATTLESHIP)).unwrap();
        assert!(covers(centre, 1, Point::new(6, 2)), "{centre}");
    }

    #[test]
    fn a_shield_of_two_rounds_is_not_worth_a_shot() {
        assert_eq!(raised(&map(2, &HALF_A_BATTLESHIP)), None);
    }

    #[test]
    fn a_shield_is_not_raised_while_nobody_comes_near() {
        assert_eq!(raised(&map(9, &[])), None);
    }

    #[test]
    fn a_shield_that_is_up_is_not_raised_again() {
        let mut map = map(3, &HALF_A_BATTLESHIP);
        map.owner.shield.active = true;
        assert_eq!(raised(&map), None);
    }
}
