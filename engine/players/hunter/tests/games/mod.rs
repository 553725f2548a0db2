//! Games of the hunter against other players, straight through the rules.

use hunter::{Density, Sight, shadow, weapons};
use rand::RngExt;
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::files::wire::StateFile;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Settings, Weapon};
use rules::{Game, Grid, Random, Seat};

/// A player: from what it may know to what it wants done.
pub(crate) type Brain<'a> = dyn FnMut(&StateFile, &mut Random) -> Order + 'a;

/// The course of one game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played {
    /// True if the first player wins.
    pub(crate) is_won: bool,
    /// The rounds of phase 2.
    pub(crate) rounds: u32,
}

/// The hunter.
pub(crate) fn hunter(state: &StateFile, random: &mut Random) -> Order {
    hunter::decide(state, random).unwrap()
}

/// Fires single shots at random cells that it knows nothing of. Places its ships as the hunter does.
pub(crate) fn random_shooter(state: &StateFile, random: &mut Random) -> Order {
    if state.phase == 1 {
        return hunter(state, random);
    }
    let (grid, sight) = sight(state);
    let unknown: Vec<usize> = sight.unknown().iter().collect();
    let cell = unknown[random.random_range(0..unknown.len())];
    Order::Fire { weapon: Weapon::SingleShot, centre: grid.points().nth(cell).unwrap() }
}

/// Aims like the hunter, but fires single shots only and never raises its shield. Places its ships as the hunter does.
pub(crate) fn single_shooter(state: &StateFile, random: &mut Random) -> Order {
    if state.phase == 1 {
        return hunter(state, random);
    }
    let sight = sight(state).1;
    let density = Density::of(&sight, random);
    let shadow = shadow::shadow(&sight, state.player_map.as_ref().unwrap().owner.shield.max_radius);
    let target = weapons::Target { sight: &sight, density: &density, shadow: &shadow };
    let centre = target.best_shot(Weapon::SingleShot, random).centre;
    Order::Fire { weapon: Weapon::SingleShot, centre }
}

fn sight(state: &StateFile) -> (Grid, Sight) {
    let side = u8::try_from(state.map_dimension).unwrap();
    let grid = Grid::new(side, side);
    (grid, Sight::of_opponent(grid, state.opponent_map.as_ref().unwrap()))
}

/// One game. The first player sits in seat A if `seed` is even. Each has random numbers of its own, so that the others of its
/// games stay the same when one player changes.
pub(crate) fn play(size: MapSize, seed: u64, first: &mut Brain<'_>, second: &mut Brain<'_>) -> Played {
    let firsts = if seed.is_multiple_of(2) { Seat::A } else { Seat::B };
    let files = Files::new(["Alpha", "Bravo"].into_iter().map(PlayerInfo::named).collect());
    let mut random = [0, 1].map(|player| rules::random(seed.wrapping_mul(2) + player));
    let mut game = Entelect2017::start(&Settings { size }, 2, seed).unwrap();
    let mut rounds = 0;
    while game.outcome().is_none() {
        let answers = [Seat::A, Seat::B].map(|seat| {
            let state = files.state_file(&game.view(seat));
            let order = if seat == firsts { first(&state, &mut random[0]) } else { second(&state, &mut random[1]) };
            assert_eq!(game.check(seat, &order), Ok(()), "{seat} gives a legal order");
            (seat, Ok(order))
        });
        game.advance(answers.into_iter().collect());
        rounds += 1;
    }
    Played { is_won: game.outcome().unwrap().winner == Some(firsts), rounds: rounds - 1 }
}
