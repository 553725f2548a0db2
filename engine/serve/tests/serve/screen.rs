//! The big screen in a real browser: the page before the start, sizes of text, what comes next, and the overlay.

use crate::browser::{Chromium, Tab};
use crate::server::{Arena, TestBot, Way};
use serde_json::{Value, json};
use serve::SettingsChange;

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

/// A match that stops after some moves, so that a screen stays in the middle of it.
fn stopped(arena: &Arena, names: [&str; 2]) -> [TestBot; 2] {
    let bots = [TestBot::plays(), TestBot::start(Way::HangsAfter(6))];
    arena.join(&[(names[0], &bots[0]), (names[1], &bots[1])]);
    bots
}

fn patient(pace: u64) -> SettingsChange {
    SettingsChange { limit: Some(60_000), pace: Some(pace), ..SettingsChange::default() }
}

/// Texts that are in sight and smaller than 28 pixels. The sizes of texts in drawings are those on the screen.
const SMALL_TEXTS: &str = "(() => {
      const small = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || element.closest('.unseen, .skip, script, noscript, title')) continue;
        if (!element.checkVisibility({ visibilityProperty: true }) || element.getBoundingClientRect().width === 0) continue;
        const scale = element.ownerSVGElement ? element.getScreenCTM().a : 1;
        const size = parseFloat(getComputedStyle(element).fontSize) * scale;
        if (size < 28) small.push(`${node.data.trim()}: ${size.toFixed(1)}`);
      }
      return small;
    })()";

/// Everything that sticks out of the window.
const OUTSIDE: &str = "[...document.querySelectorAll('.top > *, main > *, .board > *, #call > *, .ranks > *, .below > *, .remote > *, .invitation > *, .crowd > *')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches('.unseen'))
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, box]) => box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      .map(([element]) => element.id || element.className)";

pub(crate) fn assert_large(screen: &Tab<'_>) {
    assert_eq!(screen.value::<Vec<String>>(SMALL_TEXTS), Vec::<String>::new());
    assert_eq!(screen.value::<Vec<String>>(OUTSIDE), Vec::<String>::new());
}

/// The sum of all layout shifts stays below a value that nobody sees.
fn assert_still(screen: &Tab<'_>) {
    let shifts = screen.layout_shifts();
    assert!(shifts.iter().map(|(far, _)| far).sum::<f64>() < 0.01, "{shifts:?}");
}

#[test]
fn before_the_start_the_screen_invites_and_shows_the_teams_as_they_come() {
    let arena = Arena::with(patient(1));
    Chromium::run(|chromium| {
        let address = format!("http://{}", arena.site.0);
        let screen = chromium.open(&format!("{address}/view"));
        screen.resize(1920, 1080);
        assert_eq!(screen.value::<String>("document.querySelector('.address').textContent"), address);
        let code = "document.querySelector('.qr').getBoundingClientRect().height";
        assert!(screen.value::<f64>(code) > 300.0);
        assert!(
            screen.value::<bool>("document.querySelector('#match').hidden && document.querySelector('aside').hidden")
        );
        arena.site.register("Ann");
        arena.site.register(HOSTILE);
        let teams = "[...document.querySelectorAll('#teams li')].map((team) => team.textContent)";
        screen.until("document.querySelectorAll('#teams li').length === 2");
        assert_eq!(screen.value::<Vec<String>>(teams), ["Ann", HOSTILE]);
        assert_eq!(screen.value::<String>("document.querySelector('#team-count').textContent"), "2");
        for number in 0..34 {
            arena.site.register(&format!("A team of many letters {number}"));
        }
        screen.until("document.querySelector('#team-count').textContent === '36'");
        assert_large(&screen);
        assert_still(&screen);
        // The newest teams are in sight.
        assert_eq!(
            screen.value::<String>("document.querySelector('#teams').lastElementChild.textContent"),
            "A team of many letters 33"
        );

        let _bots = stopped(&arena, ["Cid", "Dan"]);
        arena.site.admin("POST", "tournament/start");
        screen.until("document.querySelector('#joining').hidden && document.body.dataset.moment >= 10");
        assert_eq!(
            screen.value::<String>("document.querySelector('#title').textContent"),
            "Tournament 1 · match 1 of 1"
        );
        screen.assert_calm();
    });
}

