//! Moves: whose they are, and what comes of shots.

use super::{A_FIRST, Match};
use rules::sea_battle::{SeaBattle, Settings, ShotResult};
use rules::{Game, Point, Seat};

#[test]
fn the_seed_says_who_moves_first() {
    let first = |seed| SeaBattle::start(&Settings::default(), 2, seed).unwrap().mover(1);
    assert_eq!(first(A_FIRST), Seat::A);
    let count = (0..1000).filter(|seed| first(*seed) == Seat::A).count();
    assert!((440..560).contains(&count), "{count}");
}

#[test]
fn players_take_turns_and_a_hit_gives_no_other_shot() {
    let mut table = Match::set(120);
    for number in 1..=40 {
        let mover = if number % 2 == 1 { Seat::A } else { Seat::B };
        assert_eq!(table.mover(), mover);
        assert_eq!((table.game.awaited().len(), table.game.mover(number)), (1, mover));
        assert_eq!(table.game.view(mover).turn, number, "turns are counted through the moves of both");
        if number == 7 || number == 8 {
            table.radar(5, 5)
        } else {
            table.shoot(0, 0)
        };
    }
    assert_eq!(table.game.moves(), 40);
}

#[test]
fn shots_miss_hit_and_sink() {
    let mut table = Match::set(120);
    assert_eq!(table.a_shoots(9, 9), ShotResult::Miss);
    assert_eq!(table.a_shoots(0, 0), ShotResult::Sunk);
    let four = [3, 6, 5, 4].map(|x| table.a_shoots(x, 3));
    assert_eq!(four, [ShotResult::Hit, ShotResult::Hit, ShotResult::Hit, ShotResult::Sunk]);
    assert_eq!(table.game.hits(Seat::A), 5);
}

#[test]
fn armour_takes_two_hits_a_cell() {
    let mut table = Match::set(120);
    let shots = [4, 5, 6, 4, 5, 6].map(|x| table.a_shoots(x, 6));
    assert_eq!(shots[..5], [ShotResult::Hit; 5], "the first hit on armour is a hit");
    assert_eq!(shots[5], ShotResult::Sunk);
    assert_eq!(table.game.hits(Seat::A), 6, "hits on armour count");
}

#[test]
fn a_shot_at_a_destroyed_cell_is_a_miss() {
    let mut table = Match::set(120);
    assert_eq!([0, 0].map(|x| table.a_shoots(x, 6)), [ShotResult::Hit, ShotResult::Miss]);
    assert_eq!([4, 4, 4].map(|x| table.a_shoots(x, 6)), [ShotResult::Hit, ShotResult::Hit, ShotResult::Miss]);
    assert_eq!([0, 0].map(|x| table.a_shoots(x, 0)), [ShotResult::Sunk, ShotResult::Miss]);
    assert_eq!(table.game.hits(Seat::A), 4);
}

#[test]
fn both_see_all_shots_in_the_order_of_play() {
    let mut table = Match::set(120);
    table.shoot(1, 1).shoot(2, 1).shoot(3, 3).radar(5, 5).shoot(3, 3);
    let [a, b] = [Seat::A, Seat::B].map(|seat| table.game.view(seat));
    let told = |shots: &[rules::sea_battle::Shot]| shots.iter().map(|shot| (shot.at, shot.result)).collect::<Vec<_>>();
    let of_a = [((1, 1), ShotResult::Miss), ((3, 3), ShotResult::Hit), ((3, 3), ShotResult::Miss)];
    assert_eq!(told(&a.own_shots), of_a.map(|((x, y), result)| (Point::new(x, y), result)));
    assert_eq!(told(&a.opponent_shots), [(Point::new(2, 1), ShotResult::Sunk)]);
    assert_eq!((a.own_shots, a.opponent_shots), (b.opponent_shots, b.own_shots));
    assert_eq!((a.radar_used, a.scans.len(), b.radar_used, b.scans.len()), (false, 0, true, 1));
    assert_eq!((a.turn, b.turn), (6, 6));
}

/// The original calls it a miss.
#[test]
fn a_shot_off_the_board_loses() {
    for (x, y) in [(-1, 0), (0, -1), (10, 0), (0, 10), (i32::MIN, i32::MAX)] {
        let mut table = Match::set(120);
        table.shoot(0, 0).shoot(x, y);
        assert_eq!(table.outcome().winner, Some(Seat::A));
        assert_eq!(table.why(), format!("B broke the rules: the target {x}, {y} is off the board"));
    }
}
