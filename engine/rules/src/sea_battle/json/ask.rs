//! The bodies of requests, and of the answers that the engine writes itself.

use super::super::{BOARD, Order, Scan, Ship, ShipKind, Shot, View};
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
    radar_history: Vec<WireScan>,
}

#[derive(Serialize)]
struct WireShot {
    x: i32,
    y: i32,
    result: &'static str,
}

#[derive(Serialize)]
struct WireCell {
    x: i32,
    y: i32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireScan {
    center: WireCell,
    visible_cells: Vec<WireCell>,
}

#[derive(Serialize)]
struct PlacementAnswer {
    ships: Vec<WireShip>,
}

#[derive(Serialize)]
struct WireShip {
    #[serde(rename = "type")]
    kind: ShipKind,
    cells: Vec<WireCell>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum MoveAnswer {
    Shot { x: i32, y: i32 },
    Radar { center: WireCell },
}

fn cell(point: Point) -> WireCell {
    WireCell { x: point.x, y: point.y }
}

fn cells(points: &[Point]) -> Vec<WireCell> {
    points.iter().copied().map(cell).collect()
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
    let scan = |scan: &Scan| WireScan { center: cell(scan.centre), visible_cells: cells(&scan.visible) };
    bytes(&MoveRequest {
        game_id,
        turn: view.turn,
        your_shots: shots(&view.own_shots),
        opponent_shots: shots(&view.opponent_shots),
        radar_used: view.radar_used,
        radar_history: view.scans.iter().map(scan).collect(),
    })
}

pub(super) fn answer(order: &Order) -> Vec<u8> {
    let ship = |ship: &Ship| WireShip { kind: ship.kind, cells: cells(&ship.cells) };
    match order {
        Order::Place(ships) => bytes(&PlacementAnswer { ships: ships.iter().map(ship).collect() }),
        Order::Shoot(at) => bytes(&MoveAnswer::Shot { x: at.x, y: at.y }),
        Order::Radar(centre) => bytes(&MoveAnswer::Radar { center: cell(*centre) }),
    }
}
