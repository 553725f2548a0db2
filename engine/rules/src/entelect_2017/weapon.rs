//! The weapons: which ship has them, what they cost and which cells they strike.

use super::{MapSize, Ship};
use crate::Point;
use serde::{Deserialize, Serialize};

/// A weapon, as a shot command names it (Player Rules 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

    /// Energy it takes on a map of this size: 1, or so many rounds' worth (simplified rules 5; release notes 1.2.0 for
    /// the seeker missile).
    pub fn energy(self, size: MapSize) -> u32 {
        let rounds = match self {
            Weapon::SingleShot => return 1,
            Weapon::DoubleShotVertical | Weapon::DoubleShotHorizontal => 8,
            Weapon::CornerShot => 10,
            Weapon::DiagonalCrossShot | Weapon::SeekerMissile => 12,
            Weapon::CrossShot => 14,
        };
        rounds * size.energy()
    }

    /// The cells it strikes, relative to its centre, in the order they are struck; of the seeker missile the centre.
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

    /// True if the target must be on the board. The area weapons may have their centre off it and waste cells.
    pub fn needs_target_on_board(self) -> bool {
        matches!(self, Weapon::SingleShot | Weapon::SeekerMissile)
    }

    /// The points a seeker missile looks at, relative to its centre, by distance: nearest first, then lower x, then
    /// lower y.
    pub(super) const SEEKER_SEARCH: [&[(i32, i32)]; 4] = [
        &[(0, 0)],
        &[(-1, 0), (0, -1), (0, 1), (1, 0)],
        &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
        &[(-2, 0), (0, -2), (0, 2), (2, 0)],
    ];

    /// The cells that a shot at `centre` strikes as far as coordinates reach.
    pub fn cells(self, centre: Point) -> impl Iterator<Item = Point> {
        self.pattern().iter().filter_map(move |&(dx, dy)| centre.offset(dx, dy))
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Weapon::SingleShot => "single shot",
            Weapon::DoubleShotVertical => "vertical double shot",
            Weapon::DoubleShotHorizontal => "horizontal double shot",
            Weapon::CornerShot => "corner shot",
            Weapon::DiagonalCrossShot => "diagonal cross shot",
            Weapon::CrossShot => "cross shot",
            Weapon::SeekerMissile => "seeker missile",
        }
    }
}

impl Ship {
    /// The special weapon that only this ship has (simplified rules 5).
    pub fn special_weapon(self) -> Weapon {
        match self {
            Ship::Submarine => Weapon::SeekerMissile,
            Ship::Destroyer => Weapon::DoubleShotVertical,
            Ship::Battleship => Weapon::DiagonalCrossShot,
            Ship::Carrier => Weapon::CornerShot,
            Ship::Cruiser => Weapon::CrossShot,
        }
    }
}
