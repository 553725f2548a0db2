//! Requests as JSON: what the public arena came to later. All numbers of the board are texts.

use super::{Requests, Strike, View};
use crate::Seat;
use serde::Serialize;
use std::collections::BTreeMap;

/// A strike as bots are shown it, as JSON in forms, too.
#[derive(Serialize)]
pub(super) struct StrikeText {
    target: String,
    result: &'static str,
}

pub(super) fn strikes(strikes: &[Strike]) -> Vec<StrikeText> {
    let text = |strike: &Strike| StrikeText {
        target: format!("{},{}", strike.target.x, strike.target.y),
        result: strike.result.text(),
    };
    strikes.iter().map(text).collect()
}

/// The question for the ships. The name of the game is in lower case here, and only here.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Init<'a> {
    game_id: u32,
    game: &'static str,
    action: &'static str,
    players: u8,
    player_index: usize,
    board: Board<'a>,
}

/// The question for a strike.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct PlayTurn<'a> {
    game: &'static str,
    game_id: u32,
    action: &'static str,
    player_index: usize,
    board: Board<'a>,
}

#[derive(Serialize)]
struct Board<'a> {
    opponent: &'a str,
    width: String,
    height: String,
    /// `ship1` to `ship6`.
    #[serde(flatten)]
    ships: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    your_strikes: Option<Vec<StrikeText>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    his_strikes: Option<Vec<StrikeText>>,
}

/// The body of a request, `application/json`.
pub(super) fn body(requests: &Requests, seat: Seat, view: &View) -> Vec<u8> {
    let settings = &view.settings;
    let ships = (1..).zip(settings.ships()).map(|(length, count)| (format!("ship{length}"), count.to_string()));
    let shown = |list: &[Strike]| (!view.placing).then(|| strikes(list));
    let board = Board {
        opponent: &requests.names[seat.opponent()],
        width: settings.width().to_string(),
        height: settings.height().to_string(),
        ships: ships.collect(),
        your_strikes: shown(&view.own_strikes),
        his_strikes: shown(&view.opponent_strikes),
    };
    let (game_id, player_index) = (requests.number, seat.index());
    let written = if view.placing {
        serde_json::to_vec(&Init { game_id, game: "battleship", action: "init", players: 2, player_index, board })
    } else {
        serde_json::to_vec(&PlayTurn { game: "Battleship", game_id, action: "play-turn", player_index, board })
    };
    written.expect("structs of texts and numbers are JSON")
}
