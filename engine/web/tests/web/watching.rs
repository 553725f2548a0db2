//! The saved page as somebody watches it: it starts by itself, does not tell the end before it comes, and keeps still.

use crate::browser::{Chromium, SavedPage, Tab};
use crate::matches::{Brain, about, match_history, sea_battle};
use arena::MatchHistory;
use rules::entelect_2017::MapSize;
use rules::{Eye, Seat};
use web::page;

/// A match of about fifty rounds, and its page.
fn watched() -> (impl MatchHistory, SavedPage) {
    let history = match_history(MapSize::Medium, [Brain::Hunter, Brain::Wild], 3);
    let page_file = SavedPage::new(&page(&history, &about(["one", "two"])));
    (history, page_file)
}

/// Opens the address again, in a window of this size and in the colours of this scheme.
fn open_again(tab: &Tab, address: &str, (width, height): (u32, u32), preferences: &[(&str, &str)]) {
    tab.resize(width, height);
    tab.prefers(preferences);
    tab.command("Page.navigate", serde_json::json!({ "url": "about:blank" }));
    tab.command("Page.navigate", serde_json::json!({ "url": address }));
    tab.arrive("document.readyState === 'complete' && 'ready' in document.body.dataset");
}

#[test]
fn the_page_plays_from_where_the_fleets_are_placed() {
    let (history, page_file) = watched();
    Chromium::run(|chromium| {
        let tab = chromium.open_sped_up(&page_file.address(""), 20);
        tab.until("document.body.dataset.moment > 3");
        assert_eq!(tab.value::<String>("document.querySelector('#play').ariaLabel"), "Pause");
        tab.until(&format!("document.body.dataset.moment === '{}'", history.scenes() - 1));
        tab.until("document.querySelector('#play').ariaLabel === 'Play'");

        open_again(&tab, &page_file.address(""), (1280, 800), &[("prefers-reduced-motion", "reduce")]);
        let still = "[document.body.dataset.moment, document.querySelector('#play').ariaLabel]";
        assert_eq!(tab.value::<[String; 2]>(still), ["1", "Play"]);
        let ships = "document.querySelectorAll('#boards [data-mark=ship]').length";
        assert_eq!(tab.value::<usize>(ships), 34);
        open_again(&tab, &page_file.address("#turn=7"), (1280, 800), &[]);
        assert_eq!(tab.value::<[String; 2]>(still), ["8", "Play"]);
        tab.assert_calm();
    });
}

/// All that the page holds for its reader: texts, and the values of attributes.
const WHOLE_TEXT: &str = "(() => {
      const all = [...document.querySelectorAll('*:not(script, style)')];
      const texts = all.flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data));
      return [...texts, ...all.flatMap((one) => [...one.attributes].map((attribute) => attribute.value))].join('\\n');
    })()";

#[test]
fn nothing_tells_the_end_before_it_comes() {
    let (history, page_file) = watched();
    let last = history.scenes() - 1;
    let scene = |at| history.scene(at, Eye::Referee);
    let winner = history.outcome().unwrap().winner.unwrap();
    // Words that only the last turn has.
    let sinking = rules::printable(&scene(last).boards[winner.index()].deed);
    let marks = |until: usize| (0..=until).map(|at| scene(at).highlights.len()).sum::<usize>();
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        for at in 0..last {
            tab.until(&format!("document.body.dataset.moment === '{at}'"));
            let text: String = tab.value(WHOLE_TEXT);
            for word in ["wins", "all ships of", sinking.as_str()] {
                assert!(!text.contains(word), "moment {at} tells {word:?}");
            }
            let shown = "[document.querySelectorAll('#log li').length, document.querySelectorAll('#marks .mark').length, \
                 document.querySelector('.chart .line').points.length]";
            assert_eq!(tab.value::<[usize; 3]>(shown), [at + 1, marks(at), at + 1]);
            let ahead = "['#next-hit', '#next-sinking'].map((id) => document.querySelector(id).ariaDisabled)";
            assert_eq!(tab.value::<[String; 2]>(ahead), ["false", "false"]);
            tab.press("ArrowRight");
        }
        tab.until("!document.querySelector('#banner').hidden");
        let text: String = tab.value(WHOLE_TEXT);
        assert!(text.contains("wins") && text.contains("all ships of") && text.contains(&sinking));
        let colours = "[document.querySelector('#banner').className, document.querySelector('.board.won').className]";
        let seat = format!("seat-{}", winner.index());
        assert_eq!(tab.value::<[String; 2]>(colours), [seat.clone(), format!("board {seat} won")]);

        // There may be no other hit: its button leads to the end.
        tab.press("ArrowLeft");
        tab.press("n");
        tab.until(&format!("document.body.dataset.moment === '{last}'"));
        tab.assert_calm();
    });
}

