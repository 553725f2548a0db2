//! Finals of contests: planned, played, shown without spoilers, and called off.

use crate::accessibility::check;
use crate::browser::Chromium;
use crate::contests::logged_in;
use crate::finals::WATCHED;
use crate::server::contest::{Entry, PLAYS, with_contest};
use crate::server::{ADMIN, Answer, Arena, Events, Site, TestBot};
use serde_json::{Value, json};
use serve::TournamentServer;
use std::fs;

/// A request of the administrator, with this body.
fn admin(site: Site, path: &str, body: &Value) -> Answer {
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    site.ask("POST", &format!("/api/admin/{path}"), &headers, &body.to_string())
}

fn plan(site: Site, wanted: &Value) -> Answer {
    admin(site, "contests/autumn/final", wanted)
}

/// The settings of a contest of web services.
fn of_services() -> Value {
    json!({"game": "sea-battle", "settings": {"max_moves_each": 30}, "entries": "url", "play": "tournaments", "parallel": 2})
}

/// A server whose screens show a turn for so many milliseconds, with web services of these names.
fn services(names: &[&str], pace: u64) -> (Arena, Vec<TestBot>) {
    let arena = Arena::with_contest(&of_services());
    assert_eq!(admin(arena.site, "settings", &json!({"pace": pace})).status, 200);
    let enter = |name: &&str| {
        let bot = TestBot::plays();
        Entry::register(arena.site, name).submit_url(&bot.url);
        bot
    };
    let bots = names.iter().map(enter).collect();
    (arena, bots)
}

/// A server whose screens show a turn for so many milliseconds, with bots of these names, each of which beats the next one: it begins to
/// fire one row before it.
fn arena(names: &[&str], pace: u64) -> Arena {
    let arena = Arena::with_contest(&json!({"play": "tournaments", "parallel": 2}));
    assert_eq!(admin(arena.site, "settings", &json!({"pace": pace})).status, 200);
    for (row, name) in names.iter().enumerate() {
        let bot = PLAYS.replace("round=${round%%/*}", &format!("round=$((${{round%%/*}} + {row}0))"));
        Entry::register(arena.site, name).submit(&[("bot.sh", &bot)]);
    }
    arena
}

fn events(site: Site) -> Events {
    site.events_at("/api/contests/autumn/events")
}

fn present(site: Site) -> Value {
    site.get("/api/contests/autumn/final").json()
}

#[test]
fn the_best_bots_of_a_contest_play_a_final_to_its_end() {
    let (arena, _bots) = services(&["Ann", "Bob", "Cid", "Dora"], 0);
    let site = arena.site;
    assert_eq!(present(site)["state"], "none");
    for (wanted, status, words) in [
        (json!({"entrants": 3, "bestOf": 3}), 400, "a final has 2, 4 or 8 bots, not 3"),
        (json!({"entrants": 4, "bestOf": 2}), 400, "an odd number of games"),
        (json!({"entrants": 4, "bestOf": 3, "start": "tonight"}), 400, "is not a time"),
        (json!({"entrants": 4, "bestOf": 3, "start": "2020-01-01T00:00:00Z"}), 400, "the time of the final is over"),
    ] {
        let refused = plan(site, &wanted);
        assert!(refused.status == status && refused.error().contains(words), "{refused:?}");
    }
    assert_eq!(admin(site, "contests/autumn/final/cancel", &json!({})).status, 409);
    // The order of the last tournament is that of the final, where no ladder is played.
    let mut told = events(site);
    admin(site, "contests/autumn/tournaments", &json!({"format": "round-robin", "games": 2}));
    told.until("tournament", |told| told["number"] == 1 && told["isOver"] == true);
    let later = (chrono::Utc::now() + chrono::TimeDelta::hours(1)).to_rfc3339();
    let planned = plan(site, &json!({"entrants": 4, "bestOf": 1, "start": later}));
    assert_eq!((planned.status, &planned.json()["state"]), (200, &json!("planned")), "{planned:?}");
    let names = |view: &Value| -> Vec<String> {
        view["bots"].as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap().to_owned()).collect()
    };
    let rows = site.get("/api/contests/autumn/tournaments/1").json()["rows"].clone();
    let standing: Vec<&str> = rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names(&planned.json()), standing, "who would play now, the best first");
    let again = plan(site, &json!({"entrants": 2, "bestOf": 1}));
    assert_eq!((again.status, again.error().contains("cancel it first")), (409, true));
    assert_eq!(admin(site, "contests/autumn/final/cancel", &json!({})).status, 200);
    assert_eq!(present(site)["state"], "none");

    assert_eq!(plan(site, &json!({"entrants": 4, "bestOf": 3})).status, 200);
    let over = told.until("final", |view| view["state"] == "over").data;
    let winner = |meeting: &Value| meeting["winner"].clone();
    assert_eq!(names(&over), standing);
    let ranking: Vec<u64> = over["ranking"].as_array().unwrap().iter().map(|seed| seed.as_u64().unwrap()).collect();
    assert_eq!((ranking.len(), winner(&over["rounds"][1]["meetings"][0])), (4, json!(ranking[0])), "{over}");
    assert_eq!(winner(&over["third"]), json!(ranking[2]));
    assert_eq!(present(site)["ranking"], over["ranking"]);
    let results = site.get("/api/contests/autumn/tournaments/2").json();
    let best = [0, 1, 2].map(|place| format!("{}. {}", place + 1, standing[ranking[place] as usize - 1]));
    assert_eq!(results["tournament"]["result"], best.join(", "), "{results}");
    let id = results["games"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(site.get(&format!("/c/autumn/tournaments/2/games/{id}")).status, 200);
    let mut shown = site.events_at(&format!("/c/autumn/final/games/{id}/events"));
    assert!(shown.one("over")["ranking"].is_array() || shown.next().is_none(), "everything of it is told");
    assert_eq!(site.get("/c/autumn/final/games/9-9-0/events").status, 404);
    assert_eq!(site.get("/api/contests/autumn").json()["games"], 0, "its games count for no ladder");
}

