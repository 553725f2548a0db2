//! The files of 2017, letter by letter.
#![allow(clippy::unwrap_used, reason = "tests")]

mod logs;
mod map_txt;
mod reading;
mod round_files;
mod state_json;

use crate::table::{Table, USUAL, fire, nothing, pass, place, shield, shoot, silence};
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{MapSize, Ship, Weapon};
use rules::{BySeat, Game, Part, Seat};

fn details(author: &str, nick_name: &str, email: &str, bot_type: &str) -> PlayerInfo {
    PlayerInfo {
        author: Some(author.to_owned()),
        nick_name: Some(nick_name.to_owned()),
        email: Some(email.to_owned()),
        bot_type: bot_type.to_owned(),
    }
}

/// The files of a match between two plain bots.
fn files() -> Files {
    between(
        details("Ann Author", "Alpha", "ann@example.com", "Rust"),
        details("Bob Builder", "Bravo", "bob@example.com", "Golang"),
    )
}

/// The files of a match between these.
fn between(a: PlayerInfo, b: PlayerInfo) -> Files {
    Files::new(BySeat::from_iter([a, b]))
}

/// The text of the part with that name.
fn text(parts: &[Part], name: &str) -> String {
    let part = parts.iter().find(|part| part.name == name).unwrap();
    String::from_utf8(part.bytes.clone()).unwrap()
}

/// A file that the player in `seat` would be shown now.
fn shown(table: &Table, seat: Seat, name: &str) -> String {
    text(&files().player_files(&table.game.view(seat)), name)
}

/// A file that would lie beside the players' folders now.
fn beside(table: &Table, name: &str) -> String {
    text(&files().round_files(&table.game), name)
}

/// Before round 1, still in phase 1: A placed its ships in vain, because B wrote nothing.
fn failed_start() -> Table {
    let mut table = Table::new(MapSize::Small);
    table.round(place(USUAL), silence());
    table
}

/// Before round 17: A's destroyer is sunk; B's shield is up, has caught two shots, one of them on a cell hit before.
fn battle() -> Table {
    let mut table = Table::small();
    table.round(fire(6, 6), fire(0, 0)).b_sinks(Ship::Destroyer).round(fire(2, 2), fire(5, 5));
    table.wait_for_round(15).round(fire(2, 2), shield(2, 3)).round(fire(3, 4), shoot(Weapon::CornerShot, 3, 2));
    table
}

/// After the end: B has sunk everything, and A did nothing.
fn end() -> Table {
    let mut table = Table::small();
    for ship in Ship::ALL {
        for point in crate::table::cells_of(ship) {
            let a = if point.y == 0 { pass() } else { nothing() };
            table.round(a, fire(point.x, point.y));
        }
    }
    table
}

/// Compares a JSON file of one line with its snapshot, where the line is broken between objects to be readable.
fn assert_json_snapshot(name: &str, json: &str) {
    assert!(!json.contains(['\n', '\r']), "JSON is one line without an end");
    let broken = json.replace("},{", "},\n{");
    let settings = {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings
    };
    settings.bind(|| insta::assert_snapshot!(name, broken));
}
