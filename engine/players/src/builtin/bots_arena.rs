//! The built-in players of botsArena.

use super::hunt::{self, Board, Hunt, Pattern};
use analysis::{Analysed, Effort, Knowledge};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::bots_arena::{BotsArena, Order, StrikeResult, View, place_at_random};
use rules::{Answer, Point, Random};

/// Places its ships at random and strikes at random cells that it has not struck at.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    player(seed, |view, random| fresh(view).choose(random).copied().unwrap_or_default())
}

/// The cells at which the player has not struck.
fn fresh(view: &View) -> Vec<Point> {
    let is_fresh = |cell: &Point| view.own_strikes.iter().all(|strike| strike.target != *cell);
    view.settings.grid().points().filter(is_fresh).collect()
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

/// Places its ships at random, and strikes where a hit is most likely.
pub(super) fn hunter(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut layout = None;
    player(seed, move |view, random| {
        let layout = layout.get_or_insert_with(|| BotsArena::layout(view));
        let hits = Knowledge::of::<BotsArena>(view, layout, Effort::QUICK, random.random()).hits;
        let chance = |cell: &Point| view.settings.grid().index(*cell).map_or(0.0, |index| hits[index]);
        let mut fresh = fresh(view);
        let most = fresh.iter().map(chance).fold(0.0, f64::max);
        fresh.retain(|cell| chance(cell) >= most * 0.999);
        fresh.choose(random).copied().unwrap_or_default()
    })
}

/// A player that places its ships at random and strikes at the cells that `target` gives.
fn player(seed: u64, mut target: impl FnMut(&View, &mut Random) -> Point) -> impl FnMut(&View) -> Answer<Order> {
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
