//! The built-in players of the Entelect Challenge 2017.

use rand::RngExt;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Order, Phase, Placement, View, Weapon};
use rules::{Answer, Fault, PlayerInfo};

/// Places its ships at random and fires single shots at random cells that it has not fired at.
pub(super) fn random(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    move |view| {
        if view.phase == Phase::One {
            return Ok(Placement::at_random(view.size, &mut random).map_or(Order::DoNothing, Order::from));
        }
        let cells = view.opponent.cells.iter().zip(view.size.grid().points());
        let fresh: Vec<_> = cells.filter(|(cell, _)| !cell.missed && !cell.damaged).map(|(_, point)| point).collect();
        Ok(match fresh.len() {
            0 => Order::DoNothing,
            count => Order::Fire { weapon: Weapon::SingleShot, centre: fresh[random.random_range(0..count)] },
        })
    }
}

/// Decides as the reference bot does.
pub(super) fn hunter(seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let mut random = rules::random(seed);
    // The hunter does not look at names.
    let files = Files::new([PlayerInfo::named(""), PlayerInfo::named("")].into_iter().collect());
    move |view| hunter::decide(&files.state_file(view), &mut random).map_err(|why| Fault::crashed(&why.to_string()))
}
