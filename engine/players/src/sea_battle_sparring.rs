//! The sparring partner of Sea Battle, no better than it has to be.

use arena::{ArenaError, Ask, Player, Reply};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::sea_battle::{BOARD, Json, Order, SeaBattle, View, random_fleet};
use rules::{Point, Random};

/// Places its ships at random and fires at random cells that it has not fired at, now and then again at one that it hit.
/// It uses its radar once, sooner or later.
#[derive(Debug)]
pub struct SeaBattleSparring {
    random: Random,
}

impl SeaBattleSparring {
    /// The same seed gives the same moves.
    pub fn new(seed: u64) -> SeaBattleSparring {
        SeaBattleSparring { random: rules::random(seed) }
    }

    fn order(&mut self, view: &View) -> Order {
        if view.turn == 0 {
            return Order::Place(random_fleet(&mut self.random));
        }
        let cells: Vec<Point> = BOARD.points().collect();
        let hit: Vec<Point> = view.own_shots.iter().filter(|shot| shot.result.is_hit()).map(|shot| shot.at).collect();
        let is_fresh = |cell: &Point| view.own_shots.iter().all(|shot| shot.at != *cell);
        let fresh: Vec<Point> = cells.iter().copied().filter(is_fresh).collect();
        let any = |among: &[Point], random: &mut Random| among.choose(random).copied().unwrap_or_default();
        match self.random.random_range(0..15) {
            0 if !view.radar_used => Order::Radar(any(&cells, &mut self.random)),
            1..=3 if !hit.is_empty() => Order::Shoot(any(&hit, &mut self.random)),
            _ if fresh.is_empty() => Order::Shoot(any(&hit, &mut self.random)),
            _ => Order::Shoot(any(&fresh, &mut self.random)),
        }
    }
}

impl Player<SeaBattle> for SeaBattleSparring {
    fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<Order>, ArenaError> {
        let order = self.order(&ask.view());
        let given = vec![Json::answer(&order)];
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Observers, Players, Sequence, play};
    use rules::sea_battle::Settings;
    use rules::{Ending, Game, Outcome, Seat};

    fn played(max_moves: u32, seed: u64) -> Outcome {
        let player =
            |seat| -> Box<dyn Player<SeaBattle>> { Box::new(SeaBattleSparring::new(rules::seat_seed(seed, seat))) };
        let mut players: Players<SeaBattle> = [Seat::A, Seat::B].map(player).into_iter().collect();
        let game = SeaBattle::start(&Settings { max_moves }, 2, seed).unwrap();
        play(game, &mut players, Sequence::InTurn, &mut Observers::new()).unwrap()
    }

    #[test]
    fn it_breaks_no_rule_and_in_the_end_sinks_all() {
        for seed in 0..20 {
            assert!(!matches!(played(120, seed).ending, Ending::KilledOff { .. }));
            assert!(matches!(played(2000, seed).ending, Ending::FleetSunk { .. }));
            assert_eq!(played(120, seed), played(120, seed));
        }
    }
}
