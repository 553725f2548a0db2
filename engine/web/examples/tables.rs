//! Pictures of live tables of Salvo: `cargo run -p web --example tables -- FOLDER`. Also keeps their pages.
#![allow(clippy::unwrap_used, reason = "a tool for those who work on the page")]

#[path = "../tests/web/browser.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod browser;
#[path = "../tests/web/matches.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod matches;
#[path = "../tests/web/raw.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod raw;
#[path = "../tests/web/tables.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod tables;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use browser::Chromium;
use rules::salvo::Salvo;
use serde_json::json;
use std::path::{Path, PathBuf};
use web::LiveTable;
use web::wire::{LobbyView, WaitingTeam};

const NAMES: [&str; 16] = [
    "Ann",
    "Bob",
    "Cardinal Crew",
    "Deep Blue Sea",
    "Ēriks",
    "Foghorn",
    "The Gunners of Gdańsk",
    "Hai",
    "Ixtapa",
    "Jolly Rogers",
    "Kraken",
    "Lord Nelson’s Left Eye",
    "船長",
    "Nemo",
    "O Capitão",
    "Pinafore",
];

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder for the pictures"));
    std::fs::create_dir_all(&folder).unwrap();
    let waiting = |(nth, name): (usize, &&str)| WaitingTeam { name: (*name).to_owned(), ready: nth % 3 != 0 };
    let teams = NAMES[..5].iter().enumerate().map(waiting).collect();
    let lobby = LobbyView { teams, how: "Teams connect by MQTT at mqtt://192.0.2.7:1883.".to_owned() };
    let mut table = tables::table();
    table.lobby(&lobby);
    pictures(&table, "lobby", &folder);
    tables::played(&mut table, &NAMES[..4], 5, |_| Ok(())).unwrap();
    table.lobby(&lobby);
    pictures(&table, "lobby-after", &folder);
    for (teams, turn) in [(2, 90), (4, 203), (9, 400), (16, 700)] {
        let mut table = tables::table();
        tables::stopped(&mut table, &NAMES[..teams], 5, turn);
        pictures(&table, &format!("{teams}-middle"), &folder);
        let mut table = tables::table();
        tables::played(&mut table, &NAMES[..teams], 5, |_| Ok(())).unwrap();
        pictures(&table, &format!("{teams}-end"), &folder);
    }
}

fn pictures(table: &LiveTable<Salvo>, name: &str, folder: &Path) {
    if !name.starts_with("lobby") {
        keep(table, name, folder);
    }
    Chromium::run(|chromium| {
        for (dark, width, height) in [(false, 1920, 1080), (true, 1920, 1080), (true, 1280, 800), (false, 390, 844)] {
            let scheme = if dark { "dark" } else { "light" };
            let tab = chromium.open(&table.url());
            tab.resize(width, height);
            tab.prefers(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
            let scrubber = "document.querySelector('#scrubber')";
            tab.until(&format!("!document.querySelector('#lobby').hidden || ({scrubber}.max > 20 && document.body.dataset.moment === {scrubber}.max)"));
            let picture = tab.command("Page.captureScreenshot", json!({}));
            let picture = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
            std::fs::write(folder.join(format!("{name}-{width}-{scheme}.png")), picture).unwrap();
        }
    });
}

/// Keeps the page of the match so far.
fn keep(table: &LiveTable<Salvo>, name: &str, folder: &Path) {
    let kept = raw::Raw::ask(&table.url(), "/match.html", "Connection: close\r\n").rest();
    std::fs::write(folder.join(format!("{name}.html")), kept.split_once("\r\n\r\n").unwrap().1).unwrap();
}
