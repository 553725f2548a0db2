//! The cells that each weapon strikes.

use crate::table::{Table, fire, pass, shield, shoot};
use rules::Seat;
use rules::entelect_2017::{Event, Impact, ImpactResult, MapSize, Refusal, Ship, Weapon};

/// B's board after a shot of A at the middle of open water on the medium map.
pub(super) fn struck(weapon: Weapon) -> Vec<(i32, i32)> {
    let mut table = Table::set(MapSize::Medium);
    table.wait_for(weapon).round(shoot(weapon, 7, 7), pass());
    assert_eq!(table.refusal(Seat::A), None);
    table.hits_on_b()
}

/// Player Rules 4, Fire Shot Command.
#[test]
fn a_single_shot_strikes_its_centre() {
    assert_eq!(struck(Weapon::SingleShot), [(7, 7)]);
}

/// Player Rules 4, Fire Double Shot Command: the cells beside the centre, not the centre.
#[test]
fn a_double_shot_strikes_two_cells_beside_its_centre() {
    assert_eq!(struck(Weapon::DoubleShotVertical), [(7, 6), (7, 8)]);
    assert_eq!(struck(Weapon::DoubleShotHorizontal), [(6, 7), (8, 7)]);
}

/// Player Rules 4, Fire Corner Shot Command.
#[test]
fn a_corner_shot_strikes_the_four_diagonal_neighbours() {
    assert_eq!(struck(Weapon::CornerShot), [(6, 6), (6, 8), (8, 6), (8, 8)]);
}

/// Player Rules 4, Fire Cross Shot Diagonal Command.
#[test]
fn a_diagonal_cross_shot_strikes_the_corners_and_the_centre() {
    assert_eq!(struck(Weapon::DiagonalCrossShot), [(6, 6), (6, 8), (7, 7), (8, 6), (8, 8)]);
}

/// Player Rules 4, Fire Cross Shot Horizontal Command.
#[test]
fn a_cross_shot_strikes_the_straight_neighbours_and_the_centre() {
    assert_eq!(struck(Weapon::CrossShot), [(6, 7), (7, 6), (7, 7), (7, 8), (8, 7)]);
}

/// The original: cells off the map are left out.
#[test]
fn an_area_shot_at_the_corner_strikes_what_is_on_the_map() {
    let mut table = Table::small();
    table.wait_for(Weapon::CrossShot).round(shoot(Weapon::CrossShot, 6, 6), pass());
    assert_eq!(table.hits_on_b(), [(5, 6), (6, 5), (6, 6)]);
    table.wait_for(Weapon::CornerShot).round(shoot(Weapon::CornerShot, 7, -1), pass());
    assert_eq!(table.hits_on_b(), [(5, 6), (6, 0), (6, 5), (6, 6)]);
}

/// The text does not say; the original refuses the single shot off the map, free of charge.
#[test]
fn a_single_shot_off_the_map_is_refused_and_free() {
    for (x, y) in [(-1, 0), (0, -1), (7, 0), (0, 7), (i32::MIN, i32::MAX)] {
        let mut table = Table::small();
        table.round(fire(x, y), pass());
        assert_eq!(table.refusal(Seat::A), Some(Refusal::OutOfBounds));
        assert_eq!((table.a().energy, table.a().shots_fired), (4, 0));
    }
}

/// A table where A has a seeker missile and B's fleet keeps to the lower left.
fn with_seeker() -> Table {
    let mut table = Table::set(MapSize::Medium);
    table.wait_for(Weapon::SeekerMissile);
    table
}

/// Simplified rules 3, Player Rules 4, Fire Seeker Missile Command: the nearest ship cell within a distance of 2.
#[test]
fn a_seeker_missile_finds_the_nearest_ship_cell() {
    for (centre, found) in [((6, 1), (4, 1)), ((5, 2), (4, 2)), ((4, 4), (3, 4)), ((2, 2), (2, 2)), ((4, 3), (3, 3))] {
        let mut table = with_seeker();
        table.round(shoot(Weapon::SeekerMissile, centre.0, centre.1), pass());
        assert_eq!(table.hits_on_b(), [found], "from {centre:?}");
        assert_eq!((table.a().shots_hit, table.a().shots_fired), (1, 1));
    }
}

