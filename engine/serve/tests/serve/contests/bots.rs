//! Bots of contests that administrators retire, hide and rename.

use crate::server::contest::{Entry, PLAYS};
use crate::server::{ADMIN, Arena, PASSWORD, Site};
use serde_json::{Value, json};

/// The row of a bot on the ladder.
fn row(site: Site, name: &str) -> Value {
    let ladder = site.get("/api/contests/autumn").json()["ladder"].clone();
    ladder.as_array().unwrap().iter().find(|row| row["name"] == name).cloned().unwrap_or(Value::Null)
}

fn switch(site: Site, what: &str, on: bool) -> u16 {
    site.admin_post(&format!("contests/autumn/bots/1/{what}"), &json!({"on": on})).status
}

/// A version that differs from others by its number.
fn version(number: u32) -> String {
    format!("{PLAYS}# {number}\n")
}

#[test]
fn a_retired_bot_plays_when_its_team_activates_a_version() {
    let mut arena = Arena::with_contest(&json!({"games": 6}));
    let site = arena.site;
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    assert_eq!(switch(site, "retired", true), 409, "it has handed in no version");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.comes_back("Ann v1");
    assert_eq!(switch(site, "retired", true), 200);
    assert_eq!(ann.submit(&[("bot.sh", &version(2))])["isActive"], false);
    bob.submit(&[("bot.sh", &version(3))]);
    // Who leaves leaves before others come.
    bob.comes_back("Bob v1");
    assert!(row(site, "Ann").is_null() && row(site, "Bob").is_object());
    let bots = site.admin("GET", "contests/autumn/bots").json();
    assert_eq!((&bots[0]["isRetired"], &bots[0]["version"]), (&json!(true), &json!(2)), "{bots}");
    assert!(site.get("/c/autumn/bots/Ann").body.contains("has retired this bot"));

    arena.restart_with_contests();
    let site = arena.site;
    let mut events = site.events_at("/api/contests/autumn/events");
    assert!(row(site, "Ann").is_null());
    let token = format!("Bearer {}", ann.token);
    let activate = "/api/contests/autumn/bots/Ann/versions/1/activate";
    assert_eq!(site.ask("POST", activate, &[("Authorization", &token)], "").status, 200);
    events.until("entrant", |told| told["name"] == "Ann v1");
    assert_eq!(row(site, "Ann")["version"], 1);
    // The administrator takes it back as well.
    assert_eq!((switch(site, "retired", true), switch(site, "retired", false)), (200, 200));
    assert_eq!(site.admin("GET", "contests/autumn/bots").json()[0]["isRetired"], false);
}

#[test]
fn a_hidden_bot_is_shown_to_its_team_and_to_administrators_only() {
    let arena = Arena::with_contest(&json!({"games": 100_000, "baselines": []}));
    let site = arena.site;
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    ann.submit(&[("bot.sh", PLAYS)]);
    bob.submit(&[("bot.sh", &version(2))]);
    let game = bob.plays("Bob v1", 2)["id"].as_str().unwrap().to_owned();
    assert_eq!(switch(site, "hidden", true), 200);
    assert_eq!(site.get("/api/contests/autumn/bots/Ann").status, 404);
    let for_all = ["/api/contests/autumn", "/c/autumn", "/c/autumn/bots/Bob"].map(|path| site.get(path).body);
    assert!(for_all.iter().all(|body| !body.contains("Ann")), "{for_all:?}");
    assert!(for_all[2].contains("hidden") && row(site, "Bob")["wins"].is_u64(), "games against it count");
    for table in ["ladder.csv", "games.csv"] {
        let table = site.get(&format!("/api/contests/autumn/{table}"));
        assert!(table.status == 200 && table.body.contains("Bob") && !table.body.contains("Ann"), "{table:?}");
    }
    assert_eq!(site.get("/c/autumn/bots/Ann").status, 404);
    let replay = site.get(&format!("/c/autumn/games/{game}")).body;
    assert!(!replay.contains("Ann v1") && replay.contains("hidden"), "{}", replay.len());
    let game = bob.plays(HIDDEN, 1);
    assert!(game["names"].as_array().unwrap().contains(&json!("Bob v1")), "{game}");

    let in_as = |action: &str, cookie: &str, fields: &[(&str, &str)]| {
        let page = if cookie == "broadside_admin" { "/admin" } else { "/c/autumn" };
        let answer = site.form(page, action, fields, "");
        format!("{cookie}={}", answer.cookie(cookie).unwrap())
    };
    let team = in_as("/team/login", "broadside_team", &[("name", "Ann"), ("password", PASSWORD)]);
    let admin = in_as("/admin/login", "broadside_admin", &[("password", ADMIN)]);
    for cookies in [&team, &admin] {
        let page = site.ask("GET", "/c/autumn/bots/Ann", &[("Cookie", cookies)], "");
        assert!(page.status == 200 && page.body.contains("has hidden this bot"), "{page:?}");
    }
    assert_eq!(ann.ask("GET", "/1", b"").json()["state"], "accepted");
    // By the form on the page of the administrator.
    let page = "/admin/contests/autumn";
    let shown = site.form(page, "/admin/show", &[("contest", "autumn"), ("bot", "1")], &admin);
    assert_eq!((shown.status, shown.header("location")), (303, page));
    assert!(row(site, "Ann").is_object());
}

/// The name of a hidden bot.
const HIDDEN: &str = "hidden";

#[test]
fn a_bot_with_another_name_keeps_its_games_and_the_old_name_is_free() {
    let mut arena = Arena::with_contest(&json!({"games": 4}));
    let site = arena.site;
    let [mut ann, _bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 4);
    let rename = |name: &str| site.admin_post("bots/1/rename", &json!({ "name": name }));
    assert_eq!((rename("BOB").status, rename("").status), (409, 400));
    assert_eq!(rename("Deep Water").status, 200);
    let games = |row: Value| ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap()).iter().sum::<u64>();
    assert!(row(site, "Ann").is_null() && games(row(site, "Deep Water")) == 4);
    assert_eq!(site.get("/c/autumn/bots/Deep%20Water").status, 200);
    let token = format!("Bearer {}", ann.token);
    let versions = "/api/contests/autumn/bots/Deep%20Water/versions";
    assert_eq!(site.ask("GET", versions, &[("Authorization", &token)], "").status, 200);
    assert_eq!(site.register("Ann")["id"], "3");
    arena.restart_with_contests();
    assert_eq!(
        (arena.site.bot("Deep Water")["id"].clone(), arena.site.bot("Ann")["id"].clone()),
        (json!("1"), json!("3"))
    );
}
