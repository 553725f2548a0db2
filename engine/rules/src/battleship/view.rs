//! The view of one seat.

use super::event::{Finding, Hits, Shot, Sinking};
use super::order::Refusal;
use super::placing::Fleet;
use super::rules::Rules;
use crate::{BySeat, Log, Seat};

/// The knowledge of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The rules of the match.
    pub rules: Rules,
    /// The number of turns played.
    pub turn: u32,
    /// True before the ships are placed.
    pub placing: bool,
    /// The number of shots that the seat has in its next move.
    pub shots: u32,
    /// The number of moves that the seat has left, the next one included.
    pub moves_left: u32,
    /// The ships of the seat; `None` before they are placed, and in solo.
    pub fleet: Option<Fleet>,
    /// The boards, each with what the seat is told of it. The seat's own shows what others know, if shots are seen. In solo a
    /// seat fires at its own.
    pub boards: BySeat<BoardView>,
    /// The shots of each seat; of others only if shots are seen.
    pub fired: BySeat<Log<Shot>>,
    /// The hits of moves, where only their number is told.
    pub hits: Vec<Hits>,
    /// The ships that were sunk, as far as that is told.
    pub sunk: Vec<Sinking>,
    /// The results of the seat's radars and sonars.
    pub found: Vec<Finding>,
    /// The number of times that each special action of the rules may still be taken; 0 while the ship is not afloat that it needs.
    pub uses: Vec<u8>,
    /// The reason why the last order of the seat was refused, or a shot of it, or that there was none.
    pub refused: Option<Refusal>,
}

/// A board as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardView {
    /// True if its player is still in.
    pub is_in: bool,
    /// The cells in the order of [`Grid::points`](crate::Grid::points).
    pub cells: Vec<Known>,
}

/// The knowledge of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Known {
    /// Nothing.
    Unknown,
    /// A radar showed a ship there.
    Ship,
    /// A shot fell there, whose result is not told.
    Shot,
    /// A shot hit a ship there, which has armour left.
    Damaged,
    /// No ship is there, as follows from a sinking or a radar.
    Water,
    /// A shot fell into the water.
    Miss,
    /// A cell of a ship was destroyed.
    Hit,
    /// A cell of a ship that is sunk.
    Sunk,
}

impl Known {
    /// The sign in messages.
    pub fn sign(self) -> char {
        match self {
            Known::Unknown => '.',
            Known::Ship => '#',
            Known::Shot => '?',
            Known::Damaged => 'd',
            Known::Water => '~',
            Known::Miss => 'o',
            Known::Hit => 'x',
            Known::Sunk => 's',
        }
    }

    /// True if there is nothing left to hit in the cell for certain.
    pub fn is_spent(self) -> bool {
        matches!(self, Known::Water | Known::Miss | Known::Hit | Known::Sunk)
    }
}

impl View {
    /// The seats at whose boards this one may fire: its own in solo, those of others who are still in otherwise.
    pub fn targets(&self) -> impl Iterator<Item = Seat> {
        let (own, is_solo) = (self.seat, self.rules.is_solo());
        self.boards.iter().filter(move |(seat, board)| (*seat == own) == is_solo && board.is_in).map(|(seat, _)| seat)
    }
}
