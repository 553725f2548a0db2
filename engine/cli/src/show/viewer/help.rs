//! The help: all keys, on top of everything else.

use super::key_bindings::KEY_BINDINGS;
use super::palette::{Palette, write};
use crate::show::text::colours::TextRole;
use crate::show::text::names::padded;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::Line;

/// The columns for the keys.
const KEYS: usize = 15;
/// The columns for their descriptions.
const WHAT: usize = 23;

/// Draws the help into the middle of `area`, which is at least as large as [`super::layout`] requires.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, palette: Palette) {
    let (columns, rows) = (KEYS + WHAT + 2, KEY_BINDINGS.len() + 2);
    let frame = area.centered(Constraint::Length(columns as u16), Constraint::Length(rows as u16));
    // Half of a wide character beside the frame would cover a column of the frame.
    let margin = Rect { x: frame.x.saturating_sub(1), width: 1, ..frame };
    for row in 0..rows {
        write(buffer, margin, row, " ");
    }
    let rule = |left: &str, right: &str| format!("{left}{}{right}", "─".repeat(columns - 2));
    write(buffer, frame, 0, rule("┌", "┐"));
    for (nth, binding) in KEY_BINDINGS.iter().enumerate() {
        let line = vec![
            "│".into(),
            palette.span(padded(&format!(" {}", binding.keys), KEYS), TextRole::Heading),
            padded(binding.what, WHAT).into(),
            "│".into(),
        ];
        write(buffer, frame, nth + 1, Line::from(line));
    }
    write(buffer, frame, rows - 1, rule("└", "┘"));
}
