//! Writes map.txt (legend: published text, "Project Structure").

use super::super::{MapSize, OpponentView, PlayerState, Shield, Ship, View, Weapon};
use super::{Files, state_json};
use crate::Point;

/// The map.txt of the player with this view.
pub(super) fn map(files: &Files, view: &View) -> String {
    let View { seat, size, own, opponent, .. } = view;
    let mut out = String::with_capacity(1536);
    let side = usize::from(size.side());
    let rule = "X".repeat(30);
    let fence = "#".repeat(side);
    write_lines(
        &mut out,
        [
            &rule,
            "Game Version : 1.0.0",
            "Game Level : 1",
            &format!("Round Number : {}", view.round),
            &format!("Map Dimensions : {side} x {side}"),
            &format!("Phase : {}", view.phase.number()),
            &rule,
            "",
            &format!("{fence} Player"),
        ],
    );
    write_board(&mut out, *size, |point| own_letter(own, point));
    write_lines(&mut out, [&format!("{fence} Opponent")]);
    write_board(&mut out, *size, |point| opponent_letter(*size, opponent, point));
    let dashes = "-".repeat(27);
    let afloat = Ship::ALL.into_iter().filter(|&ship| !own.board.ship(ship).destroyed);
    let theirs = Ship::ALL.into_iter().zip(opponent.destroyed).filter(|(_, destroyed)| !destroyed);
    write_lines(
        &mut out,
        [
            &fence,
            "",
            &dashes,
            &format!("Player Name: {}", files.name_in_line(*seat)),
            &format!("Available Energy: {}", own.energy),
            &format!("Shots: {}", own.shots_fired),
            &format!("Hit: {}", own.shots_hit),
            &format!("Points: {}", own.points),
            &format!("Arsenal: {}", arsenal(afloat.clone())),
            &format!("Ships: {}", ship_list(afloat)),
            status(!own.killed),
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
    let cell = own.board.cell(point).unwrap_or_default();
    if cell.shielded && cell.shield_hit {
        return '@';
    }
    match own.board.ship_at(point) {
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
fn arsenal(afloat: impl Iterator<Item = Ship>) -> String {
    let mut weapons: Vec<&str> = afloat.map(|ship| state_json::weapon_type(ship.special_weapon())).collect();
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
    let Shield { active, charges, centre, .. } = &own.shield;
    if *active {
        format!("Shield: (Status: Activated, Charges: {charges}), Center Point: X:{},Y:{}", centre.x, centre.y)
    } else {
        format!("Shield: (Status: Deactivated, Charges: {charges}), Center Point: No Shield")
    }
}
