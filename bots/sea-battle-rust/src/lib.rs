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
const SHOTS_BEFORE_RADAR: usize = 4;

/// The answer to a request at this path, `placement` or `move`.
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

/// The reason why a request cannot be answered.
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    fn dice(seed: u64) -> StdRng {
        StdRng::seed_from_u64(seed)
    }

    /// Shots that are written as `"4,3 hit"`.
    fn shots(texts: &[&str]) -> Vec<Value> {
        let shot = |text: &&str| {
            let (cell, result) = text.split_once(' ').unwrap();
            let (x, y) = cell.split_once(',').unwrap();
            json!({"x": x.parse::<i32>().unwrap(), "y": y.parse::<i32>().unwrap(), "result": result})
        };
        texts.iter().map(shot).collect()
    }

    /// The answer after these shots, when radar was used and nothing kept of it.
    fn after(texts: &[&str]) -> Answer {
        choose(&request(shots(texts), &json!([])), &mut dice(1)).unwrap()
    }

    fn request(shots: Vec<Value>, history: &Value) -> MoveRequest {
        let request = json!({"gameId": "m", "turn": 1, "yourShots": shots, "opponentShots": [], "radarUsed": true,
            "radarHistory": history});
        serde_json::from_value(request).unwrap()
    }

    fn shot(x: i32, y: i32) -> Answer {
        Answer::Shot { x, y }
    }

    #[test]
    fn no_two_ships_of_a_fleet_touch() {
        for seed in 0..100 {
            let ships = placing::fleet(&mut dice(seed)).ships;
            let cells = |ship: &wire::PlacedShip| ship.cells.iter().map(|cell| (cell.x, cell.y)).collect::<Vec<_>>();
            let all: BTreeSet<(i32, i32)> = ships.iter().flat_map(cells).collect();
            assert_eq!((ships.len(), all.len()), (10, 20));
            for ship in &ships {
                let near = ship.cells.iter().flat_map(|cell| chart::around(*cell)).map(|cell| (cell.x, cell.y));
                let touched = near.filter(|cell| all.contains(cell)).collect::<BTreeSet<_>>();
                assert_eq!(touched.len(), ship.cells.len());
            }
        }
    }

    #[test]
    fn a_hit_is_followed_up_and_then_its_line() {
        let Answer::Shot { x, y } = after(&["4,4 hit"]) else { panic!("there is prey") };
        assert_eq!((x - 4).abs() + (y - 4).abs(), 1);
        assert_eq!(after(&["4,4 hit", "5,4 hit", "6,4 miss"]), shot(3, 4));
    }

    #[test]
    fn armour_is_hit_again_where_no_other_ship_can_be() {
        let line = ["4,4 hit", "5,4 hit", "6,4 hit", "3,4 miss", "7,4 miss"];
        let Answer::Shot { x: 4..=6, y: 4 } = after(&line) else { panic!("it is the battleship") };
        let rest = [&line[..], &["4,4 hit", "6,4 hit"]].concat();
        assert_eq!(after(&rest), shot(5, 4));
        let other = ["4,4 hit", "5,4 hit", "6,4 hit", "5,4 miss", "3,4 miss"];
        assert_eq!(after(&other), shot(7, 4), "there was no armour");
    }

    #[test]
    fn nothing_is_looked_for_beside_a_sunk_ship() {
        for seed in 0..50 {
            let request = request(shots(&["4,4 hit", "5,4 sunk"]), &json!([]));
            let answer = choose(&request, &mut dice(seed)).unwrap();
            let Answer::Shot { x, y } = answer else { panic!("the radar was used") };
            assert!(!((3..=6).contains(&x) && (3..=5).contains(&y)), "{x}, {y}");
        }
    }

    #[test]
    fn what_radar_saw_is_fired_at() {
        let history = json!([{"center": {"x": 5, "y": 5}, "visibleCells": [{"x": 6, "y": 6}]}]);
        assert_eq!(choose(&request(Vec::new(), &history), &mut dice(1)).unwrap(), shot(6, 6));
    }

    #[test]
    fn radar_is_used_when_there_is_no_prey() {
        let at = |fifth| {
            let texts = ["0,0 miss", "9,9 miss", "0,9 miss", "9,0 miss", fifth];
            let request = MoveRequest { radar_used: false, ..request(shots(&texts), &json!([])) };
            choose(&request, &mut dice(1)).unwrap()
        };
        let answer = at("4,0 miss");
        assert!(matches!(answer, Answer::Radar { center: wire::Cell { x: 1..=8, y: 1..=8 } }), "{answer:?}");
        let answer = at("4,0 hit");
        assert!(matches!(answer, Answer::Shot { .. }));
    }

    #[test]
    fn a_request_that_makes_no_sense_is_refused() {
        assert!(answer("move", b"{}", &mut dice(1)).is_err());
        assert!(answer("moves", b"{}", &mut dice(1)).is_err());
        assert!(answer("placement", b"", &mut dice(1)).is_ok());
    }
}
