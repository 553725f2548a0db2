//! Tests of the optimum: against a search that knows no shortcut, and by playing against every fleet.

use crate::bound::Game;
use crate::fleets::{Board, STRIDE, bits};
use crate::solver::{EQUAL, Solver};
use crate::state::{State, Told};
use crate::{shots, start};

fn board(columns: u32, rows: u32, ships: &[u32]) -> Board {
    Board { columns, rows, ships: ships.to_vec(), apart: false, in_turn: false }
}

/// The answer to a shot at `cell`, with `fired` being all cells at which shots fell before: 0 for a miss, 1 for a hit, 2 for a ship
/// that sank, or its length and 2.
fn told_of(fleet: &[u64], told: Told, fired: u64, cell: u32) -> u32 {
    let Some(ship) = fleet.iter().find(|ship| *ship >> cell & 1 != 0) else { return 0 };
    let sank = ship & !(fired | 1 << cell) == 0;
    match told {
        Told::Sunk if sank => 2,
        Told::Which if sank => 2 + ship.count_ones(),
        _ => 1,
    }
}

/// The least number of shots of all fleets, each times its weight, by trying every cell after every answer: no bounds, no table, no
/// symmetry, and no cell that is fired first.
fn least_shots(fleets: &[(Vec<u64>, f64)], told: Told, open: u64, fired: u64) -> f64 {
    let is_over = |fleet: &[u64]| fleet.iter().all(|ship| ship & !fired == 0);
    let left: Vec<(Vec<u64>, f64)> = fleets.iter().filter(|(fleet, _)| !is_over(fleet)).cloned().collect();
    if left.is_empty() {
        return 0.0;
    }
    let weight: f64 = left.iter().map(|(_, weight)| weight).sum();
    let after = bits(open).map(|cell| {
        let answer = |fleet: &[u64]| told_of(fleet, told, fired, cell as u32);
        let parts = (0..12).map(|heard| {
            let part = left.iter().filter(|(fleet, _)| answer(fleet) == heard).cloned();
            let part: Vec<(Vec<u64>, f64)> = part.collect();
            least_shots(&part, told, open & !(1 << cell), fired | 1 << cell)
        });
        parts.sum::<f64>()
    });
    weight + after.fold(f64::INFINITY, f64::min)
}

/// The mean shots of the optimum by [`least_shots`].
fn by_trying_all(board: &Board, told: Told) -> f64 {
    let fleets = board.fleets();
    let row = (1 << board.columns) - 1;
    let cells = (0..board.rows).fold(0, |cells, y| cells | row << (y * STRIDE));
    least_shots(&fleets, told, cells, 0) / fleets.iter().map(|(_, weight)| weight).sum::<f64>()
}

#[test]
fn the_optimum_is_that_of_trying_every_cell_after_every_answer() {
    let boards = [
        board(3, 2, &[2]),
        board(2, 4, &[3]),
        board(3, 2, &[2, 2]),
        board(3, 2, &[3, 2]),
        board(6, 1, &[2, 1]),
        board(2, 3, &[2, 1]),
        board(3, 2, &[2, 1, 1]),
    ];
    for ships in boards {
        for (apart, in_turn) in [(false, false), (true, false), (false, true)] {
            for told in [Told::Nothing, Told::Sunk, Told::Which] {
                let board = Board { apart, in_turn, ..ships.clone() };
                let Some(found) = shots(&board, told) else { continue };
                let optimum = by_trying_all(&board, told);
                assert!((found.optimum - optimum).abs() < 1e-6, "{board:?}, {told:?}: {found:?}, not {optimum}");
                assert!(found.likeliest >= optimum - 1e-6 && found.entropy >= optimum - 1e-6, "{found:?}");
            }
        }
    }
}

