//! The teams that may hand bots in: those with a code, or those on a list.

use crate::server::contest::{Entry, PLAYS, archive};
use crate::server::{Arena, PASSWORD};
use serde_json::json;

const CODE: &str = "kraken of 1805";

#[test]
fn a_team_gives_the_code_of_a_contest_with_its_first_version() {
    let mut arena = Arena::with_contest(&json!({"registration": "code", "code": CODE}));
    let site = arena.site;
    let ann = Entry::register(site, "Ann");
    let path = "/api/contests/autumn/bots/Ann/versions";
    let token = format!("Bearer {}", ann.token);
    let submit = |code: Option<&str>, number: u32| {
        let mut headers = vec![("Authorization", token.as_str()), ("Content-Type", "application/gzip")];
        headers.extend(code.map(|code| ("X-Contest-Code", code)));
        let bytes = archive(&[("bot.sh", &format!("{PLAYS}# {number}\n"))]);
        let answer = site.ask_bytes("POST", path, &headers, &bytes);
        (answer.status, answer.json()["error"].as_str().unwrap_or_default().to_owned())
    };
    let (status, error) = submit(None, 1);
    assert!(status == 403 && error.contains("this contest has a code"), "{error}");
    let (status, error) = submit(Some("open sesame"), 1);
    assert!(status == 403 && error.contains("is wrong"), "{error}");
    // The page of the bot asks for it.
    let log_in = site.form("/c/autumn", "/team/login", &[("name", "Ann"), ("password", PASSWORD)], "");
    let cookies = format!("broadside_team={}", log_in.cookie("broadside_team").unwrap());
    let asks = || site.ask("GET", "/c/autumn/bots/Ann", &[("Cookie", &cookies)], "").body.contains("name=\"code\"");
    assert!(asks());
    assert_eq!(submit(Some(CODE), 1).0, 201);
    assert_eq!(submit(None, 2).0, 201, "it has given the code before");
    assert!(!asks());
    for path in ["/api/contests", "/api/contests/autumn", "/c/autumn", "/c/autumn/bots/Ann", "/metrics", "/"] {
        assert!(!site.get(path).body.contains("kraken"), "{path}");
    }
    arena.restart_with_contests();
    let headers = [("Authorization", token.as_str()), ("Content-Type", "application/gzip")];
    let bytes = archive(&[("bot.sh", PLAYS), ("third.txt", "")]);
    assert_eq!(arena.site.ask_bytes("POST", path, &headers, &bytes).status, 201);
}

#[test]
fn only_teams_on_the_list_of_a_contest_hand_bots_in() {
    let list = |names: &[&str]| json!({"registration": "list", "teams": names});
    let arena = Arena::with_contest(&list(&["ANN"]));
    let site = arena.site;
    let [mut ann, bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    assert_eq!(ann.submit(&[("bot.sh", PLAYS)])["state"], "accepted");
    let refused = bob.ask("POST", "", &archive(&[("bot.sh", PLAYS)]));
    assert_eq!(refused.status, 403);
    assert_eq!(refused.error(), "your team is not on the list of this contest; the organiser has it");
    let contest = site.get("/api/contests/autumn");
    assert!(!contest.body.contains("ANN") && contest.json()["settings"]["registration"] == "list", "{contest:?}");
    let mut settings =
        json!({"name": "autumn", "title": "Autumn", "game": "entelect-2017", "settings": {"size": "small"}});
    for (key, value) in list(&["Ann", "Bob"]).as_object().unwrap() {
        settings[key] = value.clone();
    }
    assert_eq!(site.admin_post("contests", &settings).status, 200);
    assert_eq!(bob.ask("POST", "", &archive(&[("bot.sh", PLAYS)])).status, 201);
}
