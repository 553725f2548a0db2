//! One player's map and the ships on it.

use super::{ImpactResult, MapSize, Ship, ShipPlacement};
use crate::{Grid, Point, straight};
use serde::{Serialize, Serializer};

/// The state of one cell of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellState {
    /// A ship covers it.
    pub occupied: bool,
    /// A shot fell here.
    pub hit: bool,
    /// The active shield covers it.
    pub shielded: bool,
    /// The active shield caught a shot here.
    pub shield_hit: bool,
}

impl CellState {
    /// All of it as one number.
    fn bits(self) -> u8 {
        let CellState { occupied, hit, shielded, shield_hit } = self;
        [occupied, hit, shielded, shield_hit].into_iter().rev().fold(0, |bits, bit| bits << 1 | u8::from(bit))
    }
}

/// A byte for each cell: states are serialised after every turn of a match.
fn as_bytes<S: Serializer>(cells: &[CellState], out: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = cells.iter().map(|cell| cell.bits()).collect();
    out.serialize_bytes(&bytes)
}

/// The length of the longest ship.
const LONGEST: usize = 5;

/// One ship of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShipState {
    /// As many points as the ship is long, and then none.
    cells: [Option<Point>; LONGEST],
    length: u8,
    /// True if the ship is on the board.
    pub placed: bool,
    /// True if the ship was sunk, as of the end of the last round.
    pub destroyed: bool,
}

impl ShipState {
    fn new(ship: Ship) -> ShipState {
        ShipState { cells: [None; LONGEST], length: ship.length(), placed: false, destroyed: false }
    }

    /// The cells from the placed start on; `None` for a cell that was never placed. They stay listed when a failed first
    /// phase takes the ship off the board.
    pub fn cells(&self) -> &[Option<Point>] {
        &self.cells[..usize::from(self.length)]
    }
}

/// One player's map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Board {
    grid: Grid,
    #[serde(serialize_with = "as_bytes")]
    cells: Vec<CellState>,
    ships: [ShipState; 5],
}

impl Board {
    pub(super) fn new(size: MapSize) -> Board {
        let grid = size.grid();
        Board { grid, cells: vec![CellState::default(); grid.len()], ships: Ship::ALL.map(ShipState::new) }
    }

    /// The cells it has.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The state of all cells, in the order of [`Grid::points`].
    pub fn cells(&self) -> &[CellState] {
        &self.cells
    }

    /// The cell at `point`; `None` off the board.
    pub fn cell(&self, point: Point) -> Option<CellState> {
        self.grid.index(point).map(|index| self.cells[index])
    }

    /// One of its ships.
    pub fn ship(&self, ship: Ship) -> &ShipState {
        &self.ships[ship.index()]
    }

    /// The ship that lies at `point`.
    pub fn ship_at(&self, point: Point) -> Option<Ship> {
        Ship::ALL.into_iter().find(|&ship| {
            let state = self.ship(ship);
            state.placed && state.cells().contains(&Some(point))
        })
    }

    /// The number of ships that were not sunk as of the end of the last round.
    pub fn ships_remaining(&self) -> usize {
        self.ships.iter().filter(|ship| !ship.destroyed).count()
    }

    /// Takes all ships off. Their cell lists stay.
    pub(super) fn clear_ships(&mut self) {
        for ship in &mut self.ships {
            ship.placed = false;
        }
        for cell in &mut self.cells {
            cell.occupied = false;
        }
    }

    /// Puts one ship down. When it runs off the board or into another ship it is refused: then its list has the cells
    /// it got so far, and after them its old ones.
    pub(super) fn put_down(&mut self, placement: &ShipPlacement) -> bool {
        if self.ship(placement.ship).placed {
            return false;
        }
        let index = placement.ship.index();
        let points = straight(placement.start, placement.direction, placement.ship.length());
        for (nth, point) in points.enumerate() {
            let Some((point, at)) = point.and_then(|point| Some((point, self.grid.index(point)?))) else {
                return false;
            };
            if self.cells[at].occupied {
                return false;
            }
            self.cells[at].occupied = true;
            self.ships[index].cells[nth] = Some(point);
        }
        self.ships[index].placed = true;
        true
    }

    /// Lets a shot fall on `point`; `None` off the board.
    pub(super) fn strike(&mut self, point: Point) -> Option<ImpactResult> {
        let at = self.grid.index(point)?;
        let cell = &mut self.cells[at];
        if cell.shielded {
            cell.shield_hit = true;
            return Some(ImpactResult::Shielded);
        }
        let again = std::mem::replace(&mut cell.hit, true);
        let ship = if cell.occupied { self.ship_at(point) } else { None };
        let Some(ship) = ship else { return Some(ImpactResult::Miss) };
        Some(if again { ImpactResult::Again } else { ImpactResult::Hit { completes: self.is_shot_through(ship) } })
    }

    /// The cell a seeker missile finds: a ship's, not hit, not shielded.
    pub(super) fn is_seeker_target(&self, point: Point) -> bool {
        self.cell(point).is_some_and(|cell| cell.occupied && !cell.hit && !cell.shielded)
    }

    fn is_shot_through(&self, ship: Ship) -> bool {
        let cells = self.ship(ship).cells();
        cells.iter().all(|point| point.and_then(|p| self.cell(p)).is_some_and(|cell| cell.hit))
    }

    /// Finds the ships that were shot through since this was last asked, and marks them as destroyed.
    pub(super) fn mark_destroyed(&mut self) -> impl Iterator<Item = Ship> + use<> {
        let fresh = Ship::ALL.map(|ship| !self.ship(ship).destroyed && self.is_shot_through(ship));
        for (ship, fresh) in self.ships.iter_mut().zip(fresh) {
            ship.destroyed |= fresh;
        }
        Ship::ALL.into_iter().zip(fresh).filter_map(|(ship, fresh)| fresh.then_some(ship))
    }

    /// Destroys every ship where it lies. Ships that are not on the board count as destroyed too.
    pub(super) fn destroy_fleet(&mut self) {
        for cell in self.cells.iter_mut().filter(|cell| cell.occupied) {
            cell.hit = true;
        }
        for ship in &mut self.ships {
            ship.destroyed = true;
        }
    }

    /// Covers the square of `radius` around `centre` as far as it lies on the board.
    pub(super) fn raise_shield(&mut self, centre: Point, radius: u32) {
        let reach = i64::from(radius);
        for (point, cell) in self.grid.points().zip(&mut self.cells) {
            let near = |a: i32, b: i32| (i64::from(a) - i64::from(b)).abs() <= reach;
            cell.shielded |= near(point.x, centre.x) && near(point.y, centre.y);
        }
    }

    /// Takes away the shield and all its marks (Shield Placement 3). Tells whether a shot had struck it.
    pub(super) fn drop_shield(&mut self) -> bool {
        let was_hit = self.cells.iter().any(|cell| cell.shield_hit);
        for cell in &mut self.cells {
            cell.shielded = false;
            cell.shield_hit = false;
        }
        was_hit
    }
}
