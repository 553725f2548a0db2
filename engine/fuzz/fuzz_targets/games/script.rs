//! A match as bytes that a person can write and libFuzzer can change: every sequence of bytes is a script.
//!
//! The first byte is the size of the map (`1`, `2`, `3`), the second the kind of match (`o`, `w` or `s`). A match of kind `s`
//! then has the fleets of A and of B and another one of B, two bytes each, and a byte that says which ships of B come
//! from the other one. What follows are the answers of A and B in turn:
//!
//! | bytes | answer |
//! |---|---|
//! | `1`…`7` x y | fire the weapon with this code |
//! | `8` x y | raise the shield |
//! | `0` | do nothing |
//! | `p` and 2 bytes | place a fleet that fits, chosen by the two bytes |
//! | `P` and 5 times ship, x, y | place these ships; the ship is a letter of those of map.txt, its direction follows: `n`, `e`, `s`, `w` |
//! | `?` and a digit | a fault |
//!
//! Coordinates are letters: `a` is 0, `Z` is -1. White space before an answer is skipped. Any other byte counts as one of
//! those above.

use crate::rounds::Round;
use rules::entelect_2017::{MapSize, Order, Placement, Ship, ShipPlacement, Weapon};
use rules::{Answer, Direction, Fault, Point};
use std::time::Duration;

/// The purpose of a match.
#[derive(PartialEq, Eq)]
pub(crate) enum Kind {
    /// To see whether each round is as it must be.
    Open,
    /// The same, and to see whether the files at its end can be written, which takes as long as all its rounds.
    Written,
    /// To see whether A learns of B what it must not know.
    Secret,
}

/// The rest of a script.
pub(crate) struct Script<'a>(std::slice::Iter<'a, u8>);

impl Script<'_> {
    pub(crate) fn new(bytes: &[u8]) -> Script<'_> {
        Script(bytes.iter())
    }

    pub(crate) fn size(&mut self) -> MapSize {
        one_of(&MapSize::ALL, self.byte().unwrap_or_default().wrapping_sub(b'1'))
    }

    pub(crate) fn kind(&mut self) -> Kind {
        match self.byte() {
            Some(b's') => Kind::Secret,
            Some(b'w') => Kind::Written,
            _ => Kind::Open,
        }
    }

    /// A fleet that fits.
    pub(crate) fn fleet(&mut self, size: MapSize) -> Placement {
        let seed = u64::from(self.byte().unwrap_or_default()) << 8 | u64::from(self.byte().unwrap_or_default());
        let lengths = Ship::ALL.map(Ship::length);
        let places = rules::random_fleet(size.grid(), &lengths, &mut rules::random(seed)).expect("there is room");
        Placement::new(Ship::ALL.map(|ship| {
            let (start, direction) = places[ship.index()];
            ShipPlacement { ship, start, direction }
        }))
    }

    /// `fleet`, and the same with some ships of `other` if that fits, else `other`.
    pub(crate) fn mixed(&mut self, fleet: Placement, other: &Placement) -> [Placement; 2] {
        let choice = self.byte().unwrap_or_default();
        let mut ships = fleet.ships;
        for (nth, ship) in ships.iter_mut().enumerate().filter(|(nth, _)| choice & (1 << nth) != 0) {
            *ship = other.ships[nth];
        }
        let cells = |ship: &ShipPlacement| rules::straight(ship.start, ship.direction, ship.ship.length());
        let mut all: Vec<Point> = ships.iter().flat_map(cells).flatten().collect();
        let count = all.len();
        all.sort();
        all.dedup();
        let second = if all.len() == count { Placement::new(ships) } else { other.clone() };
        [fleet, second]
    }

    /// The answers of the next round; `None` at the end of the script.
    pub(crate) fn round(&mut self, size: MapSize) -> Option<Round> {
        Some((self.answer(size)?, self.answer(size).unwrap_or(Err(Fault::NothingWritten))))
    }

    fn answer(&mut self, size: MapSize) -> Option<Answer<Order>> {
        let kind = loop {
            match self.byte()? {
                b' ' | b'\n' | b'\r' => {}
                kind => break kind,
            }
        };
        Some(match kind {
            b'0' => Ok(Order::DoNothing),
            b'8' => Ok(Order::Shield { centre: self.point()? }),
            b'?' => Err(self.fault()?),
            b'p' => Ok(self.fleet(size).into()),
            b'P' => Ok(self.placement()?.into()),
            kind => Ok(Order::Fire { weapon: one_of(&Weapon::ALL, kind.wrapping_sub(b'1')), centre: self.point()? }),
        })
    }

    fn placement(&mut self) -> Option<Placement> {
        let mut ships = Vec::new();
        for _ in 0..5 {
            let letter = self.byte()?.to_ascii_uppercase();
            let named = Ship::ALL.into_iter().find(|ship| ship.letter() == char::from(letter));
            let ship = named.unwrap_or_else(|| one_of(&Ship::ALL, letter));
            let direction = match self.byte()? {
                b'n' => Direction::North,
                b'e' => Direction::East,
                b's' => Direction::South,
                b'w' => Direction::West,
                other => one_of(&Direction::ALL, other),
            };
            ships.push(ShipPlacement { ship, start: self.point()?, direction });
        }
        ships.try_into().ok().map(Placement::new)
    }

    fn point(&mut self) -> Option<Point> {
        Some(Point::new(self.coordinate()?, self.coordinate()?))
    }

    fn coordinate(&mut self) -> Option<i32> {
        Some(match self.byte()? {
            0 => i32::MIN,
            1 => i32::MIN + 1,
            2 => i32::MIN + 2,
            253 => i32::MAX - 2,
            254 => i32::MAX - 1,
            255 => i32::MAX,
            letter @ b'a'..=b'z' => i32::from(letter - b'a'),
            letter @ b'A'..=b'Z' => -1 - i32::from(b'Z' - letter),
            other => i32::from(other % 16) - 1,
        })
    }

    fn fault(&mut self) -> Option<Fault> {
        let second = Duration::from_secs(1);
        Some(match self.byte()? % 8 {
            0 => Fault::GaveUp,
            1 => Fault::timed_out(second, second),
            2 => Fault::Crashed { how: "signal 6".to_owned() },
            3 => Fault::unreadable("nonsense"),
            _ => Fault::NothingWritten,
        })
    }

    fn byte(&mut self) -> Option<u8> {
        self.0.next().copied()
    }
}

fn one_of<T: Copy>(all: &[T], number: u8) -> T {
    all[usize::from(number) % all.len()]
}
