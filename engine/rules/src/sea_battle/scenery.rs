//! Draws scenes of a match.

use super::fleet_state::FleetState;
use super::state::Side;
use super::{BOARD, Event, FLEET, HITS, SeaBattle, ShipKind, ShotResult, radar};
use crate::{
    BoardScene, CellScene, Eye, FirstRow, Game, Highlight, HighlightKind, Hue, Look, Mark, Mover, Point, Scene, Seat,
    ShipLook, ShipScene, Told,
};

/// The side on which row 0 is drawn.
const FIRST_ROW: FirstRow = FirstRow::Top;

/// The look of the team guide: row 0 at the top, the battleship violet, the submarine yellow, all others blue.
pub(super) fn look() -> Look {
    let hue = |kind| match kind {
        ShipKind::Battleship => Hue::Violet,
        ShipKind::Submarine => Hue::Yellow,
        _ => Hue::Blue,
    };
    let ships = ShipKind::ALL.map(|kind| ShipLook { letter: kind.letter(), name: kind.name(), hue: hue(kind) });
    Look { first_row: FIRST_ROW, ships: ships.into() }
}

pub(super) fn scene(game: &SeaBattle, eye: Eye) -> Scene {
    let title = match (game.moves(), game.recent.is_empty()) {
        (0, true) => "Before the ships are placed".to_owned(),
        (0, false) => "Placing the ships".to_owned(),
        (number, _) => {
            let limit = game.settings.max_moves;
            format!("Move {} of {} · {}", limit.shown(number), limit.number(), game.mover(number))
        }
    };
    let boards = game.sides.seats().map(|seat| board(game, seat, eye)).collect();
    let highlights = game.recent.iter().flat_map(|told| highlights(&told.event)).collect();
    Scene { title, boards, highlights, mover: mover(game), ..Scene::default() }
}

/// The player that is to fire or to use its radar; `None` while both place their ships, and after the end.
fn mover(game: &SeaBattle) -> Option<Mover> {
    let awaited = game.awaited();
    let seat = awaited.iter().next().filter(|_| awaited.len() == 1)?;
    Some(Mover { seat, shots: 1, left: 1 })
}

/// The highlights of an event; everyone may know of them.
fn highlights(event: &Event) -> Vec<Highlight> {
    let (seat, kinds): (&Seat, &[HighlightKind]) = match event {
        Event::Fired { seat, shot } if shot.result == ShotResult::Sunk => {
            (seat, &[HighlightKind::Hit, HighlightKind::Sinking])
        }
        Event::Fired { seat, shot } if shot.result.is_hit() => (seat, &[HighlightKind::Hit]),
        Event::UsedRadar { seat } => (seat, &[HighlightKind::Special]),
        Event::Lost { seat, .. } => (seat, &[HighlightKind::Fault]),
        Event::Fired { .. } | Event::Placed { .. } | Event::Scanned { .. } => return Vec::new(),
    };
    kinds.iter().map(|&kind| Highlight { seat: *seat, kind }).collect()
}

fn board(game: &SeaBattle, seat: Seat, eye: Eye) -> BoardScene {
    let (side, other) = (&game.sides[seat], &game.sides[seat.opponent()]);
    let owned = eye.sees_all_of(seat);
    let watched = eye.sees_all_of(seat.opponent());
    let scanned: Vec<Point> = match game.recent.as_slice() {
        [.., Told { event: Event::Scanned { seat: by, scan }, .. }] if watched && *by != seat => {
            radar::area(scan.centre).collect()
        }
        _ => Vec::new(),
    };
    let fresh = match game.recent.as_slice() {
        [Told { event: Event::Fired { seat: by, shot }, .. }] if *by != seat => Some(shot.at),
        _ => None,
    };
    let cell = |point| CellScene {
        mark: match eye {
            _ if owned => seen_by_owner(&side.fleet, other, point),
            Eye::Everyone => seen_by_both(other, point),
            _ => seen_by_opponent(other, point),
        },
        shielded: false,
        fresh: fresh == Some(point),
        scanned: scanned.contains(&point),
    };
    let fleet = if owned { fleet(&side.fleet) } else { Vec::new() };
    BoardScene {
        seat,
        first_row: FIRST_ROW,
        grid: BOARD,
        cells: BOARD.points().map(cell).collect(),
        facts: facts(game, seat, &fleet, owned),
        fleet,
        measures: vec![("hits", game.hits(seat).into())],
        deed: deed(game, seat, owned),
    }
}

