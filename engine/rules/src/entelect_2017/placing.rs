//! Phase 1: both fleets are placed in one round, or the round is played again.

use super::round::Orders;
use super::{Board, Entelect2017, Event, EventLog, MapSize, Order, Phase, Placement, Refusal, ShipPlacement};
use crate::{Illegal, Point, straight};

/// Plays a round of phase 1. The first command that fails ends it: its player alone is blamed, a command not yet
/// reached is not looked at, and every fleet is taken off again.
pub(super) fn play(game: &mut Entelect2017, orders: &Orders<'_>, events: &mut EventLog) {
    for &(seat, order) in orders {
        let player = &mut game.players[seat];
        let verdict = place(&mut player.board, order);
        player.last_command.note(order, verdict.is_ok());
        match verdict {
            Ok(()) => events.push(Event::Placed { seat }),
            Err(why) => {
                player.failed_first_phase_commands += 1;
                events.push(Event::Refused { seat, order: order.kind(), why });
                events.push(Event::PhaseOneFailed { seat });
                for (_, player) in game.players.iter_mut() {
                    player.board.clear_ships();
                }
                return;
            }
        }
    }
    game.phase = Phase::Two;
    events.push(Event::PhaseTwoBegins);
}

/// Checks that a fresh board of this size takes the fleet. The reason why not names the first ship that is wrong.
pub(super) fn check(size: MapSize, order: &Order) -> Result<(), Illegal> {
    place(&mut Board::new(size), order).map_err(|refusal| {
        let wrong = match order {
            Order::Place(placement) => first_wrong_ship(size, placement),
            _ => None,
        };
        Illegal(wrong.unwrap_or_else(|| refusal.to_string()))
    })
}

/// The first ship, in the order of the placement, that cannot lie where it is put, with the reason.
fn first_wrong_ship(size: MapSize, placement: &Placement) -> Option<String> {
    let board = Board::new(size);
    let cells = |ship: &ShipPlacement| -> Vec<Option<Point>> {
        let cells = straight(ship.start, ship.direction, ship.ship.length());
        cells.map(|cell| cell.filter(|&cell| board.grid().contains(cell))).collect()
    };
    let map = format!("the {side} x {side} map", side = size.side());
    placement.ships.iter().enumerate().find_map(|(number, ship)| {
        let (own, before) = (cells(ship), &placement.ships[..number]);
        let crossed =
            || before.iter().find(|other| cells(other).iter().any(|cell| cell.is_some() && own.contains(cell)));
        let why = if before.iter().any(|other| other.ship == ship.ship) {
            format!("the {} is named twice", ship.ship.name())
        } else if own[0].is_none() {
            format!("it starts off {map}")
        } else if own.contains(&None) {
            format!("it has {} cells and runs off {map}", own.len())
        } else {
            format!("it crosses {}", crossed()?)
        };
        Some(format!("{ship}: {why}"))
    })
}

/// Puts the ships down in the order they are named. Before that the original looks whether each starts on the board,
/// and whether the last one fits on it: then nothing is put down at all, which shows in the cell lists.
fn place(board: &mut Board, order: &Order) -> Result<(), Refusal> {
    let Order::Place(placement) = order else {
        return Err(Refusal::NotPlaced);
    };
    board.clear_ships();
    let grid = board.grid();
    let [.., last] = &placement.ships;
    let starts_on_board = placement.ships.iter().all(|ship| grid.contains(ship.start));
    let last_fits = straight(last.start, last.direction, last.ship.length())
        .all(|point| point.is_some_and(|point| grid.contains(point)));
    if !starts_on_board || !last_fits {
        return Err(Refusal::PlacementOffBoard);
    }
    if placement.ships.iter().all(|ship| board.put_down(ship)) { Ok(()) } else { Err(Refusal::PlacementBlocked) }
}
