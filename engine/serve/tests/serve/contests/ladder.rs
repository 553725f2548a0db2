//! Contests: bots are handed in, get their verdicts, and play on the ladder.

use crate::server::contest::{Entry, PLAYS, archive, with_contest};
use crate::server::{ADMIN, Arena, PASSWORD, Site, TestBot};
use serde_json::{Value, json};
use serve::{ServeError, TournamentServer};
use test_tools::pause;

/// The row of an entrant on the ladder.
fn row(site: Site, name: &str) -> Value {
    let ladder = site.get("/api/contests/autumn").json()["ladder"].clone();
    ladder.as_array().unwrap().iter().find(|row| row["name"] == name).cloned().unwrap_or(Value::Null)
}

#[test]
fn a_version_is_tried_and_plays_until_a_newer_one_is_accepted() {
    let mut arena = Arena::with_contest(&json!({}));
    let site = arena.site;
    let mut ann = Entry::register(site, "Ann");
    let first = ann.submit(&[("bot.sh", PLAYS)]);
    assert_eq!((&first["state"], &first["isActive"]), (&json!("accepted"), &json!(true)), "{first}");
    ann.plays("Ann v1", 4);
    let played = row(site, "Ann");
    assert_eq!((&played["version"], &played["language"]), (&json!(1), &json!("Executable")), "{played}");
    assert!(row(site, "builtin:random").is_object(), "the baseline plays along");

    // One that is not to play until its team says so.
    let second = [PLAYS, "# newer\n"].concat();
    let handed_in = ann.ask("POST", "?activate=false", &archive(&[("bot.sh", &second)]));
    assert_eq!(handed_in.status, 201, "{handed_in:?}");
    let verdict = ann.verdict(2);
    assert_eq!((&verdict["state"], &verdict["isActive"]), (&json!("accepted"), &json!(false)), "{verdict}");
    let again = ann.ask("POST", "", &archive(&[("bot.sh", &second)]));
    assert_eq!((again.status, &again.json()["version"]), (200, &json!(2)), "the same archive is the same version");
    assert_eq!(ann.ask("POST", "/2/activate", b"").status, 200);
    let game = ann.plays("Ann v2", 2);
    assert_eq!(row(site, "Ann")["version"], 2);
    let page = site.get(&format!("/c/autumn/games/{}", game["id"].as_str().unwrap()));
    assert!(page.status == 200 && page.body.contains("Ann v2"), "{}", page.status);

    // The first one has the games that it had before.
    assert_eq!(ann.ask("POST", "/1/activate", b"").status, 200);
    ann.comes_back("Ann v1");
    let back = row(site, "Ann");
    let games: u64 = ["wins", "draws", "losses"].map(|result| back[result].as_u64().unwrap()).into_iter().sum();
    assert!(back["version"] == 1 && games >= 4, "{back}");

    let before = (ann.ask("GET", "", b"").json(), site.get("/api/contests/autumn").json()["games"].clone());
    arena.server = None;
    let server = TournamentServer::start(with_contest(arena.folder.path(), &json!({}))).unwrap();
    let site = Site(server.address);
    let token = format!("Bearer {}", ann.token);
    let versions = site.ask("GET", "/api/contests/autumn/bots/Ann/versions", &[("Authorization", &token)], "").json();
    let told = |versions: &Value| {
        let told = |version: &Value| ["version", "state", "isActive", "archive"].map(|key| version[key].clone());
        versions.as_array().unwrap().iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(told(&versions), told(&before.0));
    assert!(site.get("/api/contests/autumn").json()["games"].as_u64() >= before.1.as_u64(), "no game is lost");
}

#[test]
fn what_cannot_play_is_rejected_with_the_reason() {
    let arena = Arena::with_contest(&json!({}));
    let mut bob = Entry::register(arena.site, "Bob");
    let rejected = bob.submit(&[("bot.sh", "#!/bin/sh\nexit 3\n")]);
    assert_eq!(rejected["state"], "rejected");
    let reason = rejected["reason"].as_str().unwrap();
    assert!(reason.contains("lost") && reason.contains("exit status 3"), "{reason}");
    let log = bob.ask("GET", "/1/log", b"").body;
    assert!(log.starts_with("the archive is unpacked\n") && log.contains("rejected: it lost"), "{log}");
    assert_eq!(bob.ask("GET", "/1/log?from=4", b"").body, log[4..]);

    let rejected = bob.submit(&[("../../arena.jsonl", "x")]);
    let reason = rejected["reason"].as_str().unwrap();
    assert!(rejected["state"] == "rejected" && reason.contains("arena.jsonl"), "{rejected}");
    let rejected = bob.submit(&[("bot.sh", PLAYS), ("Makefile", "bot.sh:\n")]);
    assert_eq!(rejected["state"], "accepted", "a RunFile that is there is not built: {rejected}");
    let activated = bob.ask("POST", "/1/activate", b"");
    assert_eq!((activated.status, activated.error()), (409, "version 1 of bot 1 was not accepted".to_owned()));
}

#[test]
fn only_archives_of_the_team_itself_are_taken() {
    let arena = Arena::with_contest(&json!({}));
    let site = arena.site;
    let [ann, eve] = ["Ann", "Eve"].map(|name| Entry::register(site, name));
    let path = "/api/contests/autumn/bots/Ann/versions";
    let small = archive(&[("bot.sh", PLAYS)]);
    let eves = format!("Bearer {}", eve.token);
    for (headers, what) in [(vec![], "is needed"), (vec![("Authorization", eves.as_str())], "not that of this bot")] {
        for (method, below) in [("POST", ""), ("GET", ""), ("GET", "/1"), ("GET", "/1/log"), ("POST", "/1/activate")] {
            let refused = site.ask_bytes(method, &format!("{path}{below}"), &headers, &small);
            assert_eq!(refused.status, 401, "{method} {below}");
            assert!(refused.error().contains(what), "{refused:?}");
        }
    }
    let refused = |body: &[u8]| {
        let refused = ann.ask("POST", "", body);
        (refused.status, refused.error())
    };
    assert_eq!(refused(b"").0, 400);
    assert_eq!(refused(b"Rar!").1, "this is neither a zip nor a tar.gz; pack the bot's folder as one of them");
    assert_eq!(refused(&vec![0x1f; 20_000_001]).0, 413);
    let token = format!("Bearer {}", ann.token);
    let as_text = site.ask_bytes("POST", path, &[("Authorization", &token), ("Content-Type", "text/plain")], &small);
    assert_eq!(as_text.status, 415, "a form of another site can send such a request");
    assert_eq!(site.get("/api/contests/winter").status, 404);
    // Only an archive may be large.
    let large = json!({"name": "x".repeat(100_000), "password": PASSWORD});
    assert_eq!(site.post("/api/bots/token", &large).status, 413);
    // A new token ends the one before.
    site.post("/api/bots/token", &json!({"name": "Ann", "password": PASSWORD}));
    assert_eq!(ann.ask("GET", "", b"").status, 401);
    assert_eq!(ann.ask("POST", "", &small).status, 401);
    // So does a new password, and the old one.
    let token = site.post("/api/bots/token", &json!({"name": "Eve", "password": PASSWORD})).json()["token"].clone();
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    let reset = site.ask("POST", "/api/admin/bots/2/password", &headers, &json!({"password": "forgotten"}).to_string());
    assert_eq!(reset.status, 200, "{reset:?}");
    let eves = format!("Bearer {}", token.as_str().unwrap());
    let path = "/api/contests/autumn/bots/Eve/versions";
    assert_eq!(site.ask("GET", path, &[("Authorization", &eves)], "").status, 401);
    let log_in = |password| site.post("/api/bots/token", &json!({"name": "Eve", "password": password})).status;
    assert_eq!((log_in(PASSWORD), log_in("forgotten")), (403, 200));
    let names = std::fs::read_dir(arena.folder.path().join("contests/autumn/archives")).unwrap();
    assert_eq!(names.count(), 0, "nothing is left of what was refused");
}

#[test]
fn a_version_that_fails_is_parked_and_the_others_play_on() {
    let arena = Arena::with_contest(&json!({"games": 12}));
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(arena.site, name));
    let switch = |on: bool| {
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        let path = "/api/admin/contests/autumn/ranked";
        assert_eq!(arena.site.ask("POST", path, &headers, &json!({"on": on}).to_string()).status, 200);
    };
    switch(false);
    ann.submit(&[("bot.sh", PLAYS)]);
    // It has played its trial games.
    let counts = "[ -e \"${0%/*}/count\" ]";
    bob.submit(&[("bot.sh", &PLAYS.replace("case $2", &format!("{counts} && exit 5\ncase $2")))]);
    let versions = arena.folder.path().join("contests/autumn/versions");
    std::fs::remove_file(versions.join("1-1/bot/bot.json")).unwrap();
    std::fs::write(versions.join("2-1/bot/count"), "").unwrap();
    switch(true);
    ann.is_parked("Ann v1");
    bob.is_parked("Bob v1");
    let reason = |entry: &Entry| entry.ask("GET", "/1", b"").json()["reason"].as_str().unwrap().to_owned();
    let folder = arena.folder.path().to_str().unwrap();
    assert!(reason(&ann).starts_with("it cannot be started: ") && !reason(&ann).contains(folder), "{}", reason(&ann));
    assert_eq!(reason(&bob), "it lost half of its turns or more in 6 games in a row");
    assert_eq!(arena.site.get("/api/contests/autumn").json()["parked"], json!(["Ann", "Bob"]));
    let page = arena.site.get("/c/autumn").body;
    assert!(page.contains("Parked") && page.contains("/c/autumn/bots/Ann"), "{page}");
    // Its team lets it play again.
    std::fs::remove_file(versions.join("2-1/bot/count")).unwrap();
    assert_eq!(bob.ask("POST", "/1/activate", b"").status, 200);
    bob.comes_back("Bob v1");
}

