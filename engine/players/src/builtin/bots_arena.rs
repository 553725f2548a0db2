//! The hunter of botsArena.

use crate::bots_arena_sparring::placed;
use arena::{ArenaError, Ask, Player, Reply};
use rules::bots_arena::{BotsArena, Order, Requests, StrikeResult, View};
use rules::{Point, Random};
use sea_battle_rust::wire::Cell;
use sea_battle_rust::{Chart, Found, Ship, Values, Waters};

/// Looks for ships as the sample for Sea Battle in Rust does, without armour and radar.
pub(super) struct Hunter {
    random: Random,
}

impl Hunter {
    pub(super) fn new(seed: u64) -> Hunter {
        Hunter { random: rules::random(seed) }
    }

    fn order(&mut self, view: &View) -> Order {
        if view.placing {
            return placed(&view.settings, &mut self.random);
        }
        let chart = chart(view);
        let target = Values::of(&chart).best_cell(&mut self.random).or_else(|| chart.first_unknown());
        Order::Strike(target.map_or(Point::default(), |cell| Point::new(cell.x, cell.y)))
    }
}

/// What the player knows of its opponent's board.
fn chart(view: &View) -> Chart {
    let waters = Waters {
        width: i32::from(view.settings.width()),
        height: i32::from(view.settings.height()),
        ships_may_touch: true,
    };
    let fleet = (1..).zip(view.settings.ships()).map(|(length, count)| (Ship::plain(length), usize::from(count)));
    let mut chart = Chart::new(waters, fleet);
    for strike in &view.own_strikes {
        let found = match strike.result {
            StrikeResult::Nothing => Found::Nothing,
            StrikeResult::Hit => Found::Ship,
            StrikeResult::HitAndSunk => Found::LastOfShip,
        };
        chart.fired(Cell { x: strike.target.x, y: strike.target.y }, found);
    }
    chart
}

impl Player<BotsArena> for Hunter {
    fn decide(&mut self, ask: &Ask<'_, BotsArena>) -> Result<Reply<Order>, ArenaError> {
        let order = self.order(&ask.view());
        let given = vec![Requests::answer(&order)];
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }
}
