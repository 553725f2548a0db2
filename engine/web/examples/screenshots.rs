//! Pictures of the page: `cargo run -p web --example screenshots -- FOLDER`.
#![allow(clippy::unwrap_used, reason = "a tool for those who work on the page")]

#[path = "../tests/web/browser.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod browser;
#[path = "../tests/web/matches.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod matches;

use browser::Chromium;
use matches::{Brain, Painted, about, footage};
use rules::Grid;
use rules::entelect_2017::MapSize;
use std::path::PathBuf;
use web::{About, page};

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder for the pictures"));
    std::fs::create_dir_all(&folder).unwrap();
    let duel = page(&footage(MapSize::Medium, [Brain::Hunter; 2], 3), &about(["hunter", "hunter (older)"]));
    let wild = page(&footage(MapSize::Large, [Brain::Wild, Brain::Hunter], 5), &about(["Wild Wendy", "hunter"]));
    let names = (1..=9).map(|nth| format!("captain {nth}")).collect();
    let salvo =
        page(&Painted::new(9, Grid::new(8, 6), 30, 1), &About { names, note: Some("unfinished".into()), ..about([]) });
    for (name, text) in [("duel", &duel), ("wild", &wild), ("salvo", &salvo)] {
        std::fs::write(folder.join(format!("{name}.html")), text).unwrap();
    }
    let pictures = [
        ("desktop-light", "duel.html#round=30", (1440, 1000), false, ""),
        ("desktop-dark", "duel.html#round=30", (1440, 1000), true, ""),
        ("end-dark", "wild.html#round=9999", (1440, 1000), true, ""),
        ("density", "wild.html#round=60", (1440, 1000), false, "d"),
        ("nine", "salvo.html#round=12", (1440, 1000), false, ""),
        ("keys", "duel.html#round=12", (1024, 768), false, "?"),
        ("phone-light", "duel.html#round=30", (360, 740), false, ""),
        ("phone-dark", "duel.html#round=30", (360, 740), true, ""),
    ];
    Chromium::run(async |chromium| {
        for (name, address, (width, height), dark, key) in pictures {
            let page = chromium.open(&format!("file://{}/{address}", folder.display())).await;
            page.resize(width, height).await;
            page.dark(dark).await;
            if !key.is_empty() {
                page.press(key).await;
            }
            page.picture(&folder.join(format!("{name}.png")), name.starts_with("phone")).await;
        }
    });
}