#[test]
fn who_takes_the_name_of_a_removed_bot_does_not_take_its_games() {
    let arena = Arena::with_contest(&json!({"games": 4}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 4);
    assert_eq!(arena.site.admin("POST", "bots/1/remove").status, 200);
    let mut other = Entry::register(arena.site, "Ann");
    other.submit(&[("bot.sh", &[PLAYS, "# another\n"].concat())]);
    other.comes_back("Ann v1 (bot 2)");
    let own = other.ask("GET", "/1", b"").json();
    assert!(own["wins"].as_u64().unwrap() + own["losses"].as_u64().unwrap() < 4, "{own}");
    let ladder = arena.site.get("/api/contests/autumn").json()["ladder"].clone();
    let bots: Vec<&Value> = ladder.as_array().unwrap().iter().filter(|row| row["bot"].is_string()).collect();
    assert_eq!((bots.len(), &bots[0]["name"], &bots[0]["bot"]), (1, &json!("Ann"), &json!("2")), "{ladder}");
}

#[test]
fn an_archive_that_comes_several_times_at_once_is_one_version() {
    let arena = Arena::with_contest(&json!({}));
    let ann = Entry::register(arena.site, "Ann");
    let bytes = archive(&[("bot.sh", PLAYS)]);
    let (site, token) = (arena.site, format!("Bearer {}", ann.token));
    let answers: Vec<(u16, Value)> = std::thread::scope(|scope| {
        let send = || {
            let headers = [("Authorization", token.as_str()), ("Content-Type", "application/gzip")];
            let answer = site.ask_bytes("POST", "/api/contests/autumn/bots/Ann/versions", &headers, &bytes);
            (answer.status, answer.json())
        };
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|(status, _)| *status == 201).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|(status, _)| matches!(status, 200 | 201 | 503)), "{answers:?}");
    assert_eq!(ann.ask("GET", "", b"").json().as_array().unwrap().len(), 1);
}