#[test]
fn a_bot_that_cannot_be_started_loses_and_a_final_waits_for_two_bots() {
    let arena = arena(&["Ann", "Bob", "Cid"], 0);
    let site = arena.site;
    let versions = arena.folder.path().join("contests/autumn/versions");
    fs::remove_dir_all(versions.join("1-1/bot")).unwrap();
    let mut told = events(site);
    plan(site, &json!({"entrants": 4, "bestOf": 1}));
    let over = told.until("final", |view| view["state"] == "over").data;
    assert_eq!(over["ranking"], json!([2, 1, 3]), "Ann waits for the last meeting: {over}");
    let retire = |bot: u32, on: bool| {
        let done = admin(site, &format!("contests/autumn/bots/{bot}/retired"), &json!({"on": on}));
        assert_eq!(done.status, 200, "{done:?}");
    };
    [2, 3].into_iter().for_each(|bot| retire(bot, true));
    assert_eq!(plan(site, &json!({"entrants": 2, "bestOf": 1})).status, 200);
    assert_eq!(present(site)["state"], "planned", "Ann alone is no final");
    [2, 3].into_iter().for_each(|bot| retire(bot, false));
    let number = over["number"].as_u64().unwrap();
    told.until("final", |view| view["state"] == "over" && view["number"].as_u64() > Some(number));
}

