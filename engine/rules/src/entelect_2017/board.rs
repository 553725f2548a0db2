//! One player's map and the ships on it.

use super::{ImpactResult, MapSize, Ship, ShipPlacement};
use crate::{Grid, Point, straight};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;

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

/// The bits of a cell: four flags, and above them the number of the ship that covers it.
mod bits {
    pub(super) const OCCUPIED: u8 = 1;
    pub(super) const HIT: u8 = 1 << 1;
    pub(super) const SHIELDED: u8 = 1 << 2;
    pub(super) const SHIELD_HIT: u8 = 1 << 3;
    pub(super) const FLAGS: u8 = (1 << SHIP) - 1;
    pub(super) const SHIP: u32 = 4;
}

impl CellState {
    fn of(cell: u8) -> CellState {
        let has = |bit: u8| cell & bit != 0;
        CellState {
            occupied: has(bits::OCCUPIED),
            hit: has(bits::HIT),
            shielded: has(bits::SHIELDED),
            shield_hit: has(bits::SHIELD_HIT),
        }
    }
}

/// The length of the longest ship.
const LONGEST: usize = 5;
/// The cells of the largest map.
const MOST_CELLS: usize = 14 * 14;

/// One ship of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipState {
    /// As many points as the ship is long, and then none.
    cells: [PackedPoint; LONGEST],
    length: u8,
    /// True if the ship is on the board.
    pub placed: bool,
    /// True if the ship was sunk, as of the end of the last round.
    pub destroyed: bool,
}

impl ShipState {
    fn new(ship: Ship) -> ShipState {
        ShipState { cells: [PackedPoint::NONE; LONGEST], length: ship.length(), placed: false, destroyed: false }
    }

    /// The cells from the placed start on; `None` for a cell that was never placed. They stay listed when a failed first
    /// phase takes the ship off the board.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Option<Point>> + Clone + use<'_> {
        self.cells[..usize::from(self.length)].iter().map(|cell| cell.get())
    }
}

impl Serialize for ShipState {
    /// Records keep fingerprints of states, so this form must not change.
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut fields = out.serialize_struct("ShipState", 4)?;
        fields.serialize_field("cells", &self.cells.map(PackedPoint::get))?;
        fields.serialize_field("length", &self.length)?;
        fields.serialize_field("placed", &self.placed)?;
        fields.serialize_field("destroyed", &self.destroyed)?;
        fields.end()
    }
}

/// A point on a map, or none, in a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedPoint(u8);

impl PackedPoint {
    pub(super) const NONE: PackedPoint = PackedPoint(u8::MAX);

    /// A point on a map.
    ///
    /// # Panics
    /// A coordinate is below 0, or above 13.
    pub(super) fn new(point: Point) -> PackedPoint {
        const SIDES: std::ops::Range<i32> = 0..14;
        assert!(SIDES.contains(&point.x) && SIDES.contains(&point.y), "a point of a map");
        PackedPoint((point.x << 4 | point.y) as u8)
    }

    /// The point of this byte.
    pub(super) fn of(byte: u8) -> PackedPoint {
        PackedPoint(byte)
    }

    pub(super) fn byte(self) -> u8 {
        self.0
    }

    pub(super) fn get(self) -> Option<Point> {
        (self != PackedPoint::NONE).then(|| Point::new(i32::from(self.0 >> 4), i32::from(self.0 & 15)))
    }
}

/// One player's map.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    grid: Grid,
    /// [`bits`] of each cell in the order of [`Grid::points`], and zeros beyond them.
    cells: [u8; MOST_CELLS],
    ships: [ShipState; 5],
}

impl Serialize for Board {
    /// A byte for each cell: states are serialised after every turn of a match.
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        struct Flags<'a>(&'a [u8]);
        impl Serialize for Flags<'_> {
            fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                let mut flags = [0; MOST_CELLS];
                let flags = &mut flags[..self.0.len()];
                for (flags, cell) in flags.iter_mut().zip(self.0) {
                    *flags = cell & bits::FLAGS;
                }
                out.serialize_bytes(flags)
            }
        }
        let mut fields = out.serialize_struct("Board", 3)?;
        fields.serialize_field("grid", &self.grid)?;
        fields.serialize_field("cells", &Flags(&self.cells[..self.grid.len()]))?;
        fields.serialize_field("ships", &self.ships)?;
        fields.end()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board").field("cells", &self.cells().collect::<Vec<_>>()).field("ships", &self.ships).finish()
    }
}

impl Board {
    pub(super) fn new(size: MapSize) -> Board {
        Board { grid: size.grid(), cells: [0; MOST_CELLS], ships: Ship::ALL.map(ShipState::new) }
    }

