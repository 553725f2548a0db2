//! The built-in players of Sea Battle.

use super::hunt::{Board, Found, Hunt, Pattern};
use crate::{Bot, Delivery, Transport};
use arena::ArenaError;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::sea_battle::{BOARD, FLEET, Json, Order, ShipKind, ShotResult, View, random_fleet};
use rules::{Answer, Fault, HttpRequest, Part, Point, Random, Seat};

/// Places its ships at random and fires at random cells that it has not fired at, now and then again at one that it hit.
/// Uses its radar once, sooner or later.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| {
        if view.turn == 0 {
            return Ok(Order::Place(random_fleet(&mut random)));
        }
        let cells: Vec<Point> = BOARD.points().collect();
        let hit: Vec<Point> = view.own_shots.iter().filter(|shot| shot.result.is_hit()).map(|shot| shot.at).collect();
        let is_fresh = |cell: &Point| view.own_shots.iter().all(|shot| shot.at != *cell);
        let fresh: Vec<Point> = cells.iter().copied().filter(is_fresh).collect();
        let any = |among: &[Point], random: &mut Random| among.choose(random).copied().unwrap_or_default();
        Ok(match random.random_range(0..15) {
            0 if !view.radar_used => Order::Radar(any(&cells, &mut random)),
            1..=3 if !hit.is_empty() => Order::Shoot(any(&hit, &mut random)),
            _ if fresh.is_empty() => Order::Shoot(any(&hit, &mut random)),
            _ => Order::Shoot(any(&fresh, &mut random)),
        })
    }
}

/// Places its ships at random, fires beside its hits, and again at those that armour may have caught. Uses no radar.
pub(super) fn hunt_and_target(pattern: Pattern, seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut hunt = Hunt::new(pattern, seed);
    move |view| {
        if view.turn == 0 {
            return Ok(Order::Place(random_fleet(&mut hunt.random)));
        }
        let mut board = Board::new(BOARD, FLEET.map(ShipKind::length).into(), false);
        for shot in &view.own_shots {
            let found = match shot.result {
                ShotResult::Miss => Found::Nothing,
                ShotResult::Hit => Found::Ship,
                ShotResult::Sunk => Found::LastOfShip,
            };
            board.fired(shot.at, found);
        }
        let fired_once = |at: &Point| view.own_shots.iter().filter(|shot| shot.at == *at).count() == 1;
        let hits: Vec<Point> = board.hits().filter(fired_once).collect();
        let beside = hunt.any(&board.beside_hits());
        let target = beside.or_else(|| hunt.any(&hits)).or_else(|| hunt.search(&board));
        Ok(Order::Shoot(target.unwrap_or_default()))
    }
}

/// Places its ships at random, and fires at one cell only, where it hits at most what lies there.
pub(super) fn passive(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| match view.turn {
        0 => Ok(Order::Place(random_fleet(&mut random))),
        _ => Ok(Order::Shoot(Point::default())),
    }
}

/// The sample in Rust: a bot as any other, whose messages do not leave the process.
pub(super) fn hunter(seed: u64, has_radar: bool) -> Bot<Json, Brain> {
    // The sample does not look at the name of the match.
    Bot::new(Json::new(""), Brain { random: rules::random(seed), has_radar })
}

/// The brain of the sample in Rust. One without radar is told that it has used it.
pub(super) struct Brain {
    random: Random,
    has_radar: bool,
}

impl Transport<HttpRequest> for Brain {
    fn exchange(&mut self, _seat: Seat, message: &HttpRequest) -> Result<Delivery, ArenaError> {
        let name = message.answer;
        let mut body = message.body.clone();
        if let (false, Ok(mut asked)) = (self.has_radar, serde_json::from_slice::<serde_json::Value>(&body)) {
            asked["radarUsed"] = true.into();
            body = asked.to_string().into_bytes();
        }
        let (parts, fault) = match sea_battle_rust::answer(name, &body, &mut self.random) {
            Ok(bytes) => (vec![Part { name, bytes }], None),
            Err(why) => (Vec::new(), Some(Fault::crashed(&why.to_string()))),
        };
        Ok(Delivery { parts, fault, time: None, run: None, notes: None })
    }
}

#[cfg(test)]
mod tests {
    use crate::BuiltIn;
    use arena::{Observers, Players, Sequence, play};
    use rules::sea_battle::{SeaBattle, Settings};
    use rules::{Ending, Game, Outcome, Seat};

    fn played(max_moves: u32, seed: u64) -> Outcome {
        let player = |seat| BuiltIn::Random.player(rules::seat_seed(seed, seat));
        let mut players: Players<SeaBattle> = [Seat::A, Seat::B].map(player).into_iter().collect();
        let game = SeaBattle::start(&Settings::moves(max_moves), 2, seed).unwrap();
        play(game, &mut players, Sequence::InTurn, &mut Observers::new()).unwrap()
    }

    #[test]
    fn the_random_player_breaks_no_rule_and_in_the_end_sinks_all() {
        for seed in 0..20 {
            assert!(!matches!(played(120, seed).ending, Ending::KilledOff { .. }));
            assert!(matches!(played(2000, seed).ending, Ending::FleetSunk { .. }));
            assert_eq!(played(120, seed), played(120, seed));
        }
    }
}
