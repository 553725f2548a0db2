//! Moderators: what they may do, and what is kept of who did it.

use crate::server::site::Answer;
use crate::server::{ADMIN, Arena, Site};
use serde_json::{Value, json};

/// The password of the moderator.
const SECRET: &str = "ahoy there";

/// The routes of the administration, with a body that is taken, and if a moderator may use them.
fn table() -> Vec<(&'static str, &'static str, Value, bool)> {
    let autumn = json!({"name": "autumn", "title": "Autumn", "game": "entelect-2017"});
    vec![
        ("get", "status", json!(null), true),
        ("get", "history", json!(null), true),
        ("get", "settings", json!(null), true),
        ("get", "audit", json!(null), true),
        ("get", "moderators", json!(null), false),
        ("post", "moderators", json!({"name": "Eve", "password": "another one"}), false),
        ("post", "moderators/{name}/remove", json!(null), false),
        ("post", "bots/{id}/password", json!({"password": "hunter43"}), true),
        ("post", "bots/{id}/rename", json!({"name": "Ann"}), true),
        ("post", "bots/{id}/remove", json!(null), false),
        ("post", "tournament/start", json!(null), false),
        ("post", "tournament/pause", json!(null), true),
        ("post", "tournament/resume", json!(null), true),
        ("post", "tournament/end", json!(null), false),
        ("post", "matches/{id}/skip", json!(null), true),
        ("post", "matches/void", json!({"from": 1}), false),
        ("post", "final", json!({"entrants": 2, "bestOf": 1}), false),
        ("post", "final/cancel", json!(null), false),
        ("post", "history/clear", json!(null), false),
        ("post", "settings", json!({}), false),
        ("post", "contests", autumn, false),
        ("get", "contests/{contest}/bots", json!(null), true),
        ("get", "contests/{contest}/submissions.csv", json!(null), true),
        ("get", "contests/{contest}/marks.csv", json!(null), false),
        ("get", "contests/{contest}/marks.json", json!(null), false),
        ("get", "contests/{contest}/marks.tar.gz", json!(null), false),
        ("post", "contests/{contest}/bots/{id}/retired", json!({"on": true}), true),
        ("post", "contests/{contest}/bots/{id}/hidden", json!({"on": true}), true),
        ("post", "contests/{contest}/ranked", json!({"on": false}), true),
        ("post", "contests/{contest}/announcement", json!({"text": "Ahoy"}), true),
        ("post", "contests/{contest}/tournaments", json!({"format": "round-robin", "games": 2}), false),
        ("post", "contests/{contest}/tournaments/{number}/end", json!(null), false),
        ("post", "contests/{contest}/final", json!({"entrants": 2, "bestOf": 1}), false),
        ("post", "contests/{contest}/final/cancel", json!(null), false),
        ("post", "contests/{contest}/void", json!({"bot": "Ann"}), true),
    ]
}

/// Sends a request with the name and the password of the moderator.
fn ask(site: Site, method: &str, path: &str, body: &Value) -> Answer {
    let headers = [("X-Admin-Name", "bob"), ("X-Admin-Password", SECRET), ("Content-Type", "application/json")];
    let path =
        path.replace("{name}", "Bob").replace("{id}", "1").replace("{contest}", "autumn").replace("{number}", "1");
    site.ask(&method.to_uppercase(), &format!("/api/admin/{path}"), &headers, &body.to_string())
}

/// The last actions without their times, the newest first.
fn audit(site: Site) -> Vec<[String; 3]> {
    let all = site.admin("GET", "audit").json();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    all.as_array().unwrap().iter().map(|entry| ["by", "action", "of"].map(|key| text(entry, key))).collect()
}

