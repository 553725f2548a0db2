//! Writes state.json, for one player and for the round.

use super::super::shield::CHARGE_TIME;
use super::super::{Board, CellState, Entelect2017, MapSize, Phase, PlayerState, Ship, View, Weapon, view};
use super::wire::{
    Cell, OpponentCell, OpponentMap, OpponentShip, OwnShip, OwnWeapon, Owner, PlayerMap, Shield, StateFile,
};
use super::{Files, json};
use crate::{Point, Seat};

const GAME_VERSION: &str = "1.0.0";

/// The state.json of the player with this view.
pub(super) fn player(files: &Files, view: &View) -> StateFile {
    StateFile {
        player_map: Some(player_map(files, view.size, view.seat, &view.own)),
        opponent_map: Some(opponent_map(files, view)),
        ..frame(view.size, view.phase, view.round)
    }
}

/// The state.json of the round: both maps, nothing hidden.
pub(super) fn round(files: &Files, game: &Entelect2017) -> Vec<u8> {
    let map = |seat| Some(player_map(files, game.size(), seat, game.player(seat)));
    json::to_vec(&StateFile {
        player1_map: map(Seat::A),
        player2_map: map(Seat::B),
        ..frame(game.size(), game.phase(), game.round())
    })
}

fn frame(size: MapSize, phase: Phase, round: u32) -> StateFile {
    StateFile {
        game_version: GAME_VERSION.to_owned(),
        game_level: 1,
        round,
        map_dimension: size.side().into(),
        phase: phase.number().into(),
        ..StateFile::default()
    }
}

fn player_map(files: &Files, size: MapSize, seat: Seat, player: &PlayerState) -> PlayerMap {
    let board = &player.board;
    PlayerMap {
        cells: board.grid().points().zip(board.cells()).map(|(point, state)| cell(point, state)).collect(),
        owner: owner(files, size, seat, player),
        map_width: size.side().into(),
        map_height: size.side().into(),
    }
}

fn cell(point: Point, state: CellState) -> Cell {
    let CellState { occupied, hit, shielded, shield_hit } = state;
    Cell { occupied, hit, x: point.x, y: point.y, shielded, shield_hit }
}

fn owner(files: &Files, size: MapSize, seat: Seat, player: &PlayerState) -> Owner {
    let shield = &player.shield;
    Owner {
        failed_first_phase_commands: player.failed_first_phase_commands,
        name: files.name(seat).to_owned(),
        ships: Ship::ALL.map(|ship| own_ship(size, &player.board, ship)).to_vec(),
        points: player.points,
        energy: player.energy,
        killed: player.killed,
        is_winner: false,
        shots_fired: player.shots_fired,
        shots_hit: player.shots_hit,
        shield: Shield {
            charge_time: CHARGE_TIME,
            round_last_used: shield.round_last_used,
            current_charges: shield.charges,
            active: shield.active,
            current_radius: shield.radius,
            max_radius: shield.max_radius,
            center_point: shield.centre.to_string(),
        },
        ships_remaining: player.board.ships_remaining() as u32,
        key: seat.to_string(),
    }
}

fn own_ship(size: MapSize, board: &Board, ship: Ship) -> OwnShip {
    let state = board.ship(ship);
    let cell_at = |point: Option<Point>| point.and_then(|point| Some(cell(point, board.cell(point)?)));
    let weapon =
        |weapon| OwnWeapon { weapon_type: weapon_type(weapon).to_owned(), energy_required: weapon.energy(size) };
    OwnShip {
        cells: state.cells().map(cell_at).collect(),
        destroyed: state.destroyed,
        placed: state.placed,
        ship_type: ship.name().to_owned(),
        weapons: vec![weapon(Weapon::SingleShot), weapon(ship.special_weapon())],
    }
}

fn opponent_map(files: &Files, view: &View) -> OpponentMap {
    let opponent = &view.opponent;
    let ships = Ship::ALL.into_iter().zip(opponent.destroyed);
    let cell = |(Point { x, y }, &view::OpponentCell { damaged, missed, shield_hit })| OpponentCell {
        damaged,
        missed,
        x,
        y,
        shield_hit,
    };
    OpponentMap {
        ships: ships.map(|(ship, destroyed)| OpponentShip { destroyed, ship_type: ship.name().to_owned() }).collect(),
        alive: opponent.alive,
        points: opponent.points,
        name: files.name(view.seat.opponent()).to_owned(),
        cells: view.size.grid().points().zip(&opponent.cells).map(cell).collect(),
    }
}

/// The name of a weapon in files, where both double shots are one.
pub(super) fn weapon_type(weapon: Weapon) -> &'static str {
    match weapon {
        Weapon::SingleShot => "SingleShot",
        Weapon::DoubleShotVertical | Weapon::DoubleShotHorizontal => "DoubleShot",
        Weapon::CornerShot => "CornerShot",
        Weapon::DiagonalCrossShot => "DiagonalCrossShot",
        Weapon::CrossShot => "CrossShot",
        Weapon::SeekerMissile => "SeekerMissile",
    }
}
