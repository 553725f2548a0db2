//! Points and ranking.

use super::{Entelect2017, Ship};
use crate::Seat;
use std::cmp::Reverse;

/// For each ship cell hit for the first time (published text, points 1).
pub const POINTS_HIT: u32 = 10;
/// For completing a ship, except by seeker missile (points 2; the exception is the original's).
pub const POINTS_SINK: u32 = 30;
/// For the death of the opponent (points 3).
pub const POINTS_KILL: u32 = 100;

/// The most points of a player: every cell hit, every ship sunk, and the opponent dead.
pub const MOST_POINTS: u32 = {
    let (mut points, mut ship) = (POINTS_KILL, 0);
    while ship < Ship::ALL.len() {
        points += POINTS_HIT * Ship::ALL[ship].length() as u32 + POINTS_SINK;
        ship += 1;
    }
    points
};

/// The seats, best first (Game Engine Rules 9): alive before killed, more points, earlier first hit, fewer failed
/// placements, then A before B.
pub(super) fn ranking(game: &Entelect2017) -> Vec<Seat> {
    let mut seats = vec![Seat::A, Seat::B];
    // The sort is stable, so a full tie leaves A first.
    seats.sort_by_key(|&seat| {
        let player = &game.players[seat];
        let first_hit = player.first_shot_landed.unwrap_or(u32::MAX);
        (player.killed, Reverse(player.points), first_hit, player.failed_first_phase_commands)
    });
    seats
}
