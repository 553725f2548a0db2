//! The ways in which a match ends: sinking, `limit`, solo and more than two seats.

use super::{Match, USUAL, fire, fire_at, seat_c, small};
use rules::battleship::{Battleship, Known};
use rules::{Ending, Fault, Game, Point, Scoring, Seat, SetupError};

#[test]
fn who_sinks_the_last_ship_wins_at_once() {
    let mut table = Match::of(r#""again": "on-hit""#);
    USUAL.concat().iter().for_each(|cell| drop(table.fire(&[*cell])));
    let outcome = table.outcome();
    assert_eq!((outcome.winner, &outcome.points), (Some(Seat::A), &[5, 0].into_iter().collect()));
    assert_eq!((outcome.ending.clone(), outcome.turns), (Ending::FleetSunk { seats: vec![Seat::B] }, 6));
}

/// A sinks the ship of two cells in three moves; B hits the ship of three in three moves.
fn limited(then: &str) -> (Option<Seat>, String) {
    let mut table = Match::of(&format!(r#""limit": {{"turns": 3, "then": "{then}"}}"#));
    for (a, b) in [((0, 2), (0, 0)), ((1, 2), (1, 0)), ((5, 3), (0, 2))] {
        table.fire(&[a]);
        table.fire(&[b]);
    }
    (table.outcome().winner, table.why())
}

#[test]
fn the_limit_ends_the_match_as_the_file_says() {
    for (then, winner) in
        [("hits", Some(Seat::B)), ("ships-sunk", Some(Seat::A)), ("cells-left", Some(Seat::B)), ("draw", None)]
    {
        assert_eq!(limited(then), (winner, "the 6 moves are over".to_owned()), "{then}");
    }
}

#[test]
fn without_a_limit_a_match_ends_after_four_moves_for_each_cell() {
    let mut table = Match::of("");
    let mut moves = 0;
    while !table.is_over() {
        table.fire(&[(5, 3)]);
        moves += 1;
    }
    assert_eq!((moves, table.outcome().winner), (2 * 4 * 24, None));
}

/// A match of so many alone, in which each fires at these numbers of cells row by row.
fn solo(more: &str, cells: &[i32]) -> Match {
    let rules = small(&format!(r#""turns": "solo", "seats": 3{more}"#));
    let mut table = Match::new(&rules, cells.len() as u8);
    for nth in 0..24 {
        let shot = |cells: &i32| fire(&[if nth < *cells { (nth % 6, nth / 6) } else { (5, 3) }]);
        table.all(&cells.iter().map(shot).collect::<Vec<_>>());
    }
    table
}

#[test]
fn alone_a_player_plays_against_a_fleet_that_is_drawn() {
    let mut table = solo("", &[24]);
    assert!(table.is_over());
    let shots = table.game.player(Seat::A).shots;
    let outcome = table.outcome();
    assert_eq!(
        (outcome.winner, outcome.points[Seat::A], outcome.scoring),
        (Some(Seat::A), shots, Scoring::Shots),
        "the shots that it took"
    );
    assert_eq!((outcome.turns, table.why()), (shots, "A sank all ships".to_owned()));
    assert_eq!(table.all(&[fire(&[(0, 0)])]).events, []);
}

#[test]
fn all_players_alone_have_the_same_fleet_and_the_fewest_shots_win() {
    let table = solo("", &[0, 24, 24]);
    let ships = |seat| table.game.player(seat).board.as_ref().unwrap().ships().to_vec();
    let boards = |seat| ships(seat).into_iter().map(|ship| ship.cells).collect::<Vec<_>>();
    assert_eq!(boards(Seat::A), boards(Seat::B));
    assert_eq!(table.game.player(Seat::B).shots, table.game.player(seat_c()).shots);
    let mut table = table;
    while !table.is_over() {
        table.all(&[fire(&[(5, 3)])]);
    }
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ranking[2], outcome.points[Seat::A]), (None, Seat::A, 96), "it sank nothing");
    assert_eq!(table.why(), "B and C sank all ships");
}

#[test]
fn alone_the_limit_is_a_number_of_shots_and_then_hits_count() {
    let mut table = solo(r#", "limit": {"turns": 23}"#, &[23, 0]);
    let hits = [Seat::A, Seat::B].map(|seat| table.game.player(seat).hits);
    assert!(table.is_over() && hits[0] > hits[1], "{hits:?}");
    assert_eq!((table.outcome().winner, &table.why()[..]), (Some(Seat::A), "nobody sank all ships"));
    table = Match::new(&small(r#""turns": "solo", "limit": {"turns": 10}"#), 2);
    table.all(&[fire(&[(5, 3)]), Err(Fault::NothingWritten)]);
    assert_eq!(table.mover(), Seat::A, "B has lost, and A plays on");
}

#[test]
fn alone_nobody_sees_the_boards_of_others() {
    let table = solo(r#", "limit": {"turns": 24}"#, &[3, 3]);
    let view = table.game.view(Seat::A);
    assert!(view.fleet.is_none() && view.fired[Seat::B].is_empty());
    assert!(view.boards[Seat::B].cells.iter().all(|known| *known == Known::Unknown));
    assert_eq!(view.targets().collect::<Vec<_>>(), [Seat::A]);
}

#[test]
fn a_file_says_how_many_may_play() {
    let start = |more: &str, seats| Battleship::start(&small(more), seats, 1).map(|_| ());
    assert_eq!(start("", 3).unwrap_err().to_string(), "seats: classic is for 2 players, not 3");
    assert_eq!(start(r#""seats": 5"#, 1).unwrap_err().to_string(), "seats: classic is for 2 to 5 players, not 1");
    assert!(matches!(start("", 17), Err(SetupError::WrongSeats { given: 17, .. })));
    assert_eq!([2, 5].map(|seats| start(r#""seats": 5"#, seats)), [Ok(()), Ok(())]);
    assert_eq!(start(r#""turns": "solo""#, 1), Ok(()));
}

#[test]
fn of_many_the_last_one_afloat_wins_and_the_others_rank_by_how_long_they_were_in() {
    let mut table = Match::with(r#""seats": 4, "again": "on-hit""#, 4);
    for (nth, seat) in [3, 1, 2].into_iter().enumerate() {
        for (x, y) in USUAL.concat() {
            assert_eq!(table.mover(), Seat::A);
            table.one(fire_at(Seat::new(seat).unwrap(), x, y));
        }
        assert_eq!(table.game.view(Seat::A).targets().count(), 2 - nth);
    }
    let outcome = table.outcome();
    assert_eq!(outcome.ranking.iter().map(|seat| seat.index()).collect::<Vec<_>>(), [0, 2, 1, 3]);
    assert_eq!(
        (outcome.winner, outcome.points[Seat::A], &table.why()[..]),
        (Some(Seat::A), 15, "all ships of C are sunk")
    );
}

#[test]
fn of_many_those_who_are_out_neither_move_nor_are_targets() {
    let mut table = Match::with(r#""seats": 3, "off-board": "refused", "no-answer": "loses""#, 3);
    table.one(fire_at(Seat::B, 0, 0));
    table.one(Err(Fault::NothingWritten));
    assert_eq!(table.mover(), seat_c());
    for answer in [fire_at(Seat::B, 0, 1), fire_at(seat_c(), 0, 0), fire(&[(0, 0)])] {
        assert_eq!(
            table.game.check(seat_c(), &answer.unwrap()).unwrap_err().0,
            "a shot must name the seat of another player who is still in"
        );
    }
    table.one(fire_at(Seat::A, 5, 3));
    assert_eq!(table.mover(), Seat::A);
    assert!(
        table.game.view(Seat::A).boards[Seat::B].cells[table.game.rules().grid().index(Point::new(0, 0)).unwrap()]
            == Known::Hit
    );
}

#[test]
fn three_fleets_that_sink_together_are_counted() {
    let mut table = Match::with(r#""seats": 3, "turns": "together", "shots": 5"#, 3);
    let all = |at: Seat| {
        let shots =
            USUAL.concat().into_iter().map(|(x, y)| rules::battleship::Target { at: Some(at), cell: Point::new(x, y) });
        Ok(rules::battleship::Order::Fire(shots.collect()))
    };
    table.all(&[all(Seat::B), all(seat_c()), all(Seat::A)]);
    assert_eq!((table.outcome().winner, &table.why()[..]), (None, "3 fleets were sunk in the same round"));
}
