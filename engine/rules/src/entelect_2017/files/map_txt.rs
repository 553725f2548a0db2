//! Writes map.txt (legend: published text, "Project Structure").

use super::super::{Entelect2017, MapSize, OpponentView, Phase, PlayerState, Ship, View, Weapon};
use super::{Files, state_json};
use crate::{Point, Seat};
use std::fmt::Write;

/// The map.txt in a player's folder.
pub(super) fn player(files: &Files, view: &View) -> String {
    write_map(
        files,
        view.seat,
        Frame { size: view.size, phase: view.phase, round: view.round },
        &view.own,
        &view.opponent,
    )
}

/// The same for the file beside the players' folders, such as `A - map.txt`.
pub(super) fn round(files: &Files, game: &Entelect2017, seat: Seat) -> String {
    let frame = Frame { size: game.size(), phase: game.phase(), round: game.round() };
    write_map(files, seat, frame, game.player(seat), &OpponentView::of(game.player(seat.opponent())))
}

struct Frame {
    size: MapSize,
    phase: Phase,
    round: u32,
}

fn write_map(files: &Files, seat: Seat, frame: Frame, own: &PlayerState, opponent: &OpponentView) -> String {
    let mut out = String::with_capacity(1536);
    let side = usize::from(frame.size.side());
    let rule = "X".repeat(30);
    let fence = "#".repeat(side);
    write_lines(
        &mut out,
        [
            &rule,
            "Game Version : 1.0.0",
            "Game Level : 1",
            &format!("Round Number : {}", frame.round),
            &format!("Map Dimensions : {side} x {side}"),
            &format!("Phase : {}", frame.phase.number()),
            &rule,
            "",
            &format!("{fence} Player"),
        ],
    );
    write_board(&mut out, frame.size, |point| own_letter(own, point));
    write_lines(&mut out, [&format!("{fence} Opponent")]);
    write_board(&mut out, frame.size, |point| opponent_letter(frame.size, opponent, point));
    let dashes = "-".repeat(27);
    let afloat = Ship::ALL.into_iter().filter(|&ship| !own.board().ship(ship).is_destroyed());
    let theirs = Ship::ALL.into_iter().zip(opponent.destroyed).filter(|(_, destroyed)| !destroyed);
    write_lines(
        &mut out,
        [
            &fence,
            "",
            &dashes,
            &format!("Player Name: {}", files.name_in_line(seat)),
            &format!("Available Energy: {}", own.energy()),
            &format!("Shots: {}", own.shots_fired()),
            &format!("Hit: {}", own.shots_hit()),
            &format!("Points: {}", own.points()),
            &format!("Arsenal: {}", arsenal(own)),
            &format!("Ships: {}", ship_list(afloat)),
            status(!own.is_killed()),
            &shield(own),
            &dashes,
            &format!("Opponent: {}", files.name_in_line(seat.opponent())),
            &format!("Points: {}", opponent.points),
            &format!("Ships: {}", ship_list(theirs.map(|(ship, _)| ship))),
            status(opponent.alive),
            &dashes,
        ],
    );
    out
}

fn write_lines<const N: usize>(out: &mut String, lines: [&str; N]) {
    for line in lines {
        out.push_str(line);
        out.push('\n');
    }
}

/// Rows from the north to the south.
fn write_board(out: &mut String, size: MapSize, letter: impl Fn(Point) -> char) {
    let grid = size.grid();
    for y in (0..grid.height()).rev() {
        out.extend((0..grid.width()).map(|x| letter(Point { x, y })));
        out.push('\n');
    }
}

fn own_letter(own: &PlayerState, point: Point) -> char {
    let cell = own.board().cell(point).unwrap_or_default();
    if cell.shielded && cell.shield_hit {
        return '@';
    }
    match own.board().ship_at(point) {
        Some(ship) if cell.hit => ship.letter().to_ascii_lowercase(),
        Some(ship) => ship.letter(),
        None => '~',
    }
}

fn opponent_letter(size: MapSize, opponent: &OpponentView, point: Point) -> char {
    let cell = opponent.cell(size, point).unwrap_or_default();
    match cell {
        _ if cell.shield_hit => '@',
        _ if cell.damaged => '*',
        _ if cell.missed => '!',
        _ => '~',
    }
}

/// The distinct weapons of the ships afloat, in the order of the ships.
fn arsenal(own: &PlayerState) -> String {
    let specials =
        Ship::ALL.into_iter().filter(|&ship| !own.board().ship(ship).is_destroyed()).map(Ship::special_weapon);
    let mut weapons: Vec<&str> = specials.map(state_json::weapon_type).collect();
    if !weapons.is_empty() {
        weapons.insert(0, state_json::weapon_type(Weapon::SingleShot));
    }
    format!("[{}]", weapons.join(","))
}

fn ship_list(ships: impl Iterator<Item = Ship>) -> String {
    let names = ships.map(|ship| if ship == Ship::Battleship { "Battle Ship" } else { ship.name() });
    format!("[{}]", names.collect::<Vec<_>>().join(","))
}

fn status(alive: bool) -> &'static str {
    if alive { "Status: Alive" } else { "Status: Dead" }
}

fn shield(own: &PlayerState) -> String {
    let shield = own.shield();
    let mut text = String::from("Shield: (Status: ");
    let centre = shield.centre();
    let written = if shield.is_active() {
        write!(text, "Activated, Charges: {}), Center Point: X:{},Y:{}", shield.charges(), centre.x, centre.y)
    } else {
        write!(text, "Deactivated, Charges: {}), Center Point: No Shield", shield.charges())
    };
    written.expect("a String takes all text");
    text
}
