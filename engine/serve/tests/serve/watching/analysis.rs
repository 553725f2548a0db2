//! The analysis of matches, on screens and on the pages of matches that are over.

use crate::accessibility::check;
use crate::browser::Chromium;
use crate::server::contest::{Entry, PLAYS};
use crate::server::{Arena, TestBot, Way};
use serde_json::{Value, json};
use serve::SettingsChange;

/// A server with a match that stops after some moves. `reveal_fleets` says whether everyone sees the ships.
fn stopped(reveal_fleets: bool) -> (Arena, [TestBot; 2]) {
    let change = SettingsChange { limit: Some(60_000), pace: Some(1), ..SettingsChange::default() };
    let arena = Arena::with(SettingsChange { reveal_fleets: Some(reveal_fleets), ..change });
    let bots = [TestBot::plays(), TestBot::start(Way::HangsAfter(6))];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    arena.site.admin("POST", "tournament/start");
    (arena, bots)
}

/// The analysis of the running match up to its 13th moment, as its stream has it.
fn told(arena: &Arena) -> Vec<Value> {
    arena.site.events(None).until("turn", |turn| turn["turn"].as_u64() >= Some(11));
    let mut events = arena.site.events_at("/matches/1/events");
    let mut views = Vec::new();
    while views.len() < 13 {
        views.push(events.one("analysis"));
    }
    views
}

#[test]
fn spectators_of_a_running_match_get_neither_the_truth_nor_chances_of_cells() {
    let (arena, _bots) = stopped(false);
    let views = told(&arena);
    let has = |key: &str| views.iter().filter(|view| view.get(key).is_some()).count();
    assert_eq!(["seen", "truth", "heat"].map(has), [12, 0, 0], "{views:?}");
    Chromium::run(|chromium| {
        let screen = chromium.open(&format!("http://{}/view", arena.site.0));
        screen.resize(1920, 1080);
        screen.until("/A \\d+ %B \\d+ %/.test(document.querySelector('#shares').textContent)");
        screen.press("c");
        assert!(screen.value::<bool>("document.querySelector('#chances').hidden"));
        assert_eq!(screen.value::<usize>("document.querySelectorAll('.chances').length"), 0);
        let points = "['seen', 'truth'].map((look) => document.querySelector(`#graph .line.${look}`).points.length)";
        let [seen, truth] = screen.value::<[usize; 2]>(points);
        assert!(seen > 1 && truth == 0);
        screen.assert_calm();
        check(&screen);
    });
}

#[test]
fn where_ships_are_shown_screens_have_the_truth_and_the_chances_as_well() {
    let (arena, _bots) = stopped(true);
    let views = told(&arena);
    assert!(views.iter().filter(|view| view.get("truth").is_some() && view.get("heat").is_some()).count() > 5);
    Chromium::run(|chromium| {
        let address = format!("http://{}", arena.site.0);
        let screen = chromium.open(&format!("{address}/view"));
        let overlay = chromium.open(&format!("{address}/overlay?chances=1"));
        for (tab, (width, height)) in [(&screen, (1920, 1080)), (&overlay, (1920, 360))] {
            tab.resize(width, height);
            tab.until(
                "document.body.dataset.moment >= 12 && /A \\d+ %/.test(document.querySelector('#shares').textContent)",
            );
        }
        let boards = "document.querySelectorAll('.board .chances').length";
        assert_eq!((screen.value::<usize>(boards), overlay.value::<usize>(boards)), (0, 2));
        screen.press("c");
        assert_eq!(screen.value::<usize>(boards), 2);
        screen.assert_accessible_in_both_themes();
        screen.reach("#chances");
        screen.press("Enter");
        assert_eq!(screen.value::<usize>(boards), 0);
        assert!(overlay.value::<bool>("document.documentElement.scrollHeight <= 360"));
        [&screen, &overlay].iter().for_each(|tab| tab.assert_calm());
        check(&screen);
        check(&overlay);
    });
}

#[test]
fn pages_of_matches_that_are_over_have_the_analysis() {
    let arena = Arena::with_contest(&json!({}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    let game = ann.plays("Ann v1", 4);
    let game = game["id"].as_str().unwrap();
    let page = arena.site.get(&format!("/c/autumn/games/{game}")).body;
    assert!(page.contains(r#""analysis":[{"moment":0"#) && page.contains(r#""truth":[["#));
    let mut events = arena.site.events_at(&format!("/c/autumn/games/{game}/events"));
    events.until("analysis", |view| view["truth"].is_array());
    events.one("over");
    events.one("end");

    let arena = Arena::start();
    let bots = [TestBot::plays_at(1), TestBot::plays_at(2)];
    arena.join(&[("Bert", &bots[0]), ("Cleo", &bots[1])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.one("match-over");
    assert!(arena.site.get("/matches/1").body.contains(r#""analysis":[{"moment":0"#));
    let mut events = arena.site.events_at("/matches/1/events");
    events.until("analysis", |view| view["truth"].is_array());
    events.one("end");
}
