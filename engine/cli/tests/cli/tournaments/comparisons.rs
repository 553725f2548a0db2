//! `broadside compare`: two bots.

use super::pairings::{Event, games_in};
use crate::screens::terminal::Terminal;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

#[test]
fn a_comparison_stops_when_the_answer_is_certain() {
    let event = Event::new(&[]);
    let arguments =
        ["compare", "builtin:hunter", "builtin:random", "-s", "1", "--sprt", "0,100", "--verdict", "--dir", "c"];
    let words = starts_with("builtin:hunter is ").and(contains("Elo stronger than builtin:random (95 %)"));
    event.run(&arguments).code(0).stdout(words.and(contains("builtin:hunter is stronger")));
    assert!(games_in(&event.folder.path().join("c")).len() < 100);
    let other =
        ["compare", "builtin:random", "builtin:hunter", "-s", "1", "--sprt", "0,100", "--verdict", "--dir", "d"];
    event.run(&other).code(10).stdout(contains("is not stronger"));
    let same = ["compare", "builtin:random", "builtin:random", "-s", "1", "--games", "20", "--verdict", "--dir", "e"];
    event.run(&same).code(11).stdout(contains("more games are needed"));
    let wrong = ["compare", "builtin:random", "builtin:hunter", "--sprt", "30,0"];
    event.run(&wrong).code(2).stderr(contains("--sprt"));
}

#[test]
fn lost_games_of_a_comparison_can_be_watched() {
    let event = Event::new(&[]);
    let compare = |dir: &str, more: &[&str]| {
        let usual = ["compare", "builtin:hunt-and-target", "builtin:hunter", "-s", "1", "--seed", "1", "--dir", dir];
        event.run(&[&usual[..], &["--games", "20"], more].concat()).code(0)
    };
    let said = |dir: &str, more: &[&str]| String::from_utf8(compare(dir, more).get_output().stderr.clone()).unwrap();
    let told = said("a", &["-j", "1"]);
    let lost = "builtin:hunt-and-target lost 20 games, of which 3 can be watched; the first:\n";
    let (_, command) = told.split_once(lost).unwrap_or_else(|| panic!("{told}"));
    let record = command.trim().strip_prefix("broadside replay ").unwrap();
    event.run(&["replay", record]).code(0).stdout(contains("all ships of builtin:hunt-and-target are sunk"));
    assert_eq!(event.folder.path().join("a/records").read_dir().unwrap().count(), 3);
    assert!(said("a", &[]).contains(lost), "a comparison that is complete tells it again");
    assert!(!said("b", &["--keep", "none"]).contains("watched"));
    assert!(!event.folder.path().join("b/records").exists());
}

#[test]
fn the_score_and_the_way_of_the_test_are_shown_while_a_comparison_is_played() {
    let event = Event::new(&[]);
    let arguments = "compare builtin:hunter builtin:random -s 1 --seed 1 --sprt 0,100";
    let Some(mut terminal) = Terminal::start(event.folder.path(), arguments, false) else { return };
    terminal.wait_for(" of 2000 games, ").wait_for(" so far, test ").wait_for(" of 2.94");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains(" with seats swapped: ") && screen.contains(" ended 2-0"), "{screen}");
}
