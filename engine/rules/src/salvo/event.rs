//! What happens in a turn, and who may know of it.

use super::{Found, Refusal, ShipKind};
use crate::{Audience, Fault, Point, Seat, Seats, Told};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player's fleet is on the board. Told to everyone.
    Placed {
        /// Whose.
        seat: Seat,
    },
    /// The rules removed a player from the game. Told to everyone.
    Removed {
        /// Who.
        seat: Seat,
        /// Why.
        why: NoOrder,
    },
    /// A salvo begins. Told to everyone (`/game/current`).
    Turn {
        /// Whose.
        seat: Seat,
        /// How many shots it has: one for each ship that is afloat.
        shots: u8,
    },
    /// A shot was fired. Told to the shooter only, who does not learn whether it hit.
    Fired {
        /// Who fired.
        seat: Seat,
        /// At whose board.
        target: Seat,
        /// At which cell.
        at: Point,
    },
    /// A shot fell. Told to its target only (`/players/TARGET/hit`).
    Incoming {
        /// Who fired.
        seat: Seat,
        /// On whose board.
        target: Seat,
        /// In which cell.
        at: Point,
        /// What it found there.
        found: Found,
    },
    /// A ship was sunk. Told to everyone (`/player/TARGET/ships/SHIP/sunk`).
    Sunk {
        /// Who fired.
        seat: Seat,
        /// Whose ship it was.
        target: Seat,
        /// Which one.
        ship: ShipKind,
    },
    /// A player lost its last ship. Told to everyone (`/player/SEAT/defeated`).
    Defeated {
        /// Who.
        seat: Seat,
    },
    /// Shots of a salvo are lost. Told to everyone.
    Lapsed {
        /// Whose.
        seat: Seat,
        /// How many.
        shots: u8,
        /// Why.
        why: NoOrder,
    },
    /// A salvo is over. Told to everyone (`/game/hits`).
    SalvoOver {
        /// Whose.
        seat: Seat,
        /// How many shots were fired.
        shots: u8,
        /// How many of them hit a part of a ship for the first time.
        hits: u8,
    },
}

/// Why there was no usable order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoOrder {
    /// The player gave none.
    Fault(Fault),
    /// It was refused.
    Refused(Refusal),
}

impl std::fmt::Display for NoOrder {
    /// As words on one line that follow a name. How long a player took is left out: records round it, and a match that is
    /// played again has to end in the same words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = match self {
            NoOrder::Fault(Fault::TimedOut { .. }) => "took too long".to_owned(),
            NoOrder::Fault(Fault::Unreadable { why }) => format!("gave an unreadable answer: {why}"),
            NoOrder::Fault(Fault::Unreachable { why }) => format!("was unreachable: {why}"),
            NoOrder::Fault(fault) => fault.to_string(),
            NoOrder::Refused(refusal) => format!("broke the rules: {refusal}"),
        };
        f.write_str(&words.replace(char::is_control, " "))
    }
}

impl Event {
    /// The event with those who may know of it.
    pub(super) fn told(self) -> Told<Event> {
        let to = self.audience();
        Told { event: self, to }
    }

    /// Those who may know of it: where a shot fell is a secret of shooter and target, what it found one of the target's.
    pub(super) fn audience(&self) -> Audience {
        match self {
            Event::Fired { seat, .. } => Audience::Only(Seats::from_iter([*seat])),
            Event::Incoming { target, .. } => Audience::Only(Seats::from_iter([*target])),
            Event::Placed { .. }
            | Event::Removed { .. }
            | Event::Turn { .. }
            | Event::Sunk { .. }
            | Event::Defeated { .. }
            | Event::Lapsed { .. }
            | Event::SalvoOver { .. } => Audience::Everyone,
        }
    }
}
