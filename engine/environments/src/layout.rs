//! The layout of actions and observations: which number stands for which order, and what each plane and scalar means.

use crate::encoding::COMMON_SCALARS;
use crate::{Encoded, Placement};
use rules::battleship::Touching;
use rules::{Cells, Direction, Grid, Point};

/// The meaning of actions and observations in matches with the same settings and number of seats.
///
/// Action 0 is no order. The others stand for a kind of order at a cell: `1 + kind * cells + cell`. Cells have the order of
/// [`Grid::points`]: `x * height + y`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The cells of one board.
    pub grid: Grid,
    /// The names of the kinds of orders. If agents place their ships, the last are those that place one.
    pub kinds: Vec<String>,
    /// The number of kinds of orders that place a ship: as many as there are ways for the ship that has most.
    pub place_kinds: usize,
    /// The names of the planes of an observation, each of which has a value for every cell.
    pub planes: Vec<String>,
    /// The names of the scalars of an observation.
    pub scalars: Vec<String>,
    /// The ships of a fleet in the order in which agents place them.
    pub ships: Vec<Ship>,
    /// The way in which ships of a fleet may touch.
    pub touching: Touching,
    /// True if agents place their ships, one with each action.
    pub agents_place: bool,
}

/// A ship of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ship {
    /// The name.
    pub name: String,
    /// The ways in which it may lie: its cells as steps from its least column and row.
    pub ways: Vec<Vec<Point>>,
}

impl Ship {
    /// A straight ship, which lies in the ways of [`PLACE_KINDS`]. One of one cell lies the same in both.
    pub fn straight(name: impl Into<String>, length: u8) -> Ship {
        let way = |direction| rules::straight(Point::new(0, 0), direction, length).flatten().collect();
        let ways = PLACE_DIRECTIONS.into_iter().take(if length == 1 { 1 } else { 2 }).map(way);
        Ship { name: name.into(), ways: ways.collect() }
    }

    /// The number of cells.
    pub fn length(&self) -> usize {
        self.ways[0].len()
    }
}

/// The names of the kinds of orders that place the next ship, where all are straight: it grows from the cell to the east or to the north.
pub const PLACE_KINDS: [&str; 2] = ["place east", "place north"];

/// The directions of [`PLACE_KINDS`].
const PLACE_DIRECTIONS: [Direction; 2] = [Direction::East, Direction::North];

/// The names of the kinds of orders that place one of these ships: [`PLACE_KINDS`], or a number for each way of a shape.
fn place_kinds(ships: &[Ship]) -> Vec<String> {
    let is_line = |way: &Vec<Point>| way.iter().all(|step| step.x == 0) || way.iter().all(|step| step.y == 0);
    if ships.iter().all(|ship| ship.ways.iter().all(is_line)) {
        return PLACE_KINDS.map(str::to_owned).into();
    }
    let most = ships.iter().map(|ship| ship.ways.len()).max().unwrap_or(0);
    (1..=most).map(|way| format!("place in way {way}")).collect()
}

/// An action that has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// No order.
    Nothing,
    /// An order of this kind at a cell.
    Order {
        /// The number of the kind in [`Layout::kinds`].
        kind: usize,
        /// The cell.
        cell: Point,
    },
    /// The next ship lies here.
    Place(ShipAt),
}

/// The place of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipAt {
    /// The least column and row of its cells.
    pub start: Point,
    /// The number of the way in [`Ship::ways`].
    pub way: usize,
}

impl ShipAt {
    /// The place of a straight ship that grows from its first cell to the east or, for all other directions, to the north.
    pub fn straight(start: Point, direction: Direction) -> ShipAt {
        ShipAt { start, way: usize::from(direction != Direction::East) }
    }

    /// The place of a straight ship with these cells, from the lowest coordinates to the east or to the north; `None` without cells.
    pub fn of_cells(cells: impl IntoIterator<Item = Point>) -> Option<ShipAt> {
        let cells: Vec<Point> = cells.into_iter().collect();
        let (start, end) = (*cells.iter().min()?, *cells.iter().max()?);
        Some(ShipAt { start, way: usize::from(start.x == end.x && start.y != end.y) })
    }

