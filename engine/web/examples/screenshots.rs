//! Pictures of the page: `cargo run -p web --example screenshots -- FOLDER`.
//!
//! Behind the folder the page of a match and turns may follow: then there are pictures of this page only, one after each turn with the chances of
//! hits, as docs/learn/lost-match.md has them.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a tool for those who work on the page")]

#[path = "../tests/web/browser.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod browser;
#[path = "../tests/web/matches.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod matches;
#[path = "../tests/web/tournaments.rs"]
mod tournaments;

use arena::{ArenaError, MatchEvent, Observer, Observers, Sequence, play};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use browser::Chromium;
use matches::{Brain, Painted, about, analysed_match, first, match_history, players, sea_battle};
use rules::entelect_2017::{Entelect2017, MapSize};
use rules::{Eye, Grid};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tournament::{Fixture, Format, Standings};
use tournaments::{of_format, reported, tournament};
use web::site::MatchPages;
use web::{About, Live, ReportAbout, analysed_page, animation, page, picture};

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder for the pictures"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut rest = std::env::args().skip(2);
    if let Some(page) = rest.next() {
        return walk(&std::path::absolute(page).unwrap(), &rest.collect::<Vec<_>>(), &folder);
    }
    let (history, analysis) = analysed_match(MapSize::Medium, [Brain::Hunter; 2], 3);
    let duel = analysed_page(&history, &about(["hunter", "hunter (older)"]), Some(&analysis));
    let wild = page(&match_history(MapSize::Large, [Brain::Wild, Brain::Hunter], 5), &about(["Wild Wendy", "hunter"]));
    let names = (1..=9).map(|nth| format!("captain {nth}")).collect();
    let salvo =
        page(&Painted::new(9, Grid::new(8, 6), 30, 1), &About { names, note: Some("unfinished".into()), ..about([]) });
    let night = ReportAbout { title: "night".into(), note: Some("unfinished".into()), made: None };
    let few = reported(&tournament(&["hunter", "hunter (older)", "Wild Wendy", "random"], 200), &night);
    let names: Vec<String> = (1..=16).map(|nth| format!("captain {nth} of the long name")).collect();
    let many = reported(&tournament(&names.iter().map(String::as_str).collect::<Vec<_>>(), 20), &night);
    let captains: Vec<String> = (1..=9).map(|nth| format!("captain {nth}")).collect();
    let captains: Vec<&str> = captains.iter().map(String::as_str).collect();
    let [bracket, swiss] = [Format::Knockout, Format::Swiss].map(|format| site(format, &captains, &night));
    let sailors = page(&sea_battle(1), &about(["sailor", "captain"]));
    let pages = [
        ("bracket", &bracket),
        ("swiss", &swiss),
        ("duel", &duel),
        ("wild", &wild),
        ("sailors", &sailors),
        ("salvo", &salvo),
        ("few", &few),
        ("many", &many),
    ];
    for (name, text) in pages {
        std::fs::write(folder.join(format!("{name}.html")), text).unwrap();
    }
    let pictures = [
        Picture { name: "desktop-light", address: "duel.html#round=30", size: (1280, 800), dark: false, keys: &[] },
        Picture { name: "desktop-dark", address: "duel.html#round=30", size: (1920, 1080), dark: true, keys: &[] },
        Picture { name: "start", address: "duel.html", size: (1280, 800), dark: false, keys: &[] },
        Picture { name: "end-light", address: "wild.html#round=9999", size: (1280, 800), dark: false, keys: &[] },
        Picture { name: "end-dark", address: "wild.html#round=9999", size: (1920, 1080), dark: true, keys: &[] },
        Picture { name: "one-seat", address: "wild.html#round=60", size: (1280, 800), dark: false, keys: &["1"] },
        Picture { name: "density", address: "wild.html#round=60", size: (1440, 1000), dark: false, keys: &["d"] },
        Picture { name: "sailors", address: "sailors.html#turn=120", size: (1280, 800), dark: false, keys: &[] },
        Picture { name: "nine", address: "salvo.html#round=12", size: (1440, 1000), dark: false, keys: &[] },
        Picture { name: "keys", address: "duel.html#round=12", size: (1024, 768), dark: false, keys: &["?"] },
        Picture { name: "phone-light", address: "duel.html#round=30", size: (390, 844), dark: false, keys: &[] },
        Picture { name: "phone-dark", address: "wild.html#round=9999", size: (390, 844), dark: true, keys: &[] },
        Picture { name: "report-light", address: "few.html", size: (1440, 1000), dark: false, keys: &[] },
        Picture { name: "report-dark", address: "many.html", size: (1440, 1700), dark: true, keys: &[] },
        Picture { name: "report-phone", address: "few.html", size: (360, 740), dark: false, keys: &[] },
        Picture { name: "bracket-light", address: "bracket.html", size: (1280, 800), dark: false, keys: &[] },
        Picture { name: "bracket-dark", address: "bracket.html", size: (1920, 1080), dark: true, keys: &[] },
        Picture { name: "bracket-phone", address: "bracket.html", size: (390, 844), dark: true, keys: &[] },
        Picture { name: "swiss-light", address: "swiss.html", size: (1280, 800), dark: false, keys: &[] },
        Picture { name: "swiss-phone", address: "swiss.html", size: (390, 844), dark: false, keys: &[] },
        Picture {
            name: "chances-wide-light",
            address: "duel.html#round=30",
            size: (1280, 900),
            dark: false,
            keys: &["c"],
        },
        Picture {
            name: "chances-wide-dark",
            address: "duel.html#round=30",
            size: (1280, 900),
            dark: true,
            keys: &["c"],
        },
        Picture {
            name: "chances-small-light",
            address: "duel.html#round=30",
            size: (800, 600),
            dark: false,
            keys: &["c"],
        },
        Picture {
            name: "chances-small-dark",
            address: "duel.html#round=30",
            size: (800, 600),
            dark: true,
            keys: &["c"],
        },
        Picture {
            name: "chances-phone-light",
            address: "duel.html#round=30",
            size: (390, 844),
            dark: false,
            keys: &["c"],
        },
        Picture {
            name: "chances-phone-dark",
            address: "duel.html#round=30",
            size: (390, 844),
            dark: true,
            keys: &["c"],
        },
        Picture { name: "hidden", address: "bracket.html?spoilers=0", size: (1280, 800), dark: false, keys: &[] },
    ];
    let about = about(["hunter", "hunter (older)"]);
    std::fs::write(folder.join("moment.png"), picture(&history, &about, 31, Eye::Referee)).unwrap();
    std::fs::write(folder.join("match.gif"), animation(&history, &about, Eye::Referee)).unwrap();
    let live = begun();
    Chromium::run(|chromium| {
        for picture in &pictures {
            picture.take(chromium, &format!("file://{}/{}", folder.display(), picture.address), &folder);
        }
        for (name, size) in [("live", (1440, 1000)), ("live-phone", (360, 740))] {
            let picture = Picture { name, address: "", size, dark: true, keys: &["d", "d"] };
            picture.take(chromium, &live.url(), &folder);
        }
    });
}

