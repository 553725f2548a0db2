//! The dialect in which records keep what players answered.
//!
//! A [`Dialect`] asks a player and reads its answer. Here nobody is asked: what a player may know is spread over topics as it
//! happens, and its shots name their target by the topic they are published on. So the messages of the network are in
//! [`body`] and [`Topics`], for a server to put together, and this dialect is what is left of the exchange: the one message
//! that says whose turn it is, and the bodies of the answers, decrypted, word for word as they came.

use super::{Order, Placement, Salvo, ShipKind, Topic, Topics, View, body};
use crate::{Answer, BySeat, Dialect, Fault, Message, Part, Seat};

/// The part with the seat that was fired at, by its letter: on the network it is in the name of the topic.
pub const TARGET: &str = "target";
/// The part with the cell that was fired at.
pub const FIRE: &str = "fire";

/// The names of the parts of answers: a fleet has one for each ship, a shot the last two.
const PARTS: [&str; 7] = ["carrier", "battleship", "destroyer", "submarine", "patrolboat", TARGET, FIRE];

/// What is left of the messages of one match.
#[derive(Debug, Clone)]
pub struct Messages {
    topics: Topics,
    names: BySeat<String>,
}

impl Messages {
    /// Of a match of these players.
    pub fn new(topics: Topics, names: BySeat<String>) -> Messages {
        Messages { topics, names }
    }

    /// Of so many players without names. Answers do not depend on them.
    ///
    /// # Panics
    /// When there are more than [`Seat::MAX`].
    pub fn by_letters(seats: u8) -> Messages {
        Messages::new(Topics::default(), (0..seats).filter_map(Seat::new).map(|seat| seat.to_string()).collect())
    }

    /// What a record keeps of a player that gave this order, in the words of the text.
    pub fn answer(order: &Order) -> Vec<Part> {
        match order {
            Order::Place(ships) => ships.iter().map(|ship| Messages::ship(*ship)).collect(),
            Order::Fire { target, at } => {
                vec![Messages::target(*target), Part { name: FIRE, bytes: body::cell(*at).into() }]
            }
        }
    }

    /// The part that tells the target of a shot.
    pub fn target(target: Seat) -> Part {
        Part { name: TARGET, bytes: target.to_string().into() }
    }

    fn ship(ship: Placement) -> Part {
        Part { name: ship.ship.name(), bytes: body::placement(ship).into() }
    }
}

impl Dialect<Salvo> for Messages {
    /// The retained message by which a player knows that it is to answer.
    fn ask(&self, seat: Seat, view: &View) -> Message {
        let (topic, name, bytes) = match view.turn {
            0 => (Topic::State, "state", body::GameState::Lobby.name().into()),
            _ => (Topic::Current, "current", self.names[seat].clone().into()),
        };
        Message { address: self.topics.name(&topic), parts: vec![Part { name, bytes }] }
    }

    /// A shot if it has one of the parts of shots, else a fleet of the ships that are there.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        if parts.is_empty() {
            return Err(Fault::NothingWritten);
        }
        let unreadable = |part: &str, why: &str| Fault::Unreadable { why: format!("{part}: {why}") };
        let [target, fire] = [TARGET, FIRE].map(|name| parts.iter().find(|part| part.name == name));
        match (target, fire) {
            (None, None) => {
                let ship = |part: &Part| {
                    let kind =
                        ShipKind::from_name(part.name).ok_or_else(|| unreadable(part.name, "there is no such ship"))?;
                    body::read_placement(kind, &part.bytes).map_err(|error| unreadable(part.name, &error.0))
                };
                Ok(Order::Place(parts.iter().map(ship).collect::<Result<_, Fault>>()?))
            }
            (Some(target), Some(fire)) => {
                let seat = match target.bytes.as_slice() {
                    [letter] => Seat::try_from(char::from(*letter)).ok(),
                    _ => None,
                };
                let target = seat.ok_or_else(|| unreadable(TARGET, "it is no seat"))?;
                let at = body::read_shot(&fire.bytes).map_err(|error| unreadable(FIRE, &error.0))?;
                Ok(Order::Fire { target, at })
            }
            (None, Some(_)) => Err(unreadable(TARGET, "it is missing")),
            (Some(_), None) => Err(unreadable(FIRE, "it is missing")),
        }
    }

    fn answer_parts(&self) -> &'static [&'static str] {
        &PARTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fleet_has_a_part_for_every_ship() {
        assert_eq!(PARTS[..5], ShipKind::ALL.map(ShipKind::name));
    }
}