#[test]
fn a_moderator_who_wants_more_is_refused_everywhere() {
    let arena = Arena::with_contest(&json!({}));
    let site = arena.site;
    site.register("Ann");
    assert_eq!(site.admin_post("moderators", &json!({"name": "Bob", "password": "short"})).status, 400);
    assert_eq!(site.admin_post("moderators", &json!({"name": "Administrator", "password": SECRET})).status, 409);
    assert_eq!(site.admin_post("moderators", &json!({"name": "Bob", "password": SECRET})).status, 200);

    let described = site.get("/api/openapi.json").json();
    let mut routes = Vec::new();
    for (path, methods) in described["paths"].as_object().unwrap() {
        if let Some(path) = path.strip_prefix("/api/admin/") {
            routes.extend(methods.as_object().unwrap().keys().map(|method| (method.clone(), path.to_owned())));
        }
    }
    let mut known: Vec<_> = table().iter().map(|(method, path, ..)| (method.to_string(), path.to_string())).collect();
    routes.sort();
    known.sort();
    assert_eq!(routes, known, "each route of the administration is in the table");

    for (method, path, body, may) in table() {
        let answer = ask(site, method, path, &body);
        assert_eq!((answer.status == 403, answer.status == 401), (!may, false), "{method} {path}: {answer:?}");
    }
    assert!(site.bot("Ann").is_object() && site.admin("GET", "moderators").json() == json!(["Bob"]));
    let mut done = audit(site);
    done.retain(|[by, ..]| by == "Bob");
    let entry = |action: &str, of: &str| ["Bob", action, of].map(str::to_owned);
    let expected = [
        entry("announce", "contest autumn"),
        entry("switch-ranked", "off in contest autumn"),
        entry("rename-bot", "Ann (bot 1) to Ann"),
        entry("reset-password", "Ann (bot 1)"),
    ];
    assert_eq!(done, expected, "what changed nothing is not in it");

    // By the forms as well, and the page has no buttons for what is refused.
    let log_in = site.form("/admin", "/admin/login", &[("name", "Bob"), ("password", SECRET)], "");
    let cookies = format!("broadside_admin={}", log_in.cookie("broadside_admin").unwrap());
    let page = site.ask("GET", "/admin", &[("Cookie", &cookies)], "").body;
    for (action, fields, may) in [
        ("start", vec![], false),
        ("end", vec![], false),
        ("void", vec![("sure", "yes"), ("from", "1")], false),
        ("final", vec![("entrants", "2"), ("bestOf", "1")], false),
        ("final-cancel", vec![], false),
        ("remove", vec![("bot", "1")], false),
        ("clear", vec![("sure", "yes")], false),
        ("settings", vec![("profile", "classic")], false),
        ("moderator", vec![("name", "Eve"), ("password", "another one")], false),
        ("moderator-remove", vec![("name", "Bob")], false),
        ("contests", vec![("contest", "autumn"), ("title", "x"), ("game", "entelect-2017")], false),
        ("announce", vec![("contest", "autumn"), ("text", "Ahoy again")], true),
        ("password", vec![("bot", "1"), ("password", "hunter44")], true),
    ] {
        let sent = site.form("/admin", &format!("/admin/{action}"), &fields, &cookies);
        assert_eq!(sent.status, if may { 303 } else { 403 }, "{action}: {sent:?}");
        assert_eq!(page.contains(&format!("action=\"/admin/{action}\"")), may, "{action}");
    }
    assert_eq!(site.ask("GET", "/admin/contests", &[("Cookie", &cookies)], "").status, 403);
}

#[test]
fn the_journal_names_who_acted_and_a_removed_moderator_is_out_at_once() {
    let mut arena = Arena::with_contest(&json!({}));
    let site = arena.site;
    let set = |password: &str| site.admin_post("moderators", &json!({"name": "Bob", "password": password})).status;
    assert_eq!(set(SECRET), 200);
    let log_in = |password: &str| {
        let answer = site.form("/admin", "/admin/login", &[("name", "BOB"), ("password", password)], "");
        answer.cookie("broadside_admin").map(|token| format!("broadside_admin={token}"))
    };
    let is_in = |cookies: &str| {
        let page = site.ask("GET", "/admin", &[("Cookie", cookies)], "").body;
        page.contains("Last actions")
    };
    assert_eq!(log_in("wrong password"), None);
    let [one, other] = [SECRET, SECRET].map(|password| log_in(password).unwrap());
    assert!(is_in(&one) && is_in(&other));
    assert_eq!(ask(site, "post", "contests/autumn/announcement", &json!({"text": "Ahoy"})).status, 200);
    assert_eq!(set("another one"), 200);
    assert!(!is_in(&one) && !is_in(&other), "log-ins with the old password end");
    let one = log_in("another one").unwrap();
    assert_eq!(ask(site, "get", "status", &json!(null)).status, 401);
    assert_eq!(set(SECRET), 200);
    assert!(!is_in(&one));
    let one = log_in(SECRET).unwrap();
    assert_eq!(site.admin("POST", "moderators/bob/remove").status, 200);
    assert!(!is_in(&one));
    assert_eq!(ask(site, "get", "status", &json!(null)).status, 401);
    assert_eq!(site.admin("POST", "moderators/bob/remove").status, 404);

    let expected = [
        ["administrator", "remove-moderator", "bob"],
        ["administrator", "set-moderator", "Bob"],
        ["administrator", "set-moderator", "Bob"],
        ["Bob", "announce", "contest autumn"],
        ["administrator", "set-moderator", "Bob"],
    ];
    assert_eq!(audit(site), expected);
    let page = site.form("/admin", "/admin/login", &[("password", ADMIN)], "");
    let cookies = format!("broadside_admin={}", page.cookie("broadside_admin").unwrap());
    let page = site.ask("GET", "/admin", &[("Cookie", &cookies)], "").body;
    assert!(page.contains("Bob announced something in contest autumn"), "{page}");
    arena.restart_with_contests();
    assert_eq!(audit(arena.site), expected);
    let journal = std::fs::read_to_string(arena.folder.path().join("arena.jsonl")).unwrap();
    assert!(!journal.contains(SECRET) && !journal.contains("another one"), "passwords are hashed");
}
