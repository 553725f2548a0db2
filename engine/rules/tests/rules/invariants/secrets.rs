//! Assertions that a seat is told only of what it may know.

use super::rounds::{Round, both, start};
use rules::entelect_2017::{Entelect2017, Event, MapSize, Order, Placement, Ship, View, Weapon};
use rules::{Eye, Game, Point, Scene, Seat, Told, straight};

/// All that A gets to know in a round: its view, its scene and the events for it.
pub(crate) fn known_to_a(game: &Entelect2017, told: Vec<Told<Event>>) -> (View, [Scene; 2], Vec<Event>) {
    let told = told.into_iter().filter(|told| told.to.includes(Seat::A)).map(|told| told.event).collect();
    (game.view(Seat::A), [Eye::Seat(Seat::A), Eye::Everyone].map(|eye| game.scene(eye)), told)
}

/// Two matches of the same answers in which B's ships lie differently.
pub(crate) struct Twins {
    games: [Entelect2017; 2],
    fleets: [Placement; 2],
}

impl Twins {
    /// After both have placed legal fleets: A the same in both matches.
    pub(crate) fn place(size: MapSize, a: &Placement, fleets: [Placement; 2]) -> Twins {
        let games = fleets.each_ref().map(|fleet| {
            let mut game = start(size);
            game.advance(both((Ok(a.clone().into()), Ok(fleet.clone().into()))));
            game
        });
        assert_eq!(games[0].view(Seat::A), games[1].view(Seat::A));
        Twins { games, fleets }
    }

    /// Plays a round in both, in which A learns the same, unless it may learn where the fleets differ: such a shot goes
    /// off the board instead. False once the match is over, for then a fleet that was killed off may be seen.
    pub(crate) fn learn_the_same(&mut self, (mut order, answer): Round) -> bool {
        if let Ok(order) = &order {
            let [one, other] = self.games.each_ref().map(|game| game.check(Seat::A, order));
            assert_eq!(one, other, "what a player may do does not depend on what it cannot know: {order:?}");
        }
        if order.as_ref().is_ok_and(|order| self.tells_apart(order)) {
            order = Ok(Order::Fire { weapon: Weapon::SingleShot, centre: Point::new(-1, -1) });
        }
        let [one, other] = self.games.each_mut().map(|game| {
            let told = game.advance(both((order.clone(), answer.clone())));
            known_to_a(game, told)
        });
        if self.games[0].outcome().is_some() {
            return false;
        }
        assert_eq!(one, other);
        true
    }

    /// True if the order strikes, or looks for, a cell where not the same ship lies in both fleets.
    fn tells_apart(&self, order: &Order) -> bool {
        let Order::Fire { weapon, centre } = order else { return false };
        let apart = |point| {
            let [one, other] = self.fleets.each_ref().map(|fleet| ship_at(fleet, point));
            one != other
        };
        if *weapon == Weapon::SeekerMissile {
            let near = (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy)));
            near.filter_map(|(dx, dy)| centre.offset(dx, dy)).any(apart)
        } else {
            weapon.cells(*centre).any(apart)
        }
    }
}

fn ship_at(fleet: &Placement, point: Point) -> Option<Ship> {
    let covers = |start, direction, length| straight(start, direction, length).any(|cell| cell == Some(point));
    fleet.ships.iter().find(|ship| covers(ship.start, ship.direction, ship.ship.length())).map(|ship| ship.ship)
}
