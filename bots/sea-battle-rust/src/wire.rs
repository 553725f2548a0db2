//! Requests and answers as JSON has them.

use crate::chart::{Chart, Found, Ship, Waters};
use serde::{Deserialize, Serialize};

/// A cell: column and row, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "x and y say what they are")]
pub struct Cell {
    pub x: i32,
    pub y: i32,
}

/// The answer to `/placement`.
#[derive(Debug, Serialize)]
pub struct Fleet {
    /// All of them.
    pub ships: Vec<PlacedShip>,
}

/// A ship on the board.
#[derive(Debug, Serialize)]
pub struct PlacedShip {
    /// Its type, such as `fourdeck`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The cells in which it lies.
    pub cells: Vec<Cell>,
}

/// The request to `/move`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveRequest {
    /// All our shots, first to last.
    pub your_shots: Vec<Shot>,
    /// True if we have used our radar.
    pub radar_used: bool,
    /// The scans of our radar.
    pub radar_history: Vec<Scan>,
}

/// A shot and what came of it.
#[derive(Debug, Deserialize)]
pub struct Shot {
    /// The cell it fell in.
    #[serde(flatten)]
    pub at: Cell,
    /// The result of the shot.
    pub result: ShotResult,
}

/// The result of a shot.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are the words of the protocol")]
pub enum ShotResult {
    Miss,
    Hit,
    Sunk,
}

/// A use of radar.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scan {
    /// The centre of the scan.
    pub center: Cell,
    /// The cells of ships around it.
    pub visible_cells: Vec<Cell>,
}

/// The answer to `/move`.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are the words of the protocol")]
pub enum Answer {
    Shot { x: i32, y: i32 },
    Radar { center: Cell },
}

/// The board.
pub const BOARD: Waters = Waters { width: 10, height: 10, ships_may_touch: false };

/// The ships of a fleet: type, ship, how many.
pub const FLEET: [(&str, Ship, usize); 6] = [
    ("fourdeck", Ship::plain(4), 1),
    ("battleship", Ship { has_armour: true, ..Ship::plain(3) }, 1),
    ("threeship", Ship::plain(3), 1),
    // Before the submarine: a sunk ship of two cells is taken for one of these first.
    ("twoship", Ship::plain(2), 2),
    ("submarine", Ship { is_stealthy: true, ..Ship::plain(2) }, 1),
    ("oneship", Ship::plain(1), 4),
];

impl MoveRequest {
    /// Our knowledge of the opponent's board.
    pub fn chart(&self) -> Chart {
        let mut chart = Chart::new(BOARD, FLEET.map(|(_, ship, count)| (ship, count)));
        // First, so that it is known of a sunk ship whether radar saw it.
        for scan in &self.radar_history {
            chart.scanned(scan.center, &scan.visible_cells);
        }
        for shot in &self.your_shots {
            let found = match shot.result {
                ShotResult::Miss => Found::Nothing,
                ShotResult::Hit => Found::Ship,
                ShotResult::Sunk => Found::LastOfShip,
            };
            chart.fired(shot.at, found);
        }
        chart
    }
}
