//! Draws scenes of a match.

use super::{Entelect2017, Event, ImpactResult, Impacts, Phase, PlayerState, Ship, Weapon};
use crate::{
    Audience, BoardScene, CellScene, Eye, FirstRow, Highlight, HighlightKind, Hue, Look, Mark, Point, Scene, Seat,
    ShipLook, ShipScene, counted,
};

/// The side on which row 0 is drawn.
const FIRST_ROW: FirstRow = FirstRow::Bottom;

/// The look of the maps that bots get: row 0 in the south, all ships alike.
pub(super) fn look() -> Look {
    let ships = Ship::ALL.map(|ship| ShipLook { letter: ship.letter(), name: ship.name(), hue: Hue::Plain });
    Look { first_row: FIRST_ROW, ships: ships.into() }
}

pub(super) fn scene(game: &Entelect2017, eye: Eye) -> Scene {
    // The round shown is the one just played; the state counts the coming one.
    let is_placing = game.phase == Phase::One || recent(game).any(|event| *event == Event::PhaseTwoBegins);
    let title = match game.round.checked_sub(1) {
        None => "Before round 0".to_owned(),
        Some(round) if is_placing => format!("Round {round} · placing the ships"),
        Some(round) => format!("Round {round} · battle"),
    };
    let boards = game.players.iter().map(|(seat, player)| board(game, seat, player, eye)).collect();
    let highlights = recent(game).filter(|event| may_know(event, eye)).flat_map(highlights).collect();
    Scene { title, boards, highlights, ..Scene::default() }
}

/// The events of the last round.
fn recent(game: &Entelect2017) -> impl Iterator<Item = &Event> {
    game.recent.iter().map(|told| &told.event)
}

/// True if `eye` may know of an event.
fn may_know(event: &Event, eye: Eye) -> bool {
    match eye {
        Eye::Referee => true,
        Eye::Seat(seat) => event.audience().includes(seat),
        Eye::Everyone => event.audience() == Audience::Everyone,
    }
}

/// The highlights of an event.
fn highlights(event: &Event) -> Vec<Highlight> {
    match event {
        Event::Fired { seat, weapon, impacts, .. } => {
            let hit = impacts.iter().any(|impact| matches!(impact.result, ImpactResult::Hit { .. }));
            let special = *weapon != Weapon::SingleShot;
            let kinds = [hit.then_some(HighlightKind::Hit), special.then_some(HighlightKind::Special)];
            kinds.into_iter().flatten().map(|kind| Highlight { seat: *seat, kind }).collect()
        }
        Event::Sunk { seat, .. } => vec![Highlight { seat: seat.opponent(), kind: HighlightKind::Sinking }],
        Event::ShieldRaised { seat, .. } => vec![Highlight { seat: *seat, kind: HighlightKind::Shield }],
        Event::DidNothing { seat, fault: Some(_) } | Event::Refused { seat, .. } => {
            vec![Highlight { seat: *seat, kind: HighlightKind::Fault }]
        }
        _ => Vec::new(),
    }
}

fn board(game: &Entelect2017, seat: Seat, player: &PlayerState, eye: Eye) -> BoardScene {
    let owned = eye.sees_all_of(seat);
    let impacts = |event| match event {
        &Event::Fired { seat: by, impacts, .. } if by != seat => impacts,
        _ => Impacts::none(),
    };
    let struck = recent(game).flat_map(|event| impacts(event).iter());
    let fresh: Vec<Point> = struck.map(|impact| impact.point).collect();
    let grid = player.board.grid();
    let cells = grid.points().zip(player.board.cells()).map(|(point, cell)| {
        let ship = if cell.occupied { player.board.ship_at(point) } else { None };
        let mark = match ship {
            _ if cell.shield_hit => Mark::ShieldHit,
            Some(ship) if cell.hit => Mark::Hit(owned.then(|| ship.letter())),
            Some(ship) if owned => Mark::Ship(ship.letter()),
            None if cell.hit => Mark::Miss,
            _ => Mark::Water,
        };
        CellScene { mark, shielded: owned && cell.shielded, fresh: fresh.contains(&point), scanned: false }
    });
    let mut measures = vec![("points", player.points.into())];
    if owned {
        measures.push(("energy", player.energy.into()));
    }
    let fleet = fleet(player);
    BoardScene {
        seat,
        first_row: FIRST_ROW,
        grid,
        cells: cells.collect(),
        facts: facts(player, &fleet, owned),
        fleet,
        measures,
        deed: deed(game, seat, owned),
    }
}

