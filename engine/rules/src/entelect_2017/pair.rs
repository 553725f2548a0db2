//! One value for each of the two players.

use crate::{BySeat, Seat};
use serde::{Serialize, Serializer};
use std::ops::{Index, IndexMut};

/// One value for each of the two players. In the state itself, so that a copy of the state needs no other memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair<T>([T; 2]);

impl<T> Pair<T> {
    pub(super) fn new(a: T, b: T) -> Pair<T> {
        Pair([a, b])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        [Seat::A, Seat::B].into_iter().zip(&self.0)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        [Seat::A, Seat::B].into_iter().zip(&mut self.0)
    }

    /// A value for each seat, made from these.
    pub(super) fn map<U>(&self, make: impl FnMut(&T) -> U) -> BySeat<U> {
        self.0.iter().map(make).collect()
    }
}

impl<T: Serialize> Serialize for Pair<T> {
    /// As [`BySeat`]: records keep fingerprints of states.
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(&self.0)
    }
}

impl<T> Index<Seat> for Pair<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for Pair<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
