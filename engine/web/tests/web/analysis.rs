//! The analysis of a match on its page: the graph of who is likely to win, the words of a moment, and the chances of hits.

use crate::browser::{Chromium, SavedPage};
use crate::matches::{Brain, about, analysed_match, match_history};
use analysis::MatchAnalysis;
use arena::{GameHistory, MatchHistory};
use rules::entelect_2017::{Entelect2017, MapSize};
use std::collections::BTreeMap;
use web::wire::AnalysisView;
use web::{analysed_page, page};

const BRAINS: [Brain; 2] = [Brain::Hunter, Brain::Wild];

fn analysed() -> (GameHistory<Entelect2017>, MatchAnalysis, SavedPage) {
    let (history, analysis) = analysed_match(MapSize::Medium, BRAINS, 3);
    let page_file = SavedPage::new(&analysed_page(&history, &about(["one", "two"]), Some(&analysis)));
    (history, analysis, page_file)
}

/// The bits of all eyes, of the referee, and of the seats.
const ALL: u32 = 7;
const REFEREE: u32 = 1;
const A: u32 = 2;
const B: u32 = 4;

#[test]
fn each_eye_gets_the_analysis_that_it_may_see() {
    let (history, analysis) = analysed_match(MapSize::Small, BRAINS, 4);
    let html = analysed_page(&history, &about(["one", "two"]), Some(&analysis));
    let (_, rest) = html.split_once(r#"<script id="match" type="application/json">"#).unwrap();
    let told: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let views: Vec<AnalysisView> = serde_json::from_value(told["analysis"].clone()).unwrap();
    let mut views: BTreeMap<usize, AnalysisView> = views.into_iter().map(|view| (view.moment, view)).collect();
    let per_mille = |shares: &[f64]| shares.iter().map(|share| (1000.0 * share).round() as u16).collect::<Vec<_>>();
    let mut heat = BTreeMap::new();
    for (at, moment) in analysis.moments.iter().enumerate() {
        let view = views.remove(&at).unwrap_or_default();
        let [seen, truth] = [&view.seen, &view.truth].map(|list| list.first().map(|seen| (seen.0, seen.1.clone())));
        assert_eq!(seen, moment.win.as_ref().map(|win| (ALL, per_mille(&win.seen))), "moment {at}");
        assert_eq!(truth, moment.win.as_ref().map(|win| (REFEREE, per_mille(&win.truth))), "moment {at}");
        let words = view.words.first().map(|words| words.1.clone());
        assert_eq!(words.unwrap_or_default(), moment.words, "moment {at}");
        for seen in view.heat {
            assert_eq!(seen.0, REFEREE | if seen.1.by == 'A' { A } else { B });
            let last = heat.insert((seen.1.by, seen.1.at), seen.1.chances.clone());
            assert_ne!(last, Some(seen.1.chances), "only what has changed");
        }
        for board in &moment.boards {
            let digits = &heat[&(board.by.letter(), board.at.letter())];
            let steps = digits.chars().map(|digit| match digit {
                '0'..='9' => digit as u8 - b'0',
                'A'..='Z' => digit as u8 - b'A' + 10,
                _ => digit as u8 - b'a' + 36,
            });
            assert!(steps.zip(&board.percent).all(|(step, percent)| (2 * step).abs_diff(*percent) <= 1));
        }
    }
    assert!(views.is_empty() && heat.len() == 2);
}

#[test]
fn a_page_without_an_analysis_has_neither_the_graph_nor_the_chances() {
    let history = match_history(MapSize::Small, BRAINS, 4);
    let text = page(&history, &about(["one", "two"]));
    assert!(!text.contains(r#""analysis":["#));
    let page_file = SavedPage::new(&text);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#turn=7"));
        let hidden = "[document.querySelector('#win').hidden, document.querySelector('#chances').hidden]";
        assert_eq!(tab.value::<[bool; 2]>(hidden), [true, true]);
        ["c", "w"].into_iter().for_each(|key| tab.press(key));
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.chances').length"), 0);
        assert_eq!(tab.value::<String>("document.body.dataset.moment"), "8");
        tab.assert_calm();
    });
}

/// The points of the curves as spectators know it and by the truth, and the number of turning points.
const DRAWN: &str = "[document.querySelector('#win .line.seen').points.length, document.querySelector('#win .line.truth').points.length, \
                     document.querySelectorAll('#win circle').length]";

#[test]
fn the_graph_ends_at_the_present_moment_and_leads_to_others() {
    let (history, analysis, page_file) = analysed();
    let last = history.scenes() - 1;
    let known = |until: usize| analysis.moments[..=until].iter().filter(|moment| moment.win.is_some()).count();
    let words = |at: usize| analysis.moments[at].words.clone();
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#start"));
        let mut spoken = 0;
        for at in 0..=last {
            tab.until(&format!("document.body.dataset.moment === '{at}'"));
            let [seen, truth, turns] = tab.value::<[usize; 3]>(DRAWN);
            assert_eq!([seen, truth], [known(at); 2], "moment {at}");
            assert!(turns <= 5);
            let told: Vec<String> =
                tab.value("[...document.querySelectorAll('#words p')].map((one) => one.textContent)");
            assert_eq!(told, words(at), "moment {at}");
            spoken += told.len();
            tab.press("ArrowRight");
        }
        assert!(spoken > 0);
        // At the end the turning points are those of the analysis.
        let label: String = tab.value("document.querySelector('#win svg').ariaLabel");
        for point in &analysis.turning_points {
            assert!(label.contains(&format!("round {}, {} from ", point.turn, point.seat)), "{label}");
        }
        let mut moments: Vec<usize> = analysis.turning_points.iter().map(|point| point.moment).collect();
        moments.sort_unstable();
        tab.press("W");
        tab.until("Number(document.body.dataset.moment) < Number(document.querySelector('#scrubber').max)");
        assert!(
            tab.value::<usize>("Number(document.body.dataset.moment)")
                >= *moments.iter().rfind(|at| **at < last).unwrap()
        );

        // The middle of the plot is the middle of the match.
        tab.click("#win svg");
        let middle: usize = tab.value("Number(document.body.dataset.moment)");
        assert!(middle.abs_diff(last / 2) <= 2, "{middle} of {last}");
        // The keyboard leads to the buttons, which lead on.
        tab.reach("#win [aria-label='Next turning point']");
        tab.press("Enter");
        tab.until(&format!("Number(document.body.dataset.moment) > {middle}"));
        tab.assert_calm();
    });
}

