//! Memory of earlier games: what was found in each cell.

use hunter::Sight;
use rules::Grid;
use std::fmt;

/// Games against one opponent, the latest at the end. Each has a letter for every cell: `x` a ship, `o` water, `.` not known.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    games: Vec<String>,
}

impl Memory {
    /// The weight of what was expected before the first game, in games.
    const EXPECTED: f64 = 2.0;

    /// Reads one game a line.
    pub(crate) fn parse(text: &str) -> Memory {
        Memory { games: text.lines().map(str::to_owned).collect() }
    }

    /// Takes down what is known of this game, in which nothing is known at the beginning.
    pub(crate) fn note(&mut self, sight: &Sight, begins: bool) {
        if !begins {
            self.games.pop();
        }
        let letter = |cell| match (sight.damaged.contains(cell), sight.missed.contains(cell)) {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '.',
        };
        self.games.push((0..sight.grid.len()).map(letter).collect());
    }

    /// The number of times that a ship lay in each cell over the number that was to be expected. The last game is left out: it is
    /// the one that is being played.
    pub(crate) fn weights(&self, grid: Grid) -> Vec<f64> {
        let expected = 17.0 / grid.len() as f64;
        let games = || self.games.iter().rev().skip(1).filter(|game| game.len() == grid.len());
        let count = |letter: u8, cell: usize| games().filter(|game| game.as_bytes()[cell] == letter).count() as f64;
        let weight = |cell| {
            let (ships, water) = (count(b'x', cell), count(b'o', cell));
            (ships + Memory::EXPECTED * expected) / (ships + water + Memory::EXPECTED) / expected
        };
        (0..grid.len()).map(weight).collect()
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.games.iter().try_for_each(|game| writeln!(f, "{game}"))
    }
}
