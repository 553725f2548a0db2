//! Builds of bots that are handed in: whose turn it is, and what their teams see of them.

use crate::server::contest::{Entry, PLAYS, archive, with_contest};
use crate::server::{Arena, Site};
use serde_json::json;
use serve::{ServeOptions, TournamentServer};

/// A bot whose build waits for a line in the pipe `go` in its folder.
fn waiting_for_a_line(marker: &str) -> Vec<u8> {
    let manifest =
        r#"{"Author":"Ann","Email":"","NickName":"N","BotType":"CPlusPlus","ProjectLocation":"","RunFile":"bot"}"#;
    let build = "mkfifo go; echo compiling $(CURDIR)/bot.cpp; read line < go; rm go; echo done; cp bot.sh bot";
    let makefile = format!("bot:\n\t@{build} # {marker}\n");
    archive(&[("bot.json", manifest), ("Makefile", &makefile), ("bot.sh", PLAYS)])
}

fn log(entry: &Entry, version: u32) -> String {
    entry.ask("GET", &format!("/{version}/log"), b"").body
}

/// Waits until the build of a bot waits, and lets it go on.
fn lets_it_build(arena: &Arena, entry: &Entry, bot: u32, version: u32) {
    while !log(entry, version).contains("compiling") {}
    let go = arena.folder.path().join(format!("contests/autumn/versions/{bot}-{version}/bot/go"));
    std::fs::write(go, "\n").unwrap();
}

#[test]
fn what_a_compiler_says_is_told_while_it_runs() {
    if test_tools::required("make").is_none() {
        return;
    }
    let arena = Arena::with_contest(&json!({}));
    let mut ann = Entry::register(arena.site, "Ann");
    assert_eq!(ann.ask("POST", "", &waiting_for_a_line("1")).status, 201);
    while !log(&ann, 1).contains("compiling") {}
    let told = log(&ann, 1);
    assert!(told.ends_with("\ncompiling bot.cpp\n"), "{told}");
    assert_eq!(ann.ask("GET", "/1", b"").json()["state"], "building");
    lets_it_build(&arena, &ann, 1, 1);
    assert_eq!(ann.verdict(1)["state"], "accepted", "{}", log(&ann, 1));
    let told = log(&ann, 1);
    assert!(told.contains("compiling bot.cpp\ndone\nbuilt in "), "{told}");
}

#[test]
fn teams_take_turns_in_the_queue() {
    if test_tools::required("make").is_none() {
        return;
    }
    let arena = Arena::with_contest(&json!({}));
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(arena.site, name));
    for marker in ["1", "2", "3"] {
        assert_eq!(ann.ask("POST", "", &waiting_for_a_line(marker)).status, 201);
    }
    while ann.ask("GET", "/1", b"").json()["state"] != "building" {}
    assert_eq!(bob.ask("POST", "", &waiting_for_a_line("4")).status, 201);
    let place = |entry: &Entry, version: u32| entry.ask("GET", &format!("/{version}"), b"").json()["place"].clone();
    let places = [place(&ann, 1), place(&bob, 1), place(&ann, 2), place(&ann, 3)];
    assert_eq!(places, [json!(null), json!(1), json!(2), json!(3)]);
    let queue = arena.site.get("/api/contests/autumn").json()["queue"].clone();
    let told = queue.as_array().unwrap().iter().map(|waiting| format!("{} {}", waiting["name"], waiting["version"]));
    assert_eq!(told.collect::<Vec<_>>(), [r#""Ann" 1"#, r#""Bob" 1"#, r#""Ann" 2"#, r#""Ann" 3"#]);
    lets_it_build(&arena, &ann, 1, 1);
    lets_it_build(&arena, &bob, 2, 1);
    assert_eq!(ann.ask("GET", "/3", b"").json()["state"], "queued", "the other team was first");
    assert_eq!(bob.verdict(1)["state"], "accepted");
    for version in [2, 3] {
        lets_it_build(&arena, &ann, 1, version);
    }
    assert_eq!(ann.verdict(3)["state"], "accepted");
}

#[test]
fn several_versions_are_built_at_once() {
    let processors = std::thread::available_parallelism().unwrap().get();
    if processors < 2 || test_tools::required("make").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = ServeOptions { builds: 2, ..with_contest(folder.path(), &json!({})) };
    let server = TournamentServer::start(options).unwrap();
    let arena = Arena { site: Site(server.address), server: Some(server), folder };
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(arena.site, name));
    for (entry, marker) in [(&ann, "1"), (&bob, "2"), (&ann, "3")] {
        assert_eq!(entry.ask("POST", "", &waiting_for_a_line(marker)).status, 201);
    }
    // Both wait for a line, which none gets.
    for entry in [&ann, &bob] {
        while entry.ask("GET", "/1", b"").json()["state"] != "building" {}
    }
    assert_eq!(ann.ask("GET", "/2", b"").json()["place"], 1);
    lets_it_build(&arena, &bob, 2, 1);
    lets_it_build(&arena, &ann, 1, 2);
    assert_eq!(ann.ask("GET", "/1", b"").json()["state"], "building");
    let states = [bob.verdict(1), ann.verdict(2)].map(|verdict| verdict["state"].clone());
    assert_eq!(states, [json!("accepted"), json!("accepted")]);
    lets_it_build(&arena, &ann, 1, 1);
    assert_eq!(ann.verdict(1)["state"], "accepted");
    let journal = std::fs::read_to_string(arena.folder.path().join("arena.jsonl")).unwrap();
    assert_eq!(journal.matches(r#""what":"judged""#).count(), 3, "none is built twice: {journal}");
}