/// Player Rules 4: without a ship in reach the centre is the target; (2, 1) away is out of reach.
#[test]
fn a_seeker_missile_without_a_ship_in_reach_strikes_its_centre() {
    for (x, y) in [(7, 1), (6, 3), (5, 6)] {
        let mut table = with_seeker();
        table.round(shoot(Weapon::SeekerMissile, x, y), pass());
        assert_eq!(table.hits_on_b(), [(x, y)]);
        assert_eq!((table.a().shots_hit, table.a().shots_fired), (0, 1));
    }
}

/// The original: of cells at the same distance the one with the lower x, then the lower y.
#[test]
fn a_seeker_missile_prefers_lower_x_then_lower_y() {
    let mut table = with_seeker();
    let found = [(0, 2), (1, 1), (2, 2), (0, 1), (2, 1), (2, 3)].map(|next| {
        table.wait_for(Weapon::SeekerMissile).round(shoot(Weapon::SeekerMissile, 1, 2), pass());
        assert!(table.b_cell(next.0, next.1).hit, "{next:?} is next");
        table.hits_on_b().len()
    });
    assert_eq!(found, [1, 2, 3, 4, 5, 6]);
}

/// Release notes 1.2.0 (2): cells that are hit already are no targets.
#[test]
fn a_seeker_missile_ignores_cells_that_were_hit() {
    let mut table = with_seeker();
    table.round(fire(2, 2), pass());
    table.wait_for(Weapon::SeekerMissile).round(shoot(Weapon::SeekerMissile, 2, 2), pass());
    assert_eq!(table.hits_on_b(), [(2, 1), (2, 2)]);
}

/// Shield Rules 13, release notes 1.2.0 (2): a shield hides the ships beneath it from seeker missiles.
#[test]
fn a_seeker_missile_finds_no_ship_beneath_a_shield() {
    let mut table = with_seeker();
    table.wait_for_round(15).round(shoot(Weapon::SeekerMissile, 2, 2), shield(4, 2));
    assert_eq!(table.shielded_by_b().first(), Some(&(2, 0)));
    assert_eq!(table.hits_on_b(), [(1, 1)], "the nearest one that is open");
}

/// Shield Rules 7 and 13: with only shielded ships in reach the missile strikes its centre, where the shield takes it.
#[test]
fn a_seeker_missile_among_shielded_ships_strikes_the_shield_at_its_centre() {
    let mut table = with_seeker();
    table.wait_for_round(15).round(shoot(Weapon::SeekerMissile, 1, 3), shield(2, 2));
    assert_eq!(table.hits_on_b(), []);
    assert!(table.b_cell(1, 3).shield_hit);
    assert_eq!((table.a().shots_fired, table.a().shots_hit), (1, 0));
}

/// The original: the centre may be off the map if a ship is in reach, else the shot is refused and free.
#[test]
fn a_seeker_missile_may_start_off_the_map() {
    let mut table = with_seeker();
    table.round(shoot(Weapon::SeekerMissile, -1, 1), pass());
    assert_eq!(table.hits_on_b(), [(0, 1)]);
    let mut table = with_seeker();
    let before = table.a().energy;
    table.round(shoot(Weapon::SeekerMissile, -3, -3), pass());
    assert_eq!(table.refusal(Seat::A), Some(Refusal::OutOfBounds));
    assert_eq!((table.a().energy, table.a().shots_fired), (before + 3, 0));
}

/// Player Rules 4: a shot that strikes many cells tells of each of them.
#[test]
fn an_area_shot_may_hit_and_miss_at_once() {
    let mut table = Table::small();
    table.wait_for(Weapon::CornerShot).round(shoot(Weapon::CornerShot, 5, 1), pass());
    let impacts: Vec<(i32, i32, ImpactResult)> = table
        .events
        .iter()
        .find_map(|event| match event {
            Event::Fired { impacts, .. } => Some(*impacts),
            _ => None,
        })
        .unwrap()
        .iter()
        .map(|Impact { point, result }| (point.x, point.y, result))
        .collect();
    let hit = ImpactResult::Hit { completes: false };
    let miss = ImpactResult::Miss;
    assert_eq!(impacts, [(4, 0, hit), (4, 2, hit), (6, 0, miss), (6, 2, miss)]);
    assert!(!table.b().board.ship(Ship::Cruiser).destroyed);
}
