//! The hunter plays against weak players, and some games against each opponent with a habit. `cargo bench -p hunter` plays many.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end here")]

#[allow(dead_code, reason = "the benchmark uses all of it")]
mod games;
#[path = "../opponents/mod.rs"]
#[allow(dead_code, reason = "the benchmark uses all of it")]
mod opponents;

use games::{Brain, hunter, play, random_shooter, single_shooter};
use opponents::{Habit, Opponent};
use rules::entelect_2017::MapSize;

fn wins(size: MapSize, games: u64, opponent: &mut Brain<'_>) -> usize {
    (0..games).filter(|&seed| play(size, seed, &mut hunter, opponent).is_won).count()
}

#[test]
fn the_hunter_beats_the_random_shooter_on_a_small_map() {
    assert_eq!(wins(MapSize::Small, 8, &mut random_shooter), 8);
}

#[test]
fn the_hunter_beats_the_random_shooter_on_a_medium_map() {
    assert_eq!(wins(MapSize::Medium, 4, &mut random_shooter), 4);
}

#[test]
fn the_hunter_beats_the_random_shooter_on_a_large_map() {
    assert_eq!(wins(MapSize::Large, 2, &mut random_shooter), 2);
}

#[test]
fn weapons_and_shield_win_more_games_than_aimed_single_shots_alone() {
    let won = wins(MapSize::Small, 12, &mut single_shooter);
    assert!(won > 6, "{won}");
}

#[test]
fn every_opponent_gives_legal_orders_on_every_map_and_the_hunter_beats_them_together() {
    for size in MapSize::ALL {
        let won: usize = Habit::ALL
            .into_iter()
            .map(|habit| {
                let mut opponent = Opponent::new(habit, "");
                wins(size, 2, &mut |state, random| opponent.decide(state, random).unwrap())
            })
            .sum();
        assert!(won > Habit::ALL.len(), "{won} on {size:?}");
    }
}

#[test]
fn the_learner_remembers_a_game_as_text() {
    let mut opponent = Opponent::new(Habit::Learner, "");
    wins(MapSize::Small, 2, &mut |state, random| opponent.decide(state, random).unwrap());
    let memory = opponent.memory();
    assert_eq!(memory.lines().map(str::len).collect::<Vec<_>>(), [49, 49]);
    assert!(memory.contains('x') && memory.contains('o'));
    assert_eq!(Opponent::new(Habit::Learner, &memory).memory(), memory);
}
