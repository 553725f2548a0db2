//! The brain of a bot for Sea Battle: from the body of a request to the body of the answer.
//!
//! [`answer`] is the way in. It asks [`placing`] for a fleet, and for a move it draws a [`Chart`] of what is known of the
//! opponent's board, on which it looks for the cell that is most likely hit. Nothing is remembered between requests.

mod chart;
pub mod placing;
mod value;
pub mod wire;

pub use chart::{Chart, Found, Ship, Waters};
pub use value::Values;

use rand::Rng;
use serde::Serialize;
use std::fmt;
use wire::{Answer, MoveRequest};

/// After so many shots radar is used, as soon as no ship is known of that is not sunk.
const SHOTS_BEFORE_RADAR: usize = 8;

/// What to answer to a request at this path, `placement` or `move`.
pub fn answer(path: &str, body: &[u8], random: &mut impl Rng) -> Result<Vec<u8>, Unplayable> {
    match path {
        "placement" => bytes(&placing::fleet(random)),
        "move" => bytes(&choose(&serde_json::from_slice(body)?, random)?),
        other => Err(Unplayable(format!("there is nothing at {other:?}"))),
    }
}

/// The next move.
pub fn choose(request: &MoveRequest, random: &mut impl Rng) -> Result<Answer, Unplayable> {
    let chart = request.chart();
    let values = Values::of(&chart);
    let is_time_for_radar = !request.radar_used && request.your_shots.len() >= SHOTS_BEFORE_RADAR;
    if is_time_for_radar && !chart.has_prey() {
        return Ok(Answer::Radar { center: values.best_centre(random) });
    }
    match values.best_cell(random).or_else(|| chart.first_unknown()) {
        Some(cell) => Ok(Answer::Shot { x: cell.x, y: cell.y }),
        None => Err(Unplayable("there is nothing left to fire at".to_owned())),
    }
}

fn bytes(answer: &impl Serialize) -> Result<Vec<u8>, Unplayable> {
    Ok(serde_json::to_vec(answer)?)
}

/// Why a request cannot be answered.
#[derive(Debug)]
pub struct Unplayable(pub(crate) String);

impl From<serde_json::Error> for Unplayable {
    fn from(error: serde_json::Error) -> Unplayable {
        Unplayable(error.to_string())
    }
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unplayable {}
