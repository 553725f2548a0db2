//! The behaviour of a fake bot that is asked by lines of JSON.

use crate::Round;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A legal fleet of Sea Battle: type, first cell, number of cells across.
const FLEET: [(&str, u32, u32, u32); 10] = [
    ("fourdeck", 0, 0, 4),
    ("battleship", 5, 0, 3),
    ("threeship", 0, 2, 3),
    ("submarine", 4, 2, 2),
    ("twoship", 7, 2, 2),
    ("twoship", 0, 4, 2),
    ("oneship", 3, 4, 1),
    ("oneship", 5, 4, 1),
    ("oneship", 7, 4, 1),
    ("oneship", 9, 4, 1),
];
/// Legal ships of botsArena on the usual board.
const BOATS: [&str; 5] = ["3,3-3,7", "2,1-2,4", "0,1-0,3", "7,3-7,1", "8,8-7,8"];

impl Round {
    /// The turn of a bot that is asked by this line: round 0 of phase 1 for its ships, else a round of phase 2 by the number of
    /// the turn, or in botsArena by the bot's own strikes. Its folder is the bot's.
    pub fn of_question(line: &str) -> Option<Round> {
        let question: Value = serde_json::from_str(line).ok()?;
        let strikes = question["board"]["your_strikes"].as_array().map(|strikes| strikes.len() as u64 + 1);
        let number = question["turn"].as_u64().or(strikes).unwrap_or_default() as u32;
        let phase = if number == 0 { 1 } else { 2 };
        Some(Round { key: "A".to_owned(), folder: PathBuf::from("."), phase, number, question })
    }

    /// The answer of the `answer` step: a legal fleet, or a shot at one cell after the other.
    pub(crate) fn answer(&self) -> Value {
        let shots = |list: &Value| list.as_array().map_or(0, Vec::len) % 100;
        let cell = |count: usize| (count % 10, count / 10);
        let (board, is_first) = (&self.question["board"], self.phase == 1);
        if board.is_object() {
            let (x, y) = cell(shots(&board["your_strikes"]));
            return if is_first { json!({ "boats": BOATS }) } else { json!({ "play": format!("{x},{y}") }) };
        }
        let (x, y) = cell(shots(&self.question["yourShots"]));
        let ship = |(kind, x, y, length): (&str, u32, u32, u32)| {
            let cells: Vec<Value> = (0..length).map(|at| json!({ "x": x + at, "y": y })).collect();
            json!({ "type": kind, "cells": cells })
        };
        match is_first {
            true => json!({ "ships": FLEET.map(ship) }),
            false => json!({ "type": "shot", "x": x, "y": y }),
        }
    }
}
