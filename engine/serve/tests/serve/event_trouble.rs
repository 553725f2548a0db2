//! Slow bots, wrong results, outages and failures of the server, and the administrator's means against them.

use crate::matches::pairing;
use crate::server::{ADMIN, Arena, TestBot, Way};
use serde_json::{Value, json};
use serve::SettingsChange;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

#[test]
fn the_administrator_ends_a_tournament_that_a_slow_bot_holds_up() {
    let arena = Arena::with(SettingsChange { limit: Some(60_000), ..SettingsChange::default() });
    assert_eq!(arena.site.admin("POST", "tournament/end").error(), "no tournament is being played");
    let bots = [TestBot::plays(), TestBot::plays(), TestBot::start(Way::HangsAfter(2))];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), ("Slow", &bots[2])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let held = events.until("match-begun", |begun| pairing(begun).contains(&"Slow".to_owned())).data;
    events.until("turn", |turn| turn["match"] == held["match"] && turn["turn"].as_u64() >= Some(2));
    assert_eq!(arena.site.admin("POST", "tournament/end").status, 200);
    let over = events.until("match-over", |over| over["match"] == held["match"]).data;
    assert_eq!((&over["result"], over["brokenOff"].is_string()), (&Value::Null, true), "{over}");
    let next = events.until("match-begun", |begun| begun["tournament"] == 2).data;
    assert_eq!(next["nth"], 1);
}

