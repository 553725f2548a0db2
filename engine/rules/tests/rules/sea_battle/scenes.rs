//! The scenes that screens show.

use super::{Match, example_fleet};
use rules::sea_battle::Order;
use rules::{CellScene, Eye, Fault, Game, Grid, Highlight, HighlightKind, Mark, Mover, Point, Scene, Seat, ShipScene};

impl Match {
    fn seen(&self, eye: Eye) -> Scene {
        self.game.scene(eye)
    }

    /// The cell of B's board at (x, y) as this eye sees it.
    fn cell(&self, eye: Eye, x: i32, y: i32) -> CellScene {
        self.seen(eye).boards[1].cell(Point::new(x, y)).unwrap()
    }

    fn deeds(&self, eye: Eye) -> Vec<String> {
        self.seen(eye).boards.into_iter().map(|board| board.deed).collect()
    }
}

const A: Eye = Eye::Seat(Seat::A);
const B: Eye = Eye::Seat(Seat::B);

#[test]
fn armour_that_holds_is_seen_by_its_owner_and_the_referee_only() {
    let mut table = Match::set(120);
    let marks = |table: &Match| [Eye::Referee, B, A].map(|eye| table.cell(eye, 4, 6).mark);
    assert_eq!(marks(&table), [Mark::Ship('B'), Mark::Ship('B'), Mark::Water]);
    table.a_shoots(4, 6);
    assert_eq!(marks(&table), [Mark::Damaged('B'), Mark::Damaged('B'), Mark::Hit(None)]);
    table.a_shoots(4, 6);
    assert_eq!(marks(&table), [Mark::Hit(Some('B')), Mark::Hit(Some('B')), Mark::Hit(None)]);
}

#[test]
fn what_radar_saw_stays_visible_and_where_it_looked_for_one_turn() {
    let mut table = Match::set(120);
    table.radar(9, 2);
    assert_eq!(table.cell(A, 9, 2), CellScene { mark: Mark::Water, shielded: false, fresh: false, scanned: true });
    let mut table = Match::set(120);
    table.radar(5, 2);
    let scanned = |table: &Match, eye| {
        let boards = table.seen(eye).boards;
        boards.map_cells(|cell| cell.scanned)
    };
    assert_eq!(scanned(&table, A), [0, 9]);
    assert_eq!(scanned(&table, Eye::Referee), [0, 9]);
    assert_eq!(scanned(&table, B), [0, 0], "where a radar looked is its player's secret");
    assert_eq!(table.cell(A, 5, 3).mark, Mark::Ship('?'), "what kind of ship it is, radar does not tell");
    assert_eq!(table.cell(B, 5, 3).mark, Mark::Ship('F'));
    table.shoot(0, 9).shoot(5, 3);
    assert_eq!(scanned(&table, A), [0, 0]);
    assert_eq!([4, 5, 6].map(|x| table.cell(A, x, 3).mark), [Mark::Ship('?'), Mark::Hit(None), Mark::Ship('?')]);
    assert!(table.cell(A, 5, 3).fresh);
}

trait Boards {
    fn map_cells(&self, wanted: impl Fn(&CellScene) -> bool) -> Vec<usize>;
}

impl Boards for Vec<rules::BoardScene> {
    fn map_cells(&self, wanted: impl Fn(&CellScene) -> bool) -> Vec<usize> {
        self.iter().map(|board| board.cells.iter().filter(|cell| wanted(cell)).count()).collect()
    }
}

#[test]
fn a_shot_is_fresh_for_one_turn_on_the_board_it_fell_on() {
    let mut table = Match::set(120);
    table.shoot(9, 9);
    assert_eq!(table.seen(Eye::Referee).boards.map_cells(|cell| cell.fresh), [0, 1]);
    assert_eq!(table.cell(A, 9, 9).mark, Mark::Miss);
    table.shoot(0, 0);
    assert_eq!(table.seen(Eye::Referee).boards.map_cells(|cell| cell.fresh), [1, 0]);
}

