//! Draws scenes of a match.

use super::choices::{ToldHits, ToldSunk, Turns};
use super::event::{Event, Shot, ShotResult};
use super::order::Refusal;
use super::state::{Battleship, Exit};
use super::view::Known;
use crate::{
    BoardScene, CellScene, Eye, GameKind, Highlight, HighlightKind, Mark, Mover, Point, Scene, Seat, ShipScene, counted,
};
use std::borrow::Cow;

pub(super) fn scene(game: &Battleship, eye: Eye) -> Scene {
    // The turn shown is the one just played; the state counts the coming one.
    let was_placing = || game.recent.iter().any(|told| matches!(told.event, Event::Placed(_)));
    let title = match (game.turn.checked_sub(1), game.placing || was_placing()) {
        (None, _) => "Before turn 0".to_owned(),
        (Some(turn), true) => format!("Turn {turn} · placing the ships"),
        (Some(turn), false) => format!("Turn {turn}"),
    };
    let known = || game.recent.iter().filter(|told| told.is_for(eye));
    let shots = game.shots(game.current).min(u8::MAX.into()) as u8;
    let alternates = game.rules.choices().turns == Turns::Alternate;
    let is_shown = alternates && !game.placing && !game.over && game.is_seen();
    Scene {
        title,
        boards: game.players.seats().map(|seat| board(game, seat, eye)).collect(),
        highlights: known().filter_map(|told| highlight(&told.event)).collect(),
        mover: is_shown.then_some(Mover { seat: game.current, shots, left: shots }),
        ..Scene::default()
    }
}

/// The highlight of an event.
fn highlight(event: &Event) -> Option<Highlight> {
    let (seat, kind) = match event {
        Event::Fired(shot) if shot.result.is_hit() => (shot.by, HighlightKind::Hit),
        Event::Hits(hits) if hits.hits > 0 => (hits.by, HighlightKind::Hit),
        Event::Sunk(sinking) => (sinking.by, HighlightKind::Sinking),
        Event::Used { seat, .. } => (*seat, HighlightKind::Special),
        Event::Refused { seat, .. } => (*seat, HighlightKind::Fault),
        _ => return None,
    };
    Some(Highlight { seat, kind })
}

/// True if an eye sees where the ships of a board are: the referee, and the owner, but not in solo, where nobody placed them.
fn is_open(game: &Battleship, seat: Seat, eye: Eye) -> bool {
    eye == Eye::Referee || eye == Eye::Seat(seat) && !game.rules.is_solo()
}

fn board(game: &Battleship, seat: Seat, eye: Eye) -> BoardScene {
    let player = game.player(seat);
    let open = is_open(game, seat, eye);
    let grid = game.rules.grid();
    let mut cells: Vec<CellScene> = match known(game, seat, eye) {
        Some(known) => known.iter().map(|known| CellScene::plain(mark(*known))).collect(),
        None => vec![CellScene::plain(Mark::Water); grid.len()],
    };
    let sees_hits = eye == Eye::Referee || game.is_seen();
    if open && sees_hits {
        let fired = game.players.iter().flat_map(|(_, player)| player.fired.iter()).filter(|shot| shot.at == seat);
        for index in fired.filter_map(|shot| grid.index(shot.cell)) {
            cells[index].mark = Mark::Miss;
        }
    }
    if let Some(board) = player.board.as_ref().filter(|_| open) {
        for (ship, of) in board.ships().iter().zip(game.rules.ships()) {
            for index in ship.cells.iter().filter_map(|&cell| grid.index(cell)) {
                cells[index].mark = match (board.wear(index), board.is_destroyed(&game.rules, index)) {
                    (1.., true) if sees_hits => Mark::Hit(Some(of.letter)),
                    (1.., false) if sees_hits => Mark::Damaged(of.letter),
                    _ => Mark::Ship(of.letter),
                };
            }
        }
    }
    for event in game.recent.iter().filter(|told| told.is_for(eye)).map(|told| &told.event) {
        match event {
            Event::Fired(shot) if shot.at == seat => {
                grid.index(shot.cell).into_iter().for_each(|index| cells[index].fresh = true);
            }
            Event::Found(found) if found.at == seat => {
                let area = game.rules.area_at(found.special, found.aim).filter_map(|cell| grid.index(cell));
                area.for_each(|index| cells[index].scanned = true);
            }
            _ => {}
        }
    }
    BoardScene {
        seat,
        first_row: GameKind::Battleship.look().first_row,
        grid,
        cells,
        fleet: fleet(game, seat, eye),
        facts: facts(game, seat, eye),
        measures: match is_told(game, seat, eye) {
            true if game.rules.is_solo() => vec![("shots", player.shots.into()), ("hits", player.hits.into())],
            true => vec![("hits", player.hits.into())],
            false => Vec::new(),
        },
        deed: deed(game, seat, eye),
    }
}

