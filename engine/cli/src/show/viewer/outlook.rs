//! The probabilities to win, as far as the match is shown, with the words of the moment and their graph.

use super::palette::{Palette, write};
use super::seek_bar::column;
use super::state::ViewerState;
use crate::show::text::colours::TextRole;
use analysis::Win;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use rules::{Eye, Seats, printable};

/// The most players of whom the probabilities fit on a line.
const MOST_PLAYERS: usize = 4;
/// The parts of a row of the graph, lowest first.
const LEVELS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// The sign of a turning point.
const TURN: &str = "◆";

/// The probabilities to win at the moment that is shown; those by where the ships lie for the referee only. Empty where they are not known.
pub(super) fn shares(viewer: &ViewerState<'_>) -> String {
    let Some(win) = viewer.moment().and_then(|moment| moment.win.as_ref()) else { return String::new() };
    if win.seen.len() > MOST_PLAYERS {
        return String::new();
    }
    let seats = Seats::first(win.seen.len() as u8);
    let seen = seats.iter().zip(percents(&win.seen)).map(|(seat, percent)| format!("{seat} {percent} %"));
    let mut shares = seen.collect::<Vec<_>>().join("  ");
    if viewer.eye == Eye::Referee {
        let truth: Vec<String> = percents(&win.truth).iter().map(u32::to_string).collect();
        shares.push_str(&format!("  truth {}", truth.join(":")));
    }
    shares
}

/// Whole per cents. Those of two players add up to 100.
fn percents(shares: &[f64]) -> Vec<u32> {
    let percent = |share: &f64| (100.0 * share).round() as u32;
    match shares {
        [one, _] => vec![percent(one), 100 - percent(one)],
        shares => shares.iter().map(percent).collect(),
    }
}

/// The words of the moment that is shown; empty if there are none.
pub(super) fn words(viewer: &ViewerState<'_>) -> String {
    let words = viewer.moment().map(|moment| moment.words.as_slice()).unwrap_or_default();
    printable(&words.join(" "))
}

/// Draws the probability of A up to the moment that is shown, above the columns of a seek bar of `columns` columns, with a sign at each
/// turning point so far.
pub(super) fn draw_graph(buffer: &mut Buffer, area: Rect, viewer: &ViewerState<'_>, columns: usize, palette: Palette) {
    let Some(moments) = viewer.analysis.as_ref().and_then(|analysis| analysis.moments.get(..=viewer.at)) else {
        return;
    };
    let rows = usize::from(area.height);
    let place = |at: usize| column(at, viewer.last(), columns);
    // The last moment of each column.
    let last = |nth: usize| moments.iter().enumerate().rev().find(|(at, _)| place(*at) <= nth);
    let known: Vec<Option<&Win>> = (0..=place(viewer.at)).map(|nth| last(nth)?.1.win.as_ref()).collect();
    let turns = analysis::turning_points(moments);
    let turns: Vec<usize> = turns.iter().map(|turn| place(turn.moment)).collect();
    for row in 0..rows {
        let cell = |(nth, win): (usize, &Option<&Win>)| -> Span<'static> {
            if row == 0 && turns.contains(&nth) {
                return palette.span(TURN, TextRole::Heading);
            }
            let filled = win.map_or(0, |win| (win.seen[0] * (8 * rows) as f64).round() as usize);
            palette.span(LEVELS[filled.saturating_sub(8 * (rows - 1 - row)).min(8)], TextRole::Miss)
        };
        write(buffer, area, row, known.iter().enumerate().map(cell).collect::<Line>());
    }
}
