//! Strikes and what they found.

use crate::Point;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// The result of a strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum StrikeResult {
    /// Nothing, or a ship that was sunk before.
    Nothing,
    /// A ship that is still afloat.
    Hit,
    /// The last healthy cell of a ship.
    HitAndSunk,
}

impl StrikeResult {
    /// The words in the protocol.
    pub fn text(self) -> &'static str {
        match self {
            StrikeResult::Nothing => "",
            StrikeResult::Hit => "hit",
            StrikeResult::HitAndSunk => "hit and sunk",
        }
    }
}

/// A strike at one cell of the opponent's board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Strike {
    /// The cell.
    pub target: Point,
    /// The result.
    pub result: StrikeResult,
}

/// All strikes of a player, in order.
///
/// Every question shows all of them, and a match on the largest board may have tens of thousands, so a clone shares all
/// but the last few.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Strikes {
    full: Vec<Arc<[Strike]>>,
    open: Vec<Strike>,
}

/// The number of strikes that clones share as one block.
const BLOCK: usize = 128;

impl Strikes {
    pub(super) fn push(&mut self, strike: Strike) {
        self.open.push(strike);
        if self.open.len() == BLOCK {
            self.full.push(std::mem::take(&mut self.open).into());
        }
    }

    /// The number of strikes.
    pub fn len(&self) -> usize {
        self.full.len() * BLOCK + self.open.len()
    }

    /// True if there are no strikes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The last one.
    pub fn last(&self) -> Option<&Strike> {
        self.open.last().or_else(|| self.full.last()?.last())
    }

    /// All of them, first to last.
    pub fn iter(&self) -> impl Iterator<Item = &Strike> {
        self.full.iter().flat_map(|block| block.iter()).chain(&self.open)
    }
}

/// The number of strikes and the last one: the rest of a match depends on no other, and a fingerprint of each of them was
/// taken in its turn.
impl Serialize for Strikes {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        (self.len(), self.last()).serialize(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strikes_stay_in_order_however_many_there_are() {
        let mut strikes = Strikes::default();
        assert!(strikes.is_empty() && strikes.last().is_none());
        for x in 0..1000 {
            let strike = Strike { target: Point::new(x, 0), result: StrikeResult::Nothing };
            strikes.push(strike);
            assert_eq!((strikes.len(), strikes.last()), (x as usize + 1, Some(&strike)));
        }
        assert!(strikes.iter().map(|strike| strike.target.x).eq(0..1000));
    }
}