/// The best cell, by the values of all cells.
fn best_cell<const N: usize>(solver: &mut Solver<N>, state: &State<N>) -> usize {
    let cells = state.fleets.iter().flat_map(|(ships, _)| *ships).fold(0, |cells, ship| cells | ship);
    let mut best = (0, f64::INFINITY);
    for cell in bits(cells) {
        let after = solver.telling.after(state, cell as u32);
        let misses = after.into_iter().map(|(answer, part)| {
            let missed = if answer == 0 { part.weight() } else { 0.0 };
            missed + solver.least(part, f64::INFINITY)
        });
        let misses = misses.sum();
        if misses < best.1 - EQUAL {
            best = (cell, misses);
        }
    }
    best.0
}

/// Plays the best cells against a fleet and gives the number of shots. What is known is worked out anew before each shot, from all
/// fleets and all answers.
fn play<const N: usize>(solver: &mut Solver<N>, fleets: &[(Vec<u64>, f64)], hidden: &[u64]) -> u32 {
    let (telling, told) = (solver.telling, solver.telling.told);
    let mut answers: Vec<(u64, u32, u32)> = Vec::new();
    let mut fired = 0;
    while hidden.iter().any(|ship| ship & !fired != 0) {
        let fits = |fleet: &[u64]| {
            fleet.iter().any(|ship| ship & !fired != 0)
                && answers.iter().all(|(before, cell, heard)| told_of(fleet, told, *before, *cell) == *heard)
        };
        let masks = fleets.iter().filter(|(fleet, _)| fits(fleet)).map(|(fleet, weight)| {
            let mut masks = [0; N];
            masks.iter_mut().zip(fleet).for_each(|(mask, ship)| *mask = ship & !fired);
            (masks, *weight)
        });
        let cell = best_cell(solver, &telling.state(masks.collect())) as u32;
        answers.push((fired, cell, told_of(hidden, told, fired, cell)));
        fired |= 1 << cell;
    }
    fired.count_ones()
}

fn assert_is_what_it_plays<const N: usize>(board: &Board, told: Told) {
    let (telling, state) = start::<N>(board, told);
    let mut solver = Solver::new(telling);
    let misses = solver.least(state, f64::INFINITY);
    let fleets = board.fleets();
    let shots: f64 = fleets.iter().map(|(fleet, weight)| weight * f64::from(play(&mut solver, &fleets, fleet))).sum();
    let hits = f64::from(board.ships.iter().sum::<u32>()) * fleets.iter().map(|(_, weight)| weight).sum::<f64>();
    assert!((shots - hits - misses).abs() < 1e-6, "{board:?}, {told:?}: {shots} shots, {hits} hits, {misses} misses");
}

#[test]
fn played_against_every_fleet_the_best_cells_need_the_shots_that_are_promised() {
    assert_is_what_it_plays::<1>(&board(4, 4, &[3]), Told::Nothing);
    assert_is_what_it_plays::<2>(&board(3, 3, &[3, 2]), Told::Nothing);
    assert_is_what_it_plays::<2>(&board(3, 3, &[3, 2]), Told::Sunk);
    assert_is_what_it_plays::<2>(&board(3, 3, &[3, 2]), Told::Which);
    assert_is_what_it_plays::<2>(&board(3, 3, &[2, 2]), Told::Which);
}

#[test]
fn more_that_is_told_takes_no_more_shots() {
    let of = |told| shots(&board(4, 3, &[3, 2]), told).unwrap().optimum;
    let [nothing, sunk, which] = [Told::Nothing, Told::Sunk, Told::Which].map(of);
    assert!(nothing >= sunk && sunk >= which, "{nothing}, {sunk}, {which}");
}

#[test]
fn the_bound_for_large_boards_is_not_above_the_optimum_of_small_ones() {
    for (side, ships) in [(3, &[2, 2][..]), (3, &[3, 2]), (4, &[3, 2]), (4, &[4, 2])] {
        let game = Game { side, ships };
        let (bound, optimum) =
            (game.shots(&game.shares()), shots(&board(side, side, ships), Told::Which).unwrap().optimum);
        assert!(bound > f64::from(ships.iter().sum::<u32>()) + 0.4, "{bound}");
        assert!(bound <= optimum + 1e-6, "{side} x {side}, {ships:?}: {bound}, {optimum}");
    }
}
