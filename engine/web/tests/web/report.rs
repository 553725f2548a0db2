//! The report of a tournament, opened from a file in a real browser.

use crate::browser::{Chromium, SavedPage};
use crate::tournaments::{of_format, reported, tournament};
use tournament::Format;
use web::ReportAbout;

fn about(title: &str) -> ReportAbout {
    ReportAbout { title: title.to_owned(), ..ReportAbout::default() }
}

#[test]
fn a_report_shows_every_bot_in_every_part() {
    let played = tournament(&["one", "two", "three"], 20);
    let page_file = SavedPage::new(&reported(&played, &about("night")));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        for part in ["standings", "cross", "ratings"] {
            let names = format!(
                "[...document.querySelectorAll('section[aria-labelledby={part}] .name')].map((e) => e.textContent)"
            );
            assert_eq!(tab.value::<Vec<String>>(&names), ["one", "two", "three"], "{part}");
        }
        let row = &played.0.rows()[0];
        let cells =
            "[...document.querySelectorAll('section tbody tr:first-child td')].slice(3, 9).map((e) => e.textContent)";
        let cells = tab.value::<Vec<String>>(cells);
        let games = row.games();
        assert_eq!(cells[0], "40");
        assert_eq!(cells[1].parse::<f64>().unwrap(), games.points());
        assert_eq!(cells[3..], [games.wins, games.draws, games.losses].map(|count| count.to_string()));
        assert_eq!(tab.value::<usize>("document.querySelectorAll('polyline').length"), 3);
        // Every drawing has a label, and all tables have headings.
        let untold = "[...document.querySelectorAll('svg')].filter((e) => !e.closest('[aria-hidden=true], [aria-label]')).length";
        assert_eq!(tab.value::<usize>(untold), 0);
        assert_eq!(tab.value::<usize>("document.querySelectorAll('th:not([scope])').length"), 0);
        tab.assert_calm();
        assert_eq!(tab.requests(), [page_file.address("")]);
    });
}

#[test]
fn shots_at_the_fleets_of_the_first_are_drawn_for_the_others() {
    let played = of_format(Format::Solo, &["passive", "one", "two"], 20, 40);
    let page_file = SavedPage::new(&reported(&played, &about("alone")));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        for part in ["standings", "shots"] {
            let names = format!(
                "[...document.querySelectorAll('section[aria-labelledby={part}] .name')].map((e) => e.textContent)"
            );
            assert_eq!(tab.value::<Vec<String>>(&names), ["one", "two"], "{part}");
        }
        let told = "[...document.querySelectorAll('.shots title')].map((e) => e.textContent)";
        let told = tab.value::<Vec<String>>(told);
        assert_eq!((told.len(), &told[0][..]), (40, "31 shots on 1 board"));
        assert_eq!(tab.value::<usize>("document.querySelectorAll('#ratings, #progress, #cross').length"), 0);
        tab.assert_calm();
    });
}

#[test]
fn hostile_names_in_a_report_are_only_texts() {
    let names = [
        "<script>alert(1)</script></title></style>",
        "\"><img src=x onerror=alert(2)>\u{202e}dlrow",
        &"{{style}}'\"&amp;".repeat(7),
        "' onfocus='alert(3)",
    ];
    let about = ReportAbout {
        title: "</title><script>alert(4)</script>".to_owned(),
        note: Some("{{body}}</bdi><style>*{display:none}</style>".to_owned()),
        made: None,
    };
    let page_file = SavedPage::new(&reported(&tournament(&names, 30), &about));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        assert_eq!(tab.value::<String>("document.title"), about.title);
        let note: String = tab.value("document.querySelector('#about .note').textContent");
        assert_eq!(Some(note), about.note);
        let shown = "[...document.querySelectorAll('section[aria-labelledby=cross] .name')].map((e) => e.textContent)";
        for (shown, name) in tab.value::<Vec<String>>(shown).iter().zip(names) {
            assert!(rules::printable(name).starts_with(shown.trim_end_matches('…')), "{shown}");
        }
        let counts = "['script', 'img', 'style', 'i'].map((tag) => document.querySelectorAll(tag).length)";
        assert_eq!(tab.value::<Vec<usize>>(counts), [1, 0, 1, 0]);
        let turning = "[...document.querySelectorAll('*')].some((e) => e.textContent.includes('\\u202e') \
                       || e.getAttributeNames().some((name) => e.getAttribute(name).includes('\\u202e')))";
        assert!(!tab.value::<bool>(turning), "no character turns round the text beside it");
        let isolated = "[...document.querySelectorAll('.name')].every((e) => \
                        getComputedStyle(e.firstElementChild).unicodeBidi.includes('isolate'))";
        assert!(tab.value::<bool>(isolated));
        let attributes = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))";
        assert_eq!(tab.value::<Vec<String>>(attributes), [""; 0]);
        let leading = "[...document.links].filter((e) => !e.getAttribute('href').startsWith('./records/') \
                       && e.id !== 'spoilers').length";
        assert_eq!(tab.value::<usize>(leading), 0);
        tab.assert_calm();
        assert_eq!(tab.requests(), [page_file.address("")]);
    });
}

#[test]
fn a_report_of_sixteen_bots_is_small_and_fits_a_phone() {
    let names: Vec<String> = (1..=16).map(|nth| format!("the bot that was numbered {nth}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = reported(&tournament(&names, 20), &about("sixteen"));
    assert!(text.len() < 200_000, "{} bytes", text.len());
    let page_file = SavedPage::new(&text);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        for width in [360, 768, 1920] {
            tab.resize(width, 740);
            tab.until(&format!("innerWidth === {width}"));
            tab.until("document.documentElement.scrollWidth <= innerWidth");
        }
        tab.assert_calm();
    });
}

#[test]
fn a_report_of_no_games_and_of_no_bots_is_a_page() {
    for names in [&["one", "two"][..], &[]] {
        let page_file = SavedPage::new(&reported(&tournament(names, 0), &about("begun")));
        Chromium::run(|chromium| {
            let tab = chromium.open(&page_file.address(""));
            let text: String = tab.value("document.body.innerText");
            assert!(text.contains("No game is finished yet") && !text.contains("NaN"), "{text}");
            tab.assert_calm();
        });
    }
}

#[test]
fn all_of_a_report_is_printed() {
    let names: Vec<String> = (0..40).map(|number| format!("bot {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let page_file = SavedPage::new(&reported(&tournament(&names, 2), &about("night")));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        tab.resize(1280, 800);
        tab.until(
            "document.documentElement.scrollHeight === 800 && document.querySelector('main').scrollHeight > 1000",
        );
        tab.command("Emulation.setEmulatedMedia", serde_json::json!({ "media": "print" }));
        tab.until("document.documentElement.scrollHeight > document.querySelector('main').scrollHeight");
    });
}
