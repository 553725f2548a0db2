//! The saved page of a match, opened from a file in a real browser.

use crate::browser::{Chromium, SavedPage, Tab};
use crate::matches::{Brain, Painted, about, match_history, sea_battle};
use crate::screen::look;
use arena::MatchHistory;
use rules::entelect_2017::MapSize;
use rules::{BoardScene, CellScene, Eye, Grid, HighlightKind, Mark, Scene, Seat, Seats};
use std::collections::BTreeMap;
use web::{About, page};

/// The page of a match in a file.
fn saved(history: &dyn MatchHistory, about: &About) -> SavedPage {
    SavedPage::new(&page(history, about))
}

/// The looks of all cells on the page, by board.
const CELLS: &str = "
    Object.fromEntries([...document.querySelectorAll('.board')].map((board) => [
      board.dataset.seat,
      Object.fromEntries([...board.querySelectorAll('.cell')].map((cell) => [
        `${cell.dataset.x},${cell.dataset.y}`,
        { water: '~', ship: '#', dented: '%', hit: '*', miss: '!', shot: '^', caught: '@' }[cell.dataset.mark] + (cell.dataset.letter ?? '')
          + ('shielded' in cell.dataset ? '+' : '') + ('fresh' in cell.dataset ? ' fresh' : '')
          + ('scanned' in cell.dataset ? ' scanned' : ''),
      ])),
    ]))";

/// The looks of all cells in a scene, by board.
fn cells(scene: &Scene) -> BTreeMap<String, BTreeMap<String, String>> {
    let cells = scene.boards.iter().map(|board| {
        let cells = board.grid.points().zip(&board.cells).map(|(point, cell)| {
            let fresh = if cell.fresh { " fresh" } else { "" };
            let scanned = if cell.scanned { " scanned" } else { "" };
            (format!("{},{}", point.x, point.y), format!("{}{fresh}{scanned}", look(cell)))
        });
        (board.seat.to_string(), cells.collect())
    });
    cells.collect()
}

/// Fails unless the page shows moment `at` as `eye` sees it.
fn assert_shows(tab: &Tab, history: &dyn MatchHistory, at: usize, eye: Eye) {
    tab.until(&format!("document.body.dataset.moment === '{at}'"));
    let scene = history.scene(at, eye);
    assert_eq!(tab.value::<BTreeMap<_, _>>(CELLS), cells(&scene), "moment {at}, {eye:?}");
    let facts = "[...document.querySelectorAll('.facts div')].map((fact) => \
                 [fact.querySelector('dt').textContent, fact.querySelector('dd').textContent])";
    // A fleet in words takes the place of its letters.
    let shown = |board: &BoardScene| {
        let is_shown = |(label, _): &&(&str, String)| *label != "ships" || board.fleet.is_empty();
        board.facts.iter().filter(is_shown).cloned().collect::<Vec<_>>()
    };
    let wanted: Vec<_> = scene.boards.iter().flat_map(shown).collect();
    assert_eq!(tab.value::<Vec<(String, String)>>(facts), owned(&wanted));
    let deeds = "[...document.querySelectorAll('.deed')].map((deed) => deed.textContent)";
    let wanted: Vec<_> = scene.boards.iter().map(|board| rules::printable(&board.deed)).collect();
    assert_eq!(tab.value::<Vec<String>>(deeds), wanted);
    assert_eq!(tab.value::<String>("document.querySelector('#moment').textContent"), scene.title);
}

fn owned(facts: &[(&str, String)]) -> Vec<(String, String)> {
    facts.iter().map(|(label, value)| ((*label).to_owned(), value.clone())).collect()
}

/// The first moment after `at` at which something of this kind happened.
fn next(history: &dyn MatchHistory, at: usize, kind: HighlightKind) -> usize {
    let has = |at: &usize| history.scene(*at, Eye::Referee).highlights.iter().any(|one| one.kind == kind);
    (at + 1..history.scenes()).find(has).unwrap()
}

