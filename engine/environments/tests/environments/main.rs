//! Tests of the environments: of all games in the same way.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod action_matches;
mod batches;
mod encodings;

use environments::{ActionMatch, Encoded, MaskKind, Options, Placement, Reward};
use rand::RngExt;
use rules::{Random, Seat};

/// A game, and the numbers of players that it is tested with.
macro_rules! for_all_games {
    ($test:ident) => {{
        $test::<rules::entelect_2017::Entelect2017>(2);
        $test::<rules::sea_battle::SeaBattle>(2);
        $test::<rules::bots_arena::BotsArena>(2);
        $test::<rules::salvo::Salvo>(2);
        $test::<rules::salvo::Salvo>(5);
    }};
}
pub(crate) use for_all_games;

/// All combinations of placement and mask.
fn all_options() -> impl Iterator<Item = Options> {
    let both = [Placement::Random, Placement::Agents].into_iter();
    both.flat_map(|placement| {
        [MaskKind::Legal, MaskKind::Useful].map(|mask| Options { placement, mask, reward: Reward::Hits })
    })
}

/// A match of a game with its usual settings.
fn action_match<G: Encoded>(seats: u8, options: Options) -> ActionMatch<G> {
    let settings = serde_json::from_value(G::KIND.default_settings().into()).unwrap();
    ActionMatch::new(settings, seats, options).unwrap().with_turns_kept()
}

/// What a seat observes: planes, scalars, mask.
fn observed<G: Encoded>(action_match: &ActionMatch<G>, seat: Seat) -> (Vec<u8>, Vec<f32>, Vec<i8>) {
    let (mut planes, mut scalars, mut mask) = action_match.buffers();
    // What was there before must not matter.
    planes.fill(7);
    mask.fill(1);
    action_match.observe(seat, &mut planes, &mut scalars, &mut mask);
    (planes, scalars, mask)
}

/// One of the allowed actions.
fn any(mask: &[i8], random: &mut Random) -> usize {
    let allowed: Vec<usize> = (0..mask.len()).filter(|action| mask[*action] == 1).collect();
    assert!(!allowed.is_empty());
    allowed[random.random_range(0..allowed.len())]
}

/// Acts at random until the match is over, or `most` actions were taken. `each` sees the match, the seat and the action.
fn play<G: Encoded>(
    action_match: &mut ActionMatch<G>,
    random: &mut Random,
    most: usize,
    mut each: impl FnMut(&ActionMatch<G>, Seat, usize),
) {
    for _ in 0..most {
        let Some(seat) = action_match.seats().find(|seat| action_match.is_to_act(*seat)) else { break };
        let action = any(&observed(action_match, seat).2, random);
        each(action_match, seat, action);
        action_match.act(seat, action).unwrap();
    }
}
