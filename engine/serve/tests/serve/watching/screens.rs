//! The big screen of a contest and its overlay in a real browser, and the streams behind them.

use crate::accessibility::check;
use crate::browser::{Chromium, Tab};
use crate::screen::assert_large;
use crate::server::contest::{Entry, PLAYS};
use crate::server::{ADMIN, Arena};
use serde_json::{Value, json};

/// The names on the boards.
const NAMES: &str = "[...document.querySelectorAll('.board h3 bdi')].map((name) => name.textContent)";

fn is_over(screen: &Tab<'_>) {
    screen.until("!document.querySelector('#winner').hidden");
}

#[test]
fn the_screen_of_a_contest_shows_the_games_that_were_just_played_beside_the_ladder() {
    let arena = Arena::with_contest(&json!({}));
    let site = arena.site;
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    assert_eq!(site.ask("POST", "/api/admin/settings", &headers, &json!({"pace": 1}).to_string()).status, 200);
    Chromium::run(|chromium| {
        let address = format!("http://{}/c/autumn", site.0);
        let screen = chromium.open(&format!("{address}/view"));
        screen.resize(1920, 1080);
        assert!(screen.value::<String>("document.querySelector('#boards').textContent").contains("Waiting"));
        assert_eq!(screen.value::<String>("document.querySelector('.door .address').textContent"), address);
        let code = "document.querySelector('.door .qr').getBoundingClientRect().height";
        screen.until(&format!("innerWidth === 1920 && {code} > 150"));
        screen.until("document.querySelector('#connection').hidden");

        // A game that was played while the screen is open.
        let mut ann = Entry::register(site, "Ann");
        ann.submit(&[("bot.sh", PLAYS)]);
        screen.until(&format!("{NAMES}.includes('Ann v1')"));
        assert!(screen.value::<String>("document.querySelector('#title').textContent").starts_with("Autumn · game "));
        is_over(&screen);
        ann.plays("Ann v1", 4);
        screen
            .until("[...document.querySelectorAll('#ladder tbody tr')].some((row) => /Ann.*±/.test(row.textContent))");
        assert_large(&screen);

        // The screen goes on with the newest version by itself.
        ann.submit(&[("bot.sh", &[PLAYS, "# another\n"].concat())]);
        screen.until(&format!("{NAMES}.includes('Ann v2')"));
        screen.press("m");
        screen.until("document.querySelectorAll('#matches a').length > 4");
        screen.assert_calm();

        // One that is opened later begins with the last game, and shows a game in its address.
        let later = chromium.open(&format!("{address}/view"));
        later.until(&format!("!document.querySelector('#again').hidden && {NAMES}.includes('Ann v2')"));
        later.assert_calm();
        let games = site.get("/api/contests/autumn/games?most=100").json();
        let first = games.as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
        later.visit(&format!("#game={first}"));
        later.until(&format!("document.querySelector('#title').textContent.endsWith('game {first}')"));
        check(&later);
        check(&screen);

        let overlay = chromium.open(&format!("{address}/overlay"));
        overlay.resize(1920, 360);
        overlay.until("!document.querySelector('#match').hidden && document.body.dataset.moment >= 12");
        let score: String = overlay.value("document.querySelector('#score').innerText");
        assert!(score.contains("Ann v2") && score.contains(" : "), "{score}");
        assert!(overlay.value::<bool>(
            "document.documentElement.scrollHeight <= 360 && document.documentElement.scrollWidth <= 1920"
        ));
        overlay.assert_calm();
    });
}

#[test]
fn only_games_whose_records_are_kept_are_listed_and_streamed() {
    let mut arena = Arena::with_contest(&json!({"games": 6, "keepRecords": 2}));
    let site = arena.site;
    let mut ann = Entry::register(site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    let last = ann.plays("Ann v1", 6);
    let games = site.get("/api/contests/autumn/games").json();
    let ids: Vec<&Value> = games.as_array().unwrap().iter().map(|game| &game["id"]).collect();
    assert_eq!((ids.len(), ids[0]), (2, &last["id"]), "{games}");
    assert_eq!(games[0], last);
    assert_eq!(site.get("/api/contests/autumn/games?most=1").json().as_array().unwrap().len(), 1);
    assert_eq!(site.get("/api/contests/autumn/games?most=many").status, 400);
    for id in ids {
        let mut events = site.events_at(&format!("/c/autumn/games/{}/events", id.as_str().unwrap()));
        assert_eq!(events.one("setup")["names"].as_array().unwrap().len(), 2);
        assert_eq!(events.one("over")["finished"], true);
    }
    for missing in ["1-0-00000", "..", "1-0-99999"] {
        assert_eq!(site.get(&format!("/c/autumn/games/{missing}/events")).status, 404, "{missing}");
    }
    for path in ["/c/winter/view", "/c/winter/overlay", "/c/winter/events", "/api/contests/winter/games"] {
        assert_eq!(site.get(path).status, 404, "{path}");
    }
    // The same after a restart.
    arena.restart().unwrap();
    assert_eq!(arena.site.get("/api/contests/autumn/games").json(), games);
}
