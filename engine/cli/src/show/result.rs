//! The result of a match on standard output.

use super::Names;
use crate::show::text::names::padded;
use crate::show::text::output::printable_output;
use arena::{ArenaError, error_line, place_of_crash};
use platform::terminal;
use players::BuiltIn;
use rules::{GameKind, Outcome, Seat, printable};
use runner::{Advice, PlayedMatch};
use serde_json::Value;
use tournament::board_name;

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

/// The game with its settings: boards with one seed are the same by the same settings only.
pub(crate) fn game_title(game: GameKind, settings: &Value) -> String {
    let settings = settings.as_object().into_iter().flatten();
    let told = settings.filter_map(|(name, value)| match (game, &name[..], value) {
        (GameKind::Battleship, "name", Value::String(rules)) => Some(rules.clone()),
        (GameKind::Battleship, ..) => None,
        (_, _, Value::String(text)) => Some(format!("{name} {text}")),
        _ => Some(format!("{name} {value}")),
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { game.title().to_owned() } else { format!("{} ({})", game.title(), told.join(", ")) }
}

/// Words behind a name for a player that has sunk all ships of a board, with the shots and the special ones among them.
pub(crate) fn sank(board: u64, (shots, specials): (u32, u32)) -> String {
    let special = if specials > 0 { format!(" ({specials} special)") } else { String::new() };
    format!("sank all ships of {} with {}{special}", board_name(board), rules::counted(shots, "shot"))
}

/// Prints the winner, the reason for the end, the points, the number of turns, the folder of the replay, and for each bot
/// with faults the first fault, its report, and whether a build would help. `outcome` is that of the match.
///
/// # Errors
/// As [`super::print`].
pub(crate) fn result(played: &PlayedMatch, outcome: &Outcome, names: &Names) -> Result<(), ArenaError> {
    let PlayedMatch { game, seed, bundles, lost, .. } = played;
    let points = outcome.scoring.unit();
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
    let is_passive = |seat: Seat| BuiltIn::is_passive(&played.names[seat]);
    let is_alone = !outcome.scoring.is_points() || played.names.seats().any(is_passive);
    for (seat, shots) in played.shots.iter().filter_map(|(seat, shots)| Some((seat, (*shots)?))) {
        if is_alone && !is_passive(seat) {
            let title = printable(&game_title(*game, &played.settings));
            text.push_str(&format!("Broadside, {title}: {} {}\n", names.of(seat), sank(*seed, shots)));
        }
    }
    if let Some(replay) = replay {
        text.push_str(&format!("Replay: {}\n", replay.display()));
    }
    for seat in names.seats() {
        // Bundles are of the first turns of each kind of fault only.
        let mut own = bundles.iter().filter(|bundle| bundle.seat == seat);
        let bundle = own.find_map(|bundle| Some((bundle, bundle.why.as_ref()?)));
        let first = match bundle {
            Some((bundle, why)) => Some((bundle.round, why, &bundle.said)),
            None => played.faults[seat].as_ref().map(|first| (first.turn, &first.why, &first.said)),
        };
        let Some((turn, why, said)) = first else { continue };
        if bundle.is_none() && said.is_empty() && is_told(why, &text) {
            continue;
        }
        let rest =
            if lost[seat] > 1 { format!(" ({} lost)", rules::counted(lost[seat], "turn")) } else { String::new() };
        text.push_str(&format!("{} in {} {turn}: {}{rest}\n", names.of(seat), game.turn(), printable(why)));
        let place = place_of_crash(said).map(|place| format!(" ({place})")).unwrap_or_default();
        let line = error_line(said).filter(|_| why.starts_with("crashed"));
        text.extend(line.map(|line| format!("  | {}{place}\n", printable_output(line.trim()))));
        let report = bundle.zip(replay).map(|((bundle, _), replay)| replay.join(&bundle.folder).join("report.txt"));
        text.extend(report.map(|report| format!("  see {}\n", report.display())));
    }
    for (seat, advice) in names.seats().filter_map(|seat| Some((seat, played.advice[seat].as_ref()?))) {
        text.push_str(&format!("{} {}\n", names.of(seat), advised(advice)));
    }
    super::print(&text)
}

/// True if a text, which may have the reason for the end, tells of a fault already.
fn is_told(why: &str, text: &str) -> bool {
    text.contains(&*printable(why.split_once(": ").map_or(why, |(_, why)| why)))
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
    use rules::{BySeat, Ending};

    #[test]
    fn the_words_of_an_ending_cannot_change_the_terminal() {
        let outcome = Outcome {
            winner: None,
            ranking: vec![Seat::A],
            points: BySeat::from_iter([0]),
            scoring: Default::default(),
            ending: Ending::KilledOff { seats: vec![(Seat::A, "left \u{1b}[2J\u{202e}\u{200b}\u{e0041}".to_owned())] },
            turns: 1,
        };
        let text = ending(Some(&outcome), &Names::of_players(["Alpha"]));
        assert_eq!(text, "A draw: Alpha left \u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}");
    }
}
