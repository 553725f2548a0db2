//! The five ships.

use crate::look::initial;
use serde::{Deserialize, Serialize};

/// A ship. Every player has one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// All ships in the order of the original's files.
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

    /// The letter on maps: the first of its name, but R for the cruiser.
    pub fn letter(self) -> char {
        if self == Ship::Cruiser { 'R' } else { initial(self.name()) }
    }

    /// The position in [`Ship::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}