#[test]
fn all_texts_of_a_match_are_large_and_nothing_moves() {
    let arena = Arena::with(patient(2));
    Chromium::run(|chromium| {
        let screen = chromium.open(&format!("http://{}/view", arena.site.0));
        screen.resize(1920, 1080);
        let _bots = stopped(&arena, [&"W".repeat(32), &"i j".repeat(10)]);
        arena.site.admin("POST", "tournament/start");
        screen.until("document.body.dataset.moment >= 3");
        let kinds: String = screen.value("document.querySelector('#kinds').innerText.replaceAll('\\n', ' ')");
        assert_eq!(kinds, "F fourdeck B battleship T threeship S submarine W twoship O oneship");
        let cut = "[...document.querySelectorAll('.board :is(h3 .name, dd, dt), .ranks .name')]
            .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > part.closest('.board, .ranks').getBoundingClientRect().right)
            .map((part) => part.textContent)";
        assert_eq!(screen.value::<Vec<String>>(cut), [""; 0]);
        let lines =
            "[...document.querySelectorAll('.facts')].every((facts) => facts.scrollHeight <= facts.clientHeight + 1)";
        assert!(screen.value::<bool>(lines));
        let before: f64 = screen.layout_shifts().iter().map(|(far, _)| far).sum();
        screen.until("document.body.dataset.moment >= 12");
        let after: f64 = screen.layout_shifts().iter().map(|(far, _)| far).sum();
        assert!(after - before < 0.01, "{:?}", screen.layout_shifts());
        assert_large(&screen);
        for (key, dialog) in [("?", "#keys"), ("m", "#list")] {
            screen.press(key);
            screen.until(&format!("document.querySelector('{dialog}').open"));
            if key == "?" {
                let signs: String = screen.value("document.querySelector('#legend').innerText");
                let all = ["ship seen by radar", "radar looked here", "armour hit, holds", "hit, ship not known"];
                assert!(all.iter().all(|sign| signs.contains(sign)), "{signs}");
            }
            assert_eq!(screen.value::<Vec<String>>(SMALL_TEXTS), Vec::<String>::new());
            screen.press("Escape");
            screen.until(&format!("!document.querySelector('{dialog}').open"));
        }
        screen.assert_calm();
    });
}

#[test]
fn live_is_lit_only_while_the_newest_move_is_shown() {
    let arena = Arena::with(patient(1));
    let lit = "document.querySelector('#live').ariaPressed === 'true'";
    Chromium::run(|chromium| {
        let screen = chromium.open(&format!("http://{}/view", arena.site.0));
        assert!(!screen.value::<bool>(lit), "no match is played");
        let bots = stopped(&arena, ["Ann", "Bob"]);
        let mut events = arena.site.events(None);
        arena.site.admin("POST", "tournament/start");
        screen.until(lit);
        screen.press("ArrowLeft");
        screen.until(&format!("!({lit})"));
        screen.press("l");
        screen.until(lit);
        screen.press(" ");
        screen.until(&format!("!({lit})"));
        screen.press(" ");
        screen.until(lit);
        arena.site.admin("POST", "tournament/pause");
        // The bot that does not answer is removed, so the match is broken off.
        arena.site.admin("POST", "bots/2/remove");
        events.one("match-over");
        screen.until(&format!("!({lit}) && !document.querySelector('#winner').hidden"));
        assert!(screen.value::<String>("document.querySelector('#remark').textContent").contains("Paused."));
        drop(bots);
        screen.assert_calm();
    });
}

#[test]
fn the_leaderboard_waits_for_the_end_of_the_match_on_the_screen() {
    let arena = Arena::with(patient(60_000));
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot), ("Bob", &bot)]);
    let mut events = arena.site.events(None);
    Chromium::run(|chromium| {
        let screen = chromium.open(&format!("http://{}/view", arena.site.0));
        screen.until("document.querySelector('#connection').hidden");
        arena.site.admin("POST", "tournament/start");
        let begun = events.one("match-begun");
        arena.site.admin("POST", "tournament/pause");
        events.until("match-over", |over| over["match"] == begun["match"]);
        events.one("leaderboard");
        let rows = "[...document.querySelectorAll('.ranks tbody tr')].map((row) => [...row.cells].slice(-3).map((cell) => Number(cell.textContent)))";
        let sum = |screen: &Tab<'_>| screen.value::<Vec<Vec<u32>>>(rows).concat().iter().sum::<u32>();
        let is_over = "!document.querySelector('#winner').hidden";
        let remark = || screen.value::<String>("document.querySelector('#remark').textContent");
        while !screen.value::<bool>(is_over) {
            assert_eq!(sum(&screen), 0);
            assert!(!remark().contains("is over"), "{}", remark());
            screen.press("ArrowRight");
        }
        screen.until(&format!("{rows}.flat().reduce((sum, games) => sum + games, 0) === 2"));
        screen.assert_calm();
    });
}

