//! Draws scenes of a match.

use super::{BotsArena, Event, PlayerState, Ship, StrikeResult};
use crate::{BoardScene, CellScene, Eye, Highlight, HighlightKind, Mark, Point, Scene, Seat, ShipScene};

pub(super) fn scene(game: &BotsArena, eye: Eye) -> Scene {
    // The turn shown is the one just played; the state counts the coming one.
    let title = match game.turn().checked_sub(1) {
        None => "Before turn 0".to_owned(),
        Some(0) => "Turn 0 · placing the ships".to_owned(),
        Some(turn) => format!("Turn {turn} · battle"),
    };
    let boards = [Seat::A, Seat::B].map(|seat| board(game, seat, eye.sees_all_of(seat)));
    Scene {
        title,
        boards: boards.into(),
        highlights: game.recent.iter().flat_map(|told| highlights(&told.event)).collect(),
        ..Scene::default()
    }
}

/// The highlights of an event.
fn highlights(event: &Event) -> Vec<Highlight> {
    let (seat, kinds) = match event {
        Event::Struck { seat, result: StrikeResult::HitAndSunk, .. } => {
            (*seat, vec![HighlightKind::Hit, HighlightKind::Sinking])
        }
        Event::Struck { seat, landed: true, .. } => (*seat, vec![HighlightKind::Hit]),
        Event::Failed { seat, .. } | Event::Refused { seat, .. } => (*seat, vec![HighlightKind::Fault]),
        Event::Struck { .. } | Event::Placed { .. } => return Vec::new(),
    };
    kinds.into_iter().map(|kind| Highlight { seat, kind }).collect()
}

fn board(game: &BotsArena, seat: Seat, owned: bool) -> BoardScene {
    let (player, opponent) = (game.player(seat), game.player(seat.opponent()));
    let grid = game.settings().grid();
    let mut cells = vec![CellScene::plain(Mark::Water); grid.len()];
    let mut mark = |point: Point, mark: Mark| {
        if let Some(index) = grid.index(point) {
            cells[index].mark = mark;
        }
    };
    for strike in opponent.strikes.iter() {
        mark(strike.target, Mark::Miss);
    }
    for (ship, letter) in lettered(player) {
        for (point, hit) in ship.cells() {
            match (hit, owned) {
                (true, _) => mark(point, Mark::Hit(owned.then_some(letter))),
                (false, true) => mark(point, Mark::Ship(letter)),
                (false, false) => {}
            }
        }
    }
    for told in &game.recent {
        if let Event::Struck { seat: who, target, .. } = &told.event
            && *who != seat
            && let Some(index) = grid.index(*target)
        {
            cells[index].fresh = true;
        }
    }
    BoardScene {
        seat,
        grid,
        cells,
        fleet: if owned { fleet(player) } else { Vec::new() },
        facts: facts(game, player),
        measures: vec![("points", player.points.into())],
        deed: deed(game, seat),
    }
}

/// The ships with their letters, by which ships that touch can be told apart. With more than 26 ships they begin again.
fn lettered(player: &PlayerState) -> impl Iterator<Item = (&Ship, char)> {
    player.ships.iter().zip(('A'..='Z').cycle())
}

/// The ships, of which only their owner and the referee know which are sunk.
fn fleet(player: &PlayerState) -> Vec<ShipScene> {
    let ship =
        |(ship, letter): (&Ship, char)| ShipScene { letter, name: "ship", length: ship.length(), sunk: ship.is_sunk() };
    lettered(player).map(ship).collect()
}

/// The facts beside a board. Both players know all of them.
fn facts(game: &BotsArena, player: &PlayerState) -> Vec<(&'static str, String)> {
    let all = game.settings().lengths().len();
    let sunk = player.ships.iter().filter(|ship: &&Ship| ship.is_sunk()).count();
    vec![
        ("points", player.points.to_string()),
        ("ships", format!("{}/{all}", all - sunk)),
        ("strikes", player.strikes.len().to_string()),
    ]
}

/// The player's deed in the last turn.
fn deed(game: &BotsArena, seat: Seat) -> String {
    let deeds = game.recent.iter().filter_map(|told| match &told.event {
        Event::Placed { seat: who } if *who == seat => Some("placed its ships".to_owned()),
        Event::Struck { seat: who, target, result, .. } if *who == seat => {
            let result = if *result == StrikeResult::Nothing { "miss" } else { result.text() };
            Some(format!("strike at {},{}: {result}", target.x, target.y))
        }
        Event::Failed { seat: who, .. } | Event::Refused { seat: who, .. } if *who == seat => {
            game.player(seat).lost.clone()
        }
        _ => None,
    });
    deeds.collect::<Vec<_>>().join(", ")
}
