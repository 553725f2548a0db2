//! Asking together or in turn is the same to the players.

use crate::scripted::{States, play_watched, player, row_by_row};
use arena::{ArenaError, Ask, Player, Reply, Sequence};
use rules::entelect_2017::{Entelect2017, MapSize, Order, View};
use rules::{Outcome, Seat};
use std::sync::{Arc, Barrier};

fn states(sequence: Sequence) -> (Outcome, States) {
    let crosses = |view: &View| {
        if view.round > 13 && view.round.is_multiple_of(9) { "6,2,2".to_owned() } else { row_by_row(view) }
    };
    let mut states = States::default();
    let outcome = play_watched(MapSize::Medium, [player(row_by_row), player(crosses)], sequence, &mut states).unwrap();
    (outcome, states)
}

#[test]
fn the_results_are_the_same_together_and_in_turn() {
    assert_eq!(states(Sequence::Together), states(Sequence::InTurn));
}

#[test]
fn players_who_answer_together_do_so_at_the_same_time() {
    // Each waits for the other: in turn this would never end.
    let barrier = Arc::new(Barrier::new(2));
    let waiting = || {
        let barrier = Arc::clone(&barrier);
        player(move |view: &View| {
            barrier.wait();
            row_by_row(view)
        })
    };
    let outcome =
        play_watched(MapSize::Small, [waiting(), waiting()], Sequence::Together, &mut States::default()).unwrap();
    assert_eq!(outcome.winner, Some(Seat::A));
}

struct Fails;

impl Player<Entelect2017> for Fails {
    fn decide(&mut self, _: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        Err(ArenaError::disk("write", "somewhere", std::io::ErrorKind::StorageFull))
    }
}

#[test]
fn a_failure_of_the_engine_ends_the_match_without_a_winner() {
    for sequence in [Sequence::Together, Sequence::InTurn] {
        let players: [Box<dyn Player<Entelect2017>>; 2] = [player(row_by_row), Box::new(Fails)];
        let mut states = States::default();
        let result = play_watched(MapSize::Small, players, sequence, &mut states);
        assert!(matches!(result, Err(ArenaError::Disk { .. })));
        assert!(states.0.is_empty());
    }
}
