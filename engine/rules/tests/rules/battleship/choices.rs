//! Moves: `again`, `shots`, `first`, `turns` and armour.

use super::{Match, USUAL, fire, place, rules, small};
use rules::battleship::{Battleship, Rules, ShotResult};
use rules::{Game, Seat};

/// The players that move after a miss, after hits, and after a sinking.
fn movers(again: &str) -> [Seat; 3] {
    let mut table = Match::of(&format!(r#""again": "{again}""#));
    let after = |table: &mut Match, cell| {
        table.fire(&[cell]);
        table.mover()
    };
    let miss = after(&mut Match::of(&format!(r#""again": "{again}""#)), (5, 3));
    let hit = after(&mut table, (0, 2));
    if hit == Seat::B {
        table.fire(&[(5, 3)]);
    }
    [miss, hit, after(&mut table, (1, 2))]
}

#[test]
fn a_player_moves_again_as_the_file_says() {
    assert_eq!(movers("never"), [Seat::B; 3]);
    assert_eq!(movers("on-hit"), [Seat::B, Seat::A, Seat::A]);
    assert_eq!(movers("on-hit-unless-sunk"), [Seat::B, Seat::A, Seat::B]);
}

#[test]
fn a_cell_that_was_hit_before_gives_no_second_move() {
    let mut table = Match::of(r#""again": "on-hit""#);
    table.fire(&[(0, 0)]);
    table.fire(&[(0, 0)]);
    assert_eq!(table.mover(), Seat::B);
}

#[test]
fn a_move_has_as_many_shots_as_the_file_says() {
    for (shots, [before, after]) in [
        ("4", [4, 4]),
        (r#""ships-afloat""#, [2, 1]),
        (r#""longest-afloat""#, [3, 2]),
        (r#""own-cells-afloat""#, [5, 2]),
    ] {
        let mut table = Match::of(&format!(r#""shots": {shots}, "again": "on-hit""#));
        assert_eq!(table.game.view(Seat::B).shots, before, "{shots}");
        for cell in USUAL[0] {
            table.fire(&[*cell]);
        }
        assert_eq!((table.game.view(Seat::B).shots, table.game.shots(Seat::B)), (after, after), "{shots}");
    }
}

#[test]
fn the_shots_that_may_be_are_told_to_who_writes_others() {
    for shots in ["-1", "1.5", "300", "null", r#""all""#] {
        let error = serde_json::from_str::<Rules>(&format!(r#"{{"shots": {shots}}}"#)).unwrap_err().to_string();
        assert!(error.starts_with("shots are a number from 1 to 100, ships-afloat, "), "{shots}: {error}");
    }
}

#[test]
fn fewer_shots_than_there_are_may_be_fired() {
    let mut table = Match::of(r#""shots": 3"#);
    assert_eq!(table.fire(&[(0, 0), (5, 3)]), [ShotResult::Hit, ShotResult::Miss]);
    assert_eq!((table.game.player(Seat::A).shots, table.mover()), (2, Seat::B));
}

#[test]
fn the_first_player_is_a_or_drawn() {
    let first = |rules: &Rules, seed| {
        let mut game = Battleship::start(rules, 2, seed).unwrap();
        game.advance([Seat::A, Seat::B].map(|seat| (seat, place(&USUAL))).into_iter().collect());
        game.awaited().iter().next().unwrap()
    };
    let count = |rules: &Rules| (0..100).filter(|&seed| first(rules, seed) == Seat::A).count();
    assert_eq!(count(&small("")), 100);
    assert!((30..70).contains(&count(&small(r#""first": "drawn""#))));
}

#[test]
fn all_move_at_once_where_turns_are_together() {
    let mut table = Match::of(r#""turns": "together", "shots": 3"#);
    assert_eq!(table.asked(), 2);
    table.all(&[fire(USUAL[0]), fire(USUAL[0])]);
    table.all(&[fire(USUAL[1]), fire(USUAL[1])]);
    assert_eq!((table.outcome().winner, &table.why()[..]), (None, "both fleets were sunk in the same round"));
}

#[test]
fn a_cell_with_armour_takes_more_hits() {
    let file = r#"{"board": {"width": 3, "height": 1}, "fleet": [{"name": "tank", "size": 2, "armour": 2}], "repeated": "loses"}"#;
    let mut table = Match::new(&rules(file), 2);
    table.all(&[place(&[&[(0, 0), (1, 0)]]), place(&[&[(1, 0), (2, 0)]])]);
    let mut results = Vec::new();
    for (x, b) in [(1, 0), (1, 0), (2, 1), (2, 1)] {
        results.extend(table.fire(&[(x, 0)]));
        if !table.is_over() {
            assert_eq!(table.fire(&[(b, 0)]).len(), 1);
        }
    }
    assert_eq!(results, [ShotResult::Damaged, ShotResult::Hit, ShotResult::Damaged, ShotResult::Sunk]);
    assert_eq!((table.outcome().winner, table.outcome().points), (Some(Seat::A), [4, 3].into_iter().collect()));
}
