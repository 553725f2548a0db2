//! Marks by the plan of a contest.

use crate::server::contest::{Entry, PLAYS, for_contests, with_contest};
use crate::server::{ADMIN, Arena, PASSWORD, Site};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use serve::{ContestSettings, TournamentServer};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A plan with a hidden baseline in this folder, and few games.
fn plan(folder: &Path) -> Value {
    json!({"title": "Assignment 2", "seed": 7, "students": 4, "games": {"at-least": 4, "at-most": 4}, "folder": folder,
        "baseline": [{"name": "weak", "bot": "builtin:random"}, {"name": "secret", "bot": "strong", "hidden": true}],
        "criterion": [{"name": "Plays by the rules", "points": 2, "against": "weak", "lost-turns": 9999},
            {"name": "Beats the target", "points": 3, "against": "secret", "score": 0.9}]})
}

/// A server whose contest has a plan and no ladder, and the folder of the plan.
fn with_plan() -> (Arena, tempfile::TempDir) {
    let (folder, of_plan) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let strong = of_plan.path().join("strong");
    fs::create_dir(&strong).unwrap();
    let manifest = json!({"Author": "", "Email": "", "NickName": "S", "BotType": "Executable", "ProjectLocation": "",
        "RunFile": "bot.sh"});
    fs::write(strong.join("bot.json"), manifest.to_string()).unwrap();
    fs::write(strong.join("bot.sh"), PLAYS).unwrap();
    platform::files::make_executable(&strong.join("bot.sh")).unwrap();
    let change = json!({"play": "tournaments", "plan": plan(of_plan.path())});
    let server = TournamentServer::start(with_contest(folder.path(), &change)).unwrap();
    let site = Site(server.address);
    (Arena { folder, server: Some(server), site }, of_plan)
}

/// Waits until a version has its marks, as its team sees them.
fn marked(entry: &mut Entry, version: u64) -> Value {
    loop {
        let marks = entry.api("GET", "/marks", &json!(null)).json();
        if marks["version"] == version && marks["isBeingMarked"] == false {
            return marks;
        }
        entry.is_marked();
    }
}

/// The lines of games in the journal of the marks.
fn games(arena: &Arena) -> usize {
    let all = fs::read_dir(arena.folder.path().join("contests/autumn/marks")).unwrap();
    let journal = all.map(|entry| fs::read_to_string(entry.unwrap().path().join("games.jsonl")).unwrap());
    journal.map(|text| text.lines().filter(|line| line.contains("\"outcome\"")).count()).sum()
}

