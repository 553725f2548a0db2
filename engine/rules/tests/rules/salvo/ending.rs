//! The ways in which a match ends.

use super::{A, B, Match, c};
use rules::salvo::{Salvo, Settings, ShipKind};
use rules::{Ending, Fault, Game, Seat, SetupError};

#[test]
fn the_last_one_afloat_wins_at_once() {
    let mut table = Match::set(3);
    table.sink(A, B, &ShipKind::ALL);
    assert_eq!(table.game.outcome(), None);
    table.sink(A, c(), &ShipKind::ALL);
    let outcome = table.outcome();
    assert_eq!(outcome.ending, Ending::FleetSunk { seats: vec![c()] });
    assert_eq!((outcome.winner, table.why()), (Some(A), "all ships of C are sunk".to_owned()));
    assert_eq!(outcome.ranking, [A, c(), B], "of the defeated the later one is the better");
    assert_eq!(outcome.points.iter().map(|(_, points)| *points).collect::<Vec<_>>(), [34, 0, 0]);
    assert_eq!(table.game.salvo(), None, "what is left of the last salvo is not fired");
    assert_eq!(table.game.player(A).stats.sinkings, 10);
}

#[test]
fn rounds_begin_with_who_had_the_first_salvo() {
    let mut table = Match::set(3);
    assert_eq!(table.game.round(), 1);
    table.lapse().lapse();
    assert_eq!((table.game.round(), table.shooter()), (1, c()));
    table.lapse();
    assert_eq!((table.game.round(), table.shooter()), (2, A));
    table.answer(Err(Fault::GaveUp)).lapse().lapse();
    assert_eq!((table.game.round(), table.shooter()), (3, B), "or with the next one, if that one is out");
}

#[test]
fn after_100_rounds_without_a_sinking_a_match_is_over() {
    assert_eq!(Settings::default().rounds_without_sinking, 100);
    let mut table = Match::set(2);
    for salvo in 0..200 {
        assert_eq!(table.game.outcome(), None, "salvo {salvo}");
        table.lapse();
    }
    assert_eq!(table.outcome().ending, Ending::NothingSunk { rounds: 100 });
    assert_eq!((table.outcome().winner, table.why()), (None, "no ship was sunk in 100 rounds".to_owned()));
}

#[test]
fn a_sinking_begins_the_count_anew() {
    let mut table = Match::limited(2, 2);
    table.lapse().lapse().fire_all(B, [(0, 4), (1, 4)]);
    table.lapse().lapse();
    assert_eq!((table.game.round(), table.game.outcome()), (3, None));
    table.lapse().lapse().lapse();
    assert_eq!(table.game.outcome(), None, "the round of the sinking does not count");
    table.lapse();
    assert_eq!(table.outcome().ending, Ending::NothingSunk { rounds: 2 });
}

#[test]
fn at_the_limit_ships_afloat_and_then_whole_parts_decide() {
    let mut table = Match::limited(3, 1);
    table.fire_all(B, [(0, 4), (1, 4)]).fire_all(c(), [(0, 0), (1, 0), (2, 0)]).lapse().lapse().lapse().lapse().lapse();
    assert_eq!(
        (table.outcome().winner, table.outcome().ranking),
        (Some(A), vec![A, c(), B]),
        "4 ships are less than 5"
    );
    let mut table = Match::limited(3, 1);
    table.fire(B, 0, 0).lapse().fire(A, 0, 0).fire(A, 1, 0).lapse().lapse();
    assert_eq!(
        (table.outcome().winner, table.outcome().ranking),
        (Some(c()), vec![c(), B, A]),
        "16 parts are more than 15"
    );
}

#[test]
fn if_the_best_are_equal_nobody_wins() {
    let mut table = Match::limited(3, 1);
    table.fire(B, 0, 0).lapse().lapse().lapse();
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ranking), (None, vec![A, c(), B]));
}

#[test]
fn who_is_out_is_behind_all_who_are_not() {
    let mut table = Match::limited(3, 1);
    table.fire_all(B, [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]).lapse().answer(Err(Fault::GaveUp));
    assert_eq!((table.outcome().winner, table.outcome().ranking), (Some(A), vec![A, B, c()]));
}

#[test]
fn limits_are_from_1_to_1000_rounds() {
    for rounds in [0, 1001, u32::MAX] {
        let error = Salvo::start(&Settings { rounds_without_sinking: rounds }, 2, 0).unwrap_err();
        let why = format!("a match is over after 1 to 1000 rounds without a sinking, not {rounds}");
        assert_eq!(error, SetupError::Settings(why));
    }
    assert_eq!(Match::limited(2, 1).lapse().lapse().why(), "no ship was sunk in a whole round");
}

#[test]
fn settings_are_read_strictly() {
    let read = |text| serde_json::from_str::<Settings>(text).map(|settings| settings.rounds_without_sinking);
    assert_eq!(read(r#"{"rounds_without_sinking":7}"#).unwrap(), 7);
    for other in ["{}", r#"{"rounds_without_sinking":-1}"#, r#"{"rounds_without_sinking":7,"size":10}"#] {
        assert!(read(other).is_err(), "{other}");
    }
}

#[test]
fn the_highest_seat_of_sixteen_can_win() {
    let last = Seat::new(15).unwrap();
    let mut table = Match::set(16);
    while table.game.outcome().is_none() {
        let answer = if table.shooter() == last { Fault::NothingWritten } else { Fault::GaveUp };
        table.answer(Err(answer));
    }
    assert_eq!(table.outcome().winner, Some(last));
    assert_eq!(table.outcome().ranking.first(), Some(&last));
}
