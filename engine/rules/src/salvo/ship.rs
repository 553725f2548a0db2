//! The board and the ships of a fleet.

use crate::look::initial;
use crate::{Direction, Grid, Point, straight};
use serde::{Deserialize, Serialize};

/// The cells of one player's board.
pub const BOARD: Grid = Grid::new(10, 10);

/// The number of cells of all ships of a fleet.
pub const CELLS: u32 = 17;

/// A kind of ship; a fleet has one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShipKind {
    /// Five cells.
    Carrier,
    /// Four cells.
    Battleship,
    /// Three cells.
    Destroyer,
    /// Three cells.
    Submarine,
    /// Two cells.
    PatrolBoat,
}

impl ShipKind {
    /// All kinds, in the order of the text.
    pub const ALL: [ShipKind; 5] =
        [ShipKind::Carrier, ShipKind::Battleship, ShipKind::Destroyer, ShipKind::Submarine, ShipKind::PatrolBoat];

    /// The most bytes of a ship's name in a topic, in any spelling.
    pub const LONGEST_SPELLING: usize = 32;

    /// The name in topics.
    pub fn name(self) -> &'static str {
        match self {
            ShipKind::Carrier => "carrier",
            ShipKind::Battleship => "battleship",
            ShipKind::Destroyer => "destroyer",
            ShipKind::Submarine => "submarine",
            ShipKind::PatrolBoat => "patrolboat",
        }
    }

    /// The kind with this name, in lower case.
    pub fn from_name(name: &str) -> Option<ShipKind> {
        ShipKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that clients name so in topics: in any letter case, with blanks, underscores or hyphens between the letters,
    /// such as `Patrol boat`. A name of more than [`ShipKind::LONGEST_SPELLING`] bytes is not one of a ship.
    pub fn from_spelling(name: &str) -> Option<ShipKind> {
        if name.len() > ShipKind::LONGEST_SPELLING {
            return None;
        }
        let is_separator = |c: &char| matches!(c, ' ' | '_' | '-');
        let letters: String = name.chars().filter(|c| !is_separator(c)).map(|c| c.to_ascii_lowercase()).collect();
        ShipKind::from_name(&letters)
    }

    /// The letter on screens: the first of its name.
    pub fn letter(self) -> char {
        initial(self.name())
    }

    /// The number of cells, 2 to 5.
    pub fn length(self) -> u8 {
        match self {
            ShipKind::Carrier => 5,
            ShipKind::Battleship => 4,
            ShipKind::Destroyer | ShipKind::Submarine => 3,
            ShipKind::PatrolBoat => 2,
        }
    }
}

impl std::fmt::Display for ShipKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The orientation of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Orientation {
    /// The cells go to higher x.
    Horizontal,
    /// The cells go to higher y.
    Vertical,
}

impl Orientation {
    /// Both orientations.
    pub const ALL: [Orientation; 2] = [Orientation::Horizontal, Orientation::Vertical];

    /// The direction in which the cells go.
    pub fn direction(self) -> Direction {
        match self {
            Orientation::Horizontal => Direction::East,
            Orientation::Vertical => Direction::North,
        }
    }

    /// The orientation of a ship whose cells go in this direction.
    pub fn of(direction: Direction) -> Orientation {
        match direction {
            Direction::East | Direction::West => Orientation::Horizontal,
            Direction::North | Direction::South => Orientation::Vertical,
        }
    }

    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Orientation::Horizontal => "HORIZONTAL",
            Orientation::Vertical => "VERTICAL",
        }
    }

    /// The one with this name in any letter case: the text has it in upper case, the original in mixed case.
    pub fn from_name(name: &str) -> Option<Orientation> {
        Orientation::ALL.into_iter().find(|orientation| orientation.name().eq_ignore_ascii_case(name))
    }
}

/// A ship and where it is to lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The ship.
    pub ship: ShipKind,
    /// The cell that is nearest to (0, 0): ships are counted from the corner that the board is counted from.
    pub at: Point,
    /// The orientation.
    pub orientation: Orientation,
}

impl Placement {
    /// The cells from [`Placement::at`] on, on the board or off it; `None` where coordinates end.
    pub fn cells(self) -> impl Iterator<Item = Option<Point>> {
        straight(self.at, self.orientation.direction(), self.ship.length())
    }

    /// True if one of the cells is `point`.
    pub fn covers(self, point: Point) -> bool {
        self.cells().any(|cell| cell == Some(point))
    }
}
