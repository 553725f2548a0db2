//! The parts of answers, as records keep them.
//!
//! No message asks a player of Salvo: a player learns from topics that it is to answer, and shots name their target by the
//! topic they are published on. So the messages of the network are in [`body`] and [`Topics`](super::Topics), for a server
//! to put together, and the parts here are what is left of the exchange: the bodies of the answers, decrypted, word for
//! word as they came.

use super::{Event, NoOrder, Order, Placement, Salvo, ShipKind, body, scenery};
use crate::{Answer, Fault, Listed, Look, Part, Reach, Seat};

/// The part with the seat that was fired at, by its letter: on the network it is in the name of the topic.
pub const TARGET: &str = "target";
/// The part with the cell that was fired at.
pub const FIRE: &str = "fire";

/// The names of the parts of answers: a fleet has one for each ship, a shot the last two.
const NAMES: [&str; 7] = ["carrier", "battleship", "destroyer", "submarine", "patrolboat", TARGET, FIRE];

impl Listed for Salvo {
    const REACH: Reach = Reach::Mqtt;
    const ANSWER_PARTS: &'static [&'static str] = &NAMES;

    /// Reads a shot if there is one of the parts of shots, else a fleet of the ships that are there.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        if parts.is_empty() {
            return Err(Fault::NothingWritten);
        }
        let unreadable = |part: &str, why: &str| Fault::unreadable(&format!("{part}: {why}"));
        let [target, fire] = [TARGET, FIRE].map(|name| parts.iter().find(|part| part.name == name));
        match (target, fire) {
            (None, None) => {
                let ship = |part: &Part| {
                    let kind = ShipKind::from_name(part.name);
                    let kind = kind.ok_or_else(|| unreadable(part.name, "there is no such ship"))?;
                    body::read_placement(kind, &part.bytes).map_err(|error| unreadable(part.name, &error.0))
                };
                Ok(Order::Place(parts.iter().map(ship).collect::<Result<_, Fault>>()?))
            }
            (Some(target), Some(fire)) => {
                let seat = match target.bytes.as_slice() {
                    [letter] => Seat::try_from(char::from(*letter)).ok(),
                    _ => None,
                };
                let target = seat.ok_or_else(|| unreadable(TARGET, "it is not a seat"))?;
                let at = body::read_shot(&fire.bytes).map_err(|error| unreadable(FIRE, &error.0))?;
                Ok(Order::Fire { target, at })
            }
            (None, Some(_)) => Err(unreadable(TARGET, "it is missing")),
            (Some(_), None) => Err(unreadable(FIRE, "it is missing")),
        }
    }

    /// The parts of the answer that gives `order`, in the words of the text.
    fn write(order: &Order) -> Vec<Part> {
        let ship = |ship: &Placement| Part { name: ship.ship.name(), bytes: body::placement(*ship).into() };
        match order {
            Order::Place(ships) => ships.iter().map(ship).collect(),
            Order::Fire { target, at } => vec![
                Part { name: TARGET, bytes: target.to_string().into() },
                Part { name: FIRE, bytes: body::cell(*at).into() },
            ],
        }
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Removed { seat, why: NoOrder::Refused(_) }
            | Event::Lapsed { seat, why: NoOrder::Refused(_), .. } => Some(*seat),
            _ => None,
        }
    }

    fn fired(event: &Event) -> Option<(Seat, bool)> {
        match event {
            Event::Fired { seat, .. } => Some((*seat, false)),
            _ => None,
        }
    }

    fn look() -> Look {
        scenery::look()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fleet_has_a_part_for_every_ship() {
        assert_eq!(NAMES[..5], ShipKind::ALL.map(ShipKind::name));
    }
}