/// Takes pictures of a page after turns of its match.
fn walk(page: &Path, turns: &[String], folder: &Path) {
    Chromium::run(|chromium| {
        for turn in turns {
            let address = format!("file://{}#turn={turn}", page.display());
            let picture =
                Picture { name: &format!("turn-{turn}"), address: "", size: (1000, 720), dark: false, keys: &["c"] };
            picture.take(chromium, &address, folder);
        }
    });
}

/// The front page of the site of a tournament, with pages of all games of the first four bots.
fn site(format: Format, names: &[&str], about: &ReportAbout) -> String {
    let (table, history) = of_format(format, names, 4, usize::MAX);
    let mut pages = MatchPages::default();
    for number in 0..4 {
        (0..4).for_each(|second| (0..second).for_each(|first| pages.add(Fixture { first, second, number })));
    }
    web::site_index(&Standings::new(&table, None), &history, about, &pages)
}

/// A match that is being played, in round 29.
fn begun() -> Live<Entelect2017> {
    struct Stop;

    impl Observer<Entelect2017> for Stop {
        fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
            match event {
                MatchEvent::Opened { turn: 30, .. } => Err(ArenaError::disk("play on", "here", ErrorKind::Other)),
                _ => Ok(()),
            }
        }
    }

    let game = first(MapSize::Medium);
    let mut live = Live::start(&game, &about(["hunter", "Wild Wendy"]), 0).unwrap();
    let mut watch = Observers::new();
    watch.add(&mut live);
    let mut stop = Stop;
    watch.add(&mut stop);
    play(game, &mut players([Brain::Hunter, Brain::Wild], 4), Sequence::InTurn, &mut watch).unwrap_err();
    live
}

/// A picture to take.
struct Picture<'a> {
    name: &'a str,
    address: &'static str,
    /// Width and height.
    size: (u32, u32),
    dark: bool,
    /// Keys to press before.
    keys: &'static [&'static str],
}

impl Picture<'_> {
    fn take(&self, chromium: &Chromium, address: &str, folder: &Path) {
        let tab = chromium.open(address);
        tab.resize(self.size.0, self.size.1);
        let scheme = if self.dark { "dark" } else { "light" };
        tab.prefers(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
        tab.until("!document.querySelector('#boards') || 'moment' in document.body.dataset");
        for key in self.keys {
            tab.press(key);
        }
        let picture = tab.command("Page.captureScreenshot", json!({}));
        let picture = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        std::fs::write(folder.join(format!("{}.png", self.name)), picture).unwrap();
    }
}