#[test]
fn each_accepted_version_is_marked_and_its_team_sees_the_open_part() {
    let (arena, _plan) = with_plan();
    let site = arena.site;
    let [mut ann, bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    assert_eq!(bob.api("GET", "/marks", &json!(null)).json()["version"], json!(null));
    ann.submit(&[("bot.sh", PLAYS)]);
    let marks = marked(&mut ann, 1);
    assert_eq!(marks["criteria"].as_array().unwrap().len(), 1, "{marks}");
    let open = &marks["criteria"][0];
    assert_eq!((&open["judgement"], &open["points"], &marks["most"]), (&json!("met"), &json!(2.0), &json!(2.0)));
    assert_eq!((&marks["games"], open["reason"].as_str().unwrap().ends_with("in 4 games")), (&json!(8), true));
    assert_eq!(games(&arena), 8);

    // Nothing is told to others, and nothing of what is hidden.
    let token = format!("Bearer {}", bob.token);
    let of_ann = "/api/contests/autumn/bots/Ann/marks";
    assert_eq!(site.get(of_ann).status, 401);
    assert_ne!(site.ask("GET", of_ann, &[("Authorization", &token)], "").status, 200);
    assert!(!site.get("/c/autumn/bots/Ann").body.contains("Assignment 2"));
    assert!(!site.get("/api/contests/autumn").body.contains("Assignment 2"), "the plan is not public");
    let log_in = site.form("/c/autumn", "/team/login", &[("name", "Ann"), ("password", PASSWORD)], "");
    let cookies = format!("broadside_team={}", log_in.cookie("broadside_team").unwrap());
    let page = site.ask("GET", "/c/autumn/bots/Ann", &[("Cookie", &cookies)], "").body;
    assert!(page.contains("Of version 1: 2 of 2 points.") && page.contains("in 4 games"), "{page}");
    assert!(!page.contains("Beats the target") && !page.contains("secret") && !page.contains("hidden baseline"));

    // The administrator has all, as a page and as files.
    let log_in = site.form("/admin", "/admin/login", &[("password", ADMIN)], "");
    let cookies = format!("broadside_admin={}", log_in.cookie("broadside_admin").unwrap());
    let page = site.ask("GET", "/admin/contests/autumn", &[("Cookie", &cookies)], "").body;
    assert!(page.contains("Beats the target") && page.contains("2 of 5"), "{page}");
    let csv = site.ask("GET", "/admin/contests/autumn/marks/csv", &[("Cookie", &cookies)], "");
    assert!(csv.header("content-disposition").contains("autumn-marks-2"), "{csv:?}");
    assert!(csv.body.contains("points Beats the target") && csv.body.lines().nth(1).unwrap().starts_with("Ann,"));
    assert_eq!(site.admin("GET", "contests/autumn/marks.csv").body, csv.body);
    let json = site.admin("GET", "contests/autumn/marks.json").json();
    assert_eq!((&json["format"], &json["students"][0]["student"]), (&json!("broadside marks"), &json!("Ann")));
    assert_eq!(site.get("/admin/contests/autumn/marks/csv").status, 401);
}

#[test]
fn all_results_come_in_an_archive() {
    let (arena, _plan) = with_plan();
    let mut ann = Entry::register(arena.site, "Ann");
    assert_eq!(ann.submit(&[("bot.sh", "#!/bin/sh\nexit 1\n"), ("note.txt", "no orders")])["state"], "rejected");
    let failing = marked(&mut ann, 1);
    assert!(failing["failing"].as_str().unwrap().starts_with("trial failed"), "{failing}");
    ann.submit(&[("bot.sh", PLAYS)]);
    marked(&mut ann, 2);
    let archive = arena.site.archive("/api/admin/contests/autumn/marks.tar.gz");
    let mut archive = tar::Archive::new(GzDecoder::new(&archive[..]));
    let names: BTreeSet<String> =
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect();
    for name in ["marks/index.html", "marks/marks.csv", "marks/marks.json", "marks/pseudonyms.csv"] {
        assert!(names.contains(name), "{names:?}");
    }
}

#[test]
fn marks_go_on_from_the_journal_and_are_those_of_the_deadline() {
    let (mut arena, of_plan) = with_plan();
    let site = arena.site;
    let mut ann = Entry::register(site, "Ann");
    let first = ann.submit(&[("bot.sh", PLAYS)]);
    marked(&mut ann, 1);
    // Another name is that of the same team, and a version that is rejected does not count.
    assert_eq!(site.admin_post("bots/1/rename", &json!({"name": "Kraken"})).status, 200);
    ann.name = "Kraken".to_owned();
    ann.submit(&[("bot.sh", "#!/bin/sh\nexit 1\n")]);
    marked(&mut ann, 1);
    assert_eq!(games(&arena), 8);
    ann.submit(&[("bot.sh", &format!("{PLAYS}# better\n"))]);
    marked(&mut ann, 3);
    assert_eq!(games(&arena), 16);

    arena.server = None;
    let server = TournamentServer::start(for_contests(arena.folder.path())).unwrap();
    let site = Site(server.address);
    (arena.site, arena.server) = (site, Some(server));
    let mut ann = ann.on(site);
    marked(&mut ann, 3);
    assert!(site.admin("GET", "contests/autumn/marks.csv").body.contains("\nKraken,"));
    assert_eq!(games(&arena), 16, "what was played is not played again");

    let set = |change: &Value| {
        let mut contest = json!({"name": "autumn", "title": "Autumn", "game": "entelect-2017", "play": "tournaments",
            "settings": {"size": "small"}, "plan": plan(of_plan.path())});
        change.as_object().unwrap().iter().for_each(|(key, value)| contest[key] = value.clone());
        site.admin_post("contests", &contest)
    };
    assert_eq!(set(&json!({"closes": first["submitted"]})).status, 200);
    marked(&mut ann, 1);
    // Other bounds follow from the games that are there.
    let mut easier = plan(of_plan.path());
    easier["criterion"][0] = json!({"name": "Does something", "points": 5, "against": "weak", "score": 0.01});
    assert_eq!(set(&json!({"plan": easier})).status, 200);
    let marks = loop {
        let marks = marked(&mut ann, 3);
        if marks["most"] == 5.0 {
            break marks;
        }
        ann.is_marked();
    };
    assert_eq!(marks["criteria"][0]["name"], "Does something");
    assert_eq!(games(&arena), 16);
    let elsewhere = set(&json!({"plan": plan(Path::new("/"))}));
    assert!(elsewhere.status == 400 && elsewhere.error().contains("by contest files only"), "{elsewhere:?}");
    let file = set(&json!({"plan": "plan.toml"}));
    assert!(file.status == 400 && file.error().starts_with("plan"), "{file:?}");
    assert_eq!(set(&json!({"plan": null})).status, 200);
    assert_eq!(ann.api("GET", "/marks", &json!(null)).status, 404);
}

#[test]
fn a_server_without_the_folder_of_a_baseline_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let contest = folder.path().join("contest");
    fs::create_dir(&contest).unwrap();
    let toml = r#"
        title = "Assignment"
        game = "sea-battle"
        seed = 1
        [[baseline]]
        name = "own"
        bot = "own"
        hidden = true
        [[criterion]]
        name = "wins"
        points = 3
        score = 0.6
    "#;
    fs::write(contest.join("plan.toml"), toml).unwrap();
    let text = "name = \"autumn\"\ntitle = \"Autumn\"\ngame = \"sea-battle\"\nplan = \"plan.toml\"";
    let contests = vec![ContestSettings::from_toml(text, Some(&contest)).unwrap()];
    let options = serve::ServeOptions { contests, ..for_contests(&folder.path().join("server")) };
    let error = runner::with_causes(&TournamentServer::start(options).unwrap_err());
    assert!(error.contains("the baseline \"own\" has no bot.json in "), "{error}");
}