#[test]
fn the_keyboard_leads_through_the_match() {
    let history = match_history(MapSize::Small, [Brain::Hunter, Brain::Wild], 4);
    let page_file = saved(&history, &about(["one", "two"]));
    let last = history.scenes() - 1;
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        assert_shows(&tab, &history, 0, Eye::Referee);
        for at in 1..=4 {
            tab.press("ArrowRight");
            assert_shows(&tab, &history, at, Eye::Referee);
        }
        tab.press("ArrowLeft");
        assert_shows(&tab, &history, 3, Eye::Referee);

        let hit = next(&history, 3, HighlightKind::Hit);
        tab.press("n");
        assert_shows(&tab, &history, hit, Eye::Referee);
        let other = next(&history, hit, HighlightKind::Hit);
        tab.press("n");
        tab.until(&format!("document.body.dataset.moment === '{other}'"));
        tab.press("p");
        assert_shows(&tab, &history, hit, Eye::Referee);

        tab.press("Home");
        let sinking = next(&history, 0, HighlightKind::Sinking);
        tab.press("N");
        assert_shows(&tab, &history, sinking, Eye::Referee);
        tab.press("End");
        assert_shows(&tab, &history, last, Eye::Referee);
        let banner: String = tab.value("document.querySelector('#banner').innerText");
        assert!(
            banner.contains("one") && banner.contains("wins") && banner.contains("all ships of B are sunk"),
            "{banner}"
        );
        tab.press("P");
        tab.until(&format!("document.body.dataset.moment < {last}"));
        assert!(tab.value::<bool>("document.querySelector('#banner').hidden"));

        // Plays to the end at the highest speed.
        tab.press("Home");
        for _ in 0..3 {
            tab.press("+");
        }
        tab.press(" ");
        tab.until("document.querySelector('#play').getAttribute('aria-label') === 'Pause'");
        assert_shows(&tab, &history, last, Eye::Referee);
        tab.until("document.querySelector('#play').getAttribute('aria-label') === 'Play'");

        tab.press("?");
        tab.until("document.querySelector('#keys').open");
        tab.press("?");
        tab.until("!document.querySelector('#keys').open");
        tab.assert_calm();
    });
}

#[test]
fn every_eye_sees_its_own_scenes_at_every_moment() {
    let history = match_history(MapSize::Medium, [Brain::Wild, Brain::Wild], 9);
    let page_file = saved(&history, &about(["one", "two"]));
    let last = history.scenes() - 1;
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        for (key, eye) in [("1", Eye::Seat(Seat::A)), ("e", Eye::Seat(Seat::B)), ("0", Eye::Referee)] {
            tab.press(key);
            // Forwards, backwards and far, so that stored scenes are used, too.
            for at in [0, 1, 2, last / 2, last, last - 1, 5] {
                match at {
                    0 => tab.visit("#start"),
                    _ => tab.visit(&format!("#round={}", at - 1)),
                }
                assert_shows(&tab, &history, at, eye);
            }
            let ships = tab.value::<usize>("document.querySelectorAll('[data-seat=B] [data-mark=ship]').length");
            assert_eq!(ships == 0, eye == Eye::Seat(Seat::A));
        }
        tab.assert_calm();
    });
}

/// The signs of the legend that are shown.
const LEGEND: &str =
    "[...document.querySelectorAll('#legend li')].filter((item) => !item.hidden).map((item) => item.textContent)";

#[test]
fn the_legend_has_the_signs_that_this_eye_sees_in_this_match() {
    let eye = Eye::Seat(Seat::A);
    let signs: [fn(&CellScene) -> bool; 3] =
        [|cell| cell.scanned, |cell| matches!(cell.mark, Mark::Damaged(_)), |cell| cell.mark == Mark::Ship('?')];
    let with_signs = |seed| {
        let history = sea_battle(seed);
        let has = |at: &usize, sign: fn(&CellScene) -> bool| {
            history.scene(*at, eye).boards.iter().any(|board| board.cells.iter().any(sign))
        };
        let first = |sign| (0..history.scenes()).find(|at| has(at, sign));
        let first: Vec<usize> = signs.into_iter().filter_map(first).collect();
        (first.len() == signs.len()).then_some((history, first))
    };
    let (history, first) = (1..50).find_map(with_signs).expect("some match has all signs");
    let page_file = saved(&history, &about(["one", "two"]));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        let legend = || {
            let shown = tab.value::<Vec<String>>(LEGEND);
            // In front of the words is the letter on the ship.
            shown.iter().map(|words| words.trim_start_matches(['S', '?']).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(legend(), ["ship", "armour hit, holds", "hit", "miss", "radar looked here", "last shot"]);
        tab.press("1");
        let all = ["ship", "ship seen by radar", "armour hit, holds", "hit", "hit, ship not known", "miss"];
        assert_eq!(legend(), [&all[..], &["radar looked here", "last shot"]].concat());
        for at in first.iter().copied().chain([history.scenes() - 1]) {
            tab.visit(&format!("#turn={}", at - 1));
            assert_shows(&tab, &history, at, eye);
        }
        tab.assert_calm();
    });
}