    /// The cells it has.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The state of all cells, in the order of [`Grid::points`].
    pub fn cells(&self) -> impl ExactSizeIterator<Item = CellState> + Clone + use<'_> {
        self.cells[..self.grid.len()].iter().map(|cell| CellState::of(*cell))
    }

    /// The bit of a cell that a ship covers, in [`Board::cell_bits`].
    pub const OCCUPIED: u8 = bits::OCCUPIED;
    /// The bit of a cell in which a shot fell.
    pub const HIT: u8 = bits::HIT;
    /// The bit of a cell that the active shield covers.
    pub const SHIELDED: u8 = bits::SHIELDED;
    /// The bit of a cell in which the active shield caught a shot.
    pub const SHIELD_HIT: u8 = bits::SHIELD_HIT;

    /// The state of all cells in the order of [`Grid::points`], a byte each: its low half has the bits above, its high half the
    /// number of the ship in [`Ship::ALL`] where one lies. For programs that read many boards.
    pub fn cell_bits(&self) -> &[u8] {
        &self.cells[..self.grid.len()]
    }

    /// The cell at `point`; `None` off the board.
    pub fn cell(&self, point: Point) -> Option<CellState> {
        self.grid.index(point).map(|index| CellState::of(self.cells[index]))
    }

    /// One of its ships.
    pub fn ship(&self, ship: Ship) -> &ShipState {
        &self.ships[ship.index()]
    }

    /// The ship that lies at `point`.
    pub fn ship_at(&self, point: Point) -> Option<Ship> {
        self.grid.index(point).and_then(|at| ship_of(self.cells[at]))
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
            *cell &= bits::FLAGS & !bits::OCCUPIED;
        }
    }

    /// Puts one ship down. When it runs off the board or into another ship it is refused: then its list has the cells
    /// it got so far, and after them its old ones, and all ships must be [taken off](Board::clear_ships).
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
            if self.cells[at] & bits::OCCUPIED != 0 {
                return false;
            }
            self.cells[at] |= bits::OCCUPIED | (index as u8) << bits::SHIP;
            self.ships[index].cells[nth] = PackedPoint::new(point);
        }
        self.ships[index].placed = true;
        true
    }

    /// Lets a shot fall on `point`; `None` off the board.
    pub(super) fn strike(&mut self, point: Point) -> Option<ImpactResult> {
        let at = self.grid.index(point)?;
        let before = self.cells[at];
        if before & bits::SHIELDED != 0 {
            self.cells[at] |= bits::SHIELD_HIT;
            return Some(ImpactResult::Shielded);
        }
        self.cells[at] |= bits::HIT;
        let Some(ship) = ship_of(before) else { return Some(ImpactResult::Miss) };
        let again = before & bits::HIT != 0;
        Some(if again { ImpactResult::Again } else { ImpactResult::Hit { completes: self.is_shot_through(ship) } })
    }

    /// The cell a seeker missile finds: a ship's, not hit, not shielded.
    pub(super) fn is_seeker_target(&self, point: Point) -> bool {
        const LOOKED_AT: u8 = bits::OCCUPIED | bits::HIT | bits::SHIELDED;
        self.grid.index(point).is_some_and(|at| self.cells[at] & LOOKED_AT == bits::OCCUPIED)
    }

    fn is_shot_through(&self, ship: Ship) -> bool {
        self.ship(ship).cells().all(|point| {
            point.and_then(|point| self.grid.index(point)).is_some_and(|at| self.cells[at] & bits::HIT != 0)
        })
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
        for cell in self.cells.iter_mut().filter(|cell| **cell & bits::OCCUPIED != 0) {
            *cell |= bits::HIT;
        }
        for ship in &mut self.ships {
            ship.destroyed = true;
        }
    }

    /// Covers the square of `radius` around `centre` as far as it lies on the board.
    pub(super) fn raise_shield(&mut self, centre: Point, radius: u32) {
        let reach = i64::from(radius);
        let near = |at: i32, end: i32| {
            let [first, last] = [-reach, reach].map(|by| (i64::from(at) + by).clamp(-1, i64::from(end)) as i32);
            first.max(0)..(last + 1).min(end)
        };
        for x in near(centre.x, self.grid.width()) {
            for y in near(centre.y, self.grid.height()) {
                if let Some(at) = self.grid.index(Point::new(x, y)) {
                    self.cells[at] |= bits::SHIELDED;
                }
            }
        }
    }

    /// Takes away the shield and all its marks (Shield Placement 3). Tells whether a shot had struck it.
    pub(super) fn drop_shield(&mut self) -> bool {
        let mut all = 0;
        for cell in &mut self.cells {
            all |= *cell;
            *cell &= !(bits::SHIELDED | bits::SHIELD_HIT);
        }
        all & bits::SHIELD_HIT != 0
    }
}

/// The ship that covers a cell.
fn ship_of(cell: u8) -> Option<Ship> {
    (cell & bits::OCCUPIED != 0).then(|| Ship::ALL[usize::from(cell >> bits::SHIP)])
}
