//! Tournaments: pairings, results, and bots that fail.

use crate::server::{ADMIN, Arena, TestBot, Way};
use serde_json::{Value, json};
use serve::SettingsChange;
use std::collections::BTreeSet;

/// The two names of a match, sorted.
pub(crate) fn pairing(played: &Value) -> [String; 2] {
    let mut names = [0, 1].map(|at| played["names"][at].as_str().unwrap().to_owned());
    names.sort();
    names
}

#[test]
fn everyone_meets_everyone_and_it_goes_on() {
    let arena = Arena::start();
    let bots = [TestBot::plays(), TestBot::plays(), TestBot::plays()];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), ("Cid", &bots[2])]);
    let mut events = arena.site.events(None);
    assert_eq!(arena.site.admin("POST", "tournament/start").json(), json!({"ok": true}));
    events.until("tournament", |told| told["number"] == 2 && told["played"] == 3 && told["over"] == true);
    arena.site.admin("POST", "tournament/pause");

    let matches = arena.site.get("/api/matches").json();
    let of = |tournament: u32| {
        let matches = matches.as_array().unwrap().iter().filter(|played| played["tournament"] == tournament);
        matches.map(pairing).collect::<Vec<_>>()
    };
    let all: BTreeSet<[String; 2]> =
        [["Ann", "Bob"], ["Ann", "Cid"], ["Bob", "Cid"]].map(|names| names.map(str::to_owned)).into();
    for tournament in [1, 2] {
        assert_eq!(of(tournament).len(), 3);
        assert_eq!(of(tournament).into_iter().collect::<BTreeSet<_>>(), all);
    }
    let boards = arena.site.get("/api/leaderboard").json();
    let sum = |rows: &Value| {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| ["wins", "draws", "losses"].map(|what| row[what].as_u64().unwrap()).iter().sum::<u64>())
            .sum::<u64>()
    };
    assert!(sum(&boards["all"]) >= 12 && boards["all"].as_array().unwrap().len() == 3, "{boards}");
    assert_eq!(boards["all"][0]["rank"], 1);
}

#[test]
fn a_match_is_told_turn_by_turn_and_can_be_seen_again() {
    let arena = Arena::with(SettingsChange { reveal_fleets: Some(false), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::plays()];
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    arena.site.admin("POST", "tournament/start");
    let begun = events.one("match-begun");
    assert_eq!(pairing(&begun), ["Ann", "Bob"]);
    let mut turns = Vec::new();
    let over = loop {
        let heard = events.next().unwrap();
        match heard.kind.as_str() {
            "turn" => turns.push(heard.data),
            "match-over" => break heard.data,
            _ => {}
        }
    };
    arena.site.admin("POST", "tournament/pause");
    assert!(turns.iter().enumerate().all(|(at, turn)| turn["turn"] == at && turn["match"] == begun["match"]));
    assert_eq!(turns[0]["deeds"].as_array().unwrap().len(), 2);
    assert_eq!(turns[0]["deeds"][0]["ships"], Value::Null, "bots could look it up");
    assert_eq!(turns[1]["deeds"][0]["kind"], "shot");
    assert_eq!(turns.len() as u64, over["result"]["moves"].as_u64().unwrap() + 1);
    assert_eq!(over["fleets"][0].as_array().unwrap().len(), 10);

    let whole = arena.site.get("/api/matches/1").json();
    assert_eq!((&whole["begun"], &whole["over"]), (&begun, &over));
    let mut revealed = whole["turns"].clone();
    assert_eq!(revealed[0]["deeds"][0]["ships"], over["fleets"][0]);
    for deed in revealed[0]["deeds"].as_array_mut().unwrap() {
        deed.as_object_mut().unwrap().remove("ships");
    }
    assert_eq!(revealed, json!(turns));
    let page = arena.site.get("/matches/1");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.body.contains("Sea Battle · match 1 of tournament 1"));
    assert_eq!(arena.site.get("/matches/99").status, 404);
}

#[test]
fn several_matches_at_a_time_leave_the_same_results() {
    let arena = Arena::with(SettingsChange { parallel: Some(3), ..SettingsChange::default() });
    let bots: Vec<TestBot> = (0..6).map(|_| TestBot::plays()).collect();
    for (at, bot) in bots.iter().enumerate() {
        arena.join(&[(&format!("bot {at}"), bot)]);
    }
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    let (mut most, mut ended) = (0, 0);
    let mut now = BTreeSet::new();
    // If the last match takes long, the next tournament begins beside it.
    while ended < 15 {
        let heard = events.next().unwrap();
        match heard.kind.as_str() {
            "match-begun" => drop(now.insert(heard.data["match"].as_u64().unwrap())),
            "match-over" => {
                now.remove(&heard.data["match"].as_u64().unwrap());
                ended += usize::from(heard.data["result"]["tournament"] == 1);
            }
            _ => {}
        }
        most = most.max(now.len());
    }
    arena.site.admin("POST", "tournament/pause");
    assert!((2..=3).contains(&most), "{most}");
    let matches = arena.site.get("/api/matches?most=200").json();
    let first: Vec<_> =
        matches.as_array().unwrap().iter().filter(|played| played["tournament"] == 1).map(pairing).collect();
    assert_eq!((first.len(), first.iter().collect::<BTreeSet<_>>().len()), (15, 15));
}

