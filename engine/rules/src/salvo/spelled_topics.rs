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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_with_long_names_of_players_and_ships_are_strangers() {
        let topics = Topics::below("monday").unwrap();
        let place = |player: usize, ship: &str| {
            format!("/monday/players/{}/ships/{ship}/{}", "p".repeat(player), ShipTopic::Place.name())
        };
        let long = format!("carrier{}", "-".repeat(60_000));
        for (ship, is_ship) in [("Carrier", true), ("raft", false)] {
            let (known, unknown) = (place(100, ship), place(101, ship));
            assert_eq!(
                (topics.parse(&known).is_some(), topics.place_of_no_ship(&known).is_some()),
                (is_ship, !is_ship)
            );
            assert_eq!((topics.parse(&unknown), topics.place_of_no_ship(&unknown)), (None, None));
        }
        for ship in [long, "r".repeat(33)] {
            let name = place(1, &ship);
            assert_eq!((topics.parse(&name), topics.place_of_no_ship(&name)), (None, None));
            assert_eq!(topics.ship_spelling(&name), None);
        }
        assert!(topics.place_of_no_ship(&place(1, &"r".repeat(32))).is_some());
    }
}
