//! When to raise our shield, and where.
//!
//! A raised shield protects for as many rounds as it has charges, but raising it takes the place of a shot. An opponent
//! that notices goes hunting elsewhere and loses little. When there is nothing left elsewhere, it loses all of these rounds.
//! So the shield waits, and gains charges, until a shot or two would end the match: the earlier it is raised, the more shots
//! fall elsewhere while it is up.

use crate::shadow::covers;
use rules::entelect_2017::files::wire::{OwnShip, PlayerMap};
use rules::{Grid, Point};

/// The most cells left of our fleet when the shield is raised.
const MOST_LEFT: usize = 2;

/// The centre of the shield to raise now; `None` if raising it does not pay.
pub fn choose(grid: Grid, map: &PlayerMap) -> Option<Point> {
    let shield = &map.owner.shield;
    if shield.active || shield.current_charges == 0 || !map.owner.ships.iter().any(is_wounded) {
        return None;
    }
    let healthy = map.cells.iter().filter(|cell| cell.occupied && !cell.hit);
    let left: Vec<Point> = healthy.map(|cell| Point::new(cell.x, cell.y)).collect();
    if left.len() > MOST_LEFT {
        return None;
    }
    let covers_all = |centre: &Point| left.iter().all(|&point| covers(*centre, shield.current_radius, point));
    grid.points().find(covers_all)
}

fn is_wounded(ship: &OwnShip) -> bool {
    !ship.destroyed && ship.cells.iter().flatten().any(|cell| cell.hit)
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
        for ship in &mut map.owner.ships {
            ship.destroyed = ship.cells.iter().flatten().all(|cell| cell.hit);
        }
        map
    }

    fn raised(map: &PlayerMap) -> Option<Point> {
        choose(GRID, map)
    }

    /// The cells of the fleet without these. The battleship lies at (6, 0) to (6, 3).
    fn all_but(left: &[(i32, i32)]) -> Vec<(i32, i32)> {
        let cells = example::placed(MapSize::Small).player_map.unwrap().cells;
        let ships = cells.iter().filter(|cell| cell.occupied).map(|cell| (cell.x, cell.y));
        ships.filter(|cell| !left.contains(cell)).collect()
    }

    #[test]
    fn the_rest_of_the_fleet_is_covered() {
        let left = [(6, 2), (6, 3)];
        let centre = raised(&map(1, &all_but(&left))).unwrap();
        assert!(left.iter().all(|&(x, y)| covers(centre, 1, Point::new(x, y))), "{centre}");
    }

    #[test]
    fn the_shield_waits_while_the_opponent_can_hunt_elsewhere() {
        for left in [vec![(6, 3), (0, 0)], vec![(6, 1), (6, 2), (6, 3)]] {
            assert_eq!(raised(&map(9, &all_but(&left))), None, "{left:?}");
        }
    }

    #[test]
    fn a_shield_without_charges_is_not_raised() {
        assert_eq!(raised(&map(0, &all_but(&[(6, 3)]))), None);
    }

    #[test]
    fn a_shield_is_not_raised_while_nobody_comes_near() {
        assert_eq!(raised(&map(9, &[])), None);
    }

    #[test]
    fn a_shield_that_is_up_is_not_raised_again() {
        let mut map = map(3, &all_but(&[(6, 3)]));
        map.owner.shield.active = true;
        assert_eq!(raised(&map), None);
    }
}
