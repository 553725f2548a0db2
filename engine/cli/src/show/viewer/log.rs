//! The log: the deeds of a match one below the other, those of the shown scene in the middle.

use super::palette::{Palette, write};
use super::timeline::{Timeline, TimelineEntry};
use crate::show::Names;
use crate::show::text::colours::TextRole;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use rules::{HighlightKind, Seat};

/// The sign of a hit, in the log and on the seek bar.
pub(super) const HIT: &str = "*";
/// The sign of a sinking.
pub(super) const SINKING: &str = "X";

/// Draws the part of the log around scene `at`.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, timeline: &Timeline, at: usize, palette: Palette) {
    let lines = || {
        let turns = timeline.entries.iter().enumerate();
        turns.flat_map(|(scene, turn)| turn.deeds.iter().map(move |deed| (scene, turn, deed)))
    };
    let before = lines().take_while(|(scene, ..)| *scene < at).count();
    let height = usize::from(area.height);
    let last_start = lines().count().saturating_sub(height);
    let start = before.saturating_sub(height.saturating_sub(1) / 2).min(last_start);
    for (row, (scene, turn, (seat, deed))) in lines().skip(start).take(height).enumerate() {
        let present = scene == at;
        let pointer = if present { ">" } else { " " };
        let text = format!("{:>4} {seat} ", scene.saturating_sub(1));
        let role = if present { TextRole::Heading } else { TextRole::Quiet };
        let line = vec![
            palette.span(format!("{pointer}{text}"), role),
            palette.span(format!("{} ", sign(turn, *seat)), TextRole::Hit),
            palette.span(deed, role),
        ];
        write(buffer, area, row, line);
    }
}

/// Draws the deeds of these seats in one scene.
pub(super) fn draw_deeds(
    buffer: &mut Buffer,
    area: Rect,
    turn: &TimelineEntry,
    seats: &[Seat],
    names: &Names,
    palette: Palette,
) {
    let deeds = turn.deeds.iter().filter(|(seat, _)| seats.contains(seat));
    for (row, (seat, deed)) in deeds.enumerate() {
        let line = vec![palette.span(format!("{seat} {}: ", names.of(*seat)), TextRole::Heading), deed.as_str().into()];
        write(buffer, area, row, line);
    }
}

fn sign(turn: &TimelineEntry, seat: Seat) -> &'static str {
    if turn.has_by(seat, HighlightKind::Sinking) {
        SINKING
    } else if turn.has_by(seat, HighlightKind::Hit) {
        HIT
    } else {
        " "
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripted_history::ScriptedHistory;
    use super::*;
    use crate::show::text::colours::Colours;
    use rules::Eye;

    /// The log of so many turns at scene `at`, on so many rows.
    fn drawn(turns: usize, at: usize, rows: u16) -> Vec<String> {
        let mut turns = vec![None; turns];
        turns[1] = Some(HighlightKind::Hit);
        turns[2] = Some(HighlightKind::Sinking);
        let area = Rect::new(0, 0, 16, rows);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, area, &Timeline::of(&ScriptedHistory::new(turns), Eye::Referee), at, Palette(Colours::PLAIN));
        let row = |y| (0..16).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..rows).map(row).collect()
    }

    #[test]
    fn the_present_is_in_the_middle_as_far_as_that_is_possible() {
        assert_eq!(drawn(9, 5, 3), ["    3 A   fired", ">   4 A   fired", "    5 A   fired"]);
        assert_eq!(drawn(9, 1, 3), [">   0 A   fired", "    1 A * fired", "    2 A X fired"]);
        assert_eq!(drawn(9, 9, 3), ["    6 A   fired", "    7 A   fired", ">   8 A   fired"]);
    }

    #[test]
    fn a_log_with_few_deeds_begins_at_the_top() {
        assert_eq!(drawn(3, 3, 5), ["    0 A   fired", "    1 A * fired", ">   2 A X fired", "", ""]);
        assert_eq!(drawn(3, 0, 2), ["    0 A   fired", "    1 A * fired"]);
        assert!(drawn(3, 0, 0).is_empty());
    }
}
