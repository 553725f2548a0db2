//! The knowledge of another player's board.

use crate::fleet::Cell;
use std::collections::BTreeMap;

/// A cell of this colour of a chessboard is worth a little more: every ship has one, even the shortest.
const CHESSBOARD: f64 = 0.01;

/// The shots at a board. Nobody is told which shots of a salvo hit, only how many did; so each has a chance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// The cells that were fired at, and how likely there was a ship.
    fired: BTreeMap<Cell, f64>,
}

impl Chart {
    /// A shot is on its way.
    pub fn fire(&mut self, cell: Cell) {
        self.fired.insert(cell, 0.0);
    }

    /// A salvo is over: this is the share of its shots that hit.
    pub fn learn(&mut self, cell: Cell, share: f64) {
        self.fired.insert(cell, share);
    }

    /// A shot may have been lost on the way.
    pub fn forget(&mut self, cell: Cell) {
        self.fired.remove(&cell);
    }

    /// The cells that are left, and what a shot at each is worth: ships are longer than a cell, so where there may have been
    /// a hit, the cells around are good.
    pub fn values(&self) -> impl Iterator<Item = (Cell, f64)> {
        let value = |cell: Cell| {
            let around = self.fired.iter().filter(|(fired, _)| fired.touches(cell));
            let colour = if (cell.x + cell.y).is_multiple_of(2) { CHESSBOARD } else { 0.0 };
            around.map(|(_, share)| share).sum::<f64>() + colour
        };
        Cell::all().filter(|cell| !self.fired.contains_key(cell)).map(move |cell| (cell, value(cell)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(chart: &Chart, x: u8, y: u8) -> Option<f64> {
        chart.values().find(|(cell, _)| *cell == Cell { x, y }).map(|(_, value)| value)
    }

    #[test]
    fn cells_near_a_salvo_with_hits_are_worth_more() {
        let mut chart = Chart::default();
        chart.fire(Cell { x: 4, y: 4 });
        assert_eq!(value(&chart, 4, 5), Some(0.0));
        chart.learn(Cell { x: 4, y: 4 }, 0.4);
        assert_eq!(value(&chart, 4, 5), Some(0.4));
        assert_eq!(value(&chart, 5, 5), Some(CHESSBOARD), "ships do not lie across corners");
        chart.learn(Cell { x: 4, y: 6 }, 0.2);
        assert!(value(&chart, 4, 5).unwrap() > 0.5);
    }

    #[test]
    fn no_cell_is_fired_at_twice_unless_the_shot_was_lost() {
        let mut chart = Chart::default();
        chart.fire(Cell { x: 0, y: 9 });
        assert_eq!((value(&chart, 0, 9), chart.values().count()), (None, 99));
        chart.forget(Cell { x: 0, y: 9 });
        assert_eq!(chart, Chart::default());
    }
}
