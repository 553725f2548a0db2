//! The seek bar: the whole match on one line, with hits, sinkings and the position of the viewer.

use super::log::{HIT, SINKING};
use super::palette::Palette;
use super::timeline::Timeline;
use crate::show::text::colours::TextRole;
use ratatui::text::{Line, Span};
use rules::HighlightKind;

/// The column of a scene on a seek bar of `columns` columns that ends with scene `last`.
pub(super) fn column(scene: usize, last: usize, columns: usize) -> usize {
    (scene * columns.saturating_sub(1)).checked_div(last).unwrap_or_default()
}

/// The seek bar of `columns` columns while scene `at` is shown.
pub(super) fn line(timeline: &Timeline, at: usize, columns: usize, palette: Palette) -> Line<'static> {
    let last = timeline.entries.len().saturating_sub(1);
    let column = |scene: usize| column(scene, last, columns);
    let marks = |kind| {
        let mut marks = vec![false; columns];
        for (scene, turn) in timeline.entries.iter().enumerate() {
            if turn.has(kind)
                && let Some(mark) = marks.get_mut(column(scene))
            {
                *mark = true;
            }
        }
        marks
    };
    let (hits, sinkings) = (marks(HighlightKind::Hit), marks(HighlightKind::Sinking));
    let sign = |nth: usize| -> Span<'static> {
        let (text, role) = match nth {
            _ if nth == column(at) => ("█", TextRole::Heading),
            _ if sinkings[nth] => (SINKING, TextRole::Hit),
            _ if hits[nth] => (HIT, TextRole::Shield),
            _ if nth < column(at) => ("━", TextRole::Quiet),
            _ => ("─", TextRole::Quiet),
        };
        palette.span(text, role)
    };
    (0..columns).map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scripted_history::ScriptedHistory;
    use super::*;
    use crate::show::text::colours::Colours;
    use rules::Eye;

    fn drawn(turns: &[Option<HighlightKind>], at: usize, columns: usize) -> String {
        let timeline = Timeline::of(&ScriptedHistory::new(turns.iter().copied()), Eye::Referee);
        line(&timeline, at, columns, Palette(Colours::PLAIN)).to_string()
    }

    const HIT: Option<HighlightKind> = Some(HighlightKind::Hit);
    const SINKING: Option<HighlightKind> = Some(HighlightKind::Sinking);

    #[test]
    fn it_shows_hits_and_sinkings_and_how_far_the_match_is() {
        let turns = [None, HIT, None, SINKING, Some(HighlightKind::Special)];
        assert_eq!(drawn(&turns, 3, 6), "━━*█X─");
        assert_eq!(drawn(&turns, 0, 11), "█───*───X──");
        assert_eq!(drawn(&turns, 5, 11), "━━━━*━━━X━█");
    }

    #[test]
    fn a_sinking_hides_a_hit_where_they_share_a_column() {
        assert_eq!(drawn(&[HIT, HIT, SINKING, HIT, None, None, None, None, None, None], 10, 3), "X━█");
    }

    #[test]
    fn a_match_without_turns_has_a_line_all_the_same() {
        assert_eq!(drawn(&[], 0, 3), "█──");
        assert_eq!(drawn(&[HIT], 1, 0), "");
    }
}
