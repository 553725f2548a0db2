//! The planes and kinds of orders that follow from the rules.

use rules::Seat;
use rules::battleship::{Known, Rules, ShipType, ShotCount, Shots, SpecialKind, ToldSunk};

/// The planes and kinds of orders of a match, in their order.
pub(super) struct Plan {
    pub(super) seats: usize,
    /// The boards at which a seat may fire.
    pub(super) targets: usize,
    pub(super) is_solo: bool,
    /// The planes of a board that show what is known of a cell.
    pub(super) known: Vec<(Known, &'static str)>,
    /// The planes of a board at which the seat fires that show something else.
    pub(super) other: Vec<(Other, &'static str)>,
    /// True if there are planes of what others know of the own board.
    pub(super) sees_own: bool,
}

/// A plane of a board at which the seat fires.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    /// The shots of a move that is not complete.
    Aimed,
    /// The number of hits of the move in which a cell was fired at last.
    MoveHits,
    /// The number of its shots.
    MoveShots,
    /// The steps that a sonar has told, and one more.
    Sonar,
}

impl Plan {
    pub(super) fn of(rules: &Rules, seats: usize) -> Plan {
        let choices = rules.choices();
        let (told, is_solo) = (choices.told, rules.is_solo());
        let has = |kind: SpecialKind| choices.specials.iter().any(|special| special.kind == kind);
        let each = choices.tells_each();
        let known = [
            (Known::Miss, "missed", each),
            (Known::Hit, "hit", each),
            (Known::Damaged, "damaged", each && rules.most_armour() > 1),
            (Known::Sunk, "sunk", told.sunk >= ToldSunk::Cells || each && told.sunk > ToldSunk::Nothing),
            (Known::Shot, "shot", !each),
            (Known::Water, "water", told.sunk == ToldSunk::Around || has(SpecialKind::Radar)),
            (Known::Ship, "ship seen", has(SpecialKind::Radar)),
        ];
        let other = [
            (Other::Aimed, "aimed at", choices.shots != Shots::Fixed(1)),
            (Other::MoveHits, "hits of the move", !each),
            (Other::MoveShots, "shots of the move", !each),
            (Other::Sonar, "sonar", has(SpecialKind::Sonar)),
        ];
        Plan {
            seats,
            targets: if is_solo { 1 } else { seats - 1 },
            is_solo,
            known: known.into_iter().filter(|known| known.2).map(|(known, name, _)| (known, name)).collect(),
            other: other.into_iter().filter(|other| other.2).map(|(other, name, _)| (other, name)).collect(),
            sees_own: choices.seen && !is_solo,
        }
    }

    /// The seat of a board to fire at, which is counted from 0.
    pub(super) fn seat_of(&self, seat: Seat, target: usize) -> Option<Seat> {
        if self.is_solo { Some(seat) } else { Seat::new(((seat.index() + 1 + target) % self.seats) as u8) }
    }

    /// The number of the board to fire at of this seat, which may be left out where there is only one.
    pub(super) fn target_of(&self, seat: Seat, at: Option<Seat>) -> Option<usize> {
        let Some(at) = at else { return (self.targets == 1).then_some(0) };
        let is_one = at.index() < self.seats && (at == seat) == self.is_solo;
        is_one.then(|| if self.is_solo { 0 } else { (at.index() + self.seats - seat.index() - 1) % self.seats })
    }

    /// A text about a board to fire at, with the opponent's number where there are several.
    pub(super) fn about(&self, target: usize, text: &str) -> String {
        if self.targets == 1 { text.to_owned() } else { format!("opponent {}: {text}", target + 1) }
    }

    /// The number of the first plane of what is known of a board to fire at.
    pub(super) fn planes_of(&self, target: usize) -> usize {
        let own = if self.is_solo { 0 } else { 1 + if self.sees_own { self.known.len() } else { 0 } };
        own + target * (self.known.len() + self.other.len())
    }
}

/// The ships of a fleet that players can tell apart when they are sunk: those of a kind, or those of a size.
pub(super) fn groups(rules: &Rules) -> Vec<(String, Vec<usize>)> {
    let told = rules.choices().told.sunk;
    let name = |ship: &ShipType| match told {
        ToldSunk::Nothing | ToldSunk::That => None,
        ToldSunk::Size => Some(format!("ships of {}", ship.shape.size())),
        ToldSunk::Name | ToldSunk::Cells | ToldSunk::Around => Some(ship.name.to_string()),
    };
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (number, ship) in rules.ships().iter().enumerate() {
        let Some(name) = name(ship) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, ships)) => ships.push(number),
            None => groups.push((name, vec![number])),
        }
    }
    groups
}

/// The most shots of a move.
pub(super) fn most_shots(rules: &Rules) -> u32 {
    let sizes = || rules.ships().iter().map(|ship| ship.shape.size() as u32);
    match rules.choices().shots {
        Shots::Fixed(shots) => shots.into(),
        Shots::Counted(ShotCount::ShipsAfloat) => rules.ships().len() as u32,
        Shots::Counted(ShotCount::LongestAfloat) => sizes().max().unwrap_or(1),
        Shots::Counted(ShotCount::OwnCellsAfloat) => sizes().sum(),
    }
}