fn seen_by_owner(fleet: &FleetState, other: &Side, point: Point) -> Mark {
    match fleet.part(point) {
        Some((kind, 0)) => Mark::Hit(Some(kind.letter())),
        Some((kind, left)) if left < kind.strength() => Mark::Damaged(kind.letter()),
        Some((kind, _)) => Mark::Ship(kind.letter()),
        None if other.shots.iter().any(|shot| shot.at == point) => Mark::Miss,
        None => Mark::Water,
    }
}

/// The mark for what the other player's shots and radar found.
fn seen_by_opponent(other: &Side, point: Point) -> Mark {
    match seen_by_both(other, point) {
        Mark::Hit(ship) => Mark::Hit(ship),
        _ if other.scan.as_ref().is_some_and(|scan| scan.visible.contains(&point)) => Mark::Ship('?'),
        mark => mark,
    }
}

/// The mark for what the other player's shots found.
fn seen_by_both(other: &Side, point: Point) -> Mark {
    let shots = || other.shots.iter().filter(|shot| shot.at == point);
    if shots().any(|shot| shot.result.is_hit()) {
        Mark::Hit(None)
    } else if shots().next().is_some() {
        Mark::Miss
    } else {
        Mark::Water
    }
}

/// The ships, of which only their owner and the referee know which are sunk.
fn fleet(fleet: &FleetState) -> Vec<ShipScene> {
    let ship = |(kind, sunk): (ShipKind, bool)| ShipScene {
        letter: kind.letter(),
        name: kind.name().into(),
        length: kind.length(),
        sunk,
    };
    fleet.ships().map(ship).collect()
}

fn facts(game: &SeaBattle, seat: Seat, fleet: &[ShipScene], owned: bool) -> Vec<(&'static str, String)> {
    let side = &game.sides[seat];
    let sunk = game.sides[seat.opponent()].shots.iter().filter(|shot| shot.result == ShotResult::Sunk).count();
    let ships =
        if fleet.is_empty() { format!("{} of {}", FLEET.len() - sunk, FLEET.len()) } else { ShipScene::letters(fleet) };
    let radar = match &side.scan {
        None => "unused".to_owned(),
        Some(scan) if owned => format!("at {}, saw {}", scan.centre, scan.visible.len()),
        Some(_) => "used".to_owned(),
    };
    vec![
        ("hits", format!("{}/{HITS}", game.hits(seat))),
        ("shots", side.shots.len().to_string()),
        ("ships", ships),
        ("radar", radar),
    ]
}

/// The deed of `seat` in the last turn.
fn deed(game: &SeaBattle, seat: Seat, owned: bool) -> String {
    let words = game.recent.iter().filter_map(|told| match &told.event {
        Event::Placed { seat: who } if *who == seat => Some("placed its ships".to_owned()),
        Event::Fired { seat: who, shot } if *who == seat => {
            Some(format!("fired at {}: {}", shot.at, shot.result.name()))
        }
        Event::UsedRadar { seat: who } if *who == seat && !owned => Some("used its radar".to_owned()),
        Event::Scanned { seat: who, scan } if *who == seat && owned => Some(match scan.visible.len() {
            0 => format!("used its radar at {}: nothing", scan.centre),
            1 => format!("used its radar at {}: 1 ship cell", scan.centre),
            count => format!("used its radar at {}: {count} ship cells", scan.centre),
        }),
        Event::Lost { seat: who, why } if *who == seat => Some(why.to_string()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(", ")
}