#[test]
fn next_is_really_next_without_parked_bots() {
    let arena = Arena::with(patient(0));
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot), ("Bob", &bot), ("Cid", &bot), ("Dan", &bot)]);
    arena.site.register("Eve");
    arena.site.set_url("Eve", &TestBot::nobody());
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    // The bot is parked in the first tournament, so all four of its matches are left out of the second one.
    let told = events.until("tournament", |told| told["number"] == 2 && told["played"] == 0).data;
    assert_eq!((&told["leftOut"], &told["now"]), (&json!(4), &json!([])));
    let next = told["next"].as_array().unwrap().clone();
    assert!(next.iter().all(|pairing| !pairing.to_string().contains("Eve")), "{told}");
    // The matches come in the order that was told.
    let mut seen: Vec<Value> = Vec::new();
    while seen.len() < next.len() {
        seen.push(events.one("match-begun")["names"].clone());
    }
    assert_eq!(seen, next);
}

#[test]
fn the_first_three_stay_while_the_others_are_shown_in_turns() {
    let arena = Arena::with(SettingsChange { pause_match: Some(600_000), ..patient(0) });
    let bot = TestBot::plays();
    for number in 1..=30 {
        arena.join(&[(&format!("bot {number:02}"), &bot)]);
    }
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.one("match-over");
    Chromium::run(|chromium| {
        let screen = chromium.open_sped_up(&format!("http://{}/view", arena.site.0), 8);
        screen.resize(1920, 1080);
        let rows = |body: &str| {
            screen.value::<Vec<String>>(&format!(
                "[...document.querySelectorAll('{body} th')].map((name) => name.textContent)"
            ))
        };
        screen.until("document.querySelector('.ranks .note').textContent !== ''");
        let first = rows("#first-three");
        // A busy machine may miss some turns of the rows; they come again.
        screen.until(
            "(window.seen ??= new Set(), \
             window.firsts ??= new Set(), \
             window.firsts.add(document.querySelector('#first-three').textContent), \
             document.querySelectorAll('#others th').forEach((name) => window.seen.add(name.textContent)), \
             window.seen.size >= 25)",
        );
        assert_eq!((rows("#first-three"), screen.value::<u32>("window.firsts.size")), (first.clone(), 1));
        let all: Vec<String> = screen.value("[...window.seen]");
        assert!(first.len() == 3 && first.iter().all(|name| !all.contains(name)), "{all:?}");
        screen.press("a");
        screen.until("document.querySelector('#ranks-title').textContent === 'All matches'");
        screen.assert_calm();
    });
}

#[test]
fn the_overlay_has_nothing_behind_its_parts() {
    let arena = Arena::with(patient(1));
    Chromium::run(|chromium| {
        let overlay = chromium.open(&format!("http://{}/overlay", arena.site.0));
        overlay.resize(1920, 360);
        let clear = "[document.documentElement, document.body].every((part) => getComputedStyle(part).backgroundColor === 'rgba(0, 0, 0, 0)')";
        assert!(overlay.value::<bool>(clear) && overlay.value::<bool>("document.querySelector('#match').hidden"));
        let _bots = stopped(&arena, [HOSTILE, "Bob"]);
        arena.site.admin("POST", "tournament/start");
        overlay.until("document.body.dataset.moment >= 12");
        let score: String = overlay.value("document.querySelector('#score').innerText");
        assert!(score.contains(HOSTILE) && score.contains("Bob") && score.contains(" : "), "{score}");
        assert!(overlay.value::<String>("document.querySelector('#deed').textContent").contains("fired at"));
        assert!(overlay.value::<bool>(
            "document.documentElement.scrollHeight <= 360 && document.documentElement.scrollWidth <= 1920"
        ));
        for scheme in ["light", "dark"] {
            overlay.prefers(&[("prefers-color-scheme", scheme)]);
            assert!(overlay.value::<bool>(clear));
        }
        overlay.assert_calm();
    });
}

#[test]
fn the_screen_is_light_or_dark_as_the_visitor_prefers_or_the_address_says() {
    let arena = Arena::start();
    Chromium::run(|chromium| {
        let colours = |query: &str, prefers: &str| {
            let screen = chromium.open(&format!("http://{}/view{query}", arena.site.0));
            screen.prefers(&[("prefers-color-scheme", prefers)]);
            let look = "['--paper', 'color-scheme'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))";
            let found = screen.value::<Vec<String>>(look);
            screen.assert_calm();
            screen.command("Page.close", json!({}));
            found
        };
        let [light, dark] = [("#f4f0e6", "light"), ("#050c13", "dark")];
        assert_eq!(colours("", "light")[0], light.0);
        assert_eq!(colours("", "dark")[0], dark.0);
        for (query, (paper, scheme)) in [("?theme=light", light), ("?theme=dark", dark)] {
            for prefers in ["light", "dark"] {
                assert_eq!(colours(query, prefers), [paper, scheme], "{query} {prefers}");
            }
        }
        assert_eq!(colours("?theme=pink", "dark")[0], dark.0);
    });
}
