//! State that survives a restart, and files that are made again.

use crate::server::{Arena, TestBot, options};
use arena::ArenaError;
use serde_json::{Value, json};
use serve::{ARENA_JSONL, ServeError, TournamentServer};
use std::fs;

/// A server that has played a tournament of three and is paused.
fn played() -> (Arena, [TestBot; 3]) {
    let arena = Arena::start();
    let bots = [TestBot::plays(), TestBot::plays(), TestBot::plays()];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), ("Cid", &bots[2])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["number"] == 2);
    arena.site.admin("POST", "tournament/pause");
    events.until("tournament", |told| told["paused"] == true && told["now"] == json!([]));
    (arena, bots)
}

/// Everything that must survive.
fn remembered(arena: &Arena) -> [Value; 5] {
    let mut tournament = arena.site.get("/api/tournament").json();
    tournament["waiting"] = Value::Null;
    let mut bots = arena.site.admin("GET", "status").json()["bots"].clone();
    for bot in bots.as_array_mut().unwrap() {
        // Bots were not called since.
        (bot["state"], bot["latencyMs"]) = (Value::Null, Value::Null);
    }
    let history = arena.site.admin("GET", "history").json();
    [tournament, bots, history, arena.site.get("/api/leaderboard").json(), arena.site.get("/api/matches").json()]
}

#[test]
fn a_server_goes_on_where_the_last_one_was() {
    let (mut arena, _bots) = played();
    let before = remembered(&arena);
    assert!(before[4].as_array().unwrap().len() >= 3);
    arena.restart().unwrap();
    assert_eq!(remembered(&arena), before);
    assert_eq!(arena.server.as_ref().unwrap().repairs, [""; 0]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/resume");
    events.until("tournament", |told| told["number"] == 2 && told["over"] == true);
    arena.site.admin("POST", "tournament/pause");
    let second = arena.site.get("/api/matches").json();
    assert_eq!(second.as_array().unwrap().iter().filter(|played| played["tournament"] == 2).count(), 3);
}

#[test]
fn an_index_that_is_missing_damaged_or_of_another_arena_is_made_again() {
    let (mut arena, _bots) = played();
    let before = remembered(&arena);
    let index = arena.folder.path().join("arena.sqlite");
    let (other, _others) = played();
    for what in ["missing", "damaged", "half", "another"] {
        arena.server = None;
        for rest in ["arena.sqlite-wal", "arena.sqlite-shm"] {
            let _ = fs::remove_file(arena.folder.path().join(rest));
        }
        let bytes = fs::read(&index).unwrap();
        match what {
            "missing" => fs::remove_file(&index).unwrap(),
            "damaged" => fs::write(&index, b"something else, longer than a header of SQLite".repeat(9)).unwrap(),
            "half" => fs::write(&index, &bytes[..bytes.len() / 2]).unwrap(),
            _ => fs::copy(other.folder.path().join("arena.sqlite"), &index).map(drop).unwrap(),
        }
        arena.restart().unwrap();
        assert_eq!(remembered(&arena), before, "{what}");
    }
}

#[test]
fn what_happened_while_the_index_was_away_is_taken_in() {
    let (mut arena, _bots) = played();
    let index = arena.folder.path().join("arena.sqlite");
    arena.server = None;
    let old = fs::read(&index).unwrap();
    arena.restart().unwrap();
    arena.site.register("Dan");
    let before = remembered(&arena);
    arena.server = None;
    fs::write(&index, old).unwrap();
    arena.restart().unwrap();
    assert_eq!(remembered(&arena), before);
}

#[test]
fn an_index_that_cannot_be_written_costs_no_record_and_follows_by_itself() {
    let (mut arena, _bots) = played();
    let mut events = arena.site.events(None);
    let index = rusqlite::Connection::open(arena.folder.path().join("arena.sqlite")).unwrap();
    // The next line of a bot cannot be added, nor what comes after it.
    index.execute_batch("ALTER TABLE bots RENAME TO away").unwrap();
    arena.site.register("Dan");
    arena.site.admin("POST", "tournament/resume");
    let over = events.until("match-over", |over| over["result"]["tournament"] == 2).data;
    arena.site.admin("POST", "tournament/pause");
    events.until("tournament", |told| told["paused"] == true && told["now"] == json!([]));
    let path = format!("/api/matches/{}", over["match"]);
    assert_eq!(arena.site.get(&path).status, 404);
    let trouble = arena.site.admin("GET", "status").json()["trouble"].clone();
    let cannot = format!("the index {} cannot be written: ", arena.folder.path().join("arena.sqlite").display());
    assert!(trouble.as_str().unwrap().starts_with(&cannot), "{trouble}");
    arena.restart().unwrap();
    assert_eq!(arena.site.get(&path).status, 404);
    index.execute_batch("ALTER TABLE away RENAME TO bots").unwrap();
    assert_eq!(arena.site.get(&path).status, 200, "its record is there");
    assert_eq!(arena.site.admin("GET", "status").json()["trouble"], Value::Null);
}

#[test]
fn two_servers_do_not_share_a_folder() {
    let arena = Arena::start();
    let error = TournamentServer::start(options(arena.folder.path())).unwrap_err();
    assert!(matches!(error, ServeError::Engine(ArenaError::Journal { .. })), "{error}");
}

#[test]
fn a_journal_that_was_changed_is_told_with_its_line() {
    let (mut arena, _bots) = played();
    arena.server = None;
    let path = arena.folder.path().join(ARENA_JSONL);
    let good = fs::read_to_string(&path).unwrap();
    let mut wrong = |text: String| {
        fs::write(&path, &text).unwrap();
        let error = arena.restart().unwrap_err().to_string();
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "it is not touched");
        error
    };
    assert!(wrong(good.replacen("\"version\":4", "\"version\":5", 1)).contains("line 1: its format is version 5"));
    assert!(wrong("hello".to_owned()).contains("this is not a journal of a tournament server"));
    assert!(wrong(good.replacen("\"name\":\"Bob\"", "\"name\":\"ANN\"", 1)).contains("a second bot is called ANN"));
    let twice = good.lines().find(|line| line.contains("\"line\":\"match\"")).unwrap();
    assert!(wrong(format!("{good}{twice}\n")).contains("is not being played"));
    fs::write(&path, good).unwrap();
    arena.restart().unwrap();
}

#[test]
fn the_description_of_the_api_is_the_one_in_the_documentation() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    assert!(
        fs::read_to_string(kept).unwrap() == serve::openapi(),
        "make it anew: cargo run -p serve --example openapi > docs/openapi.json"
    );
    let arena = Arena::start();
    assert_eq!(arena.site.get("/api/openapi.json").body, serve::openapi());
    let described: Value = serde_json::from_str(&serve::openapi()).unwrap();
    let paths = described["paths"].as_object().unwrap();
    for path in [
        "/api/bots",
        "/api/bots/register",
        "/api/bots/set-url",
        "/api/admin/bots/{id}/remove",
        "/api/admin/history/clear",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
}