#[test]
fn sea_battle_is_shown_in_its_own_words_and_colours() {
    let history = sea_battle(1);
    let page_file = saved(&history, &about(["one", "two"]));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#turn=0"));
        let has = |letter, hue| format!("document.querySelector('.cell[data-letter={letter}] .hull.{hue}') !== null");
        for (letter, hue) in
            [("B", "violet"), ("S", "yellow"), ("F", "blue"), ("T", "blue"), ("W", "blue"), ("O", "blue")]
        {
            assert!(tab.value::<bool>(&has(letter, hue)), "{letter} is {hue}");
        }
        let fill =
            |letter| format!("getComputedStyle(document.querySelector('.cell[data-letter={letter}] .hull')).fill");
        let fills = [tab.value(&fill("B")), tab.value(&fill("S")), tab.value::<String>(&fill("O"))];
        assert!(fills[0] != fills[1] && fills[1] != fills[2] && fills[0] != fills[2], "{fills:?}");
        let hint = "document.querySelector('.cell[data-letter=S] title').textContent";
        assert!(tab.value::<String>(hint).ends_with(": submarine"));
        // The messages of the game count rows from the top.
        let top =
            |y| format!("document.querySelector('.cell[data-x=\"0\"][data-y=\"{y}\"]').getBoundingClientRect().top");
        assert!(tab.value::<f64>(&top(0)) < tab.value::<f64>(&top(9)));
        tab.visit("#turn=3");
        assert_shows(&tab, &history, 4, Eye::Referee);
        let words = tab.value::<String>("document.body.innerText").to_lowercase();
        assert!(words.contains("move") && words.contains("turn") && !words.contains("round"), "{words}");
        tab.assert_calm();
    });
}

#[test]
fn an_address_names_a_round_and_is_kept_up_to_date() {
    let history = match_history(MapSize::Small, [Brain::Hunter, Brain::Hunter], 2);
    let page_file = saved(&history, &about(["one", "two"]));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#round=7"));
        assert_shows(&tab, &history, 8, Eye::Referee);
        tab.press("ArrowRight");
        tab.until("location.hash === '#round=8'");
        tab.visit("#round=3");
        assert_shows(&tab, &history, 4, Eye::Referee);
        tab.visit("#turn=6");
        assert_shows(&tab, &history, 7, Eye::Referee);
        tab.visit("#round=99999999999999999999");
        assert_shows(&tab, &history, history.scenes() - 1, Eye::Referee);
        tab.press("Home");
        tab.until("location.hash === '#start'");
        tab.assert_calm();
    });
}

#[test]
fn hostile_names_are_only_texts() {
    let names = [
        "<script>alert(1)</script></script><!--<script>",
        "<img src=x onerror=alert(2)>\u{2028}\u{2029}\u{202e}dlrow",
        &"{{script}}'\"&amp;".repeat(40),
    ];
    let history = Painted::new(3, Grid::new(4, 3), 5, 1);
    let about = About {
        title: "</title><script>alert(3)</script>".to_owned(),
        note: Some("{{match}}</script><style>*{display:none}</style>".to_owned()),
        ..about(names)
    };
    let page_file = saved(&history, &about);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#round=2"));
        assert_shows(&tab, &history, 3, Eye::Referee);
        let shown = "[...document.querySelectorAll('.board h3 .name')].map((name) => name.textContent)";
        assert_eq!(tab.value::<Vec<String>>(shown), names.map(rules::printable));
        let note: String = tab.value("document.querySelector('#about .note').textContent");
        assert_eq!(Some(note), about.note);
        assert_eq!(
            tab.value::<(usize, usize, usize)>(
                "['script', 'img', 'style'].map((tag) => document.querySelectorAll(tag).length)"
            ),
            (1, 0, 1)
        );
        // Text of a player's name keeps its direction to itself.
        let isolated = "[...document.querySelectorAll('h1 .name, .board .name')].every((name) => \
                        getComputedStyle(name.firstElementChild).unicodeBidi.includes('isolate'))";
        assert!(tab.value::<bool>(isolated));
        for width in [360, 1400] {
            tab.resize(width, 800);
            tab.until("document.documentElement.scrollWidth <= innerWidth");
        }
        tab.assert_calm();
    });
}

#[test]
fn the_page_asks_for_nothing_and_cannot() {
    let history = match_history(MapSize::Small, [Brain::Hunter, Brain::Hunter], 2);
    let page_file = saved(&history, &about(["one", "two"]));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        tab.press("End");
        tab.until("document.body.dataset.moment !== '0'");
        assert_eq!(tab.requests(), [page_file.address("")]);
        tab.assert_calm();
        // A script of a stranger would find this.
        let tries = [
            "fetch('http://127.0.0.1:9/').then(() => 'reached', () => 'refused')",
            "(() => { try { document.body.innerHTML = '<b>'; return 'done'; } catch { return 'refused'; } })()",
            "(() => { const s = document.createElement('script'); try { s.text = 'window.ran = 1'; document.body.append(s); } \
             catch {} return window.ran ? 'done' : 'refused'; })()",
        ];
        for attempt in tries {
            assert_eq!(tab.value::<String>(attempt), "refused", "{attempt}");
        }
        assert_eq!(tab.requests().len(), 1);
    });
}

