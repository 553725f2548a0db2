//! Matches of people against the bots of a contest.

use crate::browser::Chromium;
use crate::server::Arena;
use crate::server::contest::{Entry, PLAYS};
use serde_json::json;

#[test]
fn nobody_plays_against_the_bots_of_a_contest_unless_its_organiser_allows_it() {
    let arena = Arena::with_contest(&json!({}));
    assert_eq!(arena.site.get("/c/autumn/play").status, 404);
    assert_eq!(arena.site.form("/c/autumn", "/c/autumn/play", &[("against", "builtin:random")], "").status, 404);
    assert!(!arena.site.get("/c/autumn").body.contains("/c/autumn/play"));
    let arena = Arena::with_contest(&json!({"people": true, "baselines": []}));
    assert!(arena.site.get("/c/autumn/play").body.contains("nobody to play against yet"));
    assert_eq!(arena.site.get("/c/winter/play").status, 404);
}

#[test]
fn a_visitor_plays_against_a_bot_that_was_handed_in_and_it_counts_for_nothing() {
    let arena = Arena::with_contest(&json!({"people": true}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 4);
    let gone = arena.site.form("/c/autumn/play", "/c/autumn/play", &[("against", "Ann v2")], "");
    assert!(gone.status == 404 && gone.body.contains("does not play any more"), "{gone:?}");
    Chromium::run(|chromium| {
        let tab = chromium.open(&format!("http://{}/c/autumn", arena.site.0));
        tab.reach("a[href='/c/autumn/play']");
        tab.press("Enter");
        tab.arrive("location.pathname === '/c/autumn/play' && document.readyState === 'complete'");
        tab.assert_accessible();
        for opponent in ["builtin:random", "Ann v1"] {
            if opponent == "Ann v1" {
                let _: String = tab.value("location.pathname = '/c/autumn/play'");
                tab.arrive("document.querySelector('#against') !== null && document.readyState === 'complete'");
            }
            tab.reach("#against");
            tab.write(opponent);
            assert_eq!(tab.value::<String>("document.querySelector('#against').value"), opponent);
            tab.reach("form button");
            tab.press("Enter");
            tab.arrive("document.body.dataset.asked === 'place'");
            tab.reach("#random");
            tab.press("Enter");
            tab.until("document.querySelectorAll('#tray .placed').length === 5");
            tab.reach("#ready");
            tab.press("Enter");
            tab.until("document.body.dataset.asked === 'order'");
            assert!(tab.value::<String>("document.body.innerText").contains(opponent));
            tab.reach("#resign");
            tab.press("Enter");
            tab.reach("#resigned");
            tab.press("Enter");
            tab.until("document.querySelector('#task-title').textContent === 'You lose'");
        }
        tab.assert_calm();
    });
    assert_eq!(arena.site.get("/api/contests/autumn").json()["games"], 4);
}
