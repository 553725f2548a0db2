//! The result of a match on standard output.

use super::Names;
use super::names::padded;
use arena::ArenaError;
use arena::record::Bundle;
use rules::{GameKind, Outcome};
use std::path::Path;

/// Tells who won, with how many points, after how many turns, why the match ended, where its replay is, and where to
/// look when a bot failed.
pub(crate) fn result(
    game: GameKind,
    outcome: &Outcome,
    names: &Names,
    seed: u64,
    replay: Option<&Path>,
    bundles: &[Bundle],
) -> Result<(), ArenaError> {
    let mut text = format!("{}\n", ending(Some(outcome), names));
    for &seat in &outcome.ranking {
        text.push_str(&format!(
            "  {seat} {}  {:>4} points\n",
            padded(names.of(seat), names.width()),
            outcome.points[seat]
        ));
    }
    text.push_str(&format!("{}, seed {seed}\n", game.turns(outcome.turns)));
    if let Some(replay) = replay {
        text.push_str(&format!("Replay: {}\n", replay.display()));
        for seat in names.seats() {
            text.extend(faults(names.of(seat), replay, bundles.iter().filter(|bundle| bundle.seat == seat)));
        }
    }
    super::print(&text)
}

/// What went wrong with a bot first, and where to look.
fn faults<'a>(name: &str, replay: &Path, bundles: impl Iterator<Item = &'a Bundle>) -> Option<String> {
    let mut faults = bundles.filter_map(|bundle| Some((bundle, bundle.why.as_ref()?)));
    let (first, why) = faults.next()?;
    let rest = match faults.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let report = replay.join(&first.folder).join("report.txt");
    Some(format!("{name} in round {}: {}{rest}\n  see {}\n", first.round, super::printable(why), report.display()))
}

/// How a match ended, in one line.
pub(super) fn ending(outcome: Option<&Outcome>, names: &Names) -> String {
    outcome.map_or_else(
        || "the match was not played to its end".to_owned(),
        |outcome| format!("{}: {}", verdict(outcome, names), outcome.ending.told(|seat| names.of(seat).to_owned())),
    )
}

fn verdict(outcome: &Outcome, names: &Names) -> String {
    outcome.winner.map_or_else(|| "A draw".to_owned(), |winner| format!("{} wins", names.of(winner)))
}
