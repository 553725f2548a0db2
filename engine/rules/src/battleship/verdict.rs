//! The mistakes in an order, and their consequences.

use super::choices::{Choices, Consequence, FleetConsequence};
use super::order::{Order, Refusal, Target};
use super::placing;
use super::rules::MOST_OF_A_NAME;
use super::state::Battleship;
use super::view::Known;
use crate::{Point, Seat, printable_prefix};

/// A mistake in an order.
pub(super) struct Mistake {
    pub(super) why: Refusal,
    pub(super) then: Consequence,
    /// True if the order is carried out all the same: a shot where nothing is left to hit may be wasted.
    pub(super) is_obeyed: bool,
}

/// The mistake in an order that costs most, the first of those; `None` if there is none.
pub(super) fn mistake(game: &Battleship, seat: Seat, order: &Order) -> Option<Mistake> {
    let choices = game.rules.choices();
    let of = |why: Refusal, then: Consequence| Some(Mistake { why, then, is_obeyed: false });
    let off_board = choices.off_board;
    match order {
        Order::Place(ships) if game.placing => Some(bad_fleet(choices, placing::fleet(&game.rules, ships).err()?)),
        Order::Place(_) => of(Refusal::PlacedBefore, off_board),
        _ if game.placing => Some(bad_fleet(choices, Refusal::NotPlaced)),
        Order::Fire(targets) => {
            let allowed = game.shots(seat);
            let too_many = targets.len() as u64 > u64::from(allowed);
            let count = match targets.len() {
                0 => of(Refusal::NoShots, choices.no_answer),
                given if too_many => of(Refusal::TooManyShots { given, allowed }, off_board),
                _ => None,
            };
            let mut worst = None;
            for (nth, target) in targets.iter().take(allowed as usize).enumerate() {
                keep_worse(&mut worst, shot(game, seat, *target, &targets[..nth]));
            }
            keep_worse(&mut worst, count);
            worst
        }
        Order::Use { special, aim } => of(use_of(game, seat, special, *aim)?, off_board),
    }
}

/// Keeps the mistake that costs more, the first of equals.
fn keep_worse(worst: &mut Option<Mistake>, next: Option<Mistake>) {
    let cost = |mistake: &Option<Mistake>| mistake.as_ref().map(|mistake| (mistake.then, !mistake.is_obeyed));
    if next.is_some() && cost(&next) > cost(worst) {
        *worst = next;
    }
}

/// The consequence of a fleet as that of a move: one is drawn where a move would be wasted.
pub(super) fn consequence(of: FleetConsequence) -> Consequence {
    match of {
        FleetConsequence::Drawn => Consequence::Wasted,
        FleetConsequence::Refused => Consequence::Refused,
        FleetConsequence::Loses => Consequence::Loses,
    }
}

/// The mistake of a fleet that may not be placed.
pub(super) fn bad_fleet(choices: &Choices, why: Refusal) -> Mistake {
    Mistake { why, then: consequence(choices.bad_fleet), is_obeyed: false }
}

/// The mistake in one shot, after others of the same move.
fn shot(game: &Battleship, seat: Seat, target: Target, before: &[Target]) -> Option<Mistake> {
    let choices = game.rules.choices();
    let off_board = |why| Some(Mistake { why, then: choices.off_board, is_obeyed: false });
    let Some(at) = board(game, seat, target.at) else { return off_board(Refusal::NoTarget) };
    let Some(index) = game.rules.grid().index(target.cell) else { return off_board(Refusal::OffBoard(target.cell)) };
    let armour = game.rules.most_armour();
    let is_same = |other: &Target| other.cell == target.cell && board(game, seat, other.at) == Some(at);
    let is_spent = match game.known(seat, at)[index] {
        Known::Shot => armour == 1,
        known => known.is_spent(),
    };
    let is_repeated = is_spent || armour == 1 && before.iter().any(is_same);
    is_repeated.then(|| Mistake {
        why: Refusal::Repeated(target.cell),
        then: choices.repeated,
        is_obeyed: choices.repeated == Consequence::Wasted,
    })
}

/// The board at which a player aims; `None` if it may not fire there or has not said where.
pub(super) fn board(game: &Battleship, seat: Seat, named: Option<Seat>) -> Option<Seat> {
    let seats = game.players.len();
    let at = match named {
        Some(at) => at,
        None if game.rules.is_solo() => seat,
        None if seats == 2 => seat.opponent(),
        None => return None,
    };
    let may_be = at.index() < seats && game.players[at].out.is_none() && (at == seat) == game.rules.is_solo();
    may_be.then_some(at)
}

/// The kind of ship that a special action needs, if the player has none of it afloat.
pub(super) fn needed(game: &Battleship, seat: Seat, special: usize) -> Option<&str> {
    let needs = game.rules.choices().specials[special].needs.as_deref()?;
    let board = game.players[seat].board.as_ref()?;
    let mut afloat = game.rules.ships().iter().zip(board.ships()).filter(|(_, ship)| ship.left > 0);
    let is_afloat = afloat.any(|(of, _)| *of.name == *needs);
    (!is_afloat).then_some(needs)
}

/// The reason why a special action may not be taken.
fn use_of(game: &Battleship, seat: Seat, name: &str, aim: Target) -> Option<Refusal> {
    let specials = &game.rules.choices().specials;
    let Some(nth) = specials.iter().position(|special| special.name == name) else {
        return Some(Refusal::NoSuchSpecial(printable_prefix(name, MOST_OF_A_NAME)));
    };
    if game.players[seat].uses[nth] == 0 {
        return Some(Refusal::UsedUp(name.to_owned()));
    }
    if let Some(ship) = needed(game, seat, nth) {
        return Some(Refusal::NeedsShip { special: name.to_owned(), ship: ship.to_owned() });
    }
    if board(game, seat, aim.at).is_none() {
        return Some(Refusal::NoTarget);
    }
    let is_on = |cell: Point| game.rules.grid().contains(cell);
    (!is_on(aim.cell)).then_some(Refusal::OffBoard(aim.cell))
}
