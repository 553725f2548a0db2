//! The sparring partner of Salvo, no better than it has to be.

use arena::{ArenaError, Ask, Player, Reply};
use rand::seq::IndexedRandom;
use rules::salvo::{BOARD, Messages, Order, Salvo, View, random_fleet};
use rules::{Point, Random, Seat};

/// Places its ships at random and fires at random cells that it has not fired at, of players who are in the game.
#[derive(Debug)]
pub struct SalvoSparring {
    random: Random,
}

impl SalvoSparring {
    /// The same seed gives the same moves.
    pub fn new(seed: u64) -> SalvoSparring {
        SalvoSparring { random: rules::random(seed) }
    }

    /// What it does, by what it may know.
    pub(crate) fn order(&mut self, view: &View) -> Order {
        if view.salvo.is_none() {
            return Order::Place(random_fleet(&mut self.random));
        }
        let others: Vec<Seat> = others(view).collect();
        let target = others.choose(&mut self.random).copied().unwrap_or(view.seat);
        let shots = view.own_salvos.iter().flat_map(|salvo| &salvo.shots).chain(&view.own_shots);
        let fired: Vec<Point> = shots.filter(|shot| shot.target == target).map(|shot| shot.at).collect();
        let fresh: Vec<Point> = BOARD.points().filter(|at| !fired.contains(at)).collect();
        let at = fresh.choose(&mut self.random).copied().unwrap_or_default();
        Order::Fire { target, at }
    }
}

/// The players that may be fired at.
pub(crate) fn others(view: &View) -> impl Iterator<Item = Seat> + '_ {
    view.players.iter().filter(|(seat, player)| *seat != view.seat && player.is_in).map(|(seat, _)| seat)
}

impl Player<Salvo> for SalvoSparring {
    fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
        let order = self.order(&ask.view());
        let given = Messages::answer(&order);
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }
}