#[test]
fn void_games_are_played_again_after_a_look_at_what_changes() {
    let arena = Arena::with_contest(&json!({"games": 6}));
    let site = arena.site;
    let mut ann = Entry::register(site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 6);
    let void = |body: Value| {
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        site.ask("POST", "/api/admin/contests/autumn/void", &headers, &body.to_string())
    };
    assert_eq!(void(json!({})).status, 400, "all games of a contest are not void by mistake");
    assert_eq!(void(json!({"bot": "Bob"})).status, 404);
    assert_eq!(void(json!({"bot": "Ann", "until": "2020-01-01T00:00:00Z"})).status, 404);
    let preview = void(json!({"bot": "Ann"}));
    assert_eq!(preview.json()["games"], 6, "{preview:?}");
    assert_eq!(preview.json()["changes"][0]["after"], Value::Null, "{preview:?}");
    assert_eq!(row(site, "Ann")["wins"].as_u64().unwrap() + row(site, "Ann")["losses"].as_u64().unwrap(), 6);
    assert_eq!(void(json!({"bot": "Ann", "apply": true})).status, 400, "a reason is needed");
    assert_eq!(void(json!({"bot": "Ann", "apply": true, "why": "the machine was busy"})).status, 200);
    ann.plays("Ann v1", 6);
    let journal = std::fs::read_to_string(arena.folder.path().join("contests/autumn/games.jsonl")).unwrap();
    let lines = |kind: &str| journal.lines().filter(|line| line.contains(&format!("\"line\":\"{kind}\""))).count();
    assert_eq!((lines("void"), lines("game")), (1, 12), "{journal}");
    assert_eq!(site.get("/api/contests/autumn").json()["games"], 6);
}

