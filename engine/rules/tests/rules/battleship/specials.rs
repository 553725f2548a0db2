//! Special actions: radar, area-shot and sonar.

use super::{Match, fire, is_unknown, seat_c, take};
use rules::battleship::{Event, Order, Refusal, ShotResult, Target};
use rules::{Eye, Game, HighlightKind, Mark, Point, Seat};

const SPECIALS: &str = r####""specials": [
    {"name": "radar", "kind": "radar", "area": ["###", "###", "###"]},
    {"name": "old radar", "kind": "radar", "area": ["###", "###", "###"], "misses": ["two"]},
    {"name": "cross", "kind": "area-shot", "area": [".#.", "###", ".#."], "uses": 2, "needs": "three"},
    {"name": "sonar", "kind": "sonar", "uses": 3}]"####;

fn with(more: &str) -> Match {
    Match::of(&format!("{SPECIALS}{more}"))
}

#[test]
fn a_radar_shows_the_ships_of_an_area_and_its_water() {
    let mut table = with("");
    table.one(take("radar", 1, 1));
    assert_eq!(table.rows(), ["###...", "~~~...", "##~...", "......"]);
    assert_eq!(table.mover(), Seat::B, "it takes the place of the shots");
    let found = &table.game.view(Seat::A).found[0];
    assert_eq!((found.ships.len(), found.distance), (5, None));
    assert_eq!(table.game.view(Seat::A).uses, [0, 1, 2, 3]);
}

#[test]
fn a_radar_does_not_show_the_ships_that_it_misses_nor_what_is_water() {
    let mut table = with("");
    table.one(take("old radar", 1, 1));
    assert_eq!(table.rows(), ["###...", "......", "......", "......"]);
}

#[test]
fn a_radar_at_the_edge_looks_at_the_cells_on_the_board_only() {
    let mut table = with("");
    table.one(take("radar", 5, 3));
    assert_eq!(table.rows(), ["......", "......", "....~~", "....~~"]);
}

#[test]
fn what_a_shot_found_is_more_than_what_a_radar_shows() {
    let mut table = with("");
    table.fire(&[(0, 0)]);
    table.fire(&[(5, 3)]);
    table.one(take("radar", 1, 1));
    assert_eq!(table.rows(), ["x##...", "~~~...", "##~...", "......"]);
}

#[test]
fn a_radar_is_told_to_its_player_only() {
    let mut table = Match::with(&format!(r#"{SPECIALS}, "seats": 3"#), 3);
    let order = Order::Use { special: "radar".to_owned(), aim: Target { at: Some(Seat::B), cell: Point::new(1, 1) } };
    let told = table.game.advance([(Seat::A, Ok(order))].into_iter().collect());
    let found: Vec<_> = told.iter().filter(|told| matches!(told.event, Event::Found(_))).collect();
    assert!(found.len() == 1 && !found[0].is_for(Eye::Everyone) && !found[0].is_for(Eye::Seat(Seat::B)));
    for viewer in [Seat::B, seat_c()] {
        assert!(is_unknown(&table.game, viewer, Seat::B) && !is_unknown(&table.game, Seat::A, Seat::B));
    }
    let cell = |eye| table.game.scene(eye).boards[1].cells[0];
    let [own, everyone, third] = [Eye::Seat(Seat::A), Eye::Everyone, Eye::Seat(seat_c())].map(cell);
    assert_eq!((own.mark, own.scanned), (Mark::Ship('?'), true));
    assert!([everyone, third].iter().all(|cell| cell.mark == Mark::Water && !cell.scanned));
}

#[test]
fn an_area_shot_fires_at_all_cells_of_its_pattern() {
    let mut table = with(r#", "again": "on-hit""#);
    table.one(take("cross", 1, 1));
    let hits = table.results().into_iter().filter(|result| result.is_hit()).count();
    assert_eq!((hits, table.rows()), (2, [".x....", "ooo...", ".x....", "......"].map(str::to_owned).to_vec()));
    assert_eq!((table.game.player(Seat::A).shots, table.mover()), (1, Seat::A));
    assert_eq!(table.game.scene(Eye::Everyone).highlights[0].kind, HighlightKind::Special);
    table.one(take("cross", 0, 0));
    assert_eq!(table.results(), [ShotResult::Hit, ShotResult::Again, ShotResult::Miss]);
}

#[test]
fn an_action_needs_its_ship_afloat_and_is_used_up() {
    let mut table = with(r#", "again": "on-hit", "off-board": "refused""#);
    let refusal = |table: &Match, seat, order| table.game.check(seat, &order).unwrap_err().0;
    for aim in [(1, 1), (0, 0)] {
        table.one(take("cross", aim.0, aim.1));
    }
    table.one(take("cross", 1, 1));
    assert_eq!(table.refusal(), Some(Refusal::UsedUp("cross".to_owned())));
    table.fire(&[(2, 0)]);
    let cross = take("cross", 1, 1).unwrap();
    assert_eq!(refusal(&table, Seat::B, cross), "cross needs the three afloat");
    assert_eq!(refusal(&table, Seat::B, take("radar", 6, 0).unwrap()), "6,0 is off the board");
    assert_eq!(refusal(&table, Seat::B, take("Radar", 1, 0).unwrap()), "there is no special \"Radar\"");
}

#[test]
fn a_sonar_tells_the_steps_to_the_nearest_cell_that_is_not_destroyed() {
    let mut table = with("");
    let mut distance = |x, y| {
        table.one(take("sonar", x, y));
        let distance = table.game.view(Seat::A).found.last().unwrap().distance;
        table.one(fire(&[(5, 3)]));
        distance
    };
    assert_eq!([distance(5, 0), distance(3, 3)], [Some(3), Some(3)]);
    let mut table = with("");
    for cell in [(2, 0), (1, 0)] {
        table.fire(&[cell]);
        table.fire(&[(5, 3)]);
    }
    table.one(take("sonar", 2, 0));
    assert_eq!(table.game.view(Seat::A).found[0].distance, Some(2));
    assert!(table.rows().concat().chars().all(|sign| "x.".contains(sign)), "it shows no cell");
}
