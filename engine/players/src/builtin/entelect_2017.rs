//! The built-in players of the Entelect Challenge 2017.

use rand::RngExt;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{OpponentCell, Order, Phase, Placement, View, Weapon};
use rules::{Answer, Fault, PlayerInfo};

/// Places its ships at random and fires single shots at random cells that it has not fired at.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| {
        if view.phase == Phase::One {
            return Ok(Placement::at_random(view.size, &mut random).map_or(Order::DoNothing, Order::from));
        }
        let is_fresh = |cell: &OpponentCell| !cell.missed && !cell.damaged;
        let count = view.opponent.cells.iter().filter(|cell| is_fresh(cell)).count();
        if count == 0 {
            return Ok(Order::DoNothing);
        }
        // Counted and then found: a list of the fresh cells would take longer than the rest of the turn.
        let chosen = random.random_range(0..count);
        let fresh = view.opponent.cells.iter().enumerate().filter(|(_, cell)| is_fresh(cell));
        let centre = fresh.map(|(at, _)| view.size.grid().point(at)).nth(chosen).unwrap_or_default();
        Ok(Order::Fire { weapon: Weapon::SingleShot, centre })
    }
}

/// Decides as the reference bot does.
pub(super) fn hunter(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    // The hunter does not look at names.
    let files = Files::new([PlayerInfo::named(""), PlayerInfo::named("")].into_iter().collect());
    move |view| hunter::decide(&files.state_file(view), &mut random).map_err(|why| Fault::crashed(&why.to_string()))
}
