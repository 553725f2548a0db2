//! The statements of docs/protocols/sea-battle.md and docs/rulings.md, held against the rules.

use super::{Match, example_fleet};
use rules::sea_battle::{BOARD, Json, MOVE, Order, PLACEMENT, SeaBattle, ShipKind};
use rules::{Answer, Dialect, Game, Listed, Part, Seat};
use serde_json::Value;

const PAGE: &str = include_str!("../../../../../docs/protocols/sea-battle.md");

/// The examples of the page, in its order.
fn examples() -> [&'static str; 5] {
    let blocks: Vec<&str> = PAGE.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    blocks.try_into().unwrap()
}

fn json(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap()
}

fn read(name: &'static str, example: &str) -> Answer<Order> {
    crate::started::<SeaBattle>().read(&[Part { name, bytes: example.into() }])
}

#[test]
fn the_messages_on_the_page_are_those_of_a_match() {
    let [placement, fleet, a_move, shot, radar] = examples();
    let dialect = Json::new("abc-123-def");
    let mut table = Match::new(120);
    let asked = |table: &Match, seat| json(&dialect.ask(seat, &table.game.view(seat)).body);
    assert_eq!(asked(&table, Seat::A), json(placement.as_bytes()));
    assert_eq!(read(PLACEMENT, fleet), Ok(Order::Place(example_fleet())));
    table.place(read(PLACEMENT, fleet), read(PLACEMENT, fleet));
    table.shoot(4, 6).radar(5, 2).shoot(4, 6).shoot(0, 0).shoot(4, 6);
    assert_eq!(asked(&table, Seat::B), json(a_move.as_bytes()));
    table.answer(read(MOVE, shot)).answer(read(MOVE, radar));
    assert_eq!(table.game.outcome(), None);
}

#[test]
fn the_lines_on_the_page_are_those_of_a_match() {
    let block = PAGE.split("first the question, then the answer:").nth(1).unwrap().split("```").nth(1).unwrap();
    let lines: Vec<&str> = block.lines().skip(1).collect();
    let [placement, fleet, a_move, shot] = lines[..] else { panic!("{lines:?}") };
    let dialect = Json::new("abc-123-def");
    let mut table = Match::new(120);
    let asked = |table: &Match| String::from_utf8(dialect.ask(Seat::A, &table.game.view(Seat::A)).body).unwrap();
    assert_eq!(asked(&table), placement);
    let beginning = fleet.split(", …").next().unwrap();
    assert!(examples()[1].split_whitespace().collect::<String>().starts_with(beginning), "{beginning}");
    let whole = examples()[1];
    table.place(read(PLACEMENT, whole), read(PLACEMENT, whole));
    assert_eq!(asked(&table), a_move);
    assert!(read(MOVE, shot).is_ok());
}

#[test]
fn the_fleet_drawn_on_the_page_is_the_example() {
    let drawn = PAGE.split("8 9  x\n").nth(1).unwrap();
    let rows: Vec<Vec<char>> =
        drawn.lines().take(10).map(|row| row.chars().skip(3).step_by(2).collect::<Vec<_>>()).collect();
    for at in BOARD.points() {
        let ship = example_fleet().into_iter().find(|ship| ship.cells.contains(&at));
        assert_eq!(rows[at.y as usize][at.x as usize], ship.map_or('.', |ship| ship.kind.letter()), "{at}");
    }
}

#[test]
fn the_ships_on_the_page_are_those_of_the_rules() {
    for kind in ShipKind::ALL {
        let row = format!("| `{kind}` | {} | {} | {} |", kind.letter(), kind.count(), kind.length());
        assert!(PAGE.contains(&row), "{row}");
    }
}
