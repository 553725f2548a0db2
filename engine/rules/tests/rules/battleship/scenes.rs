//! The scenes that screens draw.

use super::{Match, fire, small};
use rules::{Eye, Game, Mark, Point, Scene, Seat, ShipScene};

fn mark(scene: &Scene, seat: Seat, x: i32, y: i32) -> Mark {
    scene.boards[seat.index()].cell(Point::new(x, y)).unwrap().mark
}

/// The eyes of which one sees where the ships of B are.
const EYES: [Eye; 4] = [Eye::Referee, Eye::Seat(Seat::B), Eye::Seat(Seat::A), Eye::Everyone];

/// The marks of three cells of B's board for each eye, after A has fired at the first and the last: a hit, a ship and a miss.
fn marks(more: &str) -> [[Mark; 3]; 4] {
    let mut table = Match::of(&format!(r#"{more}"again": "on-hit""#));
    table.fire(&[(0, 0)]);
    table.fire(&[(5, 3)]);
    EYES.map(|eye| [(0, 0), (1, 0), (5, 3)].map(|(x, y)| mark(&table.game.scene(eye), Seat::B, x, y)))
}

#[test]
fn each_eye_sees_what_it_may_know() {
    let (hit, ship, miss, water) = (Mark::Hit(Some('T')), Mark::Ship('T'), Mark::Miss, Mark::Water);
    let (all, other) = ([hit, ship, miss], [Mark::Hit(None), water, miss]);
    assert_eq!(marks(""), [all, all, other, other]);
    assert_eq!(marks(r#""seen": false, "#), [all, [ship, ship, water], other, [water; 3]]);
    let untold = [Mark::Shot, water, Mark::Shot];
    let total = r#""told": {"hit": "total", "sunk": "that"}, "#;
    assert_eq!(marks(total), [all, all, untold, untold]);
    assert_eq!(marks(&format!(r#"{total}"seen": false, "#)), [all, [ship, ship, water], untold, [water; 3]]);
}

#[test]
fn the_state_of_a_fleet_is_shown_to_those_who_may_know_it() {
    let fleets = |more: &str| {
        let mut table = Match::of(&format!(r#"{more}"again": "on-hit""#));
        for cell in [(0, 2), (1, 2)] {
            table.fire(&[cell]);
        }
        EYES.map(|eye| ShipScene::letters(&table.game.scene(eye).boards[1].fleet))
    };
    assert_eq!(fleets(""), ["Tw", "Tw", "Tw", "Tw"]);
    assert_eq!(fleets(r#""seen": false, "#), ["Tw", "", "Tw", ""]);
}

#[test]
fn alone_nobody_but_the_referee_sees_the_ships() {
    let mut table = Match::new(&small(r#""turns": "solo", "limit": {"turns": 3}"#), 2);
    let is_ship = |cell: &rules::CellScene| matches!(cell.mark, Mark::Ship(_) | Mark::Hit(Some(_)));
    let ships = |table: &Match, eye| {
        let boards = table.game.scene(eye).boards.into_iter();
        boards.map(|board| board.cells.iter().filter(|cell| is_ship(cell)).count()).collect::<Vec<_>>()
    };
    for nth in 0..3 {
        for eye in EYES {
            assert_eq!(ships(&table, eye), if eye == Eye::Referee { [5, 5] } else { [0, 0] }, "{eye:?}");
        }
        table.all(&[fire(&[(nth, 0)]), fire(&[(nth, 1)])]);
        let known = |eye, seat, y| mark(&table.game.scene(eye), seat, nth, y) != Mark::Water;
        assert!(known(Eye::Seat(Seat::A), Seat::A, 0) && known(Eye::Seat(Seat::B), Seat::B, 1));
        assert!(!known(Eye::Seat(Seat::A), Seat::B, 1) && !known(Eye::Everyone, Seat::A, 0));
    }
}

#[test]
fn a_scene_names_the_player_that_moves_and_its_shots() {
    let mut table = Match::of(r#""shots": 3"#);
    let mover =
        |table: &Match| table.game.scene(Eye::Everyone).mover.map(|mover| (mover.seat, mover.shots, mover.left));
    assert_eq!(mover(&table), Some((Seat::A, 3, 3)));
    table.fire(&[(0, 0)]);
    assert_eq!(mover(&table), Some((Seat::B, 3, 3)));
    let scene = table.game.scene(Eye::Everyone);
    assert_eq!((&scene.title[..], scene.boards[0].measures[0]), ("Turn 1", ("hits", 1)));
    let facts = [("hits", "1"), ("shots", "1"), ("ships", "2/2")].map(|(label, value)| (label, value.to_owned()));
    assert_eq!(scene.boards[0].facts, facts);
    assert_eq!(mover(&Match::of(r#""turns": "together""#)), None);
    assert_eq!(mover(&Match::of(r#""seen": false, "shots": "ships-afloat""#)), None, "it would tell who has hit");
}

#[test]
fn the_title_tells_the_turn() {
    let table = Match::new(&small(r#""bad-fleet": "refused""#), 2);
    let title = |table: &Match| table.game.scene(Eye::Everyone).title;
    assert_eq!(title(&table), "Before turn 0");
    let mut refused = table.clone();
    refused.all(&[fire(&[(0, 0)]), fire(&[(0, 0)])]);
    assert_eq!(title(&refused), "Turn 0 · placing the ships");
    assert_eq!(title(&Match::of("")), "Turn 0 · placing the ships");
}

#[test]
fn a_deed_tells_of_a_sinking_once() {
    let deeds = |more: &str, cells: &[(i32, i32)]| {
        let mut table = Match::of(more);
        table.fire(cells);
        table.game.scene(Eye::Everyone).boards.swap_remove(0).deed
    };
    let all = [(0, 2), (1, 2), (5, 3)];
    let told = |sunk: &str| deeds(&format!(r#""shots": 3, "told": {{"sunk": "{sunk}"}}"#), &all);
    assert_eq!(told("nothing"), "shots at 0,2: hit, 1,2: hit, 5,3: miss");
    assert_eq!(told("that"), "shots at 0,2: hit, 1,2: sank a ship, 5,3: miss");
    assert_eq!(told("size"), "shots at 0,2: hit, 1,2: sank a ship of 2 cells, 5,3: miss");
    assert_eq!(told("name"), "shots at 0,2: hit, 1,2: sank the two, 5,3: miss");
    let many: Vec<(i32, i32)> = (0..12).map(|nth| (nth % 6, nth / 6 + 1)).collect();
    assert_eq!(deeds(r#""shots": 12"#, &many), "12 shots, 2 hits, sank the two");
    let total = r#""shots": 3, "told": {"hit": "total", "sunk": "that"}"#;
    assert_eq!(deeds(total, &all), "shots at 0,2, 1,2, 5,3, sank a ship, 2 hits in all");
}
