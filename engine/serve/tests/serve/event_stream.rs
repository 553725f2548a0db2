//! The event stream: listeners that come late, come back, or do not keep up.

use crate::server::{Arena, TestBot, Way};
use serde_json::{Value, json};
use serve::SettingsChange;
use std::collections::BTreeSet;
use std::thread;

#[test]
fn who_comes_late_sees_the_match_from_its_beginning() {
    let arena = Arena::with(SettingsChange { limit: Some(60_000), ..SettingsChange::default() });
    let bots = [TestBot::start(Way::HangsAfter(0)), TestBot::start(Way::HangsAfter(0))];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    let mut early = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let begun = early.one("match-begun");
    let turn = early.one("turn");
    let late = arena.site.events(None).next().unwrap();
    assert_eq!(late.kind, "state");
    assert_eq!(late.data["matches"], json!([{"begun": begun, "turns": [turn]}]));
    assert_eq!((&late.data["tournament"]["number"], &late.data["tournament"]["now"]), (&json!(1), &json!([1])));
    assert_eq!(late.data["bots"].as_array().unwrap().len(), 2);
    assert_eq!(late.data["leaderboard"]["all"].as_array().unwrap().len(), 2);
    assert_eq!(late.data["settings"]["pace"], 300);
}

#[test]
fn who_comes_back_goes_on_where_it_was() {
    let mut arena = Arena::start();
    let mut events = arena.site.events(None);
    let state = events.next().unwrap();
    arena.site.register("Ann");
    let joined = events.until("bots", |bots| bots[0]["name"] == "Ann");
    arena.site.register("Bob");
    let next = events.next().unwrap();
    let mut back = arena.site.events(Some(&joined.id));
    let missed = back.next().unwrap();
    assert_ne!(missed.kind, "state");
    assert!(missed == next || missed.kind == "leaderboard", "{missed:?}");
    back.until("bots", |bots| bots[1]["name"] == "Bob");
    let id = state.id;
    for strange in ["", "x", "1.1", "99999999999999999999.1", &format!("{id}9999")] {
        assert_eq!(arena.site.events(Some(strange)).next().unwrap().kind, "state", "{strange}");
    }
    arena.restart().unwrap();
    assert_eq!(arena.site.events(Some(&id)).next().unwrap().kind, "state", "it was another run");
}

#[test]
fn fleets_are_shown_at_once_only_if_that_is_wanted() {
    for reveals in [false, true] {
        let change =
            SettingsChange { reveal_fleets: Some(reveals), max_moves_each: Some(2), ..SettingsChange::default() };
        let arena = Arena::with(change);
        let bots = [TestBot::plays(), TestBot::plays()];
        arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
        let mut events = arena.site.events(None);
        arena.site.admin("POST", "tournament/start");
        let turn = events.one("turn");
        assert_eq!(turn["deeds"][0]["ships"] != Value::Null, reveals, "{turn}");
    }
}

#[test]
fn two_hundred_listeners_hear_every_match_and_one_who_does_not_read_keeps_nobody_waiting() {
    const LISTENERS: usize = 200;
    let arena = Arena::with(SettingsChange { max_moves_each: Some(10), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::plays(), TestBot::plays(), TestBot::plays()];
    for (name, bot) in ["Ann", "Bob", "Cid", "Dan"].into_iter().zip(&bots) {
        arena.join(&[(name, bot)]);
    }
    let deaf: Vec<_> = (0..20).map(|_| arena.site.send("GET", "/api/events", &[], "")).collect();
    let listening: Vec<_> = (0..LISTENERS).map(|_| arena.site.events(None)).collect();
    let heard: Vec<_> = listening
        .into_iter()
        .map(|mut events| {
            thread::spawn(move || {
                let mut over = BTreeSet::new();
                loop {
                    let heard = events.next().unwrap();
                    match heard.kind.as_str() {
                        "match-over" => drop(over.insert(heard.data["match"].as_u64().unwrap())),
                        "tournament" if heard.data["number"] == 3 && heard.data["over"] == true => return over,
                        _ => {}
                    }
                }
            })
        })
        .collect();
    let status = arena.site.admin("GET", "status").json();
    assert_eq!(status["listeners"], LISTENERS + deaf.len());
    arena.site.admin("POST", "tournament/start");
    for heard in heard {
        let over = heard.join().unwrap();
        assert!(over.is_superset(&(1..=18).collect()), "{over:?}");
    }
}

#[test]
fn a_page_follows_a_match_by_a_stream_of_its_own() {
    let change = SettingsChange { reveal_fleets: Some(false), max_moves_each: Some(3), ..SettingsChange::default() };
    let arena = Arena::with(change);
    let bots = [TestBot::plays(), TestBot::plays()];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let begun = events.one("match-begun");
    let id = events.one("match-over")["match"].clone();
    // The stream of a match that is over ends by itself.
    let told = arena.site.get(&format!("/matches/{id}/events")).body;
    let kinds: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let frames = 1 + 1 + 2 * 3;
    assert_eq!(kinds, [&["now", "setup"][..], &["frame"].repeat(frames), &["over"]].concat());
    let setup = told.lines().filter_map(|line| line.strip_prefix("data: ")).nth(1).unwrap();
    let setup: Value = serde_json::from_str(setup).unwrap();
    assert_eq!((&setup["title"], &setup["eyes"]), (&json!("Tournament 1 · match 1 of 1"), &json!(["referee"])));
    assert_eq!((&setup["names"], &setup["most_turns"]), (&begun["names"], &json!(7)));
    for missing in ["99", "x"] {
        assert_eq!(arena.site.get(&format!("/matches/{missing}/events")).status, 404);
    }
}

#[test]
fn the_turns_of_matches_can_be_left_out_and_there_is_one_version() {
    let arena = Arena::with(SettingsChange { max_moves_each: Some(3), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::plays()];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    let mut with_turns = arena.site.events(None);
    let mut without = arena.site.events_at("/api/events?version=1&turns=no");
    arena.site.admin("POST", "tournament/start");
    with_turns.one("turn");
    let mut kinds = BTreeSet::new();
    while !kinds.contains("match-over") {
        kinds.insert(without.next().unwrap().kind);
    }
    assert!(kinds.contains("match-begun") && !kinds.contains("turn"), "{kinds:?}");
    let refused = arena.site.get("/api/events?version=2");
    assert_eq!(refused.error(), "there are no events of version \"2\"; this server has version 1");
}
