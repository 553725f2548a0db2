//! The views of a report: sorted tables, results left out, and the pictures of rounds.

use crate::browser::{Chromium, SavedPage, Tab};
use crate::tournaments::{of_format, reported, tournament};
use tournament::{Fixture, Format, Standings};
use web::ReportAbout;
use web::site::MatchPages;

const SIZES: [(u32, u32); 2] = [(1280, 800), (390, 844)];

fn about() -> ReportAbout {
    ReportAbout { title: "night".to_owned(), made: Some("2026-11-27 20:15".to_owned()), ..ReportAbout::default() }
}

/// The page of a tournament as the front page of a site, with pages of all games of the first two.
fn site_index(format: Format, names: &[&str], games: u32, most: usize) -> SavedPage {
    let (table, history) = of_format(format, names, games, most);
    let mut pages = MatchPages::default();
    for number in 0..games {
        pages.add(Fixture { first: 0, second: 1, number });
    }
    SavedPage::new(&web::site_index(&Standings::new(&table, None), &history, &about(), &pages))
}

fn texts(tab: &Tab<'_>, selector: &str) -> Vec<String> {
    tab.value(&format!("[...document.querySelectorAll({selector:?})].map((e) => e.textContent)"))
}

/// Checks the width of the page in all sizes, and the rules of accessibility in both themes.
fn assert_fits(tab: &Tab<'_>) {
    tab.assert_accessible_in_both_themes();
    for (width, height) in SIZES {
        tab.resize(width, height);
        tab.until(&format!("innerWidth === {width} && document.documentElement.scrollWidth <= innerWidth"));
    }
}

#[test]
fn a_table_is_sorted_by_the_keyboard_and_tells_its_order() {
    let page_file = SavedPage::new(&reported(&tournament(&["one", "two", "three", "four"], 20), &about()));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        let names = |tab: &Tab<'_>| texts(tab, ".standings tbody .name");
        assert_eq!(names(&tab), ["one", "two", "three", "four"]);
        let elo = ".standings th:nth-child(2)";
        tab.reach(&format!("{elo} button"));
        for (key, order) in [("Enter", "descending"), (" ", "ascending"), (" ", "descending")] {
            tab.press(key);
            tab.until(&format!("document.querySelector({elo:?}).ariaSort === {order:?}"));
            let ratings = texts(&tab, ".standings td:nth-child(2)");
            let ratings: Vec<i32> = ratings.iter().map(|text| text.parse().unwrap()).collect();
            assert!(ratings.is_sorted_by(|one, next| (one >= next) == (order == "descending")), "{ratings:?}");
            assert_eq!(tab.value::<usize>("document.querySelectorAll('.standings [aria-sort]').length"), 1);
            let is_kept = format!("document.activeElement.closest('th') === document.querySelector({elo:?})");
            assert!(tab.value::<bool>(&is_kept), "the focus stays");
        }
        // Places sort as numbers.
        tab.click(".standings th.bot button");
        tab.until("document.querySelector('.standings tbody .name').textContent === 'one'");
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.cross button').length"), 0);
        assert_fits(&tab);
        tab.assert_calm();
    });
}

#[test]
fn the_winner_is_told_first_and_a_half_played_tournament_has_none() {
    let told = |page: &str| {
        let page_file = SavedPage::new(page);
        let mut told = None;
        Chromium::run(|chromium| {
            let tab = chromium.open(&page_file.address(""));
            told = Some((texts(&tab, ".headline h2, .headline .first .name"), texts(&tab, ".mark")));
            tab.assert_calm();
        });
        told
    };
    let Some(whole) = told(&reported(&tournament(&["one", "two", "three"], 20), &about())) else { return };
    assert_eq!(whole, (vec!["Winner".to_owned(), "one".to_owned()], vec![]));
    let half = of_format(Format::RoundRobin, &["one", "two", "three", "four"], 20, 43);
    let (headline, mark) = told(&reported(&half, &about())).unwrap();
    assert_eq!((headline[0].as_str(), &mark[..]), ("Leading so far", &["provisional".to_owned()][..]));
}

#[test]
fn a_bracket_has_a_box_for_each_meeting_and_links_to_its_games() {
    let names = ["one", "two", "three", "four", "five"];
    let page_file = site_index(Format::Knockout, &names, 4, usize::MAX);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        assert_eq!(texts(&tab, "svg.rounds > text"), ["Quarter-final", "Semi-final", "Final"]);
        let sides = texts(&tab, ".meeting .name");
        assert_eq!((sides.len(), &sides[..2]), (8, &["four".to_owned(), "five".to_owned()][..]));
        assert_eq!(texts(&tab, ".meeting .won .name").len(), 4, "each meeting has a winner");
        let overlapping = "[...document.querySelectorAll('foreignObject')].map((e) => e.getBoundingClientRect()).some( \
            (a, at, all) => all.some((b, other) => at < other && a.left < b.right && b.left < a.right \
            && a.top < b.bottom && b.top < a.bottom))";
        assert!(!tab.value::<bool>(overlapping), "boxes lie beside each other");
        assert_fits(&tab);
        tab.assert_calm();
    });
}

#[test]
fn swiss_rounds_are_columns_and_every_bot_has_its_way_through_them() {
    let names = ["one", "two", "three", "four", "five", "six", "seven"];
    let page_file = site_index(Format::Swiss, &names, 2, usize::MAX);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        assert_eq!(texts(&tab, "svg.rounds > text"), ["Round 1", "Round 2", "Round 3", "Round 4", "Round 5"]);
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.meeting').length"), 5 * 4);
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.rounds path.way').length"), 4 * 7);
        let resting = texts(&tab, ".meeting .points").into_iter().filter(|text| text == "rests").count();
        assert_eq!(resting, 5);
        assert_fits(&tab);
        tab.assert_calm();
    });
}

#[test]
fn results_are_left_out_if_the_address_says_so() {
    let names = ["one", "two", "three", "four"];
    let page_file = site_index(Format::Knockout, &names, 4, usize::MAX);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("?spoilers=0"));
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.spoiler, .won').length"), 0);
        let text: String = tab.value("document.body.textContent");
        for word in ["Winner", "Elo", "won with", " %"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert_eq!(
            texts(&tab, ".meeting .name"),
            ["one", "four", "two", "three"],
            "who comes to the final is a result"
        );
        let links = "[...document.querySelectorAll('a.within')].every((e) => e.search === '?spoilers=0')";
        assert!(tab.value::<bool>(links));
        tab.click("#spoilers");
        tab.arrive("document.readyState === 'complete' && location.search === ''");
        assert_eq!(texts(&tab, ".headline h2"), ["Winner"]);
        tab.assert_calm();
    });
}
