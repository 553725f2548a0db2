//! The files of a round that lie beside the players' folders.

use super::super::{Entelect2017, LastCommand, MapSize, OrderKind, PlayerState, Settings, Weapon};
use super::json::objects;
use super::{Files, PlayerInfo, json, map_txt, state_json};
use crate::{BySeat, Part, Seat};
use serde::Deserialize;

/// The five files of the coming round.
pub(super) fn all(files: &Files, game: &Entelect2017) -> Vec<Part> {
    vec![
        Part { name: "A - map.txt", bytes: map_txt::round(files, game, Seat::A).into_bytes() },
        Part { name: "B - map.txt", bytes: map_txt::round(files, game, Seat::B).into_bytes() },
        Part { name: "state.json", bytes: state_json::round(files, game) },
        Part { name: "roundInfo.json", bytes: json::to_vec(&info(files, game)) },
        Part { name: "roundCommand.json", bytes: json::to_vec(&commands(game)) },
    ]
}

/// Reads the settings and the players of a match from roundInfo.json.
///
/// # Errors
/// The mistake and its place, for a person.
pub fn read_round_info(bytes: &[u8]) -> Result<(Settings, BySeat<PlayerInfo>), String> {
    let wrong = |e: serde_json::Error| format!("it is not a roundInfo.json: {e}");
    let info: KeptInfo = serde_json::from_slice(bytes).map_err(wrong)?;
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
struct RoundInfo<'a> {
    map_size: u8,
    round: u32,
    winner: Participant<'a>,
    leader_board: Vec<Participant<'a>>,
    players: Vec<Participant<'a>>,
}

#[derive(Clone, Copy)]
struct Participant<'a> {
    author: Option<&'a str>,
    nick_name: Option<&'a str>,
    email: Option<&'a str>,
    bot_type: &'a str,
}

objects! {
    RoundInfo<'a> { MapSize: map_size, Round: round, Winner: winner, LeaderBoard: leader_board, Players: players }
    Participant<'a> { Author: author, NickName: nick_name, Email: email, BotType: bot_type }
    RoundCommand { Player1Move: player1_move, Player2Move: player2_move }
    Move {
        SuccessfulMove: successful_move, CommandIssued: command_issued, CenterPoint: center_point,
        ShieldRadius: shield_radius, PlaceShipString: place_ship_string, Energy: energy,
        RemainingShieldTurns: remaining_shield_turns
    }
}

impl<'a> Participant<'a> {
    fn of(details: &'a PlayerInfo) -> Participant<'a> {
        Participant {
            author: details.author.as_deref(),
            nick_name: details.nick_name.as_deref(),
            email: details.email.as_deref(),
            bot_type: &details.bot_type,
        }
    }
}

fn info<'a>(files: &'a Files, game: &Entelect2017) -> RoundInfo<'a> {
    let participant = |seat: Seat| Participant::of(&files.details[seat]);
    let ranking = game.leader_board();
    RoundInfo {
        map_size: game.size().side(),
        round: game.round(),
        winner: participant(ranking[0]),
        leader_board: ranking.into_iter().map(participant).collect(),
        players: files.details.seats().map(participant).collect(),
    }
}

/// roundCommand.json. It is about the round before.
struct RoundCommand {
    player1_move: Move,
    player2_move: Move,
}

struct Move {
    successful_move: bool,
    command_issued: Option<&'static str>,
    center_point: String,
    shield_radius: u32,
    place_ship_string: Option<String>,
    energy: u32,
    remaining_shield_turns: u32,
}

fn commands(game: &Entelect2017) -> RoundCommand {
    RoundCommand { player1_move: last_move(game.player(Seat::A)), player2_move: last_move(game.player(Seat::B)) }
}

fn last_move(player: &PlayerState) -> Move {
    let last: &LastCommand = player.last_command();
    Move {
        successful_move: last.was_successful(),
        command_issued: last.issued().map(command_issued),
        center_point: last.centre().to_string(),
        shield_radius: player.shield().radius(),
        place_ship_string: last.placement().map(|lines| lines.join(",").replace('\r', " ")),
        energy: player.energy(),
        remaining_shield_turns: player.shield().charges(),
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
