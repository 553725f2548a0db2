//! The shots that the hunter's fleets last: `cargo bench -p hunter --bench placing -- [FLEETS]`.
//!
//! Prints the single shots that shooters need to sink a fleet on the medium map, on average with its 95 % interval: by the density of
//! fleets at random, of fleets along the edge, of fleets in the middle, by hunt and target on every second cell, and as the hunter
//! does. The hunter's fleets stand beside fleets at random and those of some opponents.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement for people")]

#[path = "../opponents/mod.rs"]
#[allow(dead_code, reason = "only the fleets and the shooter of the opponents are used here")]
mod opponents;

use hunter::{Cells, Density, Sight, placing, prior, weapons};
use opponents::shooter::{Armament, Shooter};
use opponents::{Habit, fleets};
use rules::entelect_2017::files::Files;
use rules::entelect_2017::files::wire::Owner;
use rules::entelect_2017::{Entelect2017, MapSize, Placement, Settings, Weapon};
use rules::{Game, Grid, PlayerInfo, Point, Random, Seat, straight};

const FLEETS: u64 = 2000;

type Place = fn(Grid, &mut Random) -> Option<Placement>;
type Shoot<'a> = dyn Fn(&Sight, &mut Random) -> Point + 'a;

fn main() {
    let fleets = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(FLEETS);
    let grid = MapSize::Medium.grid();
    let kinds: [(&str, Place); 5] = [
        ("hunter", placing::place),
        ("at random", |grid, random| fleets::place(grid, Habit::Parity, random)),
        ("edges", |grid, random| fleets::place(grid, Habit::Edges, random)),
        ("middle", |grid, random| fleets::place(grid, Habit::Middle, random)),
        ("side by side", |grid, random| fleets::place(grid, Habit::SideBySide, random)),
    ];
    let by_chance = Shooter {
        armament: Armament::Search,
        by_chance: true,
        by_parity: true,
        sees_shield: false,
        weights: vec![1.0; grid.len()],
    };
    let owner = without_energy();
    let shooters: [&Shoot<'_>; 5] = [
        &by_prior([1.0, 0.0, 0.0, 0.0, 0.0]),
        &by_prior([0.0, 0.0, 1.0, 0.0, 0.0]),
        &by_prior([0.0, 1.0, 0.0, 0.0, 0.0]),
        &|sight, random| by_chance.shot(sight, &owner, random).unwrap().1,
        &by_prior(prior::CHANCES),
    ];
    println!("{:14}{:>14}{:>14}{:>14}{:>14}{:>14}", "fleets", "uniform", "edge", "middle", "parity", "hunter");
    for (name, place) in kinds {
        print!("{name:14}");
        for shoot in shooters {
            let shots = (0..fleets).map(|seed| {
                let fleet = place(grid, &mut rules::random(seed)).unwrap();
                shots_to_sink(grid, &fleet, shoot, &mut rules::random(seed + fleets))
            });
            print!("{:>14}", mean(&shots.collect::<Vec<f64>>()));
        }
        println!();
    }
}

/// The hunter with these chances of its priors.
fn by_prior(priors: [f64; prior::PRIORS]) -> impl Fn(&Sight, &mut Random) -> Point {
    move |sight, random| {
        let density = Density::by(priors, sight, random);
        let shadow = vec![0.0; sight.grid.len()];
        let target = weapons::Target { sight, density: &density, shadow: &shadow };
        target.best_shot(Weapon::SingleShot, random).centre
    }
}

fn shots_to_sink(grid: Grid, fleet: &Placement, shoot: &Shoot<'_>, random: &mut Random) -> f64 {
    let ships = fleet.ships.map(|ship| {
        let cells = straight(ship.start, ship.direction, ship.ship.length()).flatten();
        (ship.ship, Cells::at(grid, cells))
    });
    let mut sight = Sight::blank(grid);
    let mut shots = 0;
    while sight.sunk.contains(&false) {
        let cell = grid.index(shoot(&sight, random)).unwrap();
        let is_hit = ships.iter().any(|(_, cells)| cells.contains(cell));
        let found = if is_hit { &mut sight.damaged } else { &mut sight.missed };
        found.insert(cell);
        for (ship, cells) in ships {
            sight.sunk[ship.index()] = cells.lies_within(sight.damaged);
        }
        shots += 1;
    }
    f64::from(shots)
}

/// A player at the start of a match, whose energy is for single shots.
fn without_energy() -> Owner {
    let game = Entelect2017::start(&Settings { size: MapSize::Medium }, 2, 0).unwrap();
    let files = Files::new(["Alpha", "Bravo"].into_iter().map(PlayerInfo::named).collect());
    files.state_file(&game.view(Seat::A)).player_map.unwrap().owner
}

fn mean(shots: &[f64]) -> String {
    let count = shots.len() as f64;
    let mean = shots.iter().sum::<f64>() / count;
    let variance = shots.iter().map(|shots| (shots - mean).powi(2)).sum::<f64>() / (count - 1.0);
    format!("{mean:.2} ± {:4.2}", 1.96 * (variance / count).sqrt())
}
