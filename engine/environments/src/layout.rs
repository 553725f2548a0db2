//! The layout of actions and observations: which number stands for which order, and what each plane and scalar means.

use rules::{Direction, Grid, Point};

/// The meaning of actions and observations in matches with the same settings and number of seats.
///
/// Action 0 is no order. The others stand for a kind of order at a cell: `1 + kind * cells + cell`. Cells have the order of
/// [`Grid::points`]: `x * height + y`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The cells of one board.
    pub grid: Grid,
    /// The names of the kinds of orders. [`PLACE_KINDS`] are the last two if agents place their ships.
    pub kinds: Vec<String>,
    /// The names of the planes of an observation, each of which has a value for every cell.
    pub planes: Vec<String>,
    /// The names of the scalars of an observation.
    pub scalars: Vec<String>,
    /// The ships of a fleet in the order in which agents place them.
    pub ships: Vec<Ship>,
    /// True if ships may not touch each other, not even by a corner.
    pub ships_lie_apart: bool,
    /// True if agents place their ships, one with each action.
    pub agents_place: bool,
}

/// A ship of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ship {
    /// The name.
    pub name: String,
    /// The number of cells.
    pub length: u8,
}

/// The names of the kinds of orders that place the next ship: it grows from the cell to the east or to the north.
pub const PLACE_KINDS: [&str; 2] = ["place east", "place north"];

/// The directions of [`PLACE_KINDS`].
const PLACE_DIRECTIONS: [Direction; 2] = [Direction::East, Direction::North];

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
    /// The first cell.
    pub start: Point,
    /// The direction of the others.
    pub direction: Direction,
}

impl ShipAt {
    /// The place of a ship with these cells, from the lowest coordinates to the east or to the north; `None` without cells.
    pub fn of_cells(cells: impl IntoIterator<Item = Point>) -> Option<ShipAt> {
        let cells: Vec<Point> = cells.into_iter().collect();
        let (start, end) = (*cells.iter().min()?, *cells.iter().max()?);
        let direction = if start.x == end.x && start.y != end.y { Direction::North } else { Direction::East };
        Some(ShipAt { start, direction })
    }

    /// The cells of a ship of this length, on the board or off it.
    pub fn cells(self, length: u8) -> impl Iterator<Item = Point> {
        rules::straight(self.start, self.direction, length).flatten()
    }
}

impl Layout {
    /// The number of actions.
    pub fn actions(&self) -> usize {
        1 + self.kinds.len() * self.grid.len()
    }

    /// The number of kinds of orders that do not place ships.
    pub fn order_kinds(&self) -> usize {
        self.kinds.len() - if self.agents_place { PLACE_KINDS.len() } else { 0 }
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
            Some(nth) => Action::Place(ShipAt { start: cell, direction: PLACE_DIRECTIONS[nth] }),
        })
    }

    /// The number of an action; `None` if its cell is off the board, or if agents do not place ships.
    pub fn number(&self, action: Action) -> Option<usize> {
        let (kind, cell) = match action {
            Action::Nothing => return Some(0),
            Action::Order { kind, cell } => (kind, cell),
            Action::Place(_) if !self.agents_place => return None,
            Action::Place(ship) => {
                let nth = PLACE_DIRECTIONS.iter().position(|direction| *direction == ship.direction)?;
                (self.order_kinds() + nth, ship.start)
            }
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
        let mut taken = vec![false; self.grid.len()];
        for (at, other) in placed.iter().zip(&self.ships) {
            for cell in at.cells(other.length) {
                let reach = if self.ships_lie_apart { 1 } else { 0 };
                for (dx, dy) in (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy))) {
                    if let Some(index) = cell.offset(dx, dy).and_then(|near| self.grid.index(near)) {
                        taken[index] = true;
                    }
                }
            }
        }
        for (nth, direction) in PLACE_DIRECTIONS.into_iter().enumerate() {
            // A ship of one cell lies the same in both directions.
            if nth > 0 && ship.length == 1 {
                continue;
            }
            let mask = self.of_kind(self.order_kinds() + nth, mask);
            for (start, mask) in self.grid.points().zip(mask) {
                let fits =
                    |cell: Option<Point>| cell.and_then(|cell| self.grid.index(cell)).is_some_and(|at| !taken[at]);
                *mask = i8::from(rules::straight(start, direction, ship.length).all(fits));
            }
        }
    }
}
