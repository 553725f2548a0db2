//! The scenes that screens draw.

use super::{USUAL, both, one, place, result, settings, start, strike, usual};
use rules::bots_arena::{Settings, place_at_random};
use rules::{Eye, Fault, Game, Highlight, HighlightKind, Mark, Point, Scene, Seat, ShipScene};

fn mark(scene: &Scene, board: usize, x: i32, y: i32) -> Mark {
    scene.boards[board].cell(Point::new(x, y)).unwrap().mark
}

fn highlight(seat: Seat, kind: HighlightKind) -> Highlight {
    Highlight { seat, kind }
}

#[test]
fn a_player_sees_its_own_ships_and_what_its_strikes_found() {
    let mut game = usual();
    result(&mut game, 3, 3);
    result(&mut game, 9, 9);
    let own = game.scene(Eye::Seat(Seat::B));
    assert_eq!(own.title, "Turn 2");
    assert_eq!(mark(&own, 1, 3, 3), Mark::Hit(Some('S')));
    assert_eq!(mark(&own, 1, 3, 4), Mark::Ship('S'));
    assert_eq!(mark(&own, 1, 2, 4), Mark::Ship('H'));
    assert_eq!((mark(&own, 0, 9, 9), mark(&own, 0, 3, 3)), (Mark::Miss, Mark::Water));
    let other = game.scene(Eye::Seat(Seat::A));
    assert_eq!((mark(&other, 1, 3, 3), mark(&other, 1, 3, 4)), (Mark::Hit(None), Mark::Water));
    let all = game.scene(Eye::Referee);
    assert_eq!((mark(&all, 0, 3, 3), mark(&all, 1, 3, 3)), (Mark::Ship('S'), Mark::Hit(Some('S'))));
}

#[test]
fn the_cell_struck_last_is_fresh() {
    let mut game = usual();
    result(&mut game, 3, 3);
    let fresh = |game: &rules::bots_arena::BotsArena| {
        let boards = game.scene(Eye::Referee).boards;
        boards.into_iter().map(|board| board.cells.iter().filter(|cell| cell.fresh).count()).collect::<Vec<_>>()
    };
    assert_eq!(fresh(&game), [0, 1]);
    result(&mut game, 3, 3);
    assert_eq!(fresh(&game), [1, 0]);
}

#[test]
fn deeds_facts_and_measures_tell_how_the_match_stands() {
    let mut game = start(Settings::default());
    assert_eq!(game.scene(Eye::Referee).title, "Before turn 0");
    assert_eq!(game.scene(Eye::Referee).boards[0].deed, "");
    both(&mut game, place(&USUAL), place(&USUAL));
    let scene = game.scene(Eye::Seat(Seat::A));
    assert_eq!((&scene.title[..], &scene.boards[1].deed[..]), ("Turn 0 · placing the ships", "placed its ships"));
    for (x, y) in [(7, 8), (8, 8)] {
        result(&mut game, x, y);
        result(&mut game, 9, 9);
    }
    for eye in [Eye::Referee, Eye::Seat(Seat::A), Eye::Seat(Seat::B)] {
        let boards = game.scene(eye).boards;
        let fleets = [0, 1].map(|at| ShipScene::letters(&boards[at].fleet));
        assert_eq!(fleets, ["SHIPO", "SHIPo"]);
        assert_eq!([&boards[0].deed[..], &boards[1].deed], ["", "shot at 9,9: miss"]);
        let fact = |hits: &str, ships: &str| {
            [("hits", hits), ("shots", "2"), ("ships", ships)].map(|(label, value)| (label, value.to_owned()))
        };
        assert_eq!((&boards[0].facts[..], &boards[1].facts[..]), (&fact("2", "5/5")[..], &fact("0", "4/5")[..]));
        assert_eq!((&boards[0].measures[..], &boards[1].measures[..]), (&[("hits", 2)][..], &[("hits", 0)][..]));
    }
    one(&mut game, Err(Fault::NothingWritten));
    assert_eq!(game.scene(Eye::Seat(Seat::B)).boards[0].deed, "wrote nothing");
}

#[test]
fn hits_sinkings_and_faults_are_highlights() {
    let mut game = usual();
    let after = |game: &mut rules::bots_arena::BotsArena, x, y| {
        result(game, x, y);
        game.scene(Eye::Seat(Seat::B)).highlights
    };
    let hit = highlight(Seat::A, HighlightKind::Hit);
    assert_eq!(after(&mut game, 7, 8), [hit]);
    assert_eq!(after(&mut game, 9, 9), []);
    assert_eq!(after(&mut game, 7, 8), [], "it was hit before");
    assert_eq!(after(&mut game, 9, 9), []);
    assert_eq!(after(&mut game, 8, 8), [hit, highlight(Seat::A, HighlightKind::Sinking)]);
    one(&mut game, strike(10, 10));
    assert_eq!(game.scene(Eye::Referee).highlights, [highlight(Seat::B, HighlightKind::Fault)]);
}

#[test]
fn the_largest_board_with_the_most_ships_is_drawn() {
    let settings = settings(100, 100, [10; 6]);
    let fleet = |seed| place_at_random(&settings, &mut rules::random(seed)).unwrap();
    let mut game = start(settings);
    both(&mut game, place(&fleet(1)), place(&fleet(2)));
    result(&mut game, 99, 99);
    let scene = game.scene(Eye::Referee);
    let ships = scene.boards[0].cells.iter().filter(|cell| matches!(cell.mark, Mark::Ship('A'..='Z'))).count();
    assert_eq!((scene.boards[0].cells.len(), ships), (10_000, 210));
}