/// The knowledge that an eye other than the referee's has of the board of a seat; `None` if it has none.
fn known(game: &Battleship, seat: Seat, eye: Eye) -> Option<Cow<'_, [Known]>> {
    let viewer = match eye {
        Eye::Seat(viewer) if viewer == seat || !game.rules.is_solo() => viewer,
        Eye::Everyone if game.is_seen() => seat,
        _ => return None,
    };
    Some(game.known(viewer, seat))
}

fn mark(known: Known) -> Mark {
    match known {
        Known::Unknown => Mark::Water,
        Known::Ship => Mark::Ship('?'),
        Known::Shot => Mark::Shot,
        Known::Damaged => Mark::Damaged('?'),
        Known::Water | Known::Miss => Mark::Miss,
        Known::Hit | Known::Sunk => Mark::Hit(None),
    }
}

/// The ships of a board, with those that are sunk as far as the eye knows; empty if it does not know them all. Before the first turn
/// all are afloat, as everybody knows.
fn fleet(game: &Battleship, seat: Seat, eye: Eye) -> Vec<ShipScene> {
    let is_seen = game.is_seen();
    let is_told = match eye {
        Eye::Seat(viewer) if viewer != seat => !game.rules.is_solo() && (is_seen || game.players.len() == 2),
        Eye::Seat(_) => is_seen || game.rules.is_solo(),
        _ => is_seen,
    };
    let board = game.player(seat).board.as_ref();
    let sunk: Vec<bool> = match board.filter(|_| is_open(game, seat, eye) && (eye == Eye::Referee || is_seen)) {
        Some(board) => board.ships().iter().map(|ship| ship.left == 0).collect(),
        None if game.turn == 0 || game.placing => vec![false; game.rules.ships().len()],
        None if is_told && game.rules.choices().told.sunk >= ToldSunk::Name => {
            let mut told: Vec<usize> =
                game.sunk.iter().filter(|sinking| sinking.at == seat).filter_map(|sinking| sinking.kind).collect();
            let mut is_sunk =
                |kind| told.iter().position(|told| *told == kind).map(|at| told.swap_remove(at)).is_some();
            game.rules.ships().iter().map(|ship| is_sunk(ship.kind)).collect()
        }
        None => Vec::new(),
    };
    let ship = |(of, sunk): (&super::ShipType, bool)| ShipScene {
        letter: of.letter,
        name: of.name.to_string().into(),
        length: of.shape.size() as u8,
        sunk,
    };
    game.rules.ships().iter().zip(sunk).map(ship).collect()
}

/// True if an eye is told each move of a player.
fn is_told(game: &Battleship, seat: Seat, eye: Eye) -> bool {
    game.is_seen() || eye.sees_all_of(seat)
}

