//! The brain of the hunter, the reference bot: from what a player may know to what it wants done.
//!
//! [`decide`] is the way in. In phase 1 it asks [`placing`]. In phase 2 it asks [`shielding`] whether to raise the
//! shield; if not, [`Density`] says how likely a ship lies in each cell, [`shadow`] which of them the opponent's shield
//! may cover, and [`weapons`] chooses the shot.

pub mod answer;
mod cells;
mod counting;
mod density;
#[cfg(test)]
mod example;
mod explanations;
mod map;
pub mod placing;
pub mod prior;
pub mod shadow;
pub mod shielding;
mod sight;
pub mod weapons;

pub use cells::Cells;
pub use density::Density;
pub use sight::Sight;

use rules::entelect_2017::files::wire::{PlayerMap, StateFile};
use rules::entelect_2017::{MapSize, Order};
use rules::{Grid, Random};
use std::fmt;

/// The order for the coming round.
pub fn decide(state: &StateFile, random: &mut Random) -> Result<Order, Unplayable> {
    let size = MapSize::ALL.into_iter().find(|size| u32::from(size.side()) == state.map_dimension);
    let grid = size.map(MapSize::grid).ok_or(Unplayable("MapDimension is not 7, 10 or 14"))?;
    match state.phase {
        1 => placing::place(grid, random).map(Order::from).ok_or(Unplayable("the map has no room for a fleet")),
        2 => fight(grid, state, random),
        _ => Err(Unplayable("Phase is not 1 or 2")),
    }
}

fn fight(grid: Grid, state: &StateFile, random: &mut Random) -> Result<Order, Unplayable> {
    let own: &PlayerMap = state.player_map.as_ref().ok_or(Unplayable("there is no PlayerMap"))?;
    let opponent = state.opponent_map.as_ref().ok_or(Unplayable("there is no OpponentMap"))?;
    if let Some(centre) = shielding::choose(grid, own) {
        return Ok(Order::Shield { centre });
    }
    let sight = Sight::of_opponent(grid, opponent);
    let density = Density::of(&sight, random);
    let shadow = shadow::shadow(&sight, own.owner.shield.max_radius);
    let target = weapons::Target { sight: &sight, density: &density, shadow: &shadow };
    let shot = weapons::choose(&own.owner, target, random);
    Ok(Order::Fire { weapon: shot.weapon, centre: shot.centre })
}

/// The reason why a state cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplayable(&'static str);

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unplayable {}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::entelect_2017::Weapon;

    fn decision(state: &StateFile) -> Result<Order, Unplayable> {
        decide(state, &mut rules::random(1))
    }

    #[test]
    fn the_fleet_is_placed_in_phase_1_and_shots_are_fired_in_phase_2() {
        assert!(matches!(decision(&example::first_round(MapSize::Medium)), Ok(Order::Place(_))));
        let first_shot = decision(&example::placed(MapSize::Medium));
        assert!(matches!(first_shot, Ok(Order::Fire { weapon: Weapon::SingleShot, .. })), "{first_shot:?}");
    }

    #[test]
    fn the_same_state_and_seed_give_the_same_order() {
        let state = example::placed(MapSize::Large);
        assert_eq!(decision(&state), decision(&state));
    }

    #[test]
    fn a_state_that_cannot_be_played_is_refused() {
        let state = example::placed(MapSize::Small);
        assert!(decision(&StateFile { map_dimension: 9, ..state.clone() }).is_err());
        assert!(decision(&StateFile { phase: 3, ..state.clone() }).is_err());
        assert!(decision(&StateFile { player_map: None, ..state.clone() }).is_err());
        assert!(decision(&StateFile { opponent_map: None, ..state }).is_err());
    }
}
