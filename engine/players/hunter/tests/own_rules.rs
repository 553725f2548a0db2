//! The rules that `bots/hunter` has of its own, so that it builds without the engine: they are the engine's.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end here")]

#[path = "../../../../bots/hunter/rules/src/lib.rs"]
#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the library of another program, of which a test uses some"
)]
mod own;

use rules::entelect_2017::{MapSize, Placement, Ship, ShipPlacement, Weapon};
use rules::{Direction, Point};

#[test]
fn maps_ships_and_weapons_are_those_of_the_engine() {
    let sizes = own::entelect_2017::MapSize::ALL.into_iter().zip(MapSize::ALL);
    for (own, engine) in sizes {
        assert_eq!(format!("{own:?} {}", own.side()), format!("{engine:?} {}", engine.side()));
        let points: Vec<(i32, i32)> = own.grid().points().map(|point| (point.x, point.y)).collect();
        assert!(points.into_iter().eq(engine.grid().points().map(|point| (point.x, point.y))));
    }
    for (own, engine) in own::entelect_2017::Ship::ALL.into_iter().zip(Ship::ALL) {
        assert_eq!((own.name(), own.length(), own.index()), (engine.name(), engine.length(), engine.index()));
    }
    for (own, engine) in own::entelect_2017::Weapon::ALL.into_iter().zip(Weapon::ALL) {
        assert_eq!(
            format!("{own:?} {} {:?}", own.code(), own.ship()),
            format!("{engine:?} {} {:?}", engine.code(), engine.ship())
        );
        assert_eq!(own.pattern(), engine.pattern());
    }
}

#[test]
fn a_placement_is_written_as_the_engine_writes_it() {
    let ships = own::entelect_2017::Ship::ALL.into_iter().zip(Ship::ALL);
    let directions = own::Direction::ALL.into_iter().zip(Direction::ALL);
    for ((own_ship, ship), (own_direction, direction)) in
        ships.flat_map(|ship| directions.clone().map(move |one| (ship, one)))
    {
        assert_eq!(own_direction.step(), direction.step());
        let own_start = own::Point::new(3, 4);
        let own = own::entelect_2017::ShipPlacement { ship: own_ship, start: own_start, direction: own_direction };
        let engine = ShipPlacement { ship, start: Point::new(3, 4), direction };
        assert_eq!(own::entelect_2017::Placement::new([own; 5]).lines, Placement::new([engine; 5]).lines);
    }
}
