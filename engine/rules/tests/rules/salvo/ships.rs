//! Ships, and fleets that are placed one by one.

use rules::Point;
use rules::salvo::{BOARD, CELLS, Fleet, Orientation, Placement, ShipKind, random_fleet};

#[test]
fn a_fleet_has_17_cells() {
    assert_eq!(ShipKind::ALL.map(|kind| u32::from(kind.length())).iter().sum::<u32>(), CELLS);
}

#[test]
fn kinds_have_names_and_letters_of_their_own() {
    for kind in ShipKind::ALL {
        assert_eq!(ShipKind::from_name(kind.name()), Some(kind));
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        assert_eq!(kind.name().to_uppercase().chars().next(), Some(kind.letter()));
        assert_eq!(ShipKind::ALL.into_iter().filter(|other| other.letter() == kind.letter()).count(), 1);
    }
    assert_eq!(ShipKind::from_name("Carrier"), None);
    for name in ["Patrol boat", "patrol_boat", "Patrol-Boat", "PATROLBOAT", "patrolboat"] {
        assert_eq!(ShipKind::from_spelling(name), Some(ShipKind::PatrolBoat), "{name}");
    }
    for name in ["raft", "", "patrol.boat", "patrol boat 2"] {
        assert_eq!(ShipKind::from_spelling(name), None, "{name}");
    }
}

#[test]
fn names_of_ships_have_at_most_32_bytes() {
    let carrier = |separators| ShipKind::from_spelling(&format!("carrier{}", "-".repeat(separators)));
    assert_eq!((carrier(25), carrier(26), carrier(60_000)), (Some(ShipKind::Carrier), None, None));
}

#[test]
fn horizontal_ships_go_to_higher_x_and_vertical_ones_to_higher_y() {
    let cells = |orientation| {
        let placement = Placement { ship: ShipKind::PatrolBoat, at: Point::new(3, 4), orientation };
        placement.cells().flatten().map(|cell| (cell.x, cell.y)).collect::<Vec<_>>()
    };
    assert_eq!(cells(Orientation::Horizontal), [(3, 4), (4, 4)]);
    assert_eq!(cells(Orientation::Vertical), [(3, 4), (3, 5)]);
}

fn ship(ship: ShipKind, x: i32, y: i32, orientation: Orientation) -> Placement {
    Placement { ship, at: Point::new(x, y), orientation }
}

#[test]
fn a_random_fleet_may_lie_as_it_does() {
    let fleets: Vec<Vec<Placement>> = (0..300).map(|seed| random_fleet(&mut rules::random(seed))).collect();
    for fleet in &fleets {
        let mut placed = Fleet::default();
        assert!(fleet.iter().all(|ship| placed.place(*ship).is_ok()) && placed.is_complete());
        assert!(fleet.iter().map(|placed| placed.ship).eq(ShipKind::ALL));
    }
    let lies = |fleet: &[Placement], at| fleet.iter().any(|placed| placed.covers(at));
    assert!(BOARD.points().all(|at| fleets.iter().any(|fleet| lies(fleet, at))), "it may lie anywhere");
    assert_eq!(fleets[7], random_fleet(&mut rules::random(7)));
}

#[test]
fn ships_come_one_after_the_other_and_may_be_put_elsewhere() {
    let mut fleet = Fleet::default();
    let carrier = ship(ShipKind::Carrier, 5, 9, Orientation::Horizontal);
    assert_eq!(fleet.place(carrier), Ok(()));
    assert_eq!(fleet.missing().next(), Some(ShipKind::Battleship));
    let overlap = fleet.place(ship(ShipKind::Battleship, 7, 6, Orientation::Vertical)).unwrap_err();
    assert_eq!(overlap.to_string(), "the battleship and the carrier overlap at 7, 9");
    let off = fleet.place(ship(ShipKind::Carrier, 6, 9, Orientation::Horizontal)).unwrap_err();
    assert_eq!(off.to_string(), "the carrier does not fit on the board from 6, 9 horizontally");
    assert_eq!(fleet.ships(), [carrier], "what is refused changes nothing");
    let moved = ship(ShipKind::Carrier, 4, 9, Orientation::Horizontal);
    assert_eq!(fleet.place(moved), Ok(()), "a ship is not in its own way");
    assert_eq!(fleet.ships(), [moved]);
    for (y, kind) in (0..).zip([ShipKind::PatrolBoat, ShipKind::Submarine, ShipKind::Destroyer]) {
        assert_eq!(fleet.place(ship(kind, 0, y, Orientation::Horizontal)), Ok(()), "ships may touch");
    }
    assert!(!fleet.is_complete());
    assert_eq!(fleet.place(ship(ShipKind::Battleship, 9, 0, Orientation::Vertical)), Ok(()));
    assert!(fleet.is_complete());
}
