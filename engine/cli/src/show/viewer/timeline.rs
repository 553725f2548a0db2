//! The whole match on one line: hits, sinkings, and where in it the viewer is.

use super::course::Course;
use super::ink::Ink;
use super::log::{HIT, SINKING};
use crate::show::paint::Meaning;
use ratatui::text::{Line, Span};
use rules::HighlightKind;

/// The match on so many columns; the scene that is shown is `at`.
pub(super) fn line(course: &Course, at: usize, columns: usize, ink: Ink) -> Line<'static> {
    let last = course.turns().len().saturating_sub(1);
    let column = |scene: usize| (scene * columns.saturating_sub(1)).checked_div(last).unwrap_or_default();
    let marks = |kind| {
        let mut marks = vec![false; columns];
        for (scene, turn) in course.turns().iter().enumerate() {
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
        let (text, meaning) = match nth {
            _ if nth == column(at) => ("█", Meaning::Heading),
            _ if sinkings[nth] => (SINKING, Meaning::Hit),
            _ if hits[nth] => (HIT, Meaning::Shield),
            _ if nth < column(at) => ("━", Meaning::Quiet),
            _ => ("─", Meaning::Quiet),
        };
        ink.span(text, meaning)
    };
    (0..columns).map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::super::reel::Reel;
    use super::*;
    use crate::show::paint::Paint;
    use rules::Eye;

    fn drawn(turns: &[Option<HighlightKind>], at: usize, columns: usize) -> String {
        let course = Course::of(&Reel::new(turns.iter().copied()), Eye::Referee);
        line(&course, at, columns, Ink::new(Paint::PLAIN)).to_string()
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