#[test]
fn the_page_fits_a_phone_and_many_boards() {
    let duel = saved(&match_history(MapSize::Large, [Brain::Hunter, Brain::Wild], 3), &about(["one", "two"]));
    let names = Seats::first(16).iter().map(|seat| format!("the player in seat {seat}")).collect();
    let salvo = saved(&Painted::new(16, Grid::new(12, 5), 4, 1), &About { names, ..about([]) });
    Chromium::run(|chromium| {
        for page_file in [duel, salvo] {
            let tab = chromium.open(&page_file.address("#round=30"));
            for width in [360, 768, 1920] {
                tab.resize(width, 740);
                tab.until(&format!("innerWidth === {width}"));
                tab.until("document.documentElement.scrollWidth <= innerWidth");
            }
            tab.resize(360, 740);
            tab.until("innerWidth === 360");
            // Side by side, so that both are seen at once.
            let lefts = "new Set([...document.querySelectorAll('.board')].map((board) => board.offsetLeft)).size";
            assert_eq!(tab.value::<usize>(lefts), 2);
            tab.assert_calm();
        }
    });
}

#[test]
fn the_tab_key_reaches_every_control() {
    let history = match_history(MapSize::Small, [Brain::Hunter, Brain::Hunter], 2);
    let page_file = saved(&history, &about(["one", "two"]));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#round=5"));
        let wanted: Vec<String> = tab.value(
            "[...document.querySelectorAll('button, input:checked, input[type=range]')].filter((one) => \
                 one.checkVisibility() && one.tabIndex >= 0).map((one) => one.id || one.name || one.className)",
        );
        assert!(wanted.len() >= 16, "{wanted:?}");
        let mut reached = Vec::new();
        for _ in 0..wanted.len() {
            tab.press("Tab");
            reached.push(tab.value::<String>(
                "document.activeElement.id || document.activeElement.name || document.activeElement.className",
            ));
            let visible = "(() => { const style = getComputedStyle(document.activeElement.matches('[type=radio]') ? \
                           document.activeElement.nextSibling : document.activeElement); return style.outlineStyle; })()";
            assert_eq!(tab.value::<String>(visible), "solid", "{reached:?}");
        }
        assert_eq!(reached, wanted);
        // Every control has a name, and every board is described.
        let nameless = "[...document.querySelectorAll('button, input')].filter((one) => !(one.ariaLabel || \
                        one.textContent || one.labels?.[0]?.textContent).trim()).length";
        assert_eq!(tab.value::<usize>(nameless), 0);
        let board: String = tab.value("document.querySelector('.board .grid').ariaLabel");
        assert!(board.starts_with("Board of A one, 7 by 7. 1"), "{board}");
        tab.assert_calm();
    });
}

#[test]
fn what_happened_is_announced_and_the_log_leads_to_it() {
    let history = match_history(MapSize::Small, [Brain::Hunter, Brain::Hunter], 2);
    let page_file = saved(&history, &about(["one", "two"]));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        tab.press("ArrowRight");
        let announced = "document.querySelector('#announcement').textContent";
        assert_eq!(
            tab.value::<String>(announced),
            "Round 0 · placing the ships. A one: placed its ships. B two: placed its ships"
        );
        tab.visit("#round=8");
        tab.until("document.body.dataset.moment === '9'");
        tab.click("#log li:nth-child(4) button");
        assert_shows(&tab, &history, 3, Eye::Referee);
        let entries: usize = tab.value("document.querySelectorAll('#log li').length");
        assert_eq!(entries, 10, "the log goes on as far as the match was watched");
        let current = "document.querySelector('#log [aria-current=step]').textContent";
        let deed = rules::printable(&history.scene(3, Eye::Referee).boards[0].deed);
        let shown: String = tab.value(current);
        assert!(shown.contains(deed.as_str()), "{shown}");

        tab.press("d");
        let shots = "[...document.querySelectorAll('[data-seat=B] .cell')].reduce((sum, cell) => sum + Number(cell.dataset.shots), 0)";
        let fired: usize = (0..=3)
            .map(|at| history.scene(at, Eye::Referee).boards[1].cells.iter().filter(|cell| cell.fresh).count())
            .sum();
        assert_eq!(tab.value::<usize>(shots), fired);
        assert_eq!(tab.value::<String>("document.querySelector('#density').ariaPressed"), "true");
        let charts: Vec<String> =
            tab.value("[...document.querySelectorAll('#charts .label')].map((label) => label.textContent)");
        assert_eq!(charts, ["points", "energy"]);
        tab.assert_calm();
    });
}
