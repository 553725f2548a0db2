//! The hunter plays against the weakest of players: a few games. `cargo bench -p hunter` plays many.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end here")]

mod opponents;

use opponents::{random_shooter, single_shooter, wins};
use rules::entelect_2017::MapSize;

#[test]
fn the_hunter_beats_the_random_shooter_on_a_small_map() {
    assert_eq!(wins(MapSize::Small, 8, random_shooter), 8);
}

#[test]
fn the_hunter_beats_the_random_shooter_on_a_medium_map() {
    assert_eq!(wins(MapSize::Medium, 4, random_shooter), 4);
}

#[test]
fn the_hunter_beats_the_random_shooter_on_a_large_map() {
    assert_eq!(wins(MapSize::Large, 2, random_shooter), 2);
}

#[test]
fn weapons_and_shield_win_more_games_than_aimed_single_shots_alone() {
    let won = wins(MapSize::Small, 12, single_shooter);
    assert!(won > 6, "{won}");
}