/// Everyone knows which ships are sunk.
fn fleet(player: &PlayerState) -> Vec<ShipScene> {
    let ship = |ship: Ship| ShipScene {
        letter: ship.letter(),
        name: ship.name().into(),
        length: ship.length(),
        sunk: player.board.ship(ship).destroyed,
    };
    Ship::ALL.map(ship).into()
}

fn facts(player: &PlayerState, fleet: &[ShipScene], owned: bool) -> Vec<(&'static str, String)> {
    let mut facts = vec![("points", player.points.to_string()), ("ships", ShipScene::letters(fleet))];
    if owned {
        let shield = &player.shield;
        facts.push(("energy", player.energy.to_string()));
        facts.push(("hits", format!("{}/{}", player.shots_hit, player.shots_fired)));
        facts.push((
            "shield",
            match (shield.active, shield.charges) {
                (true, charges) => format!("up at {}, {charges} left", shield.centre),
                (false, 0) => "no charge".to_owned(),
                (false, charges) => {
                    let side = 2 * shield.radius + 1;
                    format!("{}, {side} x {side} cells", counted(charges, "round"))
                }
            },
        ));
    }
    facts
}

/// The deed of `seat` in the last round. To its opponent, a raised shield, a refused order and nothing at all look the
/// same.
fn deed(game: &Entelect2017, seat: Seat, owned: bool) -> String {
    let words = recent(game).filter_map(|event| match event {
        Event::Placed { seat: who } if *who == seat => Some("placed its ships".to_owned()),
        Event::Fired { seat: who, weapon, centre, impacts } if *who == seat => {
            Some(format!("{} at {centre}: {}", weapon.name(), results(impacts)))
        }
        Event::Sunk { seat: whose, ship } if *whose != seat => Some(format!("sank the {}", ship.name())),
        Event::KilledOff { seat: who, why } if *who == seat => Some(format!("was removed: {why}")),
        event if owned => private_deed(event, seat),
        _ => None,
    });
    let deed = words.collect::<Vec<_>>().join(", ");
    if deed.is_empty() && game.round > 0 { "did not fire".to_owned() } else { deed }
}

/// The deed in an event of which only the player itself and the referee know.
fn private_deed(event: &Event, seat: Seat) -> Option<String> {
    match event {
        Event::DidNothing { seat: who, fault: Some(fault) } if *who == seat => Some(format!("did nothing: {fault}")),
        Event::DidNothing { seat: who, fault: None } if *who == seat => Some("did nothing".to_owned()),
        Event::Refused { seat: who, why, .. } if *who == seat => Some(format!("was refused: {why}")),
        Event::ShieldRaised { seat: who, centre, .. } if *who == seat => Some(format!("raised its shield at {centre}")),
        _ => None,
    }
}

fn results(impacts: &Impacts) -> String {
    let count = |wanted: fn(&ImpactResult) -> bool| impacts.iter().filter(|hit| wanted(&hit.result)).count();
    let hits = count(|result| matches!(result, ImpactResult::Hit { .. }));
    let caught = count(|result| matches!(result, ImpactResult::Shielded));
    match (impacts.len(), hits, caught) {
        (0, ..) => "off the board".to_owned(),
        (1, 1, _) => "hit".to_owned(),
        (_, 0, 0) => "miss".to_owned(),
        (1, _, 1) => "caught by the shield".to_owned(),
        (all, hits, 0) => format!("{hits} of {all} hit"),
        (all, hits, caught) => format!("{hits} of {all} hit, {caught} caught by the shield"),
    }
}
