//! The three map sizes and what depends on them.

use crate::Grid;
use serde::{Deserialize, Serialize};

/// The size of both maps of a match (published text, "Map Generation").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapSize {
    /// 7 x 7.
    Small,
    /// 10 x 10.
    #[default]
    Medium,
    /// 14 x 14.
    Large,
}

impl MapSize {
    /// All sizes, smallest first.
    pub const ALL: [MapSize; 3] = [MapSize::Small, MapSize::Medium, MapSize::Large];

    /// The number of the size on the command line: 1, 2 or 3.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Cells along one side (Map Generation 1-3).
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

    /// Energy that each player has at the start and gets in each round of phase 2 (Game Engine Rules 2).
    pub fn energy(self) -> u32 {
        match self {
            MapSize::Small => 2,
            MapSize::Medium => 3,
            MapSize::Large => 4,
        }
    }

    /// The largest radius a shield can have (Shield Rules 6).
    pub fn max_shield_radius(self) -> u32 {
        match self {
            MapSize::Small => 1,
            MapSize::Medium => 2,
            MapSize::Large => 3,
        }
    }

    /// The number of the last round that can be played, counted from 0. Not in the published text; the original stops
    /// when the round number exceeds the number of cells by more than five.
    pub fn last_round(self) -> u32 {
        let side = u32::from(self.side());
        side * side + 5
    }
}
