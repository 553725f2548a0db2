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

/// The routes that tell a bot where to fire while it plays, of all that the server has. Streams are read up to the last turn.
fn routes_with_ships(arena: &Arena, turns: usize) -> Vec<String> {
    let site = arena.site;
    let described = site.get("/api/openapi.json").json();
    let of_api = described["paths"].as_object().unwrap().iter().filter(|(_, methods)| methods["get"] != Value::Null);
    let pages = ["/", "/view", "/overlay", "/final", "/play", "/bots/Ann", "/bots/Bob", "/admin"];
    let paths = of_api.map(|(path, _)| path.replace("{id}", "1")).chain(pages.map(str::to_owned));
    let mut texts: Vec<(String, String)> = paths
        .filter(|path| path != "/api/events")
        .map(|path| {
            let headers = [("X-Admin-Password", crate::server::ADMIN)];
            let headers = if path.starts_with("/api/admin") { &headers[..] } else { &[] };
            let answer = site.ask("GET", &path, headers, "");
            assert!([200, 404].contains(&answer.status), "{path}: {}", answer.status);
            (path, answer.body)
        })
        .collect();
    for path in ["/api/events", "/api/events?version=1", "/api/events?turns=no"] {
        texts.push((path.to_owned(), site.events_at(path).one("state").to_string()));
    }
    // The placement is the first turn, and the frame before it is the first frame.
    let mut frames = site.events_at("/matches/1/events");
    let all: Vec<String> = (0..=turns).map(|_| frames.one("frame").to_string()).collect();
    texts.push(("/matches/1/events".to_owned(), all.concat()));
    // Ships of the API, cells that a radar has seen, and cells of ships in frames.
    let tells = |path: &str, text: &str| {
        let signs: &[&str] = if path == "/matches/1/events" { &["\"#"] } else { &["\"ships\"", "\"seen\""] };
        signs.iter().any(|sign| text.contains(sign))
    };
    texts.into_iter().filter(|(path, text)| tells(path, text)).map(|(path, _)| path).collect()
}

#[test]
fn no_route_tells_a_bot_where_to_fire_unless_that_is_wanted() {
    for reveals in [false, true] {
        let change = SettingsChange { reveal_fleets: Some(reveals), limit: Some(60_000), ..SettingsChange::default() };
        let arena = Arena::with(change);
        let bots = [TestBot::start(Way::HangsAfterRadar), TestBot::start(Way::HangsAfterRadar)];
        arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
        let mut events = arena.site.events(None);
        arena.site.admin("POST", "tournament/start");
        let placed = events.one("turn");
        assert_eq!(placed["deeds"][0]["ships"] != Value::Null, reveals, "{placed}");
        for _ in 0..2 {
            let radar = &events.one("turn")["deeds"][0];
            assert_eq!((&radar["kind"], radar["seen"] != Value::Null), (&json!("radar"), reveals), "{radar}");
        }
        let known: &[&str] = if reveals { &["/api/events", "/api/events?version=1", "/matches/1/events"] } else { &[] };
        assert_eq!(routes_with_ships(&arena, 3), known);
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
    assert_eq!(kinds, [&["now", "setup"][..], &["frame", "analysis"].repeat(frames), &["over", "end"]].concat());
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
