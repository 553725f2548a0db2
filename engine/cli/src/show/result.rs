//! The result of a match on standard output.

use super::Names;
use super::names::padded;
use arena::ArenaError;
use rules::{Ending, Outcome, Seat};
use std::path::Path;

/// Tells who won, with how many points, after how many rounds, why the match ended and where its replay is.
pub(crate) fn result(outcome: &Outcome, names: &Names, seed: u64, replay: &Path) -> Result<(), ArenaError> {
    let mut text = format!("{}: {}\n", verdict(outcome, names), reason(&outcome.ending, names));
    for &seat in &outcome.ranking {
        text.push_str(&format!(
            "  {seat} {}  {:>4} points\n",
            padded(names.of(seat), names.width()),
            outcome.points[seat]
        ));
    }
    text.push_str(&format!("{} rounds, seed {seed}\nReplay: {}\n", outcome.turns, replay.display()));
    super::print(&text)
}

fn verdict(outcome: &Outcome, names: &Names) -> String {
    outcome.winner.map_or_else(|| "A draw".to_owned(), |winner| format!("{} wins", names.of(winner)))
}

fn reason(ending: &Ending, names: &Names) -> String {
    let list = |seats: &[Seat]| seats.iter().map(|&seat| names.of(seat)).collect::<Vec<_>>().join(" and ");
    match ending {
        Ending::FleetSunk { seats } if seats.len() > 1 => "both fleets were sunk in the same round".to_owned(),
        Ending::FleetSunk { seats } => format!("all ships of {} are sunk", list(seats)),
        Ending::KilledOff { seats } => {
            let each = seats.iter().map(|(seat, why)| format!("{} {why}", names.of(*seat)));
            each.collect::<Vec<_>>().join(" and ")
        }
        Ending::RoundLimit { rounds } => format!("the {rounds} rounds are over"),
    }
}
