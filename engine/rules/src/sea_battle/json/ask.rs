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
    radar_history: Vec<WireScan<'a>>,
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
struct WireScan<'a> {
    center: WireCell,
    #[serde(serialize_with = "cells")]
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
    #[serde(serialize_with = "cells")]
    cells: &'a [Point],
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum MoveAnswer {
    Shot { x: i32, y: i32 },
    Radar { center: WireCell },
}

impl From<Point> for WireCell {
    fn from(point: Point) -> WireCell {
        WireCell { x: point.x, y: point.y }
    }
}

impl From<&Shot> for WireShot {
    fn from(shot: &Shot) -> WireShot {
        WireShot { x: shot.at.x, y: shot.at.y, result: shot.result.name() }
    }
}

impl<'a> From<&'a Scan> for WireScan<'a> {
    fn from(scan: &'a Scan) -> WireScan<'a> {
        WireScan { center: scan.centre.into(), visible_cells: &scan.visible }
    }
}

impl<'a> From<&'a Ship> for WireShip<'a> {
    fn from(ship: &'a Ship) -> WireShip<'a> {
        WireShip { kind: ship.kind, cells: &ship.cells }
    }
}

fn cells<S: serde::Serializer>(points: &[Point], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.iter().copied().map(WireCell::from))
}

fn bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("wire structs have string keys and finite numbers")
}

pub(super) fn placement(game_id: &str) -> Vec<u8> {
    bytes(&PlacementRequest { game_id, board_size: BOARD.width() })
}

pub(super) fn a_move(game_id: &str, view: &View) -> Vec<u8> {
    bytes(&MoveRequest {
        game_id,
        turn: view.turn,
        your_shots: view.own_shots.iter().map(WireShot::from).collect(),
        opponent_shots: view.opponent_shots.iter().map(WireShot::from).collect(),
        radar_used: view.radar_used,
        radar_history: view.scans.iter().map(WireScan::from).collect(),
    })
}

pub(super) fn answer(order: &Order) -> Vec<u8> {
    match order {
        Order::Place(ships) => bytes(&PlacementAnswer { ships: ships.iter().map(WireShip::from).collect() }),
        Order::Shoot(at) => bytes(&MoveAnswer::Shot { x: at.x, y: at.y }),
        Order::Radar(centre) => bytes(&MoveAnswer::Radar { center: (*centre).into() }),
    }
}
