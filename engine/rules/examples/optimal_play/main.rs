//! The fewest shots with which any strategy sinks a fleet on a small board, and how near simple policies come to them.
//!
//! In the folder `engine/rules`:
//! `cargo run --release --example optimal_play -- COLUMNS ROWS LENGTHS [--told nothing|sunk|which] [--apart] [--in-turn]`
//! with LENGTHS such as `3,2`; or `-- --bound` for a lower bound for the classic game on 10 x 10.
//!
//! Every fleet of the board is equally likely; with `--in-turn` the chances are those of [`rules::place_shapes`], which draws one
//! ship after the other. The shooter has all its answers from one board, and ends when all cells of ships are hit.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that takes arguments and prints results"
)]

mod bound;
mod fleets;
mod policies;
mod solver;
mod state;
#[cfg(test)]
mod tests;

use bound::CLASSIC;
use fleets::Board;
use policies::Policy;
use solver::Solver;
use state::{State, Telling, Told};

const USAGE: &str =
    "COLUMNS ROWS LENGTHS [--told nothing|sunk|which] [--apart] [--in-turn], or --bound; sides are at most 8";

/// The mean shots of the optimum and of two policies, and the work.
#[derive(Debug)]
struct Shots {
    fleets: usize,
    optimum: f64,
    likeliest: f64,
    entropy: f64,
    states: usize,
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--bound") {
        let shares = CLASSIC.shares();
        for (misses, share) in shares.iter().enumerate() {
            println!("more than {misses} misses: at least {:.2} %", 100.0 * share);
        }
        println!("no strategy needs fewer than {:.3} shots on average", CLASSIC.shots(&shares));
        return Ok(());
    }
    let (board, told) = read(&arguments).ok_or(USAGE)?;
    let shots = shots(&board, told).ok_or("no fleet has room, or there are more than four ships")?;
    let percent = |of: f64| (of / shots.optimum - 1.0) * 100.0;
    println!("{} fleets, {} states", shots.fleets, shots.states);
    println!("optimum       {:.4}", shots.optimum);
    println!("likeliest     {:.4} (+{:.2} %)", shots.likeliest, percent(shots.likeliest));
    println!("most entropy  {:.4} (+{:.2} %)", shots.entropy, percent(shots.entropy));
    Ok(())
}

fn read(arguments: &[String]) -> Option<(Board, Told)> {
    let flag = |name: &str| arguments.iter().position(|argument| argument == name);
    let told = match flag("--told").map(|at| arguments.get(at + 1).map(String::as_str)) {
        None | Some(Some("nothing")) => Told::Nothing,
        Some(Some("sunk")) => Told::Sunk,
        Some(Some("which")) => Told::Which,
        _ => return None,
    };
    let side = |nth: usize| arguments.get(nth)?.parse().ok().filter(|side| (1..=8).contains(side));
    let lengths =
        arguments.get(2)?.split(',').map(|length| length.parse().ok().filter(|length| (1..=8).contains(length)));
    let mut ships: Vec<u32> = lengths.collect::<Option<_>>()?;
    ships.sort_unstable_by(|a, b| b.cmp(a));
    let (apart, in_turn) = (flag("--apart").is_some(), flag("--in-turn").is_some());
    Some((Board { columns: side(0)?, rows: side(1)?, ships, apart, in_turn }, told))
}

fn shots(board: &Board, told: Told) -> Option<Shots> {
    match board.ships.len() {
        1 => shots_by::<1>(board, told),
        2 => shots_by::<2>(board, told),
        3 => shots_by::<3>(board, told),
        4 => shots_by::<4>(board, told),
        _ => None,
    }
}

/// The state before the first shot.
fn start<const N: usize>(board: &Board, told: Told) -> (Telling<N>, State<N>) {
    let mut kinds = [0; N];
    if told == Told::Which {
        for nth in 1..N {
            kinds[nth] = kinds[nth - 1] + u8::from(board.ships[nth] != board.ships[nth - 1]);
        }
    }
    let telling = Telling { told, kinds };
    let masks = |(ships, weight): (Vec<u64>, f64)| Some((ships.try_into().ok()?, weight));
    (telling, telling.state(board.fleets().into_iter().filter_map(masks).collect()))
}

fn shots_by<const N: usize>(board: &Board, told: Told) -> Option<Shots> {
    let (telling, state) = start::<N>(board, told);
    let weight = state.weight();
    if state.fleets.is_empty() {
        return None;
    }
    let likeliest = Policy::Likeliest.misses(&telling, &state);
    let entropy = Policy::Entropy.misses(&telling, &state);
    // The search only has to look for fewer misses than those of the policies.
    let mut solver = Solver::new(telling);
    let optimum = solver.least(state.clone(), likeliest.min(entropy) * (1.0 + 1e-9) + 1e-6);
    let cells: u32 = board.ships.iter().sum();
    let shots = |misses: f64| f64::from(cells) + misses / weight;
    Some(Shots {
        fleets: board.fleets().len(),
        optimum: shots(optimum),
        likeliest: shots(likeliest),
        entropy: shots(entropy),
        states: solver.states(),
    })
}
