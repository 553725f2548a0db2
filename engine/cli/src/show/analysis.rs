//! The analysis of a match as text and as JSON.

use super::result::ending;
use super::{Names, findings, game_title, printable};
use crate::show::text::names::padded;
use analysis::{MatchAnalysis, Moment, SeatSummary};
use arena::record::Record;
use platform::terminal;
use rules::Seat;
use serde_json::{Value, json};

/// The columns of the line that is drawn, at most.
const MOST_COLUMNS: usize = 60;
/// The levels of the line, lowest first.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The analysis for programs: `analysis` of docs/results.schema.json.
pub(crate) fn analysis_json(record: &Record, analysis: &MatchAnalysis) -> Value {
    let mut json = json!({
        "format": "broadside analysis",
        "version": 1,
        "game": record.header().game,
        "record": record.path(),
        "outcome": record.end().map(|end| &end.outcome),
    });
    let analysis = serde_json::to_value(analysis).expect("an analysis has numbers and texts only");
    for (key, value) in analysis.as_object().into_iter().flatten() {
        json[key] = value.clone();
    }
    json
}

/// The analysis for people.
pub(crate) fn analysis_text(record: &Record, analysis: &MatchAnalysis) -> String {
    let names = Names::of_players(analysis.players.iter().map(|player| player.name.as_str()));
    let columns = terminal::size().map_or(80, |size| size.columns);
    let header = record.header();
    let mut text = format!("{}\n", printable(&game_title(header.game, &header.settings)));
    text.push_str(&format!("{}\n\n", ending(record.end().map(|end| &end.outcome), &names)));
    if analysis.too_large {
        text.push_str("The boards are too large to be analysed.\n");
        return text;
    }
    text.push_str(&shots(&names, &analysis.players));
    text.push_str(&line(&names, &analysis.moments, columns));
    text.push_str(&turning_points(&names, analysis, header.game.turn(), columns));
    text
}

/// The table of shots.
fn shots(names: &Names, players: &[SeatSummary]) -> String {
    let width = names.width().max("player".len());
    let head = format!("  {}  shots  hits  expected  accuracy    luck\n", padded("player", width + 2));
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.0} %", 100.0 * share));
    let row = |player: &SeatSummary| {
        let (SeatSummary { seat, shots, hits, expected, luck, .. }, name) = (player, names.of(player.seat));
        let accuracy = share(player.accuracy);
        format!("  {seat} {}  {shots:5}  {hits:4}  {expected:8.1}  {accuracy:>8}  {luck:+6.1}\n", padded(name, width))
    };
    let drawn: Vec<f64> = players.iter().filter_map(|player| player.random_accuracy).collect();
    let mean = drawn.iter().sum::<f64>() / drawn.len().max(1) as f64;
    let beside = if drawn.is_empty() {
        String::new()
    } else {
        format!("  Cells drawn by chance have an accuracy of {:.0} %.\n", 100.0 * mean)
    };
    format!("{head}{}{beside}", players.iter().map(row).collect::<String>())
}

/// The probability of each player to win, drawn as a line of blocks over the turns; nothing for one player.
fn line(names: &Names, moments: &[Moment], columns: usize) -> String {
    let wins: Vec<&[f64]> = moments.iter().filter_map(|moment| Some(&moment.win.as_ref()?.seen[..])).collect();
    let Some(last) = moments.len().checked_sub(1).filter(|_| !wins.is_empty()) else { return String::new() };
    let width = columns.saturating_sub(names.width() + 6).clamp(10, MOST_COLUMNS).min(wins.len());
    let mut text = "\nProbability to win, as somebody sees it who sees what all players see:\n".to_owned();
    for seat in names.seats() {
        let level = |column: usize| {
            let win = wins[(column * (wins.len() - 1)).div_ceil((width - 1).max(1))][seat.index()];
            LEVELS[((win * LEVELS.len() as f64) as usize).min(LEVELS.len() - 1)]
        };
        let drawn: String = (0..width).map(level).collect();
        text.push_str(&format!("  {seat} {}  {drawn}\n", padded(names.of(seat), names.width())));
    }
    text.push_str(&format!(
        "  {}  0{:>width$}\n",
        padded("", names.width() + 2),
        last,
        width = width.saturating_sub(1)
    ));
    text
}

fn turning_points(names: &Names, analysis: &MatchAnalysis, turn: &str, columns: usize) -> String {
    let mut points: Vec<_> = analysis.turning_points.iter().collect();
    points.sort_by_key(|point| point.moment);
    let mut text = if points.is_empty() { String::new() } else { "\nTurning points:\n".to_owned() };
    for point in points {
        let (was, is) = (100.0 * point.before, 100.0 * point.after);
        let head = format!("  {turn} {:<4} ", point.turn);
        let words = &analysis.moments[point.moment].words;
        let said = words.iter().filter(|words| !words.contains("chance to win")).map(|words| words.trim());
        let name = |seat: Seat| names.of(seat);
        let rises = format!("{}: {was:.0} -> {is:.0} %.", name(point.seat));
        let sentence: Vec<&str> = std::iter::once(rises.as_str()).chain(said).collect();
        for line in findings::wrapped(&head, &sentence.join(" "), columns) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}