#[test]
fn a_bot_that_stays_away_loses_is_parked_and_comes_back() {
    let arena = Arena::start();
    let away = TestBot::plays();
    let bots = [TestBot::plays(), TestBot::plays()];
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), ("Away", &away)]);
    arena.site.set_url("Away", &TestBot::nobody());
    arena.site.admin("POST", "tournament/start");
    let is_parked = |bots: &Value| bots.as_array().unwrap().iter().any(|bot| bot["state"] == "parked");
    let parked = events.until("bots", is_parked).data;
    let away_view = parked.as_array().unwrap().iter().find(|bot| bot["name"] == "Away").unwrap().clone();
    assert_eq!(away_view["stats"], json!({"wins": 0, "draws": 0, "losses": 3}));
    assert_eq!(away_view["lastFault"], "was unreachable: /placement: connection refused", "nobody is told its URL");
    assert_eq!(away_view["latencyMs"], Value::Null);
    // Other bots go on, and its matches are left out.
    let over = events.until("tournament", |told| told["over"] == true && told["number"].as_u64().unwrap() >= 3).data;
    assert!(over["played"].as_u64() < over["planned"].as_u64(), "{over}");
    // A new URL takes effect at once.
    arena.site.set_url("Away", &away.url);
    let plays = |begun: &Value| begun["names"].as_array().unwrap().contains(&json!("Away"));
    let begun = events.until("match-begun", plays).data;
    let over = events.until("match-over", |over| over["match"] == begun["match"]).data;
    assert_eq!(over["result"]["faults"], json!([null, null]));
}

#[test]
fn a_parked_bot_comes_back_by_itself_when_it_answers() {
    let arena = Arena::with(SettingsChange { limit: Some(100), ..SettingsChange::default() });
    let (one, other) = (TestBot::plays(), TestBot::start(Way::Hangs));
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &one), ("Slow", &other)]);
    arena.site.admin("POST", "tournament/start");
    let has = |state: &'static str| move |bots: &Value| bots[1]["state"] == state;
    let parked = events.until("bots", has("parked")).data;
    assert!(parked[1]["lastFault"].as_str().unwrap().starts_with("timed out: "), "{parked}");
    events.until("tournament", |told| told["waiting"] == "two bots that are not parked are needed");
    // From now on, both have time to answer on any machine.
    let headers = [("Content-Type", "application/json"), ("X-Admin-Password", ADMIN)];
    let change = json!({"limit": 20_000}).to_string();
    assert_eq!(arena.site.ask("POST", "/api/admin/settings", &headers, &change).status, 200);
    other.changes(Way::Plays);
    events.until("bots", has("reachable"));
    let over = events.one("match-over");
    assert_eq!(over["result"]["faults"], json!([null, null]));
}

#[test]
fn a_bot_that_answers_nonsense_or_errors_is_parked_until_it_can_place_its_fleet() {
    let arena = Arena::start();
    let ways = [
        (Way::Status(500), "gave an unreadable answer: status 500 Internal Server Error"),
        (Way::Says("<h1>Hi</h1>"), "gave an unreadable answer: placement: not JSON"),
        (Way::Says(r#"{"ships":[]}"#), "broke the rules: "),
    ];
    let bots: Vec<TestBot> = ways.iter().map(|(way, _)| TestBot::start(*way)).collect();
    let good = TestBot::plays();
    arena.join(&[("500", &bots[0]), ("Html", &bots[1]), ("No ships", &bots[2]), ("Good", &good)]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["waiting"] == "two bots that are not parked are needed");
    let lobby = arena.site.get("/").body;
    assert!(lobby.contains("parked: it failed to place its fleet; asked again in "), "{lobby}");
    let screen = arena.site.get("/view").body;
    let administration = arena.site.admin("GET", "status").json()["bots"].clone();
    for (at, (bot, (_, fault))) in ["500", "Html", "No ships"].iter().zip(ways).enumerate() {
        let seen = arena.site.bot(bot);
        assert_eq!((&seen["state"], &seen["stats"]["wins"]), (&json!("parked"), &json!(0)), "{seen}");
        assert!(seen["lastFault"].as_str().unwrap().starts_with(fault), "{seen}");
        assert_eq!(administration[at]["lastFault"], seen["lastFault"]);
        assert!(lobby.contains(fault.trim_end()) && screen.contains(fault.trim_end()), "{screen}");
    }
    assert_eq!(arena.site.bot("Good")["state"], "reachable");
    // Another fault does not bring it back; a valid fleet does.
    let fault = |bots: &Value, words: &str| bots[0]["lastFault"].as_str().unwrap().contains(words);
    bots[0].changes(Way::Says("[]"));
    bots[1].changes(Way::Plays);
    // Both are asked at the same time, five seconds after they were parked; the next time comes ten seconds later.
    let asked = |told: &Value| fault(told, "not an object") && told[1]["state"] == "reachable";
    let told = events.until("bots", asked).data;
    assert_eq!(told[0]["state"], "parked", "{told}");
    let over = events.until("match-over", |over| over["result"]["faults"] == json!([null, null])).data;
    assert!(over["result"]["names"].as_array().unwrap().contains(&json!("Html")), "{over}");
}

#[test]
fn a_bot_that_joined_twice_finds_two_matches_when_it_meets_itself() {
    let arena = Arena::start();
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot), ("Her twin", &bot)]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["over"] == true && told["number"] == 1);
    let matches = bot.matches();
    assert_ne!(matches[0], matches[1], "of one match");
    events.until("tournament", |told| told["over"] == true && told["number"] == 2);
    let all = bot.matches();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "no name is used twice");
}

