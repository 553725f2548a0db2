//! The board and the ships of a fleet.

use crate::look::initial;
use crate::{Grid, Point};
use serde::{Deserialize, Serialize};

/// The cells of one player's board.
pub const BOARD: Grid = Grid::new(10, 10);

/// The ships of a fleet, in the order of the text's example.
pub const FLEET: [ShipKind; 10] = [
    ShipKind::Fourdeck,
    ShipKind::Battleship,
    ShipKind::Threeship,
    ShipKind::Submarine,
    ShipKind::Twoship,
    ShipKind::Twoship,
    ShipKind::Oneship,
    ShipKind::Oneship,
    ShipKind::Oneship,
    ShipKind::Oneship,
];

/// The number of hits that destroy a fleet: one for each of its 20 cells, and a second one for the three with armour.
pub const HITS: u32 = 23;

/// A kind of ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShipKind {
    /// Four cells.
    Fourdeck,
    /// Three cells with armour: each takes two hits.
    Battleship,
    /// Three cells.
    Threeship,
    /// Two cells that radar does not see.
    Submarine,
    /// Two cells.
    Twoship,
    /// One cell.
    Oneship,
}

impl ShipKind {
    /// All kinds, in the order of the text's example.
    pub const ALL: [ShipKind; 6] = [
        ShipKind::Fourdeck,
        ShipKind::Battleship,
        ShipKind::Threeship,
        ShipKind::Submarine,
        ShipKind::Twoship,
        ShipKind::Oneship,
    ];

    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            ShipKind::Fourdeck => "fourdeck",
            ShipKind::Battleship => "battleship",
            ShipKind::Threeship => "threeship",
            ShipKind::Submarine => "submarine",
            ShipKind::Twoship => "twoship",
            ShipKind::Oneship => "oneship",
        }
    }

    /// The kind with this name, in lower case as in the text.
    pub fn from_name(name: &str) -> Option<ShipKind> {
        ShipKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The letter on screens: the first of its name, but W for the twoship.
    pub fn letter(self) -> char {
        if self == ShipKind::Twoship { 'W' } else { initial(self.name()) }
    }

    /// The number of cells, 1 to 4.
    pub fn length(self) -> u8 {
        match self {
            ShipKind::Fourdeck => 4,
            ShipKind::Battleship | ShipKind::Threeship => 3,
            ShipKind::Submarine | ShipKind::Twoship => 2,
            ShipKind::Oneship => 1,
        }
    }

    /// The number of ships of this kind in a fleet, 1 to 4.
    pub fn count(self) -> usize {
        FLEET.into_iter().filter(|kind| *kind == self).count()
    }

    /// The number of hits that destroy one of the cells, 1 or 2.
    pub fn strength(self) -> u8 {
        if self == ShipKind::Battleship { 2 } else { 1 }
    }

    /// True if radar sees the ship.
    pub fn is_seen_by_radar(self) -> bool {
        self != ShipKind::Submarine
    }
}

impl std::fmt::Display for ShipKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A ship and where it is to lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ship {
    /// The kind.
    pub kind: ShipKind,
    /// The cells, in any order.
    pub cells: Vec<Point>,
}