/// The facts beside a board.
fn facts(game: &Battleship, seat: Seat, eye: Eye) -> Vec<(&'static str, String)> {
    let player = game.player(seat);
    if !is_told(game, seat, eye) {
        return Vec::new();
    }
    let mut facts = vec![("hits", player.hits.to_string()), ("shots", player.shots.to_string())];
    // Where all see all shots and sinkings are told, they can count the ships.
    let are_counted = game.is_seen() && game.rules.choices().told.sunk > ToldSunk::Nothing;
    let knows_fleet = eye == Eye::Referee || eye == Eye::Seat(seat) && game.is_seen() || are_counted;
    if let (true, Some(board)) = (knows_fleet, &player.board) {
        let sunk = board.ships().iter().filter(|ship| ship.left == 0).count();
        facts.push(("ships", format!("{}/{}", board.ships().len() - sunk, board.ships().len())));
    }
    facts
}

/// The most shots of a move that are told one by one.
const MOST_TOLD: usize = 10;

/// The player's deed in the last turn.
fn deed(game: &Battleship, seat: Seat, eye: Eye) -> String {
    let choices = game.rules.choices();
    let place = |at: Seat, cell: &Point| match game.players.len() > 2 && !game.rules.is_solo() {
        true => format!("{at} {},{}", cell.x, cell.y),
        false => format!("{},{}", cell.x, cell.y),
    };
    let events = || game.recent.iter().filter(|told| told.is_for(eye)).map(|told| &told.event);
    let shots: Vec<&Shot> = events()
        .filter_map(|event| match event {
            Event::Fired(shot) if shot.by == seat => Some(shot),
            _ => None,
        })
        .collect();
    let mut sinkings = events()
        .filter_map(|event| match event {
            Event::Sunk(sinking) if sinking.by == seat => Some(sinking),
            _ => None,
        })
        .map(|sinking| match (sinking.kind, sinking.size) {
            (Some(kind), _) => format!("sank the {}", choices.fleet[kind].name),
            (None, Some(size)) => format!("sank a ship of {}", counted(size, "cell")),
            (None, None) => "sank a ship".to_owned(),
        });
    // Sinkings are in the order of the shots.
    let mut result = |shot: &&Shot| match shot.result {
        ShotResult::Untold => place(shot.at, &shot.cell),
        result => {
            let sank = if result == ShotResult::Sunk { sinkings.next() } else { None };
            let result = sank.unwrap_or_else(|| result.name().replace('-', " "));
            format!("{}: {result}", place(shot.at, &shot.cell))
        }
    };
    let fired = match shots.len() {
        0 => None,
        1 => Some(format!("shot at {}", result(&shots[0]))),
        2..=MOST_TOLD => Some(format!("shots at {}", shots.iter().map(result).collect::<Vec<_>>().join(", "))),
        many if choices.told.hit == ToldHits::Total => Some(format!("{many} shots")),
        many => {
            let hits = shots.iter().filter(|shot| shot.result.is_hit()).count() as u32;
            Some(format!("{many} shots, {}", counted(hits, "hit")))
        }
    };
    let others = events().filter_map(|event| match event {
        Event::Placed(who) if *who == seat => Some("placed its ships".to_owned()),
        Event::Hits(hits) if hits.by == seat => Some(format!("{} in all", counted(hits.hits, "hit"))),
        Event::Used { seat: who, special, at, aim } if *who == seat => {
            Some(format!("{} at {}", choices.specials[*special].name, place(*at, aim)))
        }
        Event::Refused { seat: who, why, .. } if *who == seat && game.player(seat).out.is_none() => Some(match why {
            Refusal::NoOrder(fault) => fault.deed(),
            why => format!("was refused: {why}"),
        }),
        Event::Out(who) if *who == seat => match &game.player(seat).out {
            Some((_, Exit::Lost(why))) => Some(why.clone()),
            _ if game.rules.is_solo() => Some("has sunk all ships".to_owned()),
            _ => Some("has lost its last ship".to_owned()),
        },
        _ => None,
    });
    fired.into_iter().chain(sinkings).chain(others).collect::<Vec<_>>().join(", ")
}
