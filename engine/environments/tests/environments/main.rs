//! Tests of the environments: of all games in the same way.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod action_matches;
mod batches;
mod encodings;

use environments::{ActionMatch, Encoded, MaskKind, Options, Placement, Reward};
use rand::RngExt;
use rules::battleship::Battleship;
use rules::{Random, Seat};
use serde_json::json;

/// A game by the rules and with the number of players that it is tested with.
struct Setup<G: Encoded> {
    settings: G::Settings,
    seats: u8,
}

impl<G: Encoded> Setup<G> {
    /// The usual settings.
    fn usual(seats: u8) -> Setup<G> {
        Setup { settings: serde_json::from_value(G::KIND.default_settings().into()).unwrap(), seats }
    }
}

/// Rules of Battleship that differ in what there is to be encoded.
fn battleships() -> Vec<Setup<Battleship>> {
    let specials = json!([
        { "name": "radar", "kind": "radar", "area": ["###", "###", "###"], "misses": ["boat"] },
        { "name": "sonar", "kind": "sonar", "uses": 3 },
        { "name": "bomb", "kind": "area-shot", "area": [".#.", "###", ".#."], "needs": "bow" },
    ]);
    let shapes = json!([
        { "name": "bow", "shape": ["#..", "###"], "armour": 2 },
        { "name": "square", "shape": ["##", "##"] },
        { "name": "boat", "size": 1, "count": 2 },
        { "name": "line", "shape": ["#", "#"] },
    ]);
    let rules = [
        (2, json!({ "touching": "none", "again": "on-hit", "told": { "sunk": "around" }, "repeated": "loses" })),
        (
            2,
            json!({ "fleet": shapes, "mirror": true, "touching": "corners", "specials": specials, "told": { "sunk": "size" } }),
        ),
        (3, json!({ "seats": 3, "shots": 3, "seen": false, "told": { "sunk": "that" }, "repeated": "refused" })),
        (2, json!({ "shots": "ships-afloat", "turns": "together", "told": { "hit": "total", "sunk": "name" } })),
        (2, json!({ "turns": "solo", "told": { "sunk": "nothing" }, "limit": { "turns": 90 } })),
        (1, json!({ "turns": "solo", "shots": 2, "seats": 4 })),
        (4, json!({ "seats": 4, "fleets": "drawn", "specials": [{ "name": "sonar", "kind": "sonar" }] })),
    ];
    rules.into_iter().map(|(seats, rules)| Setup { settings: serde_json::from_value(rules).unwrap(), seats }).collect()
}

/// Does the same with all games, and with Battleship by different rules.
macro_rules! for_all_games {
    ($test:ident) => {{
        $test(&crate::Setup::<rules::entelect_2017::Entelect2017>::usual(2));
        $test(&crate::Setup::<rules::sea_battle::SeaBattle>::usual(2));
        $test(&crate::Setup::<rules::bots_arena::BotsArena>::usual(2));
        $test(&crate::Setup::<rules::salvo::Salvo>::usual(2));
        $test(&crate::Setup::<rules::salvo::Salvo>::usual(5));
        $test(&crate::Setup::<rules::battleship::Battleship>::usual(2));
        crate::battleships().iter().for_each($test);
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

/// A match of a game by its usual settings.
fn usual_match<G: Encoded>(options: Options) -> ActionMatch<G> {
    action_match(&Setup::usual(2), options)
}

/// A match of a game.
fn action_match<G: Encoded>(setup: &Setup<G>, options: Options) -> ActionMatch<G> {
    ActionMatch::new(setup.settings.clone(), setup.seats, options).unwrap().with_turns_kept()
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