#[test]
fn nothing_of_a_game_is_told_before_it_was_shown_also_after_a_restart() {
    let mut arena = arena(&["Ann", "Bob"], 10_000);
    let site = arena.site;
    let mut told = events(site);
    plan(site, &json!({"entrants": 2, "bestOf": 1}));
    // Screens rest for some seconds before the first game.
    let begun = told.until("final-game", |game| game["final"]["round"] == "final").data;
    let id = begun["id"].as_str().unwrap().to_owned();
    assert_eq!(begun["names"], json!(["Ann v1", "Bob v1"]));
    let is_secret = |site: Site| {
        let journal =
            fs::read_to_string(arena.folder.path().join("contests/autumn/tournaments/1/games.jsonl")).unwrap();
        assert!(journal.contains(r#""line":"game""#), "it was played");
        let results = site.get("/api/contests/autumn/tournaments/1").json();
        assert_eq!((&results["games"], &results["tournament"]["isOver"]), (&json!([]), &json!(false)), "{results}");
        assert_eq!(results["rows"][0]["wins"], 0);
        for list in ["/api/contests/autumn/tournaments", "/c/autumn/tournaments", "/c/autumn/tournaments/1"] {
            let body = site.get(list).body;
            assert!(!body.contains("lost by"), "{body}");
        }
        for page in [&format!("/c/autumn/tournaments/1/games/{id}"), "/c/autumn/bots/Ann/profile"] {
            assert_eq!(site.get(page).status, 404, "{page}");
        }
        let view = present(site);
        assert_eq!((&view["state"], &view["rounds"][0]["meetings"][0]["wins"]), (&json!("playing"), &json!([0, 0])));
    };
    is_secret(site);
    let mut stream = site.events_at(&format!("/c/autumn/final/games/{id}/events"));
    stream.one("setup");
    stream.one("frame");
    arena.server = None;
    while let Some(heard) = stream.next() {
        assert_ne!(heard.kind, "over", "{}", heard.data);
    }
    let server = TournamentServer::start(with_contest(arena.folder.path(), &json!({"play": "tournaments"}))).unwrap();
    let site = Site(server.address);
    let mut told = events(site);
    assert_eq!(told.until("final-game", |_| true).data, begun, "it goes on where it was");
    is_secret(site);
    assert_eq!(admin(site, "contests/autumn/final/cancel", &json!({})).status, 200);
    told.until("final-game-over", |_| true);
    assert_eq!(present(site)["state"], "none");
    let results = site.get("/api/contests/autumn/tournaments/1").json();
    assert_eq!(
        (results["tournament"]["result"].as_str(), results["games"].as_array().unwrap().len()),
        (Some("called off"), 1)
    );
    assert!(site.get("/c/autumn/bots/Ann/profile").body.contains("1 game with a record"), "it is told");
}

#[test]
fn a_final_that_was_killed_at_its_begin_is_played_from_it() {
    let (mut arena, _bots) = services(&["Ann", "Bob"], 100);
    let mut told = events(arena.site);
    plan(arena.site, &json!({"entrants": 2, "bestOf": 1}));
    told.until("final-game", |_| true);
    arena.server = None;
    // The header is there, and one of two entrants.
    let path = arena.folder.path().join("contests/autumn/tournaments/1/games.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    fs::write(&path, journal.split_inclusive('\n').take(2).collect::<String>()).unwrap();
    let server = TournamentServer::start(with_contest(arena.folder.path(), &of_services())).unwrap();
    let site = Site(server.address);
    let mut told = events(site);
    assert_eq!(told.until("final-game", |_| true).data["names"], json!(["Ann v1", "Bob v1"]));
    assert_eq!(admin(site, "contests/autumn/bots/2/hidden", &json!({"on": true})).status, 200);
    let over = told.until("final", |view| view["state"] == "over").data;
    assert_eq!(over["ranking"].as_array().unwrap().len(), 2, "{over}");
    assert_eq!(over["bots"][1]["name"], "hidden");
}

#[test]
fn a_final_is_planned_by_keyboard_and_its_page_tells_no_result_too_early() {
    let (arena, _bots) = services(&["Ann", "Bob", "Cid"], 60);
    let site = format!("http://{}", arena.site.0);
    Chromium::run(|chromium| {
        let page = chromium.open(&format!("{site}/c/autumn/final"));
        page.until("'ready' in document.body.dataset");
        assert_eq!(page.value::<String>("document.querySelector('#words').textContent"), "No final is planned.");
        assert!(page.value::<bool>(WATCHED));
        let _admin = logged_in(chromium, &site);
        check(&chromium.open(&format!("{site}/c/autumn/tournaments")));
        let admin = chromium.open(&format!("{site}/c/autumn/tournaments"));
        admin.until("document.querySelector('#final-form .zone').textContent.startsWith('(your time')");
        admin.reach("#final-entrants");
        admin.write("2");
        admin.reach("#final-games");
        admin.write("1");
        admin.reach("#final-form button");
        admin.write("\r");
        admin.arrive("document.querySelector('#cancel-final') !== null && 'ready' in document.body.dataset");
        page.until("document.querySelectorAll('#boards .board').length === 2");
        check(&chromium.open(&format!("{site}/c/autumn/final")));
        // Who comes late continues where the others are.
        let late = chromium.open(&format!("{site}/c/autumn/final"));
        late.until("document.querySelectorAll('#boards .board').length === 2");
        for tab in [&page, &late] {
            tab.until("document.body.dataset.places === '2'");
            let podium = "[...document.querySelectorAll('.place .name')].map((name) => name.textContent)";
            let over = present(arena.site);
            let name = |place: usize| &over["bots"][over["ranking"][place].as_u64().unwrap() as usize - 1]["name"];
            assert_eq!(json!(tab.value::<Vec<String>>(podium)), json!([name(0), name(1)]));
        }
        let notes: Vec<Value> = page.value("window.notes");
        let number = |note: &Value, what: &str| note[what].as_u64().unwrap();
        let played =
            arena.site.get("/api/contests/autumn/tournaments/1").json()["games"].as_array().unwrap().len() as u64;
        for game in 1..=played {
            let during: Vec<&Value> = notes.iter().filter(|note| number(note, "match") == game).collect();
            let last = during.iter().map(|note| number(note, "moment")).max().unwrap();
            // The first notes of a game may still have the moment of the one before.
            let from = during.iter().position(|note| number(note, "moment") < last).unwrap();
            let until = during.iter().rposition(|note| number(note, "moment") < last).unwrap();
            assert!(until > from, "game {game} was shown, not only told");
            for note in &during[from..=until] {
                assert_eq!((number(note, "games"), &note["result"]), (game - 1, &json!("")), "game {game}");
                assert_eq!((number(note, "places"), &note["state"]), (0, &json!("playing")));
            }
        }
    });
}
