//! draft
#![allow(missing_docs, clippy::print_stderr)]
mod cells;
mod density;
#[cfg(test)]
mod example;
mod explanations;
pub mod placing;
pub mod shadow;
pub mod shielding;
mod sight;
pub mod weapons;
pub use cells::Cells;
pub use density::Density;
use rules::Random;
use rules::entelect_2017::files::wire::StateFile;
use rules::entelect_2017::{MapSize, Order, Weapon};
pub use sight::Sight;
pub use weapons::Target;

thread_local! { pub static TUNE: std::cell::Cell<[f64; 8]> = const { std::cell::Cell::new([0.0; 8]) }; }
pub fn tune(i: usize) -> f64 {
    TUNE.with(|t| t.get()[i])
}

pub fn decide(state: &StateFile, random: &mut Random) -> Option<Order> {
    let size = MapSize::ALL.into_iter().find(|s| u32::from(s.side()) == state.map_dimension)?;
    let grid = size.grid();
    if state.phase == 1 {
        return Some(Order::Place(placing::place(grid, random)?));
    }
    let own = state.player_map.as_ref()?;
    if let Some(centre) = shielding::choose(grid, own, random) {
        return Some(Order::Shield { centre });
    }
    let sight = Sight::of_opponent(grid, state.opponent_map.as_ref()?);
    let shadow = shadow::shadow(&sight, own.owner.shield.max_radius);
    let shadow = if tune(5) > 0.0 { vec![0.0; grid.len()] } else { shadow };
    let density = Density::of(&sight, random);
    let target = Target { sight: &sight, density: &density, shadow: &shadow };
    let shot = if tune(0) > 0.0 {
        target.best(Weapon::SingleShot, random)
    } else {
        weapons::choose(&own.owner, target, random)
    };
    Some(Order::Fire { weapon: shot.weapon, centre: shot.centre })
}