#[test]
fn a_bot_that_has_used_up_its_budget_of_time_loses() {
    let arena = Arena::with(SettingsChange { budget: Some(300), limit: Some(60_000), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::start(Way::Takes(Duration::from_millis(40)))];
    arena.join(&[("Ann", &bots[0]), ("Slow", &bots[1])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    // On a busy machine Ann may be late, too.
    let is_late = |over: &Value| {
        let slow = over["result"]["names"].as_array().unwrap().iter().position(|name| name == "Slow").unwrap();
        over["result"]["faults"][slow].as_str().is_some_and(|fault| fault.starts_with("timed out: "))
    };
    let over = events.until("match-over", is_late).data;
    arena.site.admin("POST", "tournament/pause");
    let result = &over["result"];
    let fault = result["faults"].as_array().unwrap().iter().find_map(Value::as_str).unwrap();
    let used = fault.strip_prefix("timed out: ").and_then(|rest| rest.strip_suffix(" ms used of 300 ms")).unwrap();
    assert!(used.parse::<u64>().unwrap() >= 300, "{fault}");
    assert!(result["moves"].as_u64().unwrap() < 20, "{result}");
    assert_eq!(arena.site.bot("Slow")["state"], "reachable", "it has answered, so it is no outage");
}

#[test]
fn matches_of_a_slow_bot_are_played_beside_the_next_tournament() {
    // Slow takes three seconds for a match. Others are not slow even if they take almost as long.
    let change =
        SettingsChange { limit: Some(3000), budget: Some(4000), parallel: Some(4), ..SettingsChange::default() };
    let arena = Arena::with(change);
    let bots: Vec<TestBot> = (0..4).map(|_| TestBot::plays()).collect();
    let slow = TestBot::start(Way::HangsAfter(2));
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), ("Cid", &bots[2]), ("Dan", &bots[3]), ("Slow", &slow)]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let has_slow = |begun: &Value| begun["names"].as_array().is_some_and(|names| names.contains(&json!("Slow")));
    let mut number = 0;
    // A match of the slow bot begins or ends in a tournament while the next one is the current one. On a busy machine others may be as
    // slow for once.
    let is_late = |result: &Value, number: u64| {
        has_slow(result) && result["tournament"].as_u64().is_some_and(|tournament| tournament < number)
    };
    loop {
        let heard = events.next().unwrap();
        match heard.kind.as_str() {
            "tournament" => number = heard.data["number"].as_u64().unwrap(),
            "match-over" if is_late(&heard.data["result"], number) => break,
            _ => {}
        }
    }
    assert_eq!(arena.site.bot("Slow")["slow"], true);
    let told = events.until("tournament", |told| told["previous"]["left"].as_u64() > Some(0)).data;
    let previous = told["previous"]["number"].as_u64().unwrap();
    assert!(told["words"].as_str().unwrap().contains(&format!("Of tournament {previous}, ")), "{told}");
    // The administrator ends both.
    arena.site.admin("POST", "tournament/pause");
    let open = |arena: &Arena| arena.site.admin("GET", "status").json()["previous"]["number"].as_u64();
    let numbers = [open(&arena).unwrap(), arena.site.admin("GET", "status").json()["number"].as_u64().unwrap()];
    assert_eq!(arena.site.admin("POST", "tournament/end").status, 200);
    assert_eq!(open(&arena), None);
    let history = arena.site.admin("GET", "history").json();
    for number in numbers {
        let past = history["tournaments"].as_array().unwrap().iter().find(|past| past["id"] == number).unwrap();
        assert!(past["finishedAt"].is_string(), "{past}");
    }
}

#[test]
fn the_administrator_skips_a_match() {
    let mut arena = Arena::with(SettingsChange { limit: Some(60_000), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::plays(), TestBot::start(Way::HangsAfter(2))];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), ("Slow", &bots[2])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let is_held = |begun: &Value| pairing(begun).contains(&"Slow".to_owned());
    let held = events.until("match-begun", is_held).data;
    events.until("turn", |turn| turn["match"] == held["match"] && turn["turn"].as_u64() >= Some(2));
    let skip = |arena: &Arena, id: &Value| arena.site.admin("POST", &format!("matches/{id}/skip"));
    assert_eq!(skip(&arena, &held["match"]).json(), json!({"ok": true}));
    let over = events.until("match-over", |over| over["match"] == held["match"]).data;
    assert_eq!((&over["result"], &over["brokenOff"]), (&Value::Null, &json!("the administrator skipped it")));
    assert_eq!(skip(&arena, &held["match"]).error(), "no match with this number is being played");
    assert_eq!(skip(&arena, &json!(99)).status, 404);
    let again = events.until("match-begun", |begun| is_held(begun)).data;
    assert_ne!(pairing(&again), pairing(&held), "they do not meet in this tournament");
    assert_eq!(skip(&arena, &again["match"]).status, 200);
    // After a restart, too.
    let told = events.until("tournament", |told| told["number"] == 2).data;
    arena.site.admin("POST", "tournament/pause");
    drop(events);
    arena.restart().unwrap();
    let matches = arena.site.get("/api/matches?most=200").json();
    let first = matches.as_array().unwrap().iter().filter(|played| played["tournament"] == 1);
    assert_eq!(first.map(pairing).collect::<Vec<_>>(), [["Ann", "Bob"].map(str::to_owned)], "{told}");
}

#[test]
fn void_matches_count_in_no_leaderboard_and_are_played_again() {
    // The pause is long enough that the bots are not parked before tournaments are paused.
    let change = SettingsChange { limit: Some(20_000), pause_match: Some(2000), ..SettingsChange::default() };
    let mut arena = Arena::with(change);
    let bots: Vec<TestBot> = (0..6).map(|_| TestBot::plays()).collect();
    let names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"];
    arena.join(&names.into_iter().zip(&bots).collect::<Vec<_>>());
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.one("match-over");
    bots.iter().for_each(|bot| bot.changes(Way::Status(500)));
    let broken = |over: &Value| over["result"]["results"] == json!(["loss", "loss"]);
    let first = events.until("match-over", broken).data;
    events.until("match-over", broken);
    arena.site.admin("POST", "tournament/pause");
    events.until("tournament", |told| told["paused"] == true && told["now"] == json!([]));
    let headers = [("Content-Type", "application/json"), ("X-Admin-Password", ADMIN)];
    let void =
        |arena: &Arena, which: Value| arena.site.ask("POST", "/api/admin/matches/void", &headers, &which.to_string());
    let all = arena.site.get("/api/matches?most=200").json();
    let after =
        all.as_array().unwrap().iter().filter(|played| played["id"].as_u64() >= first["match"].as_u64()).count();
    assert_eq!(void(&arena, json!({})).status, 400);
    assert_eq!(void(&arena, json!({"since": "yesterday"})).status, 400);
    assert_eq!(void(&arena, json!({"from": 1000, "to": 2000})).status, 404);
    assert_eq!(void(&arena, json!({"since": first["result"]["ended"]})).json(), json!({"matches": after}));
    assert_eq!(void(&arena, json!({"from": first["match"]})).error(), "there is no such match that counts");
    let counted = all.as_array().unwrap().len() - after;
    let sum = |boards: &Value| {
        ["all", "tournament"].map(|board| {
            let numbers = boards[board].as_array().unwrap().iter();
            numbers.flat_map(|row| ["wins", "draws", "losses"].map(|what| row[what].as_u64().unwrap())).sum::<u64>()
        })
    };
    let boards = arena.site.get("/api/leaderboard").json();
    assert_eq!(sum(&boards), [2 * counted as u64; 2], "{boards}");
    let whole = arena.site.get(&format!("/api/matches/{}", first["match"])).json();
    assert_eq!(whole["over"]["result"]["void"], true, "its record stays");
    drop(events);
    arena.restart().unwrap();
    assert_eq!(arena.site.get("/api/leaderboard").json(), boards, "the journal has it");
    // All meet in this tournament, those of the outage once more.
    bots.iter().for_each(|bot| bot.changes(Way::Plays));
    let mut events = arena.site.events(None);
    let quick = json!({"pauseMatch": 0}).to_string();
    assert_eq!(arena.site.ask("POST", "/api/admin/settings", &headers, &quick).status, 200);
    arena.site.admin("POST", "tournament/resume");
    events.until("tournament", |told| told["number"] == 1 && told["over"] == true && told["played"] == 15);
    let matches = arena.site.get("/api/matches?most=200").json();
    let counting = matches.as_array().unwrap().iter();
    let counting = counting.filter(|played| played["tournament"] == 1 && played["void"] != true).map(pairing);
    assert_eq!(counting.collect::<BTreeSet<_>>().len(), 15);
}

#[test]
fn a_failure_of_the_server_has_a_cause_a_path_and_a_time_and_goes_away_with_its_cause() {
    let arena = Arena::start();
    let bots = [TestBot::plays(), TestBot::plays()];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    let records = arena.folder.path().join("records");
    std::fs::remove_dir(&records).unwrap();
    std::fs::write(&records, "no folder").unwrap();
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let over = events.one("match-over");
    assert_eq!((&over["result"], &over["brokenOff"]), (&Value::Null, &json!("the server failed")));
    events.until("tournament", |told| told["now"] == json!([]));
    let status = arena.site.admin("GET", "status").json();
    let trouble = status["trouble"].as_str().unwrap();
    assert!(trouble.contains(records.to_str().unwrap()) && trouble.contains("Not a directory"), "{trouble}");
    assert!(status["troubleSince"].as_str().unwrap().ends_with('Z'), "{status}");
    assert!(!over.to_string().contains(arena.folder.path().to_str().unwrap()), "others do not see it");
    std::fs::remove_file(&records).unwrap();
    std::fs::create_dir(&records).unwrap();
    let next = events.one("match-begun");
    assert_eq!(arena.site.admin("GET", "status").json()["trouble"], Value::Null);
    let over = events.until("match-over", |over| over["match"] == next["match"]).data;
    assert!(over["result"].is_object(), "{over}");
    arena.site.admin("POST", "tournament/pause");
}

#[test]
fn an_outage_of_the_network_pauses_tournaments_and_says_so() {
    let mut arena = Arena::with(SettingsChange { limit: Some(100), ..SettingsChange::default() });
    let bots: Vec<TestBot> = (1..=6).map(TestBot::plays_at).collect();
    let names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"];
    arena.join(&names.into_iter().zip(&bots).collect::<Vec<_>>());
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    // Only who has played before is missed.
    events.until("tournament", |told| told["number"] == 2);
    bots.iter().for_each(|bot| bot.changes(Way::Hangs));
    events.until("tournament", |told| told["paused"] == true && told["now"] == json!([]));
    let status = arena.site.admin("GET", "status").json();
    let trouble = status["trouble"].as_str().unwrap();
    // A match in which one bot had still answered may come first.
    let count = trouble.strip_suffix(
        " bots did not answer in the last 60 s, so tournaments are paused: check the network, then press Resume",
    );
    assert!(["4", "5", "6"].map(Some).contains(&count), "{trouble}");
    let lost = arena.site.get("/api/matches?most=200").json();
    let lost = lost.as_array().unwrap().iter().filter(|played| played["results"] == json!(["loss", "loss"])).count();
    assert!(lost <= 9, "{lost} matches were lost by both");
    drop(events);
    arena.restart().unwrap();
    assert_eq!(arena.site.admin("GET", "status").json()["trouble"], status["trouble"], "the journal has the reason");
    let mut events = arena.site.events(None);
    bots.iter().for_each(|bot| bot.changes(Way::Plays));
    arena.site.admin("POST", "tournament/resume");
    events.until("match-over", |over| over["result"]["winner"].is_string());
    assert_eq!(arena.site.admin("GET", "status").json()["trouble"], Value::Null);
}

/// A team with more bots than all others together, under many names of one host, which begin matches and then come to no more.
#[test]
fn many_bots_of_one_team_do_not_pause_the_tournaments_of_others() {
    let arena = Arena::with(SettingsChange { limit: Some(100), ..SettingsChange::default() });
    let bots: Vec<TestBot> = (1..=3).map(TestBot::plays_at).collect();
    arena.join(&["Ann", "Bob", "Cid"].into_iter().zip(&bots).collect::<Vec<_>>());
    let hosts = ["127.1", "2130706433", "0x7f.1", "0x7f000001", "[::ffff:7f00:1]"];
    let hostile: Vec<TestBot> = hosts.map(|_| TestBot::plays()).into();
    for (at, (host, bot)) in hosts.iter().zip(&hostile).enumerate() {
        let name = format!("hostile {at}");
        arena.join(&[(&name, bot)]);
        assert_eq!(arena.site.set_url(&name, &bot.url.replace("127.0.0.1", host)).status, 200);
    }
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["number"] == 2);
    assert!(hostile.iter().all(|bot| !bot.matches().is_empty()), "all have begun a match");
    hostile.iter().for_each(|bot| bot.changes(Way::Hangs));
    let later = events.until("tournament", |told| told["paused"] == true || told["number"] == 4).data;
    assert_eq!(later["paused"], false, "{later}");
    arena.site.admin("POST", "tournament/pause");
}

#[test]
fn a_server_that_ends_uncovers_no_fleet_of_a_match_that_is_played_again() {
    let mut arena = Arena::with(SettingsChange { limit: Some(60_000), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::start(Way::HangsAfter(2))];
    arena.join(&[("Ann", &bots[0]), ("Slow", &bots[1])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let held = events.until("turn", |turn| turn["turn"].as_u64() >= Some(2)).data;
    let stream = arena.site.send("GET", &format!("/matches/{}/events", held["match"]), &[], "");
    let (mut stream, mut told) = (BufReader::new(stream), String::new());
    while !told.ends_with("event: frame\n") {
        assert_ne!(stream.read_line(&mut told).unwrap(), 0, "{told}");
    }
    arena.server = None;
    stream.read_to_string(&mut told).unwrap();
    assert!(!told.contains("#F") && !told.contains("\"fleet\""), "{told}");
    while let Some(heard) = events.next() {
        assert!(!heard.data.to_string().contains("cells"), "{}", heard.data);
    }
}
