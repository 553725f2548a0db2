//! The files of a round that lie beside the players' folders.

use super::super::{Entelect2017, MapSize, OrderKind, PlayerState, Settings, Weapon};
use super::{Files, PlayerInfo, json, map_txt, state_json};
use crate::{BySeat, Game, InputError, Part, Seat, input_json};
use serde::{Deserialize, Serialize};

/// The five files of the coming round.
pub(super) fn all(files: &Files, game: &Entelect2017) -> Vec<Part> {
    let [player1_move, player2_move] = [Seat::A, Seat::B].map(|seat| last_move(game.player(seat)));
    vec![
        Part { name: "A - map.txt", bytes: map_txt::map(files, &game.view(Seat::A)).into_bytes() },
        Part { name: "B - map.txt", bytes: map_txt::map(files, &game.view(Seat::B)).into_bytes() },
        Part { name: "state.json", bytes: state_json::round(files, game) },
        Part { name: "roundInfo.json", bytes: json::derived(&info(files, game)) },
        Part { name: "roundCommand.json", bytes: json::derived(&RoundCommand { player1_move, player2_move }) },
    ]
}

/// Reads the settings and the players of a match from roundInfo.json.
///
/// # Errors
/// The mistake and its place, for a person.
pub fn read_round_info(bytes: &[u8]) -> Result<(Settings, BySeat<PlayerInfo>), String> {
    let wrong = |e: InputError| format!("it is not a roundInfo.json: {e}");
    let info: KeptInfo = input_json(bytes).map_err(wrong)?;
    let size = MapSize::ALL.into_iter().find(|size| size.side() == info.map_size);
    let size = size.ok_or_else(|| format!("MapSize: there is no map of {} cells", info.map_size))?;
    if info.players.len() != 2 {
        return Err(format!("Players: there are {}, not 2", info.players.len()));
    }
    Ok((Settings { size }, info.players.into_iter().collect()))
}

/// The part of roundInfo.json that is the same in all rounds.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct KeptInfo {
    map_size: u8,
    players: Vec<PlayerInfo>,
}

/// roundInfo.json. The winner is the best so far, in every round.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct RoundInfo<'a> {
    map_size: u8,
    round: u32,
    winner: &'a PlayerInfo,
    leader_board: Vec<&'a PlayerInfo>,
    players: &'a BySeat<PlayerInfo>,
}

fn info<'a>(files: &'a Files, game: &Entelect2017) -> RoundInfo<'a> {
    let leader_board: Vec<&PlayerInfo> = game.leader_board().into_iter().map(|seat| &files.details[seat]).collect();
    RoundInfo {
        map_size: game.size().side(),
        round: game.round(),
        winner: leader_board[0],
        leader_board,
        players: &files.details,
    }
}

/// roundCommand.json. It is about the round before.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct RoundCommand {
    player1_move: Move,
    player2_move: Move,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Move {
    successful_move: bool,
    command_issued: Option<&'static str>,
    center_point: String,
    shield_radius: u32,
    place_ship_string: Option<String>,
    energy: u32,
    remaining_shield_turns: u32,
}

fn last_move(player: &PlayerState) -> Move {
    let last = &player.last_command;
    Move {
        successful_move: last.successful,
        command_issued: last.issued.map(command_issued),
        center_point: last.centre.to_string(),
        shield_radius: player.shield.radius,
        place_ship_string: last.placement.as_ref().map(|lines| lines.join(",").replace('\r', " ")),
        energy: player.energy,
        remaining_shield_turns: player.shield.charges,
    }
}

fn command_issued(order: OrderKind) -> &'static str {
    match order {
        OrderKind::DoNothing => "DoNothing",
        OrderKind::Place => "PlaceShip",
        OrderKind::Fire(Weapon::SingleShot) => "FireSingleShot",
        OrderKind::Fire(Weapon::DoubleShotVertical) => "FireDoubleShotVertical",
        OrderKind::Fire(Weapon::DoubleShotHorizontal) => "FireDoubleShotHorizontal",
        OrderKind::Fire(Weapon::CornerShot) => "FireCornerShot",
        OrderKind::Fire(Weapon::DiagonalCrossShot) => "FireCrossShotDiagonal",
        OrderKind::Fire(Weapon::CrossShot) => "FireCrossShotNormal",
        OrderKind::Fire(Weapon::SeekerMissile) => "FireSeekerMissile",
        OrderKind::Shield => "PlaceShield",
    }
}
