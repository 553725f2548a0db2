//! Results: `told` and `seen`.

use super::{Match, cells, fire, is_unknown};
use ShotResult::{Again, Hit, Miss, Sunk, Untold};
use rules::battleship::{Event, ShotResult, Sinking};
use rules::{Eye, Game, Mark, Seat};

/// A sinks the ship of two cells and B fires into the water; what is told of the sinking, and the board.
fn sunk(more: &str) -> (Option<Sinking>, [ShotResult; 2], Vec<String>) {
    let mut table = Match::of(more);
    let first = table.fire(&[(0, 2)])[0];
    table.fire(&[(5, 3)]);
    let second = table.fire(&[(1, 2)])[0];
    (table.game.view(Seat::A).sunk.last().cloned(), [first, second], table.rows())
}

#[test]
fn a_sinking_is_told_as_far_as_the_file_says() {
    let none = Sinking { turn: 3, by: Seat::A, at: Seat::B, size: None, kind: None, cells: Vec::new() };
    let size = Sinking { size: Some(2), ..none.clone() };
    let name = Sinking { kind: Some(1), ..size.clone() };
    let all = Sinking { cells: cells(&[(0, 2), (1, 2)]), ..name.clone() };
    for (told, sinking, result, row) in [
        ("nothing", None, Hit, "xx...."),
        ("that", Some(none), Sunk, "xs...."),
        ("size", Some(size), Sunk, "xs...."),
        ("name", Some(name), Sunk, "xs...."),
        ("cells", Some(all.clone()), Sunk, "ss...."),
    ] {
        let found = sunk(&format!(r#""told": {{"sunk": "{told}"}}"#));
        let rows = ["......", "......", row, "......"].map(str::to_owned).to_vec();
        assert_eq!(found, (sinking, [Hit, result], rows), "{told}");
    }
    let around = sunk(r#""touching": "none", "told": {"sunk": "around"}"#);
    assert_eq!(around.2, ["......", "~~~...", "ss~...", "~~~..."]);
    assert_eq!(around.0, Some(all));
}

#[test]
fn water_around_a_sunk_ship_counts_as_known() {
    let mut table =
        Match::of(r#""touching": "none", "told": {"sunk": "around"}, "repeated": "loses", "again": "on-hit""#);
    table.fire(&[(0, 2)]);
    table.fire(&[(1, 2)]);
    table.fire(&[(2, 3)]);
    assert_eq!(table.why(), "A gave an illegal order: 2,3 was fired at before");
}

#[test]
fn a_cell_that_was_hit_before_gives_no_second_hit() {
    let mut table = Match::of("");
    assert_eq!([table.fire(&[(0, 0)]), table.fire(&[(5, 3)])], [[Hit], [Miss]]);
    assert_eq!([table.fire(&[(0, 0)]), table.fire(&[(5, 3)])], [[Again], [Miss]]);
    assert_eq!([Seat::A, Seat::B].map(|seat| table.game.player(seat).hits), [1, 0]);
}

#[test]
fn only_the_number_of_hits_is_told_where_the_file_says_total() {
    let mut table = Match::of(r#""shots": 3, "told": {"hit": "total", "sunk": "name"}"#);
    assert_eq!(table.fire(&[(0, 2), (5, 3), (1, 2)]), [Untold; 3]);
    let view = table.game.view(Seat::A);
    assert_eq!((view.hits[0].shots, view.hits[0].hits, view.sunk.len()), (3, 2, 1));
    assert_eq!(table.rows(), ["......", "......", "??....", ".....?"]);
    // The place of the sinking in the list of events does not tell which shot it was.
    let kinds = table.events.iter().map(|event| matches!(event, Event::Sunk(_))).collect::<Vec<_>>();
    assert_eq!(kinds, [false, false, false, false, true]);
}

#[test]
fn shots_that_are_seen_are_told_to_all() {
    let mut table = Match::of("");
    table.fire(&[(0, 0)]);
    assert_eq!(table.known(Seat::B, Seat::B)[0], "x.....");
    assert_eq!(table.game.view(Seat::B).fired[Seat::A].len(), 1);
    let scene = table.game.scene(Eye::Seat(Seat::B));
    assert_eq!((scene.boards[1].cells[0].mark, &scene.boards[0].deed[..]), (Mark::Hit(Some('T')), "shot at 0,0: hit"));
}

#[test]
fn shots_that_are_not_seen_are_told_to_their_player_only() {
    let mut table = Match::of(r#""seen": false, "shots": "ships-afloat""#);
    let told = table.game.advance([(Seat::A, fire(&[(0, 2), (1, 2)]))].into_iter().collect());
    assert!(!told.is_empty() && told.iter().all(|told| !told.to.includes(Seat::B)));
    assert!(is_unknown(&table.game, Seat::B, Seat::B) && !is_unknown(&table.game, Seat::A, Seat::B));
    let view = table.game.view(Seat::B);
    assert!(view.fired[Seat::A].is_empty() && view.sunk.is_empty());
    assert_eq!(view.shots, 1, "that a ship is gone shows in the shots");
    for eye in [Eye::Seat(Seat::B), Eye::Everyone] {
        let scene = table.game.scene(eye);
        assert!(
            scene.boards[1].cells.iter().all(|cell| !cell.fresh && !matches!(cell.mark, Mark::Hit(_) | Mark::Miss))
        );
        assert!(scene.highlights.is_empty() && scene.boards[0].deed.is_empty() && scene.boards[1].fleet.is_empty());
    }
}
