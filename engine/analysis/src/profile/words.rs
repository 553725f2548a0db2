//! Hints in words.

use super::fleet_traits::RandomFleets;
use super::habits::{Habit, Hint};
use super::sums::{FIRST, FleetSums, OPENING, ProfileSums};

/// A sentence that says what the habit is, how often it was seen, and what follows from it.
pub(super) fn of(hint: &Hint, sums: &ProfileSums, random: &RandomFleets) -> String {
    let Hint { times, of, by_chance, .. } = hint;
    let (more, seen) = (hint.is_more(), format!("in {times} of {of} games"));
    let counted = format!("{seen} (by chance {by_chance:.1})");
    let ship = |kind: usize| {
        let kind = &sums.board.ships[kind];
        if kind.count == 1 { format!("its {}", kind.name) } else { format!("a {} ({} cells)", kind.name, kind.cells) }
    };
    let text = match hint.habit {
        Habit::SameFleet => format!("the same fleet stood on the board {seen}: remember where it lies"),
        Habit::ShipInCorner { ship: kind } => {
            let advice = if more { "fire at the corners early" } else { "leave the corners until last" };
            format!("{} stood in a corner {counted}: {advice}", ship(kind))
        }
        Habit::ShipOnRing { ship: kind } => {
            let advice = if more { "look for it at the edges first" } else { "look for it inside first" };
            format!("{} lay on the outer ring {counted}: {advice}", ship(kind))
        }
        Habit::CellsOnRing => {
            let advice = if more { "search the edges first" } else { "search the middle first" };
            let [all, placed] = random.on_ring().unwrap_or_default();
            let drawn =
                if (all - placed).abs() < 0.05 { format!("{all:.1}") } else { format!("{placed:.1} to {all:.1}") };
            format!(
                "{:.1} cells of its ships stood on the outer ring on average, {drawn} of random fleets; {times} of {of} fleets had \
                 more there than half of random fleets have (by chance {by_chance:.1}): {advice}",
                mean_on_ring(&sums.fleets),
            )
        }
        Habit::ShipsTouch => {
            let advice = if more {
                "after a ship is sunk, search beside it"
            } else {
                "do not search beside ships that are sunk"
            };
            format!("ships lay edge to edge {counted}: {advice}")
        }
        Habit::MoreUpright => direction("columns", "rows", more, &counted),
        Habit::MoreLevel => direction("rows", "columns", more, &counted),
        Habit::FirstShot { cell } => {
            let at = sums.board.grid.point(cell);
            format!("its first shot fell on cell {}, {} {counted}: keep ships away from there", at.x, at.y)
        }
        Habit::Opening => {
            format!("its first {OPENING} shots were the same, in the same order, {seen}: keep ships away from there")
        }
        Habit::FirstShotsOnRing => {
            let advice = if more { "keep ships inside" } else { "the edges are safe for a while" };
            format!(
                "{seen} more of its first {FIRST} shots fell on the outer ring than of drawn shots at the median (by chance \
                 {by_chance:.1}): {advice}"
            )
        }
        Habit::ShotsAtShield => {
            let advice =
                if more { "a shield costs it more than one shot" } else { "it does not try again under a shield" };
            format!(
                "after a shot that a shield caught it fired at the same cell {times} of {of} times (by chance {by_chance:.1}): {advice}"
            )
        }
    };
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn direction(most: &str, least: &str, more: bool, counted: &str) -> String {
    let advice =
        if more { format!("follow {most} beside a hit first") } else { format!("follow {least} beside a hit first") };
    format!("more ships lay in {most} than in {least} {counted}: {advice}")
}

/// The mean number of cells on the outer ring.
fn mean_on_ring(fleets: &FleetSums) -> f64 {
    let sum: f64 = fleets.on_ring.iter().map(|(cells, games)| *cells as f64 * f64::from(*games)).sum();
    sum / f64::from(fleets.games.max(1))
}
