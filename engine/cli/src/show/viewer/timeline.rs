//! The timeline: the events of a whole match that one eye may know.

use crate::show::printable;
use arena::MatchHistory;
use rules::{Eye, Highlight, HighlightKind, Seat};

/// The events before each scene of a history.
#[derive(Debug)]
pub(super) struct Timeline {
    pub(super) entries: Vec<TimelineEntry>,
}

/// The events before one scene.
#[derive(Debug)]
pub(super) struct TimelineEntry {
    /// The deeds of seats as printable sentences.
    pub(super) deeds: Vec<(Seat, String)>,
    highlights: Vec<Highlight>,
    /// The shots: number of the board, number of the cell.
    shots: Vec<(usize, usize)>,
}

/// The direction of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Back,
    Forward,
}

impl Timeline {
    /// The timeline of a match as `eye` may know it.
    pub(super) fn of(history: &dyn MatchHistory, eye: Eye) -> Timeline {
        Timeline { entries: (0..history.scenes()).map(|at| TimelineEntry::of(history, at, eye)).collect() }
    }

    /// The nearest scene in this direction from `from` with a highlight of this kind before it.
    pub(super) fn find(&self, from: usize, kind: HighlightKind, direction: Direction) -> Option<usize> {
        match direction {
            Direction::Back => (0..from).rev().find(|at| self.entries[*at].has(kind)),
            Direction::Forward => (from + 1..self.entries.len()).find(|at| self.entries[*at].has(kind)),
        }
    }

    /// The number of shots at each of the `cells` cells of a board up to scene `at`.
    pub(super) fn shots(&self, at: usize, board: usize, cells: usize) -> Vec<u32> {
        let mut counts = vec![0; cells];
        for (_, cell) in self.entries[..=at].iter().flat_map(|turn| &turn.shots).filter(|(whose, _)| *whose == board) {
            if let Some(count) = counts.get_mut(*cell) {
                *count += 1;
            }
        }
        counts
    }
}

impl TimelineEntry {
    fn of(history: &dyn MatchHistory, at: usize, eye: Eye) -> TimelineEntry {
        let scene = history.scene(at, eye);
        let boards = || scene.boards.iter();
        let deeds = boards().filter(|board| !board.deed.is_empty()).map(|board| (board.seat, printable(&board.deed)));
        let shots = boards().enumerate().flat_map(|(number, board)| {
            let fresh = board.cells.iter().enumerate().filter(|(_, cell)| cell.fresh);
            fresh.map(move |(cell, _)| (number, cell))
        });
        TimelineEntry { deeds: deeds.collect(), shots: shots.collect(), highlights: scene.highlights }
    }

    /// True if there is a highlight of this kind.
    pub(super) fn has(&self, kind: HighlightKind) -> bool {
        self.highlights.iter().any(|highlight| highlight.kind == kind)
    }

    /// True if `seat` has a highlight of this kind.
    pub(super) fn has_by(&self, seat: Seat, kind: HighlightKind) -> bool {
        self.highlights.contains(&Highlight { seat, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripted_history::{ScriptedHistory, entelect};
    use super::*;
    use rules::entelect_2017::MapSize;
    use rules::{Grid, Mark};

    #[test]
    fn shots_are_counted_up_to_the_scene_that_is_shown() {
        let timeline = Timeline::of(&ScriptedHistory::quiet(2, Grid::new(3, 3), 5), Eye::Referee);
        assert_eq!(timeline.shots(0, 1, 9), [0; 9]);
        assert_eq!(timeline.shots(3, 1, 9), [3, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(timeline.shots(5, 1, 9)[0], 5);
        assert_eq!(timeline.shots(5, 0, 9), [0; 9], "nobody shot at A");
    }

    #[test]
    fn a_cell_was_shot_at_just_where_the_board_says_so() {
        let history = entelect(MapSize::Small, 3);
        let timeline = Timeline::of(&history, Eye::Referee);
        for at in 0..history.scenes() {
            for (number, board) in history.scene(at, Eye::Referee).boards.iter().enumerate() {
                let shots = timeline.shots(at, number, board.cells.len());
                for (count, cell) in shots.iter().zip(&board.cells) {
                    assert_eq!(*count > 0, !matches!(cell.mark, Mark::Water | Mark::Ship(_)), "scene {at}");
                }
            }
        }
    }

    #[test]
    fn deeds_cannot_paint_the_terminal() {
        let history = ScriptedHistory { deed: "did nothing: \x1b[2J\r\n", ..ScriptedHistory::new([None]) };
        let timeline = Timeline::of(&history, Eye::Referee);
        assert_eq!(timeline.entries[1].deeds, [(Seat::A, "did nothing: \u{fffd}[2J\u{fffd}\u{fffd}".to_owned())]);
    }
}
