//! The built-in players of Battleship by any rules.

mod chart;
mod hunter;
#[cfg(test)]
mod tests;

use self::chart::Chart;
use self::hunter::Hunter;
use super::BuiltIn;
use super::hunt::{Hunt, Pattern};
use analysis::battleship::layout_of_board;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::battleship::{Consequence, Known, Order, Target, View, place_at_random, placed};
use rules::{Answer, Direction, Fault, Point, Random, Seat};

/// A player that places its ships at random.
pub(super) fn player(which: BuiltIn, seed: u64) -> impl FnMut(&View) -> Answer<Order> {
    let pattern = if which == BuiltIn::Checkerboard { Pattern::Checkerboard } else { Pattern::All };
    let mut hunt = Hunt::new(pattern, seed);
    if [BuiltIn::Random, BuiltIn::Passive].contains(&which) {
        // They draw no pattern: the fleet is the one that environments place by the same seed, and that of a player alone.
        hunt.random = rules::random(seed);
    }
    let mut layout = None;
    move |view| {
        let random = &mut hunt.random;
        if view.placing {
            let fleet = place_at_random(&view.rules, random).ok_or(Fault::NothingWritten)?;
            return Ok(Order::Place(placed(&view.rules, &fleet)));
        }
        let order = match which {
            BuiltIn::Random => any_special(view, random).unwrap_or_else(|| Order::Fire(any_shots(view, random))),
            BuiltIn::HuntAndTarget | BuiltIn::Checkerboard => Order::Fire(hunted(view, &mut hunt)),
            BuiltIn::Hunter | BuiltIn::SingleShots => {
                let layout = layout.get_or_insert_with(|| layout_of_board(&view.rules));
                let mut hunter = Hunter::new(view, layout, random);
                if which == BuiltIn::Hunter { hunter.order() } else { Order::Fire(hunter.shots().0) }
            }
            BuiltIn::Passive => Order::Fire(harmless(view)),
        };
        Ok(match order {
            // All is fired at, and still asked for.
            Order::Fire(shots) if shots.is_empty() => {
                Order::Fire(vec![aim(view, view.targets().next(), Point::default())])
            }
            Order::Fire(shots) => Order::Fire(shots.into_iter().map(|shot| aim(view, shot.at, shot.cell)).collect()),
            Order::Use { special, aim: Target { at, cell } } => Order::Use { special, aim: aim(view, at, cell) },
            order => order,
        })
    }
}

/// A cell at which to aim. Its board is named only where there are several to aim at, as environments do.
fn aim(view: &View, at: Option<Seat>, cell: Point) -> Target {
    let has_choice = view.boards.len() > 2 && !view.rules.is_solo();
    Target { at: at.filter(|_| has_choice), cell }
}

/// The cells of a board in which a shot may hit, and is no mistake.
fn left(view: &View, owner: Seat) -> impl Iterator<Item = Target> + use<'_> {
    let has_armour = view.rules.most_armour() > 1;
    let is_left = move |known: Known| !known.is_spent() && (known != Known::Shot || has_armour);
    let cells = view.rules.grid().points().zip(&view.boards[owner].cells).filter(move |(_, known)| is_left(**known));
    cells.map(move |(cell, _)| Target { at: Some(owner), cell })
}

/// Different cells at random in which something may be left to hit.
fn any_shots(view: &View, random: &mut Random) -> Vec<Target> {
    let cells: Vec<Target> = view.targets().flat_map(|owner| left(view, owner)).collect();
    cells.sample(random, view.shots as usize).copied().collect()
}

/// A shot at a cell that was fired at before; at another one where a player harms nobody, and if the rules do not waste that shot.
fn harmless(view: &View) -> Vec<Target> {
    let next = || view.targets().next().and_then(|owner| left(view, owner).next());
    let may_repeat = !view.rules.is_solo() && view.rules.choices().repeated == Consequence::Wasted;
    let first = view.targets().next().map(|at| Target { at: Some(at), cell: Point::default() });
    first.filter(|_| may_repeat).or_else(next).into_iter().collect()
}

/// Now and then a special action at random.
fn any_special(view: &View, random: &mut Random) -> Option<Order> {
    let usable: Vec<usize> = hunter::usable(view).collect();
    let special = *usable.choose(random).filter(|_| random.random_ratio(1, 12))?;
    let at = view.targets().next()?;
    let cells: Vec<Point> = view.rules.grid().points().collect();
    let special = view.rules.choices().specials[special].name.clone();
    Some(Order::Use { special, aim: Target { at: Some(at), cell: *cells.choose(random)? } })
}

/// Cells where a ship is for certain, then those beside hits, then those of the pattern, then any.
fn hunted(view: &View, hunt: &mut Hunt) -> Vec<Target> {
    let charts = Chart::all(view);
    let shortest = charts.iter().filter_map(Chart::shortest).min();
    let mut left: Vec<(u8, Target)> =
        charts.iter().flat_map(|chart| left(view, chart.owner()).map(|cell| (rank(chart, cell.cell), cell))).collect();
    let mut shots = Vec::new();
    while let Some(best) = left.iter().map(|(rank, _)| *rank).min().filter(|_| shots.len() < view.shots as usize) {
        let among = left.iter().filter(|(rank, _)| *rank == best).map(|(_, cell)| *cell).collect();
        let among = if best == SEARCHED { hunt.of_pattern(among, shortest, |shot: &Target| shot.cell) } else { among };
        let Some(shot) = hunt.any(&among) else { break };
        left.retain(|(_, other)| *other != shot);
        shots.push(shot);
    }
    shots
}

/// The rank of cells of which nothing is known.
const SEARCHED: u8 = 2;

/// The rank of a cell at which one can fire: the first are best.
fn rank(chart: &Chart<'_>, cell: Point) -> u8 {
    let beside = || Direction::ALL.into_iter().filter_map(|way| cell.offset(way.step().0, way.step().1));
    match chart.known(cell) {
        Known::Ship | Known::Damaged => 0,
        _ if chart.is_open(cell) && beside().any(|cell| chart.is_hit(cell)) => 1,
        Known::Unknown if chart.is_open(cell) => SEARCHED,
        _ => SEARCHED + 1,
    }
}
