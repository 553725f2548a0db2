//! Lists that only grow, of which clones share nearly all.

use serde::{Serialize, Serializer};
use std::sync::Arc;

/// A list that only grows.
///
/// Every question shows all shots, and a match on the largest board may have tens of thousands, so a clone shares all but the
/// last few.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log<T> {
    full: Vec<Arc<[T]>>,
    open: Vec<T>,
}

/// The number of entries that clones share as one block.
const BLOCK: usize = 128;

impl<T> Default for Log<T> {
    fn default() -> Log<T> {
        Log { full: Vec::new(), open: Vec::new() }
    }
}

impl<T> Log<T> {
    pub(crate) fn push(&mut self, entry: T) {
        self.open.push(entry);
        if self.open.len() == BLOCK {
            self.full.push(std::mem::take(&mut self.open).into());
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.full.len() * BLOCK + self.open.len()
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The last one.
    pub fn last(&self) -> Option<&T> {
        self.open.last().or_else(|| self.full.last()?.last())
    }

    /// All of them, first to last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.full.iter().flat_map(|block| block.iter()).chain(&self.open)
    }
}

/// The number of entries and the last one: the rest of a match depends on no other, and a fingerprint of each of them was
/// taken in its turn.
impl<T: Serialize> Serialize for Log<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        (self.len(), self.last()).serialize(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_in_order_however_many_there_are() {
        let mut log = Log::default();
        assert!(log.is_empty() && log.last().is_none());
        for entry in 0..1000 {
            log.push(entry);
            assert_eq!((log.len(), log.last()), (entry + 1, Some(&entry)));
        }
        assert!(log.iter().copied().eq(0..1000));
    }
}
