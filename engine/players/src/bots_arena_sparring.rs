//! The sparring partner of botsArena, no better than it has to be.

use arena::{ArenaError, Ask, Player, Reply};
use rand::seq::IndexedRandom;
use rules::bots_arena::{BotsArena, Order, Requests, Settings, View, place_at_random};
use rules::{Point, Random};

/// Places its ships at random and strikes at random cells that it has not struck at.
#[derive(Debug)]
pub struct BotsArenaSparring {
    random: Random,
}

impl BotsArenaSparring {
    /// The same seed gives the same moves.
    pub fn new(seed: u64) -> BotsArenaSparring {
        BotsArenaSparring { random: rules::random(seed) }
    }

    fn order(&mut self, view: &View) -> Order {
        if view.placing {
            return placed(&view.settings, &mut self.random);
        }
        let is_fresh = |cell: &Point| view.own_strikes.iter().all(|strike| strike.target != *cell);
        let fresh: Vec<Point> = view.settings.grid().points().filter(is_fresh).collect();
        Order::Strike(fresh.choose(&mut self.random).copied().unwrap_or_default())
    }
}

/// The ships at random. Where they have no room, no match begins.
pub(crate) fn placed(settings: &Settings, random: &mut Random) -> Order {
    Order::Place(place_at_random(settings, random).unwrap_or_default())
}

impl Player<BotsArena> for BotsArenaSparring {
    fn decide(&mut self, ask: &Ask<'_, BotsArena>) -> Result<Reply<Order>, ArenaError> {
        let order = self.order(&ask.view());
        let given = vec![Requests::answer(&order)];
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }
}