    /// The direction of a straight ship.
    pub fn direction(self) -> Direction {
        PLACE_DIRECTIONS[self.way.min(1)]
    }

    /// The cells of a straight ship of this length, on the board or off it.
    pub fn line(self, length: u8) -> impl Iterator<Item = Point> {
        rules::straight(self.start, self.direction(), length).flatten()
    }

    /// The cells of a ship, on the board or off it. One that cannot lie in this way lies in its first.
    pub fn cells(self, ship: &Ship) -> impl Iterator<Item = Point> {
        let way = ship.ways.get(self.way).unwrap_or(&ship.ways[0]);
        way.iter().filter_map(move |step| self.start.offset(step.x, step.y))
    }
}

impl Layout {
    /// The layout of matches of a game.
    pub(crate) fn of<G: Encoded>(settings: &G::Settings, seats: u8, placement: Placement) -> Layout {
        let agents_place = placement == Placement::Agents;
        let (mut kinds, ships) = (G::kinds(settings, seats), G::ships(settings));
        let places = place_kinds(&ships);
        let place_kinds = places.len();
        if agents_place {
            kinds.extend(places);
        }
        Layout {
            grid: G::grid(settings),
            kinds,
            place_kinds,
            planes: G::planes(settings, seats),
            scalars: COMMON_SCALARS.into_iter().map(str::to_owned).chain(G::scalars(settings, seats)).collect(),
            ships,
            touching: G::touching(settings),
            agents_place,
        }
    }

    /// The number of actions.
    pub fn actions(&self) -> usize {
        1 + self.kinds.len() * self.grid.len()
    }

    /// The number of kinds of orders that do not place ships.
    pub fn order_kinds(&self) -> usize {
        self.kinds.len() - if self.agents_place { self.place_kinds } else { 0 }
    }

    /// The action with this number; `None` if there is none.
    pub fn action(&self, number: usize) -> Option<Action> {
        let Some(number) = number.checked_sub(1) else { return Some(Action::Nothing) };
        let (kind, cell) = (number / self.grid.len(), number % self.grid.len());
        if kind >= self.kinds.len() {
            return None;
        }
        let height = self.grid.height() as usize;
        let cell = Point::new((cell / height) as i32, (cell % height) as i32);
        Some(match kind.checked_sub(self.order_kinds()) {
            None => Action::Order { kind, cell },
            Some(way) => Action::Place(ShipAt { start: cell, way }),
        })
    }

    /// The number of an action; `None` if its cell is off the board, or if agents do not place ships.
    pub fn number(&self, action: Action) -> Option<usize> {
        let (kind, cell) = match action {
            Action::Nothing => return Some(0),
            Action::Order { kind, cell } => (kind, cell),
            Action::Place(_) if !self.agents_place => return None,
            Action::Place(ship) => (self.order_kinds() + ship.way, ship.start),
        };
        Some(1 + kind * self.grid.len() + self.grid.index(cell)?)
    }

    /// The part of a mask that belongs to a kind of order.
    pub fn of_kind<'a>(&self, kind: usize, mask: &'a mut [i8]) -> &'a mut [i8] {
        let cells = self.grid.len();
        &mut mask[1 + kind * cells..][..cells]
    }

    /// Allows the places where the next ship has room beside those that are placed.
    pub fn allow_places(&self, placed: &[ShipAt], mask: &mut [i8]) {
        let Some(ship) = self.ships.get(placed.len()) else { return };
        let mut open = Cells::all(self.grid);
        for (at, other) in placed.iter().zip(&self.ships) {
            let mut own = Cells::none(self.grid);
            at.cells(other).filter(|cell| self.grid.contains(*cell)).for_each(|cell| own.insert(cell));
            open.remove_all(&self.touching.kept_free(&own));
        }
        for (nth, way) in ship.ways.iter().enumerate() {
            let mask = self.of_kind(self.order_kinds() + nth, mask);
            for start in open.places(way).iter().filter_map(|start| self.grid.index(start)) {
                mask[start] = 1;
            }
        }
    }
}
