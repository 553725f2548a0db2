//! Topics of ships whose names clients spell in their own way.

use super::topics::{PLAYER_LEVEL, SHIP_LEVEL};
use super::{ShipKind, ShipTopic, Topic, Topics};

impl Topics {
    /// The name of the ship in the name of a topic, as it is spelled there; `None` if the topic is not one of a ship, or
    /// spelled as in [`Topics::name`].
    pub fn ship_spelling<'a>(&self, name: &'a str) -> Option<&'a str> {
        let Some(Topic::Ship { ship, .. }) = self.parse(name) else { return None };
        self.ship_level(name).filter(|spelled| *spelled != ship.name())
    }

    /// Player and ship of the name of a topic `/players/PLAYER/ships/SHIP/place` if there is no such ship. A SHIP that is too
    /// long for the name of a ship makes the topic unknown.
    pub fn place_of_no_ship<'a>(&self, name: &'a str) -> Option<(&'a str, &'a str)> {
        let (ship, player) = (self.ship_level(name)?, name.strip_prefix(&self.root)?.split('/').nth(PLAYER_LEVEL)?);
        let is_short = ship.len() <= ShipKind::LONGEST_SPELLING && player.len() <= Topics::LONGEST_LEVEL;
        if !is_short || ShipKind::from_spelling(ship).is_some() {
            return None;
        }
        let topic = Topic::Ship { player, ship: ShipKind::Carrier, what: ShipTopic::Place };
        (self.name(&topic) == self.with_ship(name, ShipKind::Carrier.name())).then_some((player, ship))
    }

    /// The name of a topic of a ship with this spelling of the ship's name.
    pub fn with_ship(&self, name: &str, spelled: &str) -> String {
        let mut levels: Vec<&str> = name.strip_prefix(&self.root).unwrap_or(name).split('/').collect();
        if let Some(level) = levels.get_mut(SHIP_LEVEL) {
            *level = spelled;
        }
        self.below_root(&levels.join("/"))
    }

    fn ship_level<'a>(&self, name: &'a str) -> Option<&'a str> {
        name.strip_prefix(&self.root)?.split('/').nth(SHIP_LEVEL)
    }
}
