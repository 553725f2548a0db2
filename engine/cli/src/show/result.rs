//! The result of a match on standard output.

use super::Names;
use crate::show::text::names::padded;
use crate::show::text::output::printable_output;
use arena::record::Bundle;
use arena::{ArenaError, error_line, place_of_crash};
use platform::terminal;
use rules::{Outcome, printable};
use runner::{Advice, PlayedMatch};
use std::path::Path;

/// The end of a sentence about a bot that ended badly, with what helps.
pub(super) fn advised(advice: &Advice) -> String {
    match advice {
        Advice::Build(flags) => {
            format!("lacks packages or classes that its project names: add {flags}, which builds it")
        }
        Advice::NotFound(path) => {
            let path = printable(path);
            format!("looked for {path} in its own folder, where its relative paths begin, and there is none")
        }
        Advice::Sandbox(path) => {
            let path = path.as_ref().map_or_else(String::new, |path| format!(" ({})", printable(path)));
            format!(
                "was refused something, probably by the sandbox{path}: there, a bot writes to its own folder and that of its turn only, \
                 and has no network and no child processes (broadside docs sandbox)"
            )
        }
    }
}

/// Prints the winner, the reason for the end, the points, the number of turns, the folder of the replay, and for each bot
/// with faults the first fault, its report, and whether a build would help. `outcome` is that of the match.
///
/// # Errors
/// As [`super::print`].
pub(crate) fn result(played: &PlayedMatch, outcome: &Outcome, names: &Names) -> Result<(), ArenaError> {
    let PlayedMatch { game, points_are_shots, seed, bundles, lost, .. } = played;
    let points = if *points_are_shots { "shots left" } else { "points" };
    let replay = played.folder.as_ref().map(|folder| folder.path());
    let heading = |names: &Names| ending(Some(outcome), names);
    let row = |seat, names: &Names| {
        format!("  {seat} {}  {:>4} {points}\n", padded(names.of(seat), names.width()), outcome.points[seat])
    };
    let rows = |names: &Names| outcome.ranking.iter().map(|&seat| row(seat, names)).collect::<String>();
    // In a file, names are whole.
    let columns = terminal::size().map(|size| size.columns);
    let fitted =
        |text: &dyn Fn(&Names) -> String| columns.map_or(names.uncut(), |columns| names.fitting(columns, text));
    let mut text = format!("{}\n{}", heading(&fitted(&heading)), rows(&fitted(&rows)));
    let names = &fitted(&rows);
    text.push_str(&format!("{}, seed {seed}\n", game.turns(outcome.turns)));
    if let Some(replay) = replay {
        text.push_str(&format!("Replay: {}\n", replay.display()));
    }
    for seat in names.seats() {
        let bundles = bundles.iter().filter(|bundle| bundle.seat == seat);
        text.extend(faults(names.of(seat), replay, bundles, lost[seat]));
    }
    for (seat, advice) in names.seats().filter_map(|seat| Some((seat, played.advice[seat].as_ref()?))) {
        text.push_str(&format!("{} {}\n", names.of(seat), advised(advice)));
    }
    super::print(&text)
}

/// The first fault of a bot with the path of its report, if that was kept, and the number of turns that it lost; `None` without
/// faults.
fn faults<'a>(
    name: &str,
    replay: Option<&Path>,
    mut bundles: impl Iterator<Item = &'a Bundle>,
    lost: u32,
) -> Option<String> {
    // Bundles are of the first turns of each kind of fault only.
    let (first, why) = bundles.find_map(|bundle| Some((bundle, bundle.why.as_ref()?)))?;
    let rest = if lost > 1 { format!(" ({} lost)", rules::counted(lost, "turn")) } else { String::new() };
    let report = replay.map(|replay| replay.join(&first.folder).join("report.txt"));
    let see = report.map(|report| format!("  see {}\n", report.display())).unwrap_or_default();
    let said = error_line(&first.said).filter(|_| why.starts_with("crashed"));
    let place = place_of_crash(&first.said).map(|place| format!(" ({place})")).unwrap_or_default();
    let said = said.map(|line| format!("  | {}{place}\n", printable_output(line.trim()))).unwrap_or_default();
    Some(format!("{name} in round {}: {}{rest}\n{said}{see}", first.round, printable(why)))
}

/// The winner of a match and the reason for its end, in one line.
pub(super) fn ending(outcome: Option<&Outcome>, names: &Names) -> String {
    let Some(outcome) = outcome else { return "the match was not played to its end".to_owned() };
    let winner = outcome.winner.map_or_else(|| "A draw".to_owned(), |winner| format!("{} wins", names.of(winner)));
    printable(&format!("{winner}: {}", outcome.ending.told(|seat| names.of(seat).to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{BySeat, Ending, Seat};

    #[test]
    fn the_words_of_an_ending_cannot_change_the_terminal() {
        let outcome = Outcome {
            winner: None,
            ranking: vec![Seat::A],
            points: BySeat::from_iter([0]),
            ending: Ending::KilledOff { seats: vec![(Seat::A, "left \u{1b}[2J\u{202e}\u{200b}\u{e0041}".to_owned())] },
            turns: 1,
        };
        let text = ending(Some(&outcome), &Names::of_players(["Alpha"]));
        assert_eq!(text, "A draw: Alpha left \u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}");
    }
}