#[test]
fn all_boards_are_drawn_before_and_after_placing() {
    let table = Match::new(120);
    let scene = table.seen(Eye::Referee);
    assert_eq!(scene.title, "Before the ships are placed");
    assert!(scene.boards.iter().all(|board| board.grid == Grid::new(10, 10) && board.deed.is_empty()));
    let table = Match::set(120);
    assert_eq!(table.seen(A).title, "Placing the ships");
    assert_eq!(table.deeds(A), ["placed its ships", "placed its ships"]);
    let mut table = table;
    table.shoot(0, 9);
    assert_eq!(table.seen(B).title, "Move 1 of 120 · A");
}

#[test]
fn deeds_and_highlights_tell_the_last_turn() {
    let mut table = Match::set(120);
    let mark = |seat, kind| Highlight { seat, kind };
    table.shoot(3, 3);
    assert_eq!(table.deeds(B), ["fired at 3, 3: hit", ""]);
    assert_eq!(table.seen(B).highlights, [mark(Seat::A, HighlightKind::Hit)]);
    table.shoot(0, 0);
    assert_eq!(table.deeds(A), ["", "fired at 0, 0: sunk"]);
    assert_eq!(table.seen(A).highlights, [mark(Seat::B, HighlightKind::Hit), mark(Seat::B, HighlightKind::Sinking)]);
    table.radar(5, 2);
    assert_eq!(table.deeds(A), ["used its radar at 5, 2: 5 ship cells", ""]);
    assert_eq!(table.deeds(B), ["used its radar", ""]);
    assert_eq!(table.seen(B).highlights, [mark(Seat::A, HighlightKind::Special)]);
    table.answer(Err(Fault::NothingWritten));
    assert_eq!(table.deeds(A), ["", "wrote nothing"]);
    assert_eq!(table.seen(A).highlights, [mark(Seat::B, HighlightKind::Fault)]);
}

#[test]
fn facts_tell_what_the_eye_may_know() {
    let mut table = Match::set(120);
    table.radar(5, 2).shoot(0, 0).shoot(4, 6).shoot(9, 9);
    let facts = |eye, board: usize| {
        let facts = table.seen(eye).boards[board].facts.clone();
        facts.into_iter().map(|(label, value)| format!("{label} {value}")).collect::<Vec<_>>()
    };
    assert_eq!(facts(A, 0), ["hits 1/23", "shots 1", "ships FBTSWWoOOO", "radar at 5, 2, saw 5"]);
    assert_eq!(facts(B, 0), ["hits 1/23", "shots 1", "ships 9 of 10", "radar used"]);
    assert_eq!(facts(Eye::Referee, 1), ["hits 1/23", "shots 2", "ships FBTSWWOOOO", "radar unused"]);
    let fleet = |eye| table.seen(eye).boards.into_iter().map(|board| ShipScene::letters(&board.fleet));
    assert!(fleet(A).eq(["FBTSWWoOOO", ""]), "which ships are sunk is a secret of their owner");
    assert!(fleet(Eye::Referee).eq(["FBTSWWoOOO", "FBTSWWOOOO"]) && fleet(Eye::Everyone).eq(["", ""]));
    assert_eq!(table.seen(A).boards[1].measures, [("hits", 1)]);
    let order = Order::Place(example_fleet());
    assert!(table.game.check(Seat::A, &order).is_err());
}

#[test]
fn a_scene_tells_whose_turn_it_is_once_the_ships_are_placed() {
    let mut table = Match::new(120);
    assert_eq!(table.seen(Eye::Everyone).mover, None);
    table = Match::set(120);
    let first = table.mover();
    for seat in [first, first.opponent()] {
        assert_eq!(table.seen(Eye::Everyone).mover, Some(Mover { seat, shots: 1, left: 1 }));
        table.shoot(0, 0);
    }
}
