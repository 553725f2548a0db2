//! The view of one seat: all of its own map, and of the opponent's what its own shots found.

use super::{MapSize, Phase, PlayerState, Ship};
use crate::{Point, Seat};

/// The knowledge of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The size of both maps.
    pub size: MapSize,
    /// The phase of the coming round.
    pub phase: Phase,
    /// The number of the coming round.
    pub round: u32,
    /// The player's own side: nothing of it is hidden.
    pub own: PlayerState,
    /// The knowledge of the other side.
    pub opponent: OpponentView,
}

/// A player's knowledge of its opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpponentView {
    /// The cells in the order of [`crate::Grid::points`].
    pub cells: Vec<OpponentCell>,
    /// True for the ships that were sunk, in the order of [`Ship::ALL`].
    pub destroyed: [bool; 5],
    /// True if the opponent is still in the game.
    pub alive: bool,
    /// The opponent's points.
    pub points: u32,
}

/// A player's knowledge of one cell of its opponent's map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpponentCell {
    /// A shot hit a ship here.
    pub damaged: bool,
    /// A shot fell into the water here.
    pub missed: bool,
    /// The active shield caught a shot here.
    pub shield_hit: bool,
}

impl OpponentView {
    pub(super) fn of(opponent: &PlayerState) -> OpponentView {
        let cells = opponent.board.cells().map(|cell| OpponentCell {
            damaged: cell.occupied && cell.hit,
            missed: !cell.occupied && cell.hit,
            shield_hit: cell.shield_hit,
        });
        OpponentView {
            cells: cells.collect(),
            destroyed: Ship::ALL.map(|ship| opponent.board.ship(ship).destroyed),
            alive: !opponent.killed,
            points: opponent.points,
        }
    }

    /// The cell at `point` of a map of this size; `None` off the board.
    pub fn cell(&self, size: MapSize, point: Point) -> Option<OpponentCell> {
        size.grid().index(point).map(|index| self.cells[index])
    }
}
