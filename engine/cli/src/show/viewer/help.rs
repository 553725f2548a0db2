//! All keys, on top of everything else.

use super::binding::BINDINGS;
use super::ink::{Ink, write};
use crate::show::names::padded;
use crate::show::paint::Meaning;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Columns for the keys.
const KEYS: usize = 15;
/// Columns for what they do.
const WHAT: usize = 23;

/// Draws the help into the middle of `area`, which is at least as large as [`super::plan`] wants it.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, ink: Ink) {
    let (columns, rows) = (KEYS + WHAT + 2, BINDINGS.len() + 2);
    let frame = area.centered(
        ratatui::layout::Constraint::Length(columns as u16),
        ratatui::layout::Constraint::Length(rows as u16),
    );
    // Half of a wide character beside the frame would take a column of it.
    let margin = Rect { x: frame.x.saturating_sub(1), width: 1, ..frame };
    for row in 0..rows {
        write(buffer, margin, row, " ");
    }
    let rule = |left: &str, right: &str| format!("{left}{}{right}", "─".repeat(columns - 2));
    write(buffer, frame, 0, rule("┌", "┐"));
    for (nth, binding) in BINDINGS.iter().enumerate() {
        let line = vec![
            "│".into(),
            ink.span(padded(&format!(" {}", binding.keys), KEYS), Meaning::Heading),
            padded(binding.what, WHAT).into(),
            "│".into(),
        ];
        write(buffer, frame, nth + 1, Line::from(line));
    }
    write(buffer, frame, rows - 1, rule("└", "┘"));
}