#[test]
fn the_game_of_a_contest_stays_what_it_is() {
    let mut arena = Arena::with_contest(&json!({}));
    arena.server = None;
    let restart = |change: Value| TournamentServer::start(with_contest(arena.folder.path(), &change));
    let error = restart(json!({"settings": {"size": "large"}})).unwrap_err();
    assert!(matches!(&error, ServeError::Contest { why, .. } if why.contains("never change")), "{error}");
    let server = restart(json!({"title": "Late autumn", "games": 2})).unwrap();
    let site = Site(server.address);
    assert_eq!(site.get("/api/contests/autumn").json()["settings"]["title"], "Late autumn");
    let switch = |on: bool| {
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        site.ask("POST", "/api/admin/contests/autumn/ranked", &headers, &json!({"on": on}).to_string())
    };
    assert_eq!(switch(false).status, 200);
    assert_eq!(site.get("/api/contests/autumn").json()["isRanked"], false);
    assert_eq!(switch(true).status, 200);
}

#[test]
fn a_web_service_is_tried_and_plays_by_its_url() {
    let change = json!({"game": "sea-battle", "settings": {}, "entries": "url"});
    let mut arena = Arena::with_contest(&change);
    let site = arena.site;
    let (mut ann, bot) = (Entry::register(site, "Ann"), TestBot::plays());
    assert_eq!(ann.submit_url(&TestBot::nobody())["state"], "rejected", "nobody answers");
    let accepted = ann.submit_url(&bot.url);
    assert_eq!((&accepted["state"], &accepted["url"]), (&json!("accepted"), &json!(bot.url)), "{accepted}");
    ann.plays("Ann v2", 2);
    let again = ann.hand_in_url(&bot.url);
    assert_eq!((again.status, &again.json()["version"]), (200, &json!(2)), "the URL that plays is the same version");
    let refused = ann.ask("POST", "", &archive(&[("bot.sh", PLAYS)]));
    assert_eq!((refused.status, refused.error().contains("by their URLs")), (409, true));
    for path in ["/api/contests/autumn", "/c/autumn", "/c/autumn/bots/Ann"] {
        assert!(!site.get(path).body.contains(&bot.url), "{path} tells the URL to everyone");
    }
    // The form of the page does the same.
    let other = TestBot::plays();
    let log_in = site.form("/c/autumn", "/team/login", &[("name", "Ann"), ("password", PASSWORD)], "");
    let cookies = format!("broadside_team={}", log_in.cookie("broadside_team").unwrap());
    let page = "/c/autumn/bots/Ann";
    let handed_in = site.form(page, &format!("{page}/url"), &[("url", &other.url), ("activate", "yes")], &cookies);
    assert_eq!(handed_in.header("location"), format!("{page}?version=3&done=submitted"));
    assert_eq!(ann.verdict(3)["isActive"], true);
    ann.plays("Ann v3", 2);
    let before = ann.ask("GET", "", b"").json();
    arena.server = None;
    let server = TournamentServer::start(with_contest(arena.folder.path(), &change)).unwrap();
    let token = format!("Bearer {}", ann.token);
    let path = "/api/contests/autumn/bots/Ann/versions";
    let after = Site(server.address).ask("GET", path, &[("Authorization", &token)], "").json();
    let urls = |versions: &Value| versions.as_array().unwrap().iter().map(|v| v["url"].clone()).collect::<Vec<_>>();
    assert_eq!(urls(&after), urls(&before));
}

#[test]
fn a_contest_of_archives_takes_no_urls() {
    let arena = Arena::with_contest(&json!({}));
    let refused = Entry::register(arena.site, "Ann").hand_in_url("http://127.0.0.1:1");
    assert_eq!((refused.status, refused.error().contains("as archives, not by their URLs")), (409, true));
}

#[test]
fn ranked_games_stop_by_themselves_if_most_bots_fail_at_once() {
    let arena = Arena::with_contest(&json!({"baselines": [], "games": 100}));
    let switch = |on: bool| {
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        let path = "/api/admin/contests/autumn/ranked";
        assert_eq!(arena.site.ask("POST", path, &headers, &json!({"on": on}).to_string()).status, 200);
    };
    switch(false);
    for (number, name) in (1..).zip(["Ann", "Bob", "Eve", "Joe"]) {
        Entry::register(arena.site, name).submit(&[("bot.sh", &format!("{PLAYS}# {name}\n"))]);
        // It has played its trial games. Something goes wrong on this machine.
        let program = arena.folder.path().join(format!("contests/autumn/versions/{number}-1/bot/bot.sh"));
        std::fs::write(program, "#!/bin/sh\nexit 3\n").unwrap();
    }
    switch(true);
    let contest = || arena.site.get("/api/contests/autumn").json();
    while contest()["isRanked"] == true {
        pause();
    }
    let stopped = contest();
    let why = "most bots lost half of their turns or more within a minute";
    assert!(stopped["rankedWhy"].as_str().is_some_and(|told| told.starts_with(why)), "{stopped}");
    assert_eq!(stopped["parked"], json!([]), "it is not their fault");
    assert!(arena.site.get("/c/autumn").body.contains(why));
}
