//! Positions for tests, made by the rules themselves.

use crate::Sight;
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::files::wire::StateFile;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Placement, Settings, Ship, ShipPlacement, Weapon};
use rules::{Direction, Game, Grid, Point, Seat};

/// A small map drawn row by row, the northernmost first: `o` missed, `x` damaged, `@` caught by the shield, `.` unknown.
pub(crate) fn sight(rows: [&str; 7], sunk: &[Ship]) -> Sight {
    let grid = Grid::new(7, 7);
    let mut sight = Sight { sunk: Ship::ALL.map(|ship| sunk.contains(&ship)), ..Sight::blank(grid) };
    for point in grid.points() {
        let row = rows[6 - point.y as usize];
        let cells = match row.as_bytes()[point.x as usize] {
            b'o' => &mut sight.missed,
            b'x' => &mut sight.damaged,
            b'@' => &mut sight.shield_hits,
            _ => continue,
        };
        cells.insert(grid.index(point).unwrap());
    }
    sight
}

/// Player A's state in the first round of a match.
pub(crate) fn first_round(size: MapSize) -> StateFile {
    state(&start(size), Seat::A)
}

/// Player A's state when all ships are placed: each lies to the north of (0, 0), (2, 0), (4, 0) and so on in the order
/// Destroyer, Submarine, Cruiser, Battleship; the Carrier lies to the east of (0, 6).
pub(crate) fn placed(size: MapSize) -> StateFile {
    state(&start_of_phase_2(size), Seat::A)
}

/// Both players' states after A sank B's Destroyer and missed at (1, 1).
pub(crate) fn after_some_shots(size: MapSize) -> (StateFile, StateFile) {
    let mut game = start_of_phase_2(size);
    for (x, y) in [(0, 0), (1, 1), (0, 1)] {
        let fire = Order::Fire { weapon: Weapon::SingleShot, centre: Point::new(x, y) };
        game.advance([(Seat::A, Ok(fire))].into_iter().collect());
    }
    (state(&game, Seat::A), state(&game, Seat::B))
}

fn start(size: MapSize) -> Entelect2017 {
    Entelect2017::start(&Settings { size }, 2, 0).unwrap()
}

fn start_of_phase_2(size: MapSize) -> Entelect2017 {
    let ship = |ship, x, y, direction| ShipPlacement { ship, start: Point::new(x, y), direction };
    let fleet = Placement::new([
        ship(Ship::Destroyer, 0, 0, Direction::North),
        ship(Ship::Submarine, 2, 0, Direction::North),
        ship(Ship::Cruiser, 4, 0, Direction::North),
        ship(Ship::Battleship, 6, 0, Direction::North),
        ship(Ship::Carrier, 0, 6, Direction::East),
    ]);
    let mut game = start(size);
    game.advance([Seat::A, Seat::B].map(|seat| (seat, Ok(fleet.clone().into()))).into_iter().collect());
    game
}

fn state(game: &Entelect2017, seat: Seat) -> StateFile {
    let files = Files::new(["Alpha", "Bravo"].into_iter().map(PlayerInfo::named).collect());
    let parts = files.player_files(&game.view(seat));
    serde_json::from_slice(&parts[0].bytes).unwrap()
}
