//! Seats: places at the table, counted from 0 and shown as A, B, C …

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

/// A place at the table.
///
/// ```
/// use rules::Seat;
/// assert_eq!(Seat::B.opponent(), Seat::A);
/// assert_eq!(Seat::try_from('P').map(Seat::index), Ok(15));
/// assert_eq!(Seat::new(Seat::MAX), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct Seat(u8);

/// A letter that names no seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no seat {0:?}; they go from A to {last}", last = Seat(Seat::MAX - 1))]
pub struct NoSuchSeat(char);

impl TryFrom<char> for Seat {
    type Error = NoSuchSeat;
    fn try_from(letter: char) -> Result<Seat, NoSuchSeat> {
        let index = u32::from(letter).checked_sub(u32::from('A')).and_then(|index| u8::try_from(index).ok());
        index.and_then(Seat::new).ok_or(NoSuchSeat(letter))
    }
}

impl From<Seat> for char {
    fn from(seat: Seat) -> char {
        seat.letter()
    }
}

impl Seat {
    /// The most seats any game has.
    pub const MAX: u8 = 16;
    /// The first seat.
    pub const A: Seat = Seat(0);
    /// The second seat.
    pub const B: Seat = Seat(1);

    /// The seat with this number, counted from 0; `None` from [`Seat::MAX`] on.
    pub fn new(index: u8) -> Option<Seat> {
        (index < Self::MAX).then_some(Seat(index))
    }

    /// The number of the seat, counted from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The letter the seat is shown as.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// The other seat of a game for two.
    pub fn opponent(self) -> Seat {
        Seat(self.0 ^ 1)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Seats(u16);

impl Seats {
    /// No seat.
    pub const NONE: Seats = Seats(0);

    /// The first `count` seats.
    pub fn first(count: u8) -> Seats {
        (0..count.min(Seat::MAX)).map(Seat).collect()
    }

    /// True if `seat` is in the set.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// True if there is no seat in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let seat = Seat(left.trailing_zeros() as u8);
            left &= left.checked_sub(1)?;
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        Seats(seats.into_iter().fold(0, |set, seat| set | 1 << seat.0))
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// One value for every seat.
///
/// ```
/// use rules::{BySeat, Seat};
/// let names: BySeat<&str> = ["Hunter", "Kraken"].into_iter().collect();
/// assert_eq!(names[Seat::B], "Kraken");
/// assert_eq!(names.map(|name| name.len()).into_iter().sum::<usize>(), 12);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>")]
pub struct BySeat<T>(Vec<T>);

/// More values than there can be seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} seats; no game has more than {most}", most = Seat::MAX)]
pub struct TooManySeats(usize);

impl<T> TryFrom<Vec<T>> for BySeat<T> {
    type Error = TooManySeats;
    fn try_from(values: Vec<T>) -> Result<BySeat<T>, TooManySeats> {
        if values.len() <= usize::from(Seat::MAX) { Ok(BySeat(values)) } else { Err(TooManySeats(values.len())) }
    }
}

impl<T> BySeat<T> {
    /// The values with their seats, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        self.0.iter().enumerate().map(|(index, value)| (Seat(index as u8), value))
    }

    /// The values with their seats, in order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        self.0.iter_mut().enumerate().map(|(index, value)| (Seat(index as u8), value))
    }

    /// The seats there are.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<T> {
        (0..self.0.len()).map(|index| Seat(index as u8))
    }

    /// The number of seats.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no seats.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A new value for every seat, made from the old.
    pub fn map<U>(&self, make: impl FnMut(&T) -> U) -> BySeat<U> {
        BySeat(self.0.iter().map(make).collect())
    }
}

impl<T> IntoIterator for BySeat<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> FromIterator<T> for BySeat<T> {
    /// # Panics
    /// When there are more values than seats.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> BySeat<T> {
        let values: Vec<T> = values.into_iter().collect();
        assert!(values.len() <= usize::from(Seat::MAX), "no game has more than {} seats", Seat::MAX);
        BySeat(values)
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
