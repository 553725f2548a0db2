//! Radar.

use super::{Match, cells};
use rules::sea_battle::{Event, Order, Scan};
use rules::{Audience, Game, Point, Seat, Seats};

fn seen(x: i32, y: i32) -> Vec<Point> {
    let mut table = Match::set(120);
    table.radar(x, y);
    let scan = Scan { centre: Point::new(x, y), visible: table.game.view(Seat::A).scans[0].visible.clone() };
    assert_eq!(
        table.events,
        [Event::UsedRadar { seat: Seat::A }, Event::Scanned { seat: Seat::A, scan: scan.clone() }]
    );
    scan.visible
}

#[test]
fn radar_sees_the_ships_in_nine_cells() {
    assert_eq!(seen(5, 2), cells(&[(5, 1), (6, 1), (4, 3), (5, 3), (6, 3)]));
    assert_eq!(seen(7, 9), cells(&[(6, 9)]));
    assert_eq!(seen(8, 4), []);
}

#[test]
fn radar_does_not_see_submarines() {
    assert_eq!(seen(9, 2), []);
}

#[test]
fn radar_at_the_edge_sees_what_is_on_the_board() {
    assert_eq!(seen(0, 0), cells(&[(0, 0)]));
    assert_eq!(seen(9, 7), cells(&[(9, 6), (9, 7)]));
    assert_eq!(seen(0, 9), []);
}

#[test]
fn radar_sees_ships_whether_they_were_hit_or_not() {
    let mut table = Match::set(120);
    table.a_shoots(0, 0);
    table.a_shoots(4, 6);
    assert_eq!(table.clone().radar(0, 0).game.view(Seat::A).scans[0].visible, cells(&[(0, 0)]));
    assert_eq!(table.radar(4, 7).game.view(Seat::A).scans[0].visible, cells(&[(4, 6), (5, 6), (4, 8)]));
}

#[test]
fn radar_is_a_move_and_does_no_damage() {
    let mut table = Match::set(120);
    table.radar(5, 2).shoot(9, 9).shoot(5, 1);
    assert_eq!(table.game.moves(), 3);
    assert_eq!(table.game.hits(Seat::A), 1);
}

#[test]
fn a_second_use_of_radar_loses() {
    let mut table = Match::set(120);
    table.radar(5, 5).radar(5, 5);
    assert_eq!(table.game.outcome(), None, "each player has its own");
    assert!(table.game.check(Seat::A, &Order::Radar(Point::new(1, 1))).is_err());
    table.radar(1, 1);
    assert_eq!(table.outcome().winner, Some(Seat::B));
    assert_eq!(table.why(), "A broke the rules: the radar can be used once only");
}

#[test]
fn radar_off_the_board_loses() {
    for (x, y) in [(-1, 0), (0, 10), (10, 10), (i32::MAX, i32::MAX)] {
        let mut table = Match::set(120);
        table.radar(x, y);
        assert_eq!(table.outcome().winner, Some(Seat::B));
    }
}

#[test]
fn what_radar_sees_is_told_to_its_player_only() {
    let mut table = Match::set(120);
    let told = table.game.advance([(Seat::A, Ok(Order::Radar(Point::new(5, 5))))].into_iter().collect());
    let audiences: Vec<Audience> = told.iter().map(|told| told.to).collect();
    assert_eq!(audiences, [Audience::Everyone, Audience::Only(Seats::first(1))]);
    assert_eq!(table.game.view(Seat::B).scans, []);
    assert!(!table.game.view(Seat::B).radar_used);
}