#[test]
fn a_removed_bot_s_match_ends_without_a_result() {
    let arena = Arena::with(SettingsChange { limit: Some(60_000), ..SettingsChange::default() });
    let bots = [TestBot::start(Way::HangsAfter(0)), TestBot::start(Way::HangsAfter(0))];
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    arena.site.admin("POST", "tournament/start");
    events.one("turn");
    assert_eq!(arena.site.admin("POST", "bots/1/remove").status, 200);
    let over = events.one("match-over");
    assert_eq!((&over["result"], &over["brokenOff"]), (&Value::Null, &json!("a bot was removed")));
    events.until("tournament", |told| told["waiting"] == "two bots with a URL are needed");
    assert_eq!(arena.site.get("/api/matches").json(), json!([]));
    assert_eq!(arena.site.bot("Bob")["stats"], json!({"wins": 0, "draws": 0, "losses": 0}));
    assert_eq!(arena.site.admin("POST", "bots/1/remove").status, 404);
    arena.site.register("Ann");
}

#[test]
fn pauses_and_settings_of_the_administrator() {
    let arena = Arena::start();
    let bots = [TestBot::plays(), TestBot::plays()];
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    assert_eq!(arena.site.admin("POST", "tournament/pause").status, 409, "nothing was started");
    let change = |body: &Value| {
        let headers = [("Content-Type", "application/json"), ("X-Admin-Password", ADMIN)];
        arena.site.ask("POST", "/api/admin/settings", &headers, &body.to_string())
    };
    assert_eq!(change(&json!({"maxMovesEach": 10, "pace": 50})).json()["maxMovesEach"], 10);
    assert_eq!(change(&json!({"maxMovesEach": 0})).error(), "maxMovesEach is a number from 1 to 5000, not 0");
    assert_eq!(change(&json!({"moves": 5})).status, 400);
    assert_eq!(events.until("settings", |told| told["maxMovesEach"] == 10).data["pace"], 50);
    arena.site.admin("POST", "tournament/start");
    assert_eq!(events.one("match-over")["result"]["moves"], 20);
    arena.site.admin("POST", "tournament/pause");
    events.until("tournament", |told| told["paused"] == true && told["now"] == json!([]));
    let status = arena.site.admin("GET", "status").json();
    assert_eq!((&status["running"], &status["paused"]), (&json!(true), &json!(true)));
    assert_eq!(status["bots"][0]["botUrl"], json!(bots[0].url));
    let asked = bots[0].asked();
    arena.site.admin("POST", "tournament/resume");
    events.one("match-over");
    assert!(bots[0].asked() > asked);
}

#[test]
fn a_cleared_history_is_gone_and_play_goes_on() {
    let arena = Arena::start();
    let bots = [TestBot::plays(), TestBot::plays()];
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["number"] == 2 && told["over"] == true);
    arena.site.admin("POST", "tournament/pause");
    events.until("tournament", |told| told["paused"] == true && told["now"] == json!([]));
    let history = arena.site.admin("GET", "history").json();
    assert!(history["tournaments"].as_array().unwrap().len() >= 2 && history["matches"].as_array().unwrap().len() >= 2);
    let records = || std::fs::read_dir(arena.folder.path().join("records")).unwrap().count();
    assert_eq!(records(), history["matches"].as_array().unwrap().len());
    arena.site.admin("POST", "history/clear");
    assert_eq!(arena.site.admin("GET", "history").json(), json!({"tournaments": [], "matches": []}));
    assert_eq!((records(), &arena.site.bot("Ann")["stats"]["losses"]), (0, &json!(0)));
    arena.site.admin("POST", "tournament/resume");
    let over = events.one("match-over");
    assert!(over["match"].as_u64() > history["matches"][0]["id"].as_u64(), "numbers are never used again");
}
