//! An evening with a final: a tournament of eight bots, the final on the screen, and a server that is killed in between.

use crate::arena::{ADMIN, Events, Site, TestBot};
use crate::browser::{Chromium, Tab};
use crate::serve::Running;
use crate::table::signalled;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

const NAMES: [&str; 8] = ["<b>Ann</b>", "Bob", "Cid", "Dora", "Eve", "Finn", "Gus", "Hana"];
/// Short games, and screens that show a move for a hundredth of a second; in the first life of the server for longer, so that
/// the first game is still being shown when the server is killed.
const ARGUMENTS: [&str; 8] = ["--pause-match", "0", "--pause-tournament", "0", "--max-moves", "25", "--pace", "10"];

/// Bots with different fleets: those of a test bot follow from the number of its connection.
fn bots() -> Vec<TestBot> {
    let bots: Vec<TestBot> = NAMES.iter().map(|_| TestBot::plays()).collect();
    for (at, bot) in bots.iter().enumerate() {
        (0..at).for_each(|_| drop(TcpStream::connect(bot.url.trim_start_matches("http://")).unwrap()));
    }
    bots
}

/// Plans a final of eight that begins now, in the administrator's form.
fn plan(chromium: &Chromium, site: &str) {
    let admin = chromium.open(&format!("{site}/admin"));
    admin.resize(1920, 1080);
    admin.reach("#password");
    admin.write(&format!("{ADMIN}\r"));
    admin.arrive("document.querySelector('#final-form') !== null");
    admin.assert_accessible();
    let _: String = admin.value("document.querySelector('#final-entrants').value = '8'");
    let _: String = admin.value("document.querySelector('#final-games').value = '1'");
    admin.reach("#final-form button");
    admin.write("\r");
    admin.arrive("document.querySelector('#cancel-final') !== null");
    admin.assert_accessible();
    admin.assert_calm();
}

/// The lines of the journal about the final.
fn lines(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("arena.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["line"].as_str().unwrap().starts_with("final-")).collect()
}

fn is_of_final(begun: &Value) -> bool {
    begun["final"]["number"] == 1
}

/// Kills the server and starts another one at the same address.
fn again(running: Running, folder: &Path) -> (Running, Events) {
    let address = running.site.0.to_string();
    running.kill();
    let running = Running::start_at(&address, folder, &ARGUMENTS);
    let events = running.site.events(None);
    (running, events)
}

/// Checks that the server has each game once, and that games of the final count for no leaderboard.
fn assert_consistent(running: &Running, folder: &Path) {
    let lines = lines(folder);
    let kinds: Vec<&str> = lines.iter().map(|line| line["line"].as_str().unwrap()).collect();
    let games: Vec<&Value> = lines.iter().filter(|line| line["line"] == "final-match").collect();
    assert_eq!((kinds[0], kinds[1], kinds[kinds.len() - 1]), ("final-planned", "final-begun", "final-ended"));
    assert_eq!(kinds.len(), games.len() + 3, "{kinds:?}");
    let fixtures: BTreeSet<String> = games.iter().map(|game| game["fixture"].to_string()).collect();
    assert_eq!(fixtures.len(), games.len(), "each game once: {fixtures:?}");
    assert!(games.len() >= 8, "eight meetings");
    let matches = running.all_matches();
    let ids: BTreeSet<u64> = matches.iter().map(|played| played["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), matches.len(), "a number stands for one match");
    assert_eq!(matches.iter().filter(|played| is_of_final(played)).count(), games.len());
    assert!(matches.iter().all(|played| played["faults"] == json!([null, null])), "nobody is blamed for the kills");
    let boards = running.site.get("/api/leaderboard").json();
    let sum = |what: &str| boards["all"].as_array().unwrap().iter().map(|row| row[what].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("wins") + sum("draws") + sum("losses"), 2 * (matches.len() - games.len()) as u64);
    assert_eq!(fs::read_dir(folder.join("records")).unwrap().count(), matches.len());
}

/// Checks that the page has the podium and the bracket that the server tells.
fn assert_shown(tab: &Tab<'_>, site: Site) {
    let view = site.get("/api/final").json();
    let name = |seed: &Value| view["bots"][seed.as_u64().unwrap() as usize - 1]["name"].clone();
    let best: Vec<Value> = view["ranking"].as_array().unwrap().iter().take(3).map(name).collect();
    tab.until("document.body.dataset.places === '3'");
    let places = "[...document.querySelectorAll('.place .name')].map((name) => name.textContent)";
    assert_eq!(json!(tab.value::<Vec<String>>(places)), json!(best));
    assert_eq!(tab.value::<u32>("document.querySelectorAll('.meeting .won').length"), 8);
    let champion: String = tab.value("document.querySelector('#champion').textContent");
    assert_eq!(champion, format!("{}wins the final", best[0].as_str().unwrap()));
}

#[test]
fn a_finals_evening_survives_a_server_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = bots();
    let mut slow = ARGUMENTS;
    slow[7] = "200";
    let running = Running::start(folder, &slow);
    for (name, bot) in NAMES.into_iter().zip(&bots) {
        running.site.register(name);
        assert_eq!(running.site.set_url(name, &bot.url).status, 200);
    }
    let mut events = running.site.events(None);
    running.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["number"] == 2);
    Chromium::run(|chromium| {
        let site = format!("http://{}", running.site.0);
        let screen = chromium.open(&format!("{site}/final"));
        assert_eq!(screen.value::<String>("document.body.dataset.state"), "none");
        plan(chromium, &site);
        let first = events.until("match-begun", is_of_final).data;
        screen.until(&format!(
            "document.body.dataset.match === '{}' && document.body.dataset.moment > 5",
            first["match"]
        ));

        // While the screens show a game that was played to its end: they show it to its end, and nobody else is told.
        let begun = Instant::now();
        while lines(folder).iter().all(|line| line["line"] != "final-match") {
            assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", lines(folder));
        }
        let (running, mut events) = again(running, folder);
        let shown = events.until("match-over", |over| over["match"] == first["match"]).data;
        assert!(shown["result"].is_object(), "{shown}");
        screen.until("document.querySelector('#connection').hidden && !document.querySelector('#winner').hidden");

        // Between two games, then in the middle of one, then at the first turn of one.
        let (mut running, mut events) = again(running, folder);
        for turn in [9, 1] {
            events.until("match-begun", is_of_final);
            events.until("turn", |told| told["turn"] == turn);
            (running, events) = again(running, folder);
        }

        let over = events.until_state(|now| now["final"]["state"] == "over");
        assert_eq!((&over["final"]["number"], &over["final"]["entrants"]), (&json!(1), &json!(8)));
        assert_shown(&screen, running.site);
        screen.assert_accessible();
        for (width, height) in [(390, 844), (1280, 800), (1920, 1080)] {
            screen.resize(width, height);
            screen.until(&format!("document.documentElement.scrollWidth <= {width}"));
        }
        assert!(screen.requests().iter().all(|request| request.starts_with(&site)), "{:?}", screen.requests());
        assert_shown(&chromium.open(&format!("{site}/final")), running.site);

        // The tournament that was interrupted goes on.
        let before = running.all_matches().len();
        events.until("match-over", |over| over["result"]["tournament"] == 2 || over["result"]["tournament"] == 3);
        running.site.admin("POST", "tournament/pause");
        events.until_state(|now| now["tournament"]["now"] == json!([]) && now["tournament"]["paused"] == true);
        assert!(running.all_matches().len() > before);
        assert_consistent(&running, folder);
        running.kill();
    });
    let verified = signalled().arg("verify").arg(folder.join("records")).output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}
