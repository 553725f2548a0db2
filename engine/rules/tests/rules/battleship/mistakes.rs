//! Mistakes in moves: `repeated`, `off-board`, `no-answer` and `retries`.

use super::{Match, USUAL, fire, fire_at, place, small, take};
use rules::battleship::{Consequence, Event, Refusal, ShotResult};
use rules::{Answer, Fault, Point, Seat};

/// The match after A has hit 0,0 and B has fired into the water.
fn hit(more: &str) -> Match {
    let mut table = Match::of(more);
    table.fire(&[(0, 0)]);
    table.fire(&[(5, 3)]);
    table
}

/// The key of a choice, and an answer to which it applies.
fn mistakes() -> [(&'static str, Answer<rules::battleship::Order>, &'static str); 6] {
    [
        ("repeated", fire(&[(0, 0)]), "A gave an illegal order: 0,0 was fired at before"),
        ("off-board", fire(&[(6, 0)]), "A gave an illegal order: 6,0 is off the board"),
        ("off-board", place(&USUAL), "A gave an illegal order: the ships are placed already"),
        ("off-board", take("radar", 0, 0), "A gave an illegal order: there is no special \"radar\""),
        ("no-answer", fire(&[]), "A gave an illegal order: there are no shots"),
        ("no-answer", Err(Fault::NothingWritten), "A wrote nothing"),
    ]
}

#[test]
fn a_mistake_that_is_wasted_costs_the_move() {
    for (key, answer, _) in mistakes() {
        let mut table = hit(&format!(r#""{key}": "wasted""#));
        table.one(answer);
        assert_eq!((table.mover(), table.game.player(Seat::A).hits), (Seat::B, 1), "{key}");
        assert_eq!((table.game.player(Seat::A).shots, table.game.player(Seat::A).moves), (2, 2), "{key}");
    }
}

#[test]
fn a_mistake_that_loses_ends_the_match() {
    for (key, answer, why) in mistakes() {
        let mut table = hit(&format!(r#""{key}": "loses""#));
        table.one(answer);
        assert_eq!((table.outcome().winner, &table.why()[..]), (Some(Seat::B), why), "{key}");
    }
}

#[test]
fn a_mistake_that_is_refused_is_asked_again_so_many_times() {
    for (key, answer, why) in mistakes() {
        let mut table = hit(&format!(r#""{key}": "refused", "retries": 2"#));
        for _ in 0..2 {
            table.one(answer.clone());
            assert_eq!((table.mover(), table.game.player(Seat::A).moves), (Seat::A, 1), "{key}");
        }
        let mut better = table.clone();
        better.fire(&[(1, 0)]);
        assert_eq!((better.mover(), better.game.player(Seat::A).hits), (Seat::B, 2), "{key}");
        // The next turn has its own retries.
        better.fire(&[(5, 2)]);
        better.one(answer.clone());
        assert_eq!(better.mover(), Seat::A, "{key}");
        table.one(answer);
        assert_eq!(table.why(), why, "{key}");
    }
}

#[test]
fn a_repeated_shot_that_is_wasted_is_told_like_any_other() {
    let mut table = hit(r#""repeated": "wasted""#);
    assert_eq!((table.fire(&[(0, 0)]), table.refusal()), (vec![ShotResult::Again], None));
}

#[test]
fn the_other_shots_of_a_move_count_where_one_is_wasted() {
    let mut table = Match::of(r#""shots": 3"#);
    assert_eq!(table.fire(&[(0, 0), (9, 9), (1, 0), (2, 0), (0, 2)]), [ShotResult::Hit; 2]);
    assert_eq!(table.refusal(), Some(Refusal::OffBoard(Point::new(9, 9))), "the first of equal mistakes is told");
    assert_eq!((table.game.player(Seat::A).shots, table.mover()), (3, Seat::B));
    table.fire(&[(5, 0), (5, 1), (5, 2), (5, 3)]);
    assert_eq!(table.refusal(), Some(Refusal::TooManyShots { given: 4, allowed: 3 }));
}

#[test]
fn the_mistake_that_costs_most_counts() {
    let mut table = Match::of(r#""shots": 3, "off-board": "wasted", "repeated": "loses""#);
    table.fire(&[(9, 9), (0, 0), (0, 0)]);
    assert_eq!(table.why(), "A gave an illegal order: 0,0 was fired at before");
}

#[test]
fn who_waits_for_others_moves_as_it_said() {
    let mut table = Match::of(r#""turns": "together", "off-board": "refused""#);
    table.all(&[fire(&[(0, 0)]), fire(&[(9, 9)])]);
    assert_eq!((table.mover(), table.game.player(Seat::A).moves), (Seat::B, 0));
    table.one(fire(&[(5, 3)]));
    assert_eq!((table.asked(), table.results()), (2, vec![ShotResult::Hit, ShotResult::Miss]));
}

/// A seat cannot know that the target of its shot is about to lose.
#[test]
fn no_answer_is_judged_by_one_that_its_player_could_not_know() {
    let mut table = Match::with(r#""turns": "together", "seats": 3, "off-board": "loses", "no-answer": "loses""#, 3);
    table.all(&[Err(Fault::NothingWritten), fire_at(Seat::A, 0, 0), fire_at(Seat::B, 5, 3)]);
    assert_eq!(table.refusal(), None);
    assert_eq!(table.asked(), 2);
}

#[test]
fn who_gives_up_has_lost_whatever_the_file_says() {
    let mut table = Match::of(r#""no-answer": "wasted""#);
    table.one(Err(Fault::GaveUp));
    assert_eq!((table.outcome().winner, &table.why()[..]), (Some(Seat::B), "A gave up"));
}

#[test]
fn a_move_comes_after_the_ships_are_placed() {
    let mut table = Match::new(&small(r#""bad-fleet": "refused""#), 2);
    table.all(&[fire(&[(0, 0)]), place(&USUAL)]);
    assert_eq!((table.refusal(), table.mover()), (Some(Refusal::NotPlaced), Seat::A));
}

#[test]
fn names_that_bots_write_are_shown_in_short_and_printable() {
    let mut table = Match::of(r#""off-board": "loses""#);
    table.one(take(&"\u{202e}\u{1b}x".repeat(9999), 0, 0));
    let why = table.why();
    assert!(why == rules::printable(&why) && why.chars().count() < 120, "{why}");
    assert!(matches!(table.events[0], Event::Refused { then: Consequence::Loses, .. }));
}
