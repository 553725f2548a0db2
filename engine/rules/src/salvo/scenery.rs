//! Draws scenes of a match.

use super::player::ShotResult;
use super::state::{FinishedSalvo, Salvo, hits};
use super::{BOARD, Event, PlayerState, ShipKind, Shot};
use crate::{
    BoardScene, CellScene, Eye, FirstRow, Highlight, HighlightKind, Hue, Look, Mark, Mover, Point, SalvoTotal, Scene,
    Seat, ShipLook, ShipScene, Sinking,
};

/// The side on which row 0 is drawn.
const FIRST_ROW: FirstRow = FirstRow::Top;

/// Row 0 at the top; ships differ by their letters and names only.
pub(super) fn look() -> Look {
    let ships = ShipKind::ALL.map(|kind| ShipLook { letter: kind.letter(), name: kind.name(), hue: Hue::Plain });
    Look { first_row: FIRST_ROW, ships: ships.into() }
}

pub(super) fn scene(game: &Salvo, eye: Eye) -> Scene {
    let recent = &game.recent;
    let title = match recent.salvo {
        None if game.is_placing() => "Before the ships are placed".to_owned(),
        None => "Placing the ships".to_owned(),
        Some((seat, used, shots)) => format!("Round {} · {seat} · shot {used} of {shots}", recent.round),
    };
    let boards = game.players.seats().map(|seat| board(game, seat, eye)).collect();
    let highlights = recent.events.iter().filter_map(|told| highlight(&told.event, eye)).collect();
    Scene { title, boards, highlights, mover: mover(game), total: total(game), sinkings: sinkings(game) }
}

/// Everyone knows whose salvo it is.
fn mover(game: &Salvo) -> Option<Mover> {
    game.salvo().map(|salvo| Mover { seat: salvo.seat, shots: salvo.shots, left: salvo.left })
}

/// Everyone learns the total of a salvo.
fn total(game: &Salvo) -> Option<SalvoTotal> {
    game.recent.events.iter().find_map(|told| match told.event {
        Event::SalvoOver { seat, shots, hits } => Some(SalvoTotal { seat, shots, hits }),
        _ => None,
    })
}

/// Everyone learns of a sinking, and by whom.
fn sinkings(game: &Salvo) -> Vec<Sinking> {
    let past = game.past.iter().map(|salvo| (salvo.seat, &salvo.fired));
    let salvos = past.chain(game.current.iter().map(|salvo| (salvo.seat, &salvo.fired)));
    let sunk = |by: Seat, shot: &Shot| {
        let ship = shot.found.sunk()?;
        Some(Sinking { by, target: shot.target, letter: ship.letter() })
    };
    salvos.flat_map(|(by, fired)| fired.iter().filter_map(move |shot| sunk(by, shot))).collect()
}

/// The highlight of an event, if it is one. Only the target and the referee may know that a shot hit.
fn highlight(event: &Event, eye: Eye) -> Option<Highlight> {
    let (seat, kind) = match event {
        Event::Incoming { seat, target, found, .. } if found.is_hit() && eye.sees_all_of(*target) => {
            (*seat, HighlightKind::Hit)
        }
        Event::Sunk { seat, .. } => (*seat, HighlightKind::Sinking),
        Event::Removed { seat, .. } | Event::Lapsed { seat, .. } => (*seat, HighlightKind::Fault),
        _ => return None,
    };
    Some(Highlight { seat, kind })
}

fn board(game: &Salvo, seat: Seat, eye: Eye) -> BoardScene {
    let player = game.player(seat);
    let mut cells = match eye {
        Eye::Seat(other) if other != seat => seen_by_shooter(game, other, seat),
        Eye::Seat(_) | Eye::Referee => BOARD.points().map(|at| CellScene::plain(seen_by_owner(player, at))).collect(),
        // Where a shot fell is known to its shooter and its target only.
        Eye::Everyone => vec![CellScene::plain(Mark::Water); BOARD.len()],
    };
    for told in &game.recent.events {
        if let Event::Incoming { seat: by, target, at, .. } = &told.event
            && *target == seat
            && (eye.sees_all_of(seat) || eye == Eye::Seat(*by))
            && let Some(index) = BOARD.index(*at)
        {
            cells[index].fresh = true;
        }
    }
    let fleet = fleet(player);
    BoardScene {
        seat,
        first_row: FIRST_ROW,
        grid: BOARD,
        cells,
        facts: facts(player, &fleet),
        fleet,
        measures: vec![("ships", player.ships_afloat().into()), ("hits", player.stats.hits.into())],
        deed: deed(game, seat, eye),
    }
}

fn seen_by_owner(player: &PlayerState, at: Point) -> Mark {
    match (player.ship_at(at), player.is_struck(at)) {
        (Some(ship), true) => Mark::Hit(Some(ship.letter())),
        (Some(ship), false) => Mark::Ship(ship.letter()),
        (None, true) => Mark::Miss,
        (None, false) => Mark::Water,
    }
}

