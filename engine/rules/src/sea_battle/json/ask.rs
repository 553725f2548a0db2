//! The bodies of requests, and of the answers that the engine writes itself.

use super::super::{BOARD, Order, ShipKind, Shot, View};
use crate::Point;
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlacementRequest<'a> {
    game_id: &'a str,
    board_size: i32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveRequest<'a> {
    game_id: &'a str,
    turn: u32,
    your_shots: Vec<WireShot>,
    opponent_shots: Vec<WireShot>,
    radar_used: bool,
    radar_history: Vec<WireScan<'a>>,
}

#[derive(Serialize)]
struct WireShot {
    x: i32,
    y: i32,
    result: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireScan<'a> {
    center: Point,
    visible_cells: &'a [Point],
}

#[derive(Serialize)]
struct PlacementAnswer<'a> {
    ships: Vec<WireShip<'a>>,
}

#[derive(Serialize)]
struct WireShip<'a> {
    #[serde(rename = "type")]
    kind: ShipKind,
    cells: &'a [Point],
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum MoveAnswer {
    Shot(Point),
    Radar { center: Point },
}

fn shots(shots: &[Shot]) -> Vec<WireShot> {
    shots.iter().map(|&Shot { at, result }| WireShot { x: at.x, y: at.y, result: result.name() }).collect()
}

fn bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("wire structs have string keys and finite numbers")
}

pub(super) fn placement(game_id: &str) -> Vec<u8> {
    bytes(&PlacementRequest { game_id, board_size: BOARD.width() })
}

pub(super) fn a_move(game_id: &str, view: &View) -> Vec<u8> {
    let scans = view.scans.iter();
    bytes(&MoveRequest {
        game_id,
        turn: view.turn,
        your_shots: shots(&view.own_shots),
        opponent_shots: shots(&view.opponent_shots),
        radar_used: view.radar_used,
        radar_history: scans.map(|scan| WireScan { center: scan.centre, visible_cells: &scan.visible }).collect(),
    })
}

pub(super) fn answer(order: &Order) -> Vec<u8> {
    match order {
        Order::Place(ships) => {
            let ships = ships.iter().map(|ship| WireShip { kind: ship.kind, cells: &ship.cells });
            bytes(&PlacementAnswer { ships: ships.collect() })
        }
        Order::Shoot(at) => bytes(&MoveAnswer::Shot(*at)),
        Order::Radar(centre) => bytes(&MoveAnswer::Radar { center: *centre }),
    }
}
