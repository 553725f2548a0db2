//! The sparring partner: a built-in player, no better than it has to be.

use arena::{ArenaError, Ask, Player, Reply};
use rand::RngExt;
use rules::Random;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Order, Phase, Placement, View, Weapon};

/// Places its ships at random and fires single shots at random cells that it has not fired at.
#[derive(Debug)]
pub struct Sparring {
    random: Random,
}

impl Sparring {
    /// The same seed gives the same moves.
    pub fn new(seed: u64) -> Sparring {
        Sparring { random: rules::random(seed) }
    }

    fn shot(&mut self, view: &View) -> Order {
        let cells = view.opponent.cells.iter().zip(view.size.grid().points());
        let fresh: Vec<_> = cells.filter(|(cell, _)| !cell.missed && !cell.damaged).map(|(_, point)| point).collect();
        match fresh.len() {
            0 => Order::DoNothing,
            count => Order::Fire { weapon: Weapon::SingleShot, centre: fresh[self.random.random_range(0..count)] },
        }
    }
}

impl Player<Entelect2017> for Sparring {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        let order = match ask.view().phase {
            Phase::One => {
                Placement::at_random(ask.view().size, &mut self.random).map_or(Order::DoNothing, Order::Place)
            }
            Phase::Two => self.shot(&ask.view()),
        };
        let given = vec![Files::order_file(&order)];
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }
}
