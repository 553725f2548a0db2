//! The built-in players of botsArena.

use super::hunt::{self, Board, Hunt, Pattern};
use rand::seq::IndexedRandom;
use rules::bots_arena::{Order, StrikeResult, View, place_at_random};
use rules::{Answer, Point, Random};
use sea_battle_rust::wire::Cell;
use sea_battle_rust::{Chart, Found, Ship, Values, Waters};

/// Places its ships at random and strikes at random cells that it has not struck at.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    player(seed, |view, random| {
        let is_fresh = |cell: &Point| view.own_strikes.iter().all(|strike| strike.target != *cell);
        let fresh: Vec<Point> = view.settings.grid().points().filter(is_fresh).collect();
        fresh.choose(random).copied().unwrap_or_default()
    })
}

/// Places its ships at random, and strikes beside its hits.
pub(super) fn hunt_and_target(pattern: Pattern, seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut hunt = Hunt::new(pattern, seed);
    move |view| {
        if view.placing {
            return Ok(placed(view, &mut hunt.random));
        }
        let mut board = Board::new(view.settings.grid(), view.settings.lengths(), true);
        for strike in &view.own_strikes {
            let found = match strike.result {
                StrikeResult::Nothing => hunt::Found::Nothing,
                StrikeResult::Hit => hunt::Found::Ship,
                StrikeResult::HitAndSunk => hunt::Found::LastOfShip,
            };
            board.fired(strike.target, found);
        }
        Ok(Order::Strike(hunt.target(&board).unwrap_or_default()))
    }
}

/// Places its ships at random, and strikes at one cell only, where it hits at most what lies there.
pub(super) fn passive(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    player(seed, |_, _| Point::default())
}

/// Looks for ships as the sample for Sea Battle in Rust does, without armour and radar.
pub(super) fn hunter(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    player(seed, |view, random| {
        let chart = chart(view);
        let target = Values::of(&chart).best_cell(random).or_else(|| chart.first_unknown());
        target.map_or(Point::default(), |cell| Point::new(cell.x, cell.y))
    })
}

/// A player that places its ships at random and strikes at the cells that `target` gives.
fn player(seed: u64, target: fn(&View, &mut Random) -> Point) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| match view.placing {
        true => Ok(placed(view, &mut random)),
        false => Ok(Order::Strike(target(view, &mut random))),
    }
}

/// Ships at random places. Where they have no room, no match begins.
fn placed(view: &View, random: &mut Random) -> Order {
    Order::Place(place_at_random(&view.settings, random).unwrap_or_default())
}

/// The player's knowledge of its opponent's board.
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
