//! The end of a match and the ranking.

use crate::table::{Table, USUAL, cells_of, fire, pass, place, shoot, silence};
use rules::entelect_2017::{MapSize, Phase, Ship, Weapon};
use rules::{Ending, Game, Point, Seat};

fn all_cells() -> impl Iterator<Item = Point> {
    Ship::ALL.into_iter().flat_map(cells_of)
}

/// Both fire at the same cells, as the order of points tells, until something ends the match.
fn mirror(table: &mut Table) {
    for point in all_cells() {
        table.round(fire(point.x, point.y), fire(point.x, point.y));
    }
}

/// Simplified rules 8, Game Engine Rules 8: who destroys all enemy ships first wins.
#[test]
fn who_destroys_the_whole_fleet_wins() {
    let mut table = Table::small();
    for point in all_cells() {
        table.round(pass(), fire(point.x, point.y));
    }
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ranking), (Some(Seat::B), vec![Seat::B, Seat::A]));
    assert_eq!(outcome.ending, Ending::FleetSunk { seats: vec![Seat::A] });
    assert!(table.a().killed && !table.b().killed);
}

/// Game Engine Rules 9, first: who has ships left wins, even with fewer points.
#[test]
fn a_survivor_with_fewer_points_wins() {
    let mut table = Table::set(MapSize::Medium);
    let mut shots_of_b: Vec<Point> = all_cells().skip(1).collect();
    let mut b_turn = |table: &mut Table, a| {
        let b = shots_of_b.pop().map_or(pass(), |point| fire(point.x, point.y));
        table.round(a, b);
    };
    // Seeker missiles finish all five of B's ships: none earns the 30 points.
    for ship in Ship::ALL {
        let cells: Vec<Point> = cells_of(ship).collect();
        let (last, first) = cells.split_last().unwrap();
        for point in first {
            b_turn(&mut table, fire(point.x, point.y));
        }
        while table.a().energy < Weapon::SeekerMissile.energy(MapSize::Medium) {
            b_turn(&mut table, pass());
        }
        // A's submarine has one healthy cell left, so its missile flies.
        b_turn(&mut table, shoot(Weapon::SeekerMissile, last.x, last.y));
    }
    assert_eq!((table.a().points, table.b().points), (17 * 10 + 100, 16 * 10 + 4 * 30));
    assert_eq!(table.outcome().ranking, [Seat::A, Seat::B]);
}

/// Game Engine Rules 9, second: both dead, more points win.
#[test]
fn when_both_die_more_points_win() {
    let mut table = Table::set(MapSize::Medium);
    table.wait_for(Weapon::SeekerMissile);
    table.round(fire(1, 0), fire(1, 0)).round(shoot(Weapon::SeekerMissile, 1, 1), fire(1, 1));
    for point in all_cells().filter(|point| point.x != 1) {
        table.round(fire(point.x, point.y), fire(point.x, point.y));
    }
    assert!(table.a().killed && table.b().killed);
    assert_eq!((table.a().points, table.b().points), (390, 420));
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A]);
    assert_eq!(table.outcome().ending, Ending::FleetSunk { seats: vec![Seat::A, Seat::B] });
}

/// Simplified rules 8, Game Engine Rules 9, third: both dead with equal points, the first landed shot wins.
#[test]
fn when_both_die_with_equal_points_the_first_landed_shot_wins() {
    let mut table = Table::small();
    let cells: Vec<Point> = all_cells().collect();
    table.round(fire(6, 6), fire(cells[0].x, cells[0].y));
    for nth in 0..16 {
        let (a, b) = (cells[nth], cells[nth + 1]);
        let last = if nth == 15 { pass() } else { fire(b.x, b.y) };
        table.round(fire(a.x, a.y), last);
    }
    table.round(fire(cells[16].x, cells[16].y), fire(cells[16].x, cells[16].y));
    assert!(table.a().killed && table.b().killed);
    assert_eq!((table.a().points, table.b().points), (420, 420));
    assert_eq!((table.a().first_shot_landed, table.b().first_shot_landed), (Some(2), Some(1)));
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A]);
}

/// Simplified rules 8, Game Engine Rules 9, fourth: then who failed less often to place its ships.
#[test]
fn when_all_else_is_equal_fewer_failed_placements_win() {
    let mut table = Table::new(MapSize::Small);
    table.round(silence(), place(USUAL));
    table.place_both();
    mirror(&mut table);
    assert_eq!((table.a().points, table.b().points), (420, 420));
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A]);
}

/// The text does not say who wins a full tie; in the original it is A.
#[test]
fn a_full_tie_goes_to_a() {
    let mut table = Table::small();
    mirror(&mut table);
    assert_eq!(table.outcome().winner, Some(Seat::A));
    assert_eq!(table.outcome().ending, Ending::FleetSunk { seats: vec![Seat::A, Seat::B] });
}

/// The text knows no limit; the original stops when the round is five beyond the number of cells.
#[test]
fn a_match_ends_after_so_many_rounds() {
    for (size, rounds) in [(MapSize::Small, 55), (MapSize::Medium, 106), (MapSize::Large, 202)] {
        let mut table = Table::set(size);
        table.round(pass(), fire(0, 0)).wait_for_round(rounds - 1);
        assert!(!table.is_over());
        table.wait(1);
        let outcome = table.outcome();
        assert_eq!((outcome.ending, outcome.turns), (Ending::RoundLimit { rounds }, rounds));
        assert_eq!(outcome.ranking, [Seat::B, Seat::A], "more points");
        assert!(!table.a().killed && !table.b().killed);
        assert_eq!((outcome.points[Seat::A], outcome.points[Seat::B]), (0, 10));
    }
}

/// Game Engine Rules 9: the same order ranks two who live to the last round.
#[test]
fn at_the_last_round_the_ranking_is_the_same() {
    let mut table = Table::small();
    table.round(fire(6, 6), fire(0, 0)).round(fire(0, 0), pass()).wait_for_round(55);
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A], "B hit first");
    let mut table = Table::small();
    table.wait_for_round(55);
    assert_eq!(table.outcome().winner, Some(Seat::A), "a full tie");
}

/// The ranking is known in every round, from the first on: roundInfo.json shows it.
#[test]
fn the_leader_board_is_known_from_round_zero() {
    let mut table = Table::new(MapSize::Small);
    assert_eq!(table.game.leader_board(), [Seat::A, Seat::B]);
    table.round(silence(), silence());
    assert_eq!(table.game.leader_board(), [Seat::B, Seat::A], "A failed to place its ships");
    assert_eq!(table.game.phase(), Phase::One);
    assert_eq!(table.game.outcome(), None);
}
