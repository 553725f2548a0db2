//! The outcome of a match.

use super::choices::{Shots, Then};
use super::state::{Battleship, Exit, PlayerState};
use crate::{Ending, Outcome, Scoring, Seat};
use std::cmp::Reverse;

/// The outcome of a match that is over.
pub(super) fn outcome(game: &Battleship) -> Outcome {
    let points = game.players.map(|player| points(game, player));
    let mut ranking: Vec<Seat> = game.players.seats().collect();
    // The sort is stable, so of equal players the first seat is first.
    ranking.sort_by_key(|&seat| Reverse(standing(game, seat)));
    let winner = match ranking[..] {
        [first, second, ..] => (standing(game, first).0 > standing(game, second).0).then_some(first),
        [only] => (game.rules.is_solo() && is_solved(&game.players[only])).then_some(only),
        [] => None,
    };
    let scoring = if game.rules.is_solo() { Scoring::Shots } else { Scoring::Points };
    Outcome { winner, ranking, points, scoring, ending: ending(game), turns: game.turn }
}

/// The points of a player: its hits. In solo, the shots that it took, or all that it could have taken if it has not sunk all ships.
fn points(game: &Battleship, player: &PlayerState) -> u32 {
    match game.rules.choices().shots {
        Shots::Fixed(shots) if game.rules.is_solo() => match is_solved(player) {
            true => player.shots,
            false => game.rules.limit().turns * u32::from(shots),
        },
        _ => player.hits,
    }
}

/// True if a player has sunk all ships in solo.
fn is_solved(player: &PlayerState) -> bool {
    matches!(player.out, Some((_, Exit::Sunk)))
}

/// The rank of a player, more being better: the first part decides who wins, the second only orders the rest.
fn standing(game: &Battleship, seat: Seat) -> ((u32, u32), u32) {
    let player = &game.players[seat];
    if game.rules.is_solo() {
        let lost = matches!(player.out, Some((_, Exit::Lost(_))));
        return match (lost, is_solved(player)) {
            (true, _) => ((0, 0), player.hits),
            (_, false) => ((1, player.hits), 0),
            (_, true) => ((2, u32::MAX - player.shots), 0),
        };
    }
    match &player.out {
        Some((turn, _)) => ((0, *turn), player.hits),
        None => {
            let by_limit = match game.rules.limit().then {
                _ if !is_limit(game) => 0,
                Then::Hits => player.hits,
                Then::ShipsSunk => player.sunk,
                Then::CellsLeft => player.board.as_ref().map_or(0, |board| board.cells_left(&game.rules)),
                Then::Draw => 0,
            };
            ((1, by_limit), player.hits)
        }
    }
}

/// True if the moves are over before one player is left.
fn is_limit(game: &Battleship) -> bool {
    game.players.iter().filter(|(_, player)| player.out.is_none()).count() > 1
}

fn ending(game: &Battleship) -> Ending {
    let is_solo = game.rules.is_solo();
    if !is_solo && is_limit(game) {
        return Ending::MoveLimit { moves: game.rules.limit().turns * game.players.len() as u32 };
    }
    let outs = || game.players.iter().filter_map(|(seat, player)| Some((seat, player.out.as_ref()?)));
    // In solo each player ends a game of its own; otherwise the last ones that went out end the match.
    let last = outs().map(|(_, (turn, _))| *turn).max();
    let ended = || outs().filter(|(_, (turn, _))| is_solo || Some(*turn) == last);
    let lost = ended().filter_map(|(seat, (_, exit))| match exit {
        Exit::Lost(why) => Some((seat, why.clone())),
        Exit::Sunk => None,
    });
    let lost: Vec<(Seat, String)> = lost.collect();
    match (lost.is_empty(), is_solo) {
        (false, _) => Ending::KilledOff { seats: lost },
        (true, true) => Ending::Solved { seats: ended().map(|(seat, _)| seat).collect() },
        (true, false) => Ending::FleetSunk { seats: ended().map(|(seat, _)| seat).collect() },
    }
}