/// The cells of the board of `target` as `shooter` knows them: where its own shots fell, and of some of them, by the number
/// of hits of their salvo, what they found.
fn seen_by_shooter(game: &Salvo, shooter: Seat, target: Seat) -> Vec<CellScene> {
    let mut cells = vec![CellScene::plain(Mark::Water); BOARD.len()];
    let is_at_target = |shot: &&Shot| shot.target == target;
    let past = game.past.iter().filter(|salvo| salvo.seat == shooter);
    let of_past =
        past.flat_map(|salvo| salvo.fired.iter().filter(is_at_target).map(|shot| (shot, by_total(salvo, shot))));
    let current = game.current.iter().filter(|salvo| salvo.seat == shooter).flat_map(|salvo| &salvo.fired);
    let of_current = current.filter(is_at_target).map(|shot| (shot, by_sinking(shot)));
    for (shot, mark) in of_past.chain(of_current) {
        // A later shot at the same cell tells less than an earlier one.
        if let Some(index) = BOARD.index(shot.at)
            && matches!(cells[index].mark, Mark::Water | Mark::Shot)
        {
            cells[index].mark = mark;
        }
    }
    cells
}

/// The shooter's knowledge of a shot of a salvo that is over.
fn by_total(salvo: &FinishedSalvo, shot: &Shot) -> Mark {
    let hits = usize::from(hits(&salvo.fired));
    let sinkings = salvo.fired.iter().filter_map(|shot| shot.found.sunk()).count();
    match by_sinking(shot) {
        Mark::Shot if hits == salvo.fired.len() => Mark::Hit(None),
        Mark::Shot if hits == sinkings => Mark::Miss,
        mark => mark,
    }
}

/// Everyone learns that a ship was sunk, and its shooter by which shot.
fn by_sinking(shot: &Shot) -> Mark {
    if shot.found.sunk().is_some() { Mark::Hit(None) } else { Mark::Shot }
}

/// Everyone knows which ships are sunk. Before they are placed all are afloat.
fn fleet(player: &PlayerState) -> Vec<ShipScene> {
    let ship = |kind: ShipKind| ShipScene {
        letter: kind.letter(),
        name: kind.name().into(),
        length: kind.length(),
        sunk: player.ships().any(|(ship, afloat)| ship == kind && !afloat),
    };
    ShipKind::ALL.map(ship).into()
}

/// Everyone knows all of this.
fn facts(player: &PlayerState, fleet: &[ShipScene]) -> Vec<(&'static str, String)> {
    let stats = player.stats;
    let mut facts = vec![
        ("ships", ShipScene::letters(fleet)),
        ("shots", stats.shots.to_string()),
        ("hits", stats.hits.to_string()),
    ];
    if let Some(out) = &player.elimination {
        facts.push(("out", out.removed.clone().unwrap_or_else(|| "all ships sunk".to_owned())));
    }
    facts
}

/// The deed of the player in `seat` in the last turn, as far as the eye may know.
fn deed(game: &Salvo, seat: Seat, eye: Eye) -> String {
    let shooter = game.recent.salvo.map(|(shooter, ..)| shooter);
    let words = game.recent.events.iter().filter_map(|told| match &told.event {
        Event::Placed { seat: who } if *who == seat => Some("placed its ships".to_owned()),
        Event::Incoming { seat: who, target, at, found } if *who == seat => Some(shot(eye, seat, *target, *at, *found)),
        Event::Defeated { seat: whose } if shooter == Some(seat) => Some(format!("{whose} is defeated")),
        Event::Removed { seat: who, why } if *who == seat => Some(why.to_string()),
        Event::Lapsed { seat: who, shots: 1, why } if *who == seat => Some(format!("{why}: a shot lapsed")),
        Event::Lapsed { seat: who, shots, why } if *who == seat => Some(format!("{why}: {shots} shots lapsed")),
        Event::SalvoOver { seat: who, shots, hits } if *who == seat && *shots > 0 => {
            Some(format!("{hits} of {shots} {} hit", if *shots == 1 { "shot" } else { "shots" }))
        }
        _ => None,
    });
    words.collect::<Vec<_>>().join("; ")
}

fn shot(eye: Eye, seat: Seat, target: Seat, at: Point, found: ShotResult) -> String {
    match found {
        _ if eye.sees_all_of(target) => format!("fired at {target}, {at}: {found}"),
        ShotResult::Sunk(ship) if eye == Eye::Seat(seat) => format!("fired at {target}, {at}: sank the {ship}"),
        ShotResult::Sunk(ship) => format!("sank the {ship} of {target}"),
        _ if eye == Eye::Seat(seat) => format!("fired at {target}, {at}"),
        _ => "fired".to_owned(),
    }
}
