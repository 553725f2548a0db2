//! Frames are enough to draw every scene, and are small.

use crate::matches::{Brain, Painted, about, match_history};
use crate::screen::Screen;
use arena::MatchHistory;
use proptest::prelude::*;
use rules::entelect_2017::MapSize;
use rules::{Eye, Grid, Seats};
use serde::Deserialize;
use web::wire::{Frame, MatchEnd, Setup};
use web::{About, page};

/// The data in a page.
#[derive(Deserialize)]
struct Told {
    setup: Setup,
    frames: Vec<Frame>,
    over: MatchEnd,
}

fn told(history: &dyn MatchHistory, about: &About) -> Told {
    let page = page(history, about);
    let (_, rest) = page.split_once(r#"<script id="match" type="application/json">"#).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Checks that the frames make the scenes of every eye, one after the other.
fn assert_frames_make_all_scenes(history: &dyn MatchHistory, about: &About) {
    let told = told(history, about);
    assert_eq!(told.frames.len(), history.scenes());
    for eye in std::iter::once(Eye::Referee).chain(Seats::first(history.seats()).iter().map(Eye::Seat)) {
        let mut screen = Screen::new(&told.setup, eye);
        for (at, frame) in told.frames.iter().enumerate() {
            screen.show(frame);
            screen.assert_shows(&history.scene(at, eye));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_frames_make_all_scenes_of_any_match(seed: u64, size in 0..3usize) {
        let history = match_history(MapSize::ALL[size], [Brain::Wild, Brain::Wild], seed);
        assert_frames_make_all_scenes(&history, &about(["one", "two"]));
    }

    #[test]
    fn the_frames_make_all_scenes_of_any_game(seed: u64, seats in 2..=16u8, width in 1..20u8, height in 1..20u8) {
        let history = Painted::new(seats, Grid::new(width, height), 6, seed);
        let names = (0..seats).map(|seat| format!("player {seat}")).collect();
        assert_frames_make_all_scenes(&history, &About { names, ..about([]) });
    }
}

#[test]
fn a_page_tells_how_the_match_ended() {
    let history = match_history(MapSize::Small, [Brain::Hunter, Brain::Wild], 1);
    let outcome = history.outcome().unwrap();
    let over = told(&history, &about(["one", "two"])).over;
    assert!(over.finished);
    assert_eq!(over.winner, outcome.winner.map(rules::Seat::letter));
    assert_eq!(over.points, outcome.points.iter().map(|(_, points)| *points).collect::<Vec<_>>());
    assert_eq!(over.why, "all ships of B are sunk");

    let unfinished = Painted::new(2, Grid::new(3, 3), 2, 0);
    assert!(!told(&unfinished, &about(["one", "two"])).over.finished);
}

#[test]
fn a_page_of_a_hundred_rounds_stays_below_a_hundred_kilobytes_beside_its_script() {
    let script = page(&Painted::new(2, Grid::new(1, 1), 1, 0), &about(["one", "two"])).len();
    for size in MapSize::ALL {
        for brains in [[Brain::Hunter; 2], [Brain::Wild; 2]] {
            let history = match_history(size, brains, 1);
            let whole = page(&history, &about(["one", "two"])).len();
            let rounds = history.scenes() - 1;
            println!("{size:?}: {whole} bytes with {rounds} rounds, {} a round", (whole - script) / rounds);
            assert!((whole - script) / rounds < 1_000, "{size:?}: {whole} bytes with {rounds} rounds");
        }
    }
    println!("without rounds: {script} bytes");
    assert!(script < 97_000, "{script}");
}
