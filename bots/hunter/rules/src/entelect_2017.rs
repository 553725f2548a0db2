//! The Entelect Challenge 2017: ships, weapons and orders.

pub mod files;

use super::{Direction, Grid, Point};
use std::sync::Arc;

/// The size of both maps of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapSize {
    /// 7 x 7.
    Small,
    /// 10 x 10.
    Medium,
    /// 14 x 14.
    Large,
}

impl MapSize {
    /// All sizes, smallest first.
    pub const ALL: [MapSize; 3] = [MapSize::Small, MapSize::Medium, MapSize::Large];

    /// Cells along one side.
    pub fn side(self) -> u8 {
        match self {
            MapSize::Small => 7,
            MapSize::Medium => 10,
            MapSize::Large => 14,
        }
    }

    /// The cells of one player's map.
    pub fn grid(self) -> Grid {
        Grid::new(self.side(), self.side())
    }
}

/// A ship. Every player has one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ship {
    /// 3 cells, seeker missile.
    Submarine,
    /// 2 cells, double shot.
    Destroyer,
    /// 4 cells, diagonal cross shot.
    Battleship,
    /// 5 cells, corner shot.
    Carrier,
    /// 3 cells, cross shot.
    Cruiser,
}

impl Ship {
    /// All ships in the order of the files.
    pub const ALL: [Ship; 5] = [Ship::Submarine, Ship::Destroyer, Ship::Battleship, Ship::Carrier, Ship::Cruiser];

    /// The number of cells, 2 to 5.
    pub const fn length(self) -> u8 {
        match self {
            Ship::Destroyer => 2,
            Ship::Submarine | Ship::Cruiser => 3,
            Ship::Battleship => 4,
            Ship::Carrier => 5,
        }
    }

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Ship::Submarine => "Submarine",
            Ship::Destroyer => "Destroyer",
            Ship::Battleship => "Battleship",
            Ship::Carrier => "Carrier",
            Ship::Cruiser => "Cruiser",
        }
    }

    /// The ship with this name in any letter case.
    pub fn from_name(name: &str) -> Option<Ship> {
        Ship::ALL.into_iter().find(|ship| ship.name().eq_ignore_ascii_case(name))
    }

    /// The position in [`Ship::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A weapon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weapon {
    /// The centre.
    SingleShot,
    /// The cells south and north of the centre.
    DoubleShotVertical,
    /// The cells west and east of the centre.
    DoubleShotHorizontal,
    /// The four diagonal neighbours of the centre.
    CornerShot,
    /// The centre and its four diagonal neighbours.
    DiagonalCrossShot,
    /// The centre and its four straight neighbours.
    CrossShot,
    /// The nearest open ship cell within a distance of 2, else the centre.
    SeekerMissile,
}

impl Weapon {
    /// All weapons in the order of their command codes, which begin with 1.
    pub const ALL: [Weapon; 7] = [
        Weapon::SingleShot,
        Weapon::DoubleShotVertical,
        Weapon::DoubleShotHorizontal,
        Weapon::CornerShot,
        Weapon::DiagonalCrossShot,
        Weapon::CrossShot,
        Weapon::SeekerMissile,
    ];

    /// The number that stands for it in command.txt.
    pub fn code(self) -> i32 {
        self as i32 + 1
    }

    /// The ship that has it; `None` for the single shot, which all ships have.
    pub fn ship(self) -> Option<Ship> {
        match self {
            Weapon::SingleShot => None,
            Weapon::DoubleShotVertical | Weapon::DoubleShotHorizontal => Some(Ship::Destroyer),
            Weapon::CornerShot => Some(Ship::Carrier),
            Weapon::DiagonalCrossShot => Some(Ship::Battleship),
            Weapon::CrossShot => Some(Ship::Cruiser),
            Weapon::SeekerMissile => Some(Ship::Submarine),
        }
    }

    /// The cells it strikes, relative to its centre; of the seeker missile the centre.
    pub fn pattern(self) -> &'static [(i32, i32)] {
        match self {
            Weapon::SingleShot | Weapon::SeekerMissile => &[(0, 0)],
            Weapon::DoubleShotVertical => &[(0, -1), (0, 1)],
            Weapon::DoubleShotHorizontal => &[(-1, 0), (1, 0)],
            Weapon::CornerShot => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
            Weapon::DiagonalCrossShot => &[(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
            Weapon::CrossShot => &[(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)],
        }
    }
}

/// One player's command for one round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Nothing.
    DoNothing,
    /// Put the fleet on the map; for phase 1 only.
    Place(Box<Placement>),
    /// Fire a weapon.
    Fire {
        /// With what.
        weapon: Weapon,
        /// At which point; it may lie off the board.
        centre: Point,
    },
    /// Raise the shield.
    Shield {
        /// Around which point; it may lie off the board.
        centre: Point,
    },
}

impl From<Placement> for Order {
    fn from(placement: Placement) -> Order {
        Order::Place(Box::new(placement))
    }
}

/// Five ships in the order they are to be put down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The ships.
    pub ships: [ShipPlacement; 5],
    /// The lines of place.txt.
    pub lines: Arc<[String; 5]>,
}

impl Placement {
    /// A placement written in the plain form `Carrier 0 3 east`.
    pub fn new(ships: [ShipPlacement; 5]) -> Placement {
        Placement { lines: Arc::new(ships.map(|ship| ship.to_string())), ships }
    }
}

/// The place of one ship: its start cell and the direction it grows in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipPlacement {
    /// The ship.
    pub ship: Ship,
    /// The first cell.
    pub start: Point,
    /// The direction of the other cells.
    pub direction: Direction,
}

impl std::fmt::Display for ShipPlacement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} {}", self.ship.name(), self.start.x, self.start.y, self.direction.name())
    }
}
