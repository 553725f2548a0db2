//! Matches of people against the house bot.

use crate::browser::Chromium;
use crate::server::{Arena, TestBot};
use serve::SettingsChange;
use std::fs;

fn arena() -> Arena {
    Arena::with(SettingsChange { house_play: Some(true), ..SettingsChange::default() })
}

#[test]
fn nobody_plays_against_the_house_bot_unless_the_organiser_allows_it() {
    let arena = Arena::start();
    assert_eq!(arena.site.get("/play").status, 404);
    assert_eq!(arena.site.form("/", "/play", &[], "").status, 404);
    assert!(!arena.site.get("/").body.contains("/play"));
    let changed = arena.site.ask(
        "POST",
        "/api/admin/settings",
        &[("X-Admin-Password", crate::server::ADMIN), ("Content-Type", "application/json")],
        r#"{"housePlay":true}"#,
    );
    assert_eq!(changed.status, 200, "{changed:?}");
    assert!(arena.site.get("/").body.contains("href=\"/play\""));
    assert_eq!(arena.site.get("/play").status, 200);
}

#[test]
fn a_visitor_plays_against_the_house_bot_and_it_counts_for_nothing() {
    let arena = arena();
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot)]);
    Chromium::run(|chromium| {
        let tab = chromium.open(&format!("http://{}/", arena.site.0));
        tab.reach("a[href='/play']");
        tab.press("Enter");
        tab.arrive("location.pathname === '/play' && document.readyState === 'complete'");
        tab.assert_accessible();
        tab.reach("form button");
        tab.press("Enter");
        tab.arrive("document.body.dataset.asked === 'place'");
        tab.reach("#random");
        tab.press("Enter");
        tab.until("document.querySelectorAll('#tray .placed').length === 10");
        tab.reach("#ready");
        tab.press("Enter");
        tab.until("document.body.dataset.asked === 'order'");
        tab.reach(".target .choice");
        tab.press("Enter");
        tab.until("document.querySelector('#result').textContent.includes('fired at 0, ')");
        tab.until("document.body.dataset.asked === 'order'");
        tab.reach("#resign");
        tab.press("Enter");
        tab.reach("#resigned");
        tab.press("Enter");
        tab.until("document.querySelector('#task-title').textContent === 'You lose' && !document.querySelector('#save').hidden");
        tab.assert_calm();
    });
    let journal = fs::read_to_string(arena.folder.path().join(serve::ARENA_JSONL)).unwrap();
    assert!(!journal.contains("house bot") && !journal.contains("\"match\""), "{journal}");
    assert_eq!(arena.site.get("/api/matches").json(), serde_json::json!([]));
}

#[test]
fn a_link_is_a_secret_of_its_match_and_an_address_cannot_begin_matches_without_end() {
    let arena = arena();
    let begun: Vec<_> = (0..21).map(|_| arena.site.form("/play", "/play", &[], "")).collect();
    let links: Vec<&str> =
        begun.iter().map(|answer| answer.header("location")).filter(|link| !link.is_empty()).collect();
    assert_eq!((links.len(), begun[20].status), (20, 429), "{:?}", begun[20]);
    assert!(links.iter().all(|link| link.len() == "/play//".len() + 32 && !links[1..].contains(&links[0])));
    let page = arena.site.get(links[0]);
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert_eq!(arena.site.get(&format!("/play/{}/", "0".repeat(32))).status, 404);
    let order = format!("{}order", links[0]);
    let from_elsewhere = arena.site.ask(
        "POST",
        &order,
        &[("Content-Type", "application/json"), ("Origin", "http://evil.example")],
        r#"{"ask":2,"act":"resign"}"#,
    );
    assert_eq!(from_elsewhere.status, 403);
    // Without the token of the form, no match begins.
    assert_eq!(arena.site.ask("POST", "/play", &[], "").status, 403);
}