#[test]
fn a_shot_has_the_colour_of_its_shooter_and_ships_have_names() {
    let (history, page_file) = watched();
    let game = sea_battle(1);
    let sailors = SavedPage::new(&page(&game, &about(["one", "two"])));
    let sunk = |at: &usize| history.scene(*at, Eye::Referee).boards[1].fleet.iter().any(|ship| ship.sunk);
    let first_loss = (0..history.scenes()).find(sunk).unwrap();
    let ships = history.scene(first_loss, Eye::Referee).boards[1].fleet.clone();
    let lost = ships.iter().find(|ship| ship.sunk).unwrap().name.to_lowercase();
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(&format!("#round={}", first_loss - 1)));
        let struck =
            "[...document.querySelectorAll('[data-seat=B] .ships .lost .kind')].map((kind) => kind.textContent)";
        assert_eq!(tab.value::<Vec<String>>(struck), [lost]);
        let left = "document.querySelector('[data-seat=B] .ships').ariaLabel";
        assert_eq!(tab.value::<String>(left), "4 of 5 ships afloat");
        let sight = "document.querySelector('[data-seat=B] [data-fresh] .sight')";
        assert_eq!(tab.value::<String>(&format!("{sight}.getAttribute('class')")), "sight seat-0");
        let colours = format!(
            "[getComputedStyle({sight}).stroke, getComputedStyle(document.querySelector('h1 .seat-0')).backgroundColor]"
        );
        let [sight, badge] = tab.value::<[String; 2]>(&colours);
        assert_eq!(sight, badge);
        tab.assert_calm();

        // The opponent does not know which ships are left.
        let tab = chromium.open(&sailors.address("#turn=4"));
        tab.press("1");
        let fleets = "[...document.querySelectorAll('.ships')].map((ships) => ships.hidden)";
        assert_eq!(tab.value::<Vec<bool>>(fleets), [false, true]);
        let eye = Eye::Seat(Seat::A);
        assert!(game.scene(5, eye).boards[1].fleet.is_empty());
        assert!(tab.value::<String>("document.querySelector('[data-seat=B] .facts').innerText").contains("of 10"));
        tab.assert_calm();
    });
}

/// The page is wider than the window.
const TOO_WIDE: &str = "document.documentElement.scrollWidth > innerWidth";
/// The lowest edge of the boards' drawings, and the upper edge of the controls.
const EDGES: &str = "[Math.max(...[...document.querySelectorAll('.board .grid')].map((grid) => grid.getBoundingClientRect().bottom)), \
                     document.querySelector('.transport').getBoundingClientRect().top]";

#[test]
fn boards_log_and_controls_fit_the_screens_that_people_have() {
    let (history, page_file) = watched();
    let last = history.scenes() - 1;
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        for (size, scheme) in
            [(1920, 1080), (1280, 800), (390, 844)].iter().flat_map(|size| [(size, "light"), (size, "dark")])
        {
            let scheme = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")];
            for moment in [last / 2, last] {
                let address = page_file.address(&format!("#round={}", moment - 1));
                open_again(&tab, &address, *size, &scheme);
                assert!(!tab.value::<bool>(TOO_WIDE), "{size:?}");
                let [boards, controls] = tab.value::<[f64; 2]>(EDGES);
                assert!(boards <= controls, "{size:?}: boards end at {boards}, controls begin at {controls}");
                let sides = "new Set([...document.querySelectorAll('.board')].map((board) => board.offsetTop)).size";
                assert_eq!(tab.value::<usize>(sides), 1, "{size:?}: the boards are side by side");
                if size.0 > 1000 {
                    let entry = "(() => { const edges = (selector) => document.querySelector(selector).getBoundingClientRect(); \
                         const [entry, log, controls] = [edges('#log [aria-current]'), edges('#log'), edges('.transport')]; \
                         return entry.top >= log.top && entry.bottom <= log.bottom + 1 && log.bottom <= controls.top; })()";
                    assert!(tab.value::<bool>(entry), "{size:?}: the log's entry is hidden");
                    assert!(tab.value::<bool>("document.documentElement.scrollHeight <= innerHeight"), "{size:?}");
                }
            }
            tab.assert_accessible();
            tab.assert_calm();
        }
    });
}

#[test]
fn nothing_moves_while_the_match_is_played() {
    let (history, page_file) = watched();
    Chromium::run(|chromium| {
        for size in [(1920, 1080), (1280, 800), (390, 844)] {
            let tab = chromium.open(&page_file.address("#start"));
            open_again(&tab, &page_file.address(""), size, &[]);
            // The size of the window may still change, which moves all.
            let before = tab.layout_shifts().len();
            // 60 on an idle machine; a busy one draws fewer, which is not the page's fault.
            let frames = tab.frames_per_second(60);
            (0..3).for_each(|_| tab.press("+"));
            tab.until(&format!("document.body.dataset.moment === '{}'", history.scenes() - 1));
            let shifts = &tab.layout_shifts()[before..];
            let sum: f64 = shifts.iter().map(|(score, _)| score).sum();
            println!("{size:?}: {frames:.1} frames per second, layout shift {sum:.5}");
            assert!(sum < 0.001, "{size:?}: {shifts:?}");
            tab.assert_calm();
        }
    });
}

#[test]
fn the_page_fills_the_screen_and_leaves_it_again() {
    let (_, page_file) = watched();
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        tab.press("f");
        tab.until("document.fullscreenElement === document.documentElement");
        tab.click("#full");
        tab.until("document.fullscreenElement === null");
        tab.assert_calm();
    });
}
