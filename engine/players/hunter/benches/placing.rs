//! How well the hunter hides its ships: `cargo bench -p hunter --bench placing -- [FLEETS]`.
//!
//! Prints the single shots that four kinds of shooters need to sink a fleet on the medium map: its mean with its 95 % interval. The
//! hunter's fleets stand beside fleets at random and those of some opponents.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement for people")]

#[path = "../opponents/mod.rs"]
#[allow(dead_code, reason = "only the fleets and the shooter of the opponents are used here")]
mod opponents;

use hunter::{Cells, Sight, placing};
use opponents::shooter::{Armament, Shooter};
use opponents::{Habit, fleets};
use rules::entelect_2017::files::Files;
use rules::entelect_2017::files::wire::Owner;
use rules::entelect_2017::{Entelect2017, MapSize, Placement, Settings};
use rules::{Game, Grid, PlayerInfo, Random, Seat, straight};

const FLEETS: u64 = 2000;

fn main() {
    let fleets = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(FLEETS);
    let grid = MapSize::Medium.grid();
    let kinds: [(&str, fn(Grid, &mut Random) -> Option<Placement>); 5] = [
        ("hunter", placing::place),
        ("at random", |grid, random| fleets::place(grid, Habit::Parity, random)),
        ("edges", |grid, random| fleets::place(grid, Habit::Edges, random)),
        ("middle", |grid, random| fleets::place(grid, Habit::Middle, random)),
        ("side by side", |grid, random| fleets::place(grid, Habit::SideBySide, random)),
    ];
    println!("{:14} {:>14} {:>14} {:>14} {:>14}", "fleets", "density", "edge", "middle", "parity");
    for (name, place) in kinds {
        let means = [0.0, 0.4, -0.4, f64::NAN].map(|edge| {
            let shots: Vec<f64> = (0..fleets)
                .map(|seed| {
                    let fleet = place(grid, &mut rules::random(seed)).unwrap();
                    shots_to_sink(grid, &fleet, &shooter(grid, edge), &mut rules::random(seed + fleets))
                })
                .collect();
            mean(&shots)
        });
        println!("{name:14} {} {} {} {}", means[0], means[1], means[2], means[3]);
    }
}

/// A shooter that takes each cell of a ship on the outer ring for `exp(edge)` times as likely; without a number, one that searches
/// every second cell at random.
fn shooter(grid: Grid, edge: f64) -> Shooter {
    let last = grid.width() - 1;
    let is_on_ring = |at: rules::Point| at.x == 0 || at.y == 0 || at.x == last || at.y == last;
    let weight = |at| if is_on_ring(at) && !edge.is_nan() { edge.exp() } else { 1.0 };
    Shooter {
        armament: Armament::Search,
        by_chance: edge.is_nan(),
        by_parity: edge.is_nan(),
        sees_shield: false,
        weights: grid.points().map(weight).collect(),
    }
}

fn shots_to_sink(grid: Grid, fleet: &Placement, shooter: &Shooter, random: &mut Random) -> f64 {
    let ships = fleet.ships.map(|ship| {
        let cells = straight(ship.start, ship.direction, ship.ship.length()).flatten();
        (ship.ship, Cells::at(grid, cells))
    });
    let mut sight = Sight::blank(grid);
    let owner = without_energy();
    let mut shots = 0;
    while sight.sunk.contains(&false) {
        let cell = grid.index(shooter.shot(&sight, &owner, random).unwrap().1).unwrap();
        let is_hit = ships.iter().any(|(_, cells)| cells.contains(cell));
        if is_hit {
            sight.damaged.insert(cell)
        } else {
            sight.missed.insert(cell)
        }
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
    format!("{mean:7.2} ± {:4.2}", 1.96 * (variance / count).sqrt())
}
