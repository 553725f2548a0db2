//! Events of a turn, as those are told them who may know.

use super::choices::Consequence;
use super::order::{Refusal, pair};
use super::placing::Fleet;
use crate::{Point, Seat};
use serde::Serialize;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player's ships are on the board.
    Placed(Seat),
    /// A fleet was drawn for a player that placed none. Told to that player only.
    Drawn(Seat, Fleet),
    /// A shot fell.
    Fired(Shot),
    /// A move is over of which only the number of hits is told.
    Hits(Hits),
    /// A ship was sunk.
    Sunk(Sinking),
    /// A special action was taken.
    Used {
        /// The player.
        seat: Seat,
        /// The number of the action in the rules.
        special: usize,
        /// The owner of the board.
        at: Seat,
        /// The cell at which it was aimed.
        aim: Point,
    },
    /// The result of a radar or a sonar. Told to its player only.
    Found(Finding),
    /// An order was refused, or a shot of it, or there was none.
    Refused {
        /// The player.
        seat: Seat,
        /// The reason.
        why: Refusal,
        /// The consequence.
        then: Consequence,
    },
    /// A player is out: its last ship was sunk, or it broke a rule. In solo it has sunk all ships.
    Out(Seat),
}

/// A shot, with the result that its player is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Shot {
    /// The turn in which it fell.
    pub turn: u32,
    /// The player that fired.
    pub by: Seat,
    /// The owner of the board.
    pub at: Seat,
    /// The cell.
    #[serde(serialize_with = "pair")]
    pub cell: Point,
    /// The result.
    pub result: ShotResult,
}

/// The result of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShotResult {
    /// No ship is there.
    Miss,
    /// A cell of a ship, which has armour left.
    Damaged,
    /// The cell of a ship, which is destroyed now.
    Hit,
    /// The last cell of a ship.
    Sunk,
    /// A cell of a ship that was destroyed before.
    #[serde(rename = "hit-before")]
    Again,
    /// Not told.
    Untold,
}

impl ShotResult {
    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            ShotResult::Miss => "miss",
            ShotResult::Damaged => "damaged",
            ShotResult::Hit => "hit",
            ShotResult::Sunk => "sunk",
            ShotResult::Again => "hit-before",
            ShotResult::Untold => "untold",
        }
    }

    /// True if the shot took something from a ship.
    pub fn is_hit(self) -> bool {
        matches!(self, ShotResult::Damaged | ShotResult::Hit | ShotResult::Sunk)
    }
}

/// The number of hits of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Hits {
    /// The turn of the move.
    pub turn: u32,
    /// The player that fired.
    pub by: Seat,
    /// The number of shots that were fired.
    pub shots: u32,
    /// The number of them that hit.
    pub hits: u32,
}

/// The sinking of a ship, with what is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sinking {
    /// The turn in which it sank.
    pub turn: u32,
    /// The player that sank it.
    pub by: Seat,
    /// The owner of the ship.
    #[serde(skip)]
    pub at: Seat,
    /// The number of its cells, if that is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// The number of its kind in the fleet of the rules, if its name is told.
    #[serde(skip)]
    pub kind: Option<usize>,
    /// Its cells; empty if they are not told.
    #[serde(skip)]
    pub cells: Vec<Point>,
}

/// The result of a radar or a sonar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The turn in which the action was taken.
    pub turn: u32,
    /// The number of the action in the rules.
    pub special: usize,
    /// The owner of the board.
    pub at: Seat,
    /// The cell at which it was aimed.
    pub aim: Point,
    /// The cells of ships that a radar shows.
    pub ships: Vec<Point>,
    /// The steps that a sonar tells.
    pub distance: Option<u32>,
}
