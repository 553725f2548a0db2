//! Settings of a match: the size of both boards, and the ships.

use crate::battleship::{BoardSize, Choices, Consequence, FleetEntry, Rules, ToldHits, ToldResults, ToldSunk};
use crate::{Grid, SetupError};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The longest side a board can have.
pub const MOST_OF_A_SIDE: u8 = 100;
/// The length of the longest ship.
pub const LONGEST: usize = 6;
/// The most ships of one length.
pub const MOST_OF_A_LENGTH: u8 = 10;

/// The settings of a match. Not all of them can be played: see [`Settings::playable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Settings {
    width: u8,
    height: u8,
    ships: [u8; LONGEST],
}

/// Settings as somebody wrote them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    width: u8,
    height: u8,
    ships: [u8; LONGEST],
}

impl TryFrom<Unchecked> for Settings {
    type Error = SetupError;
    fn try_from(Unchecked { width, height, ships }: Unchecked) -> Result<Settings, SetupError> {
        Settings::new(width, height, ships)
    }
}

impl Default for Settings {
    /// Those of the text's examples: 10 x 10, ships of length 5, 4, 3, 3 and 2.
    fn default() -> Settings {
        Settings { width: 10, height: 10, ships: [0, 1, 2, 1, 1, 0] }
    }
}

impl Settings {
    /// Boards of this size, 1 to 100 cells along each side, and so many ships of length 1 to 6, 0 to 10 of each.
    ///
    /// # Errors
    /// [`SetupError::Settings`] with the first value out of range.
    pub fn new(width: u8, height: u8, ships: [u8; LONGEST]) -> Result<Settings, SetupError> {
        let wrong = |what: String| Err(SetupError::Settings(what));
        if let Some((side, cells)) =
            [("width", width), ("height", height)].into_iter().find(|(_, cells)| !(1..=MOST_OF_A_SIDE).contains(cells))
        {
            return wrong(format!("the {side} of a board is 1 to {MOST_OF_A_SIDE} cells, not {cells}"));
        }
        match (1..).zip(ships).find(|(_, count)| *count > MOST_OF_A_LENGTH) {
            Some((length, count)) => {
                wrong(format!("there are 0 to {MOST_OF_A_LENGTH} ships of length {length}, not {count}"))
            }
            None => Ok(Settings { width, height, ships }),
        }
    }

    /// Checks that a match can be played: there are ships, none longer than both sides, and they cover half of the board at
    /// most, so that they have room for certain.
    ///
    /// # Errors
    /// [`SetupError::Settings`] with the first condition that does not hold.
    pub fn playable(&self) -> Result<(), SetupError> {
        let Settings { width, height, .. } = *self;
        let wrong = |what: String| Err(SetupError::Settings(what));
        let cells = self.cells();
        match self.lengths().first() {
            None => wrong("there are no ships".to_owned()),
            Some(longest) if *longest > width.max(height) => {
                wrong(format!("a ship of length {longest} is longer than both sides of a board of {width} x {height}"))
            }
            Some(_) if cells * 2 > self.grid().len() => {
                wrong(format!("the ships cover {cells} cells, more than half of a board of {width} x {height}"))
            }
            Some(_) => Ok(()),
        }
    }

    /// The number of columns of each board, 1 to 100.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// The number of rows of each board, 1 to 100.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The numbers of ships of length 1, 2 … 6 that each player has, 0 to 10 each.
    pub fn ships(&self) -> [u8; LONGEST] {
        self.ships
    }

    /// The cells of one board.
    pub fn grid(&self) -> Grid {
        Grid::new(self.width, self.height)
    }

    /// The lengths of a player's ships, longest first.
    pub fn lengths(&self) -> Vec<u8> {
        (1..=LONGEST as u8)
            .rev()
            .flat_map(|length| std::iter::repeat_n(length, usize::from(self.ships[usize::from(length) - 1])))
            .collect()
    }

    /// The number of cells that a player's ships cover.
    pub fn cells(&self) -> usize {
        self.lengths().into_iter().map(usize::from).sum()
    }

    /// The settings as rules of any Battleship: players move by turns, A first, and a mistake costs the match. The usual ones are made
    /// once.
    pub(super) fn rules(&self) -> Result<Rules, SetupError> {
        static USUAL: OnceLock<Rules> = OnceLock::new();
        if *self != Settings::default() {
            return Ok(Rules::new(self.choices())?);
        }
        Ok(USUAL.get_or_init(|| Rules::new(self.choices()).expect("the usual settings can be played")).clone())
    }

    fn choices(&self) -> Choices {
        let counts = (1..=LONGEST as u8).zip(self.ships).filter(|(_, count)| *count > 0).rev();
        let entry = |(size, count)| FleetEntry::straight(format!("ship of {size}"), size, count);
        Choices {
            name: "botsArena".to_owned(),
            board: BoardSize { width: self.width, height: self.height },
            fleet: counts.map(entry).collect(),
            told: ToldResults { hit: ToldHits::Each, sunk: ToldSunk::Cells },
            off_board: Consequence::Loses,
            ..Choices::default()
        }
    }

    /// The most moves of both players together: four times the board's cells each. Then the match is a draw.
    pub fn most_moves(&self) -> u32 {
        8 * self.grid().len() as u32
    }
}