#[test]
fn each_eye_sees_its_own_curves_and_chances() {
    let (_, _, page_file) = analysed();
    let boards = "[...document.querySelectorAll('.board')].filter((board) => board.querySelector('.chances')).map((board) => board.dataset.seat)";
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#round=12"));
        assert_eq!(tab.value::<Vec<String>>(boards), [""; 0]);
        tab.press("c");
        assert_eq!(tab.value::<Vec<String>>(boards), ["A", "B"]);
        let hints = "document.querySelector('[data-seat=B] .chances title').textContent";
        assert!(tab.value::<String>(hints).ends_with("%, as A knows it"));
        tab.assert_accessible_in_both_themes();
        for (key, board) in [("1", "B"), ("2", "A")] {
            tab.press(key);
            assert_eq!(tab.value::<Vec<String>>(boards), [board]);
            let [seen, truth, _] = tab.value::<[usize; 3]>(DRAWN);
            assert!(seen > 5 && truth == 0);
        }
        tab.click("#chances");
        assert_eq!(tab.value::<Vec<String>>(boards), [""; 0]);
        tab.assert_calm();
    });
}

#[test]
fn the_graph_the_boards_and_the_log_fit_the_screens_that_people_have() {
    let (_, _, page_file) = analysed();
    let too_wide = "document.documentElement.scrollWidth > innerWidth";
    let fits = "(() => { const edges = (selector) => document.querySelector(selector).getBoundingClientRect(); \
                const [entry, log, controls] = [edges('#log [aria-current]'), edges('#log'), edges('.transport')]; \
                return entry.top >= log.top && entry.bottom <= log.bottom + 1 && log.bottom <= controls.top \
                  && document.documentElement.scrollHeight <= innerHeight; })()";
    let cells =
        "Math.min(...[...document.querySelectorAll('.board .grid')].map((grid) => grid.getBoundingClientRect().width))";
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#round=30"));
        for (width, height) in [(1920, 1080), (1280, 900), (1280, 800), (800, 600), (390, 844)] {
            tab.resize(width, height);
            assert!(!tab.value::<bool>(too_wide), "{width} x {height}");
            assert!(width < 1000 || tab.value::<bool>(fits), "{width} x {height}: the log's entry is hidden");
            assert!(tab.value::<f64>(cells) > 150.0, "{width} x {height}");
        }
        // Nothing moves while the match is played.
        tab.resize(1280, 800);
        tab.press("Home");
        tab.until("document.body.dataset.moment === '0'");
        let before = tab.layout_shifts().len();
        (0..5).for_each(|_| tab.press("+"));
        tab.press(" ");
        tab.until("document.body.dataset.moment === document.querySelector('#scrubber').max");
        let moved = &tab.layout_shifts()[before..];
        assert!(moved.iter().map(|(score, _)| score).sum::<f64>() < 0.001, "{moved:?}");
        tab.assert_calm();
    });
}
