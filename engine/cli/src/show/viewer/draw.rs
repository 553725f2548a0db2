//! Draws the viewer on a screen of any size.

use super::layout::{Layout, Overlay, TooSmall, layout};
use super::palette::{Palette, write};
use super::state::{ViewerMode, ViewerState};
use super::{boards, help, log, notes, outlook, seek_bar};
use crate::show::text::colours::TextRole;
use crate::show::text::names::{cut, padded};
use crate::show::{Names, result};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use rules::printable;
use rules::{Eye, Seat};
use unicode_width::UnicodeWidthStr;

/// The fewest columns in which a title is of use.
const SHORTEST_TITLE: usize = 8;

/// Draws the viewer: holds the title, the names and the colours, which stay the same for a match.
pub(super) struct Renderer<'a> {
    title: String,
    names: &'a Names,
    palette: Palette,
}

impl<'a> Renderer<'a> {
    /// A renderer for a match of this title between players of these names.
    pub(super) fn new(title: &str, names: &'a Names, palette: Palette) -> Renderer<'a> {
        Renderer { title: printable(title), names, palette }
    }

    /// Draws the viewer in this state.
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, viewer: &ViewerState<'_>) {
        match layout(area, &viewer.scene, viewer.wanted) {
            Err(least) => draw_too_small(buffer, area, least),
            Ok(layout) => {
                self.draw_layout(buffer, &layout, viewer);
                if viewer.mode == ViewerMode::Reading {
                    help::draw(buffer, area, self.palette);
                }
            }
        }
    }

    fn draw_layout(&self, buffer: &mut Buffer, layout: &Layout, viewer: &ViewerState<'_>) {
        let (scene, timeline, at, palette) = (&viewer.scene, &viewer.timeline, viewer.at, self.palette);
        write(buffer, layout.title, 0, self.title_line(viewer, usize::from(layout.title.width)));
        let times = viewer.history.times(at);
        for (number, area) in &layout.boards {
            let board = &scene.boards[*number];
            let time = times.iter().find(|(seat, _)| *seat == board.seat).map(|(_, time)| time);
            boards::draw(buffer, *area, board, self.names.of(board.seat), time, palette);
        }
        let told = viewer.history.notes(at, viewer.eye);
        for (number, area) in &layout.overlays {
            let board = &scene.boards[*number];
            match viewer.wanted.overlay {
                Some(Overlay::Notes) => notes::draw(buffer, *area, board, &told, palette),
                Some(Overlay::Chances) => {
                    boards::draw_chances(buffer, *area, board, viewer.chances(board.seat), palette);
                }
                Some(Overlay::Density) | None => {
                    let shots = timeline.shots(at, *number, board.cells.len());
                    boards::draw_density(buffer, *area, board, &shots, palette);
                }
            }
        }
        let shown = layout.boards.iter().chain(&layout.overlays);
        let seats: Vec<Seat> = shown.map(|(number, _)| scene.boards[*number].seat).collect();
        log::draw_deeds(buffer, layout.deeds, &timeline.entries[at], &seats, self.names, palette);
        log::draw(buffer, layout.log, timeline, at, palette);
        // Those who are likely to win are beside the seek bar, where it stays long enough.
        let width = usize::from(layout.seek_bar.width);
        let shares = outlook::shares(viewer);
        let shares = if 3 * shares.width() <= 2 * width { shares } else { String::new() };
        let bar = width - if shares.is_empty() { 0 } else { shares.width() + 1 };
        let mut line = seek_bar::line(timeline, at, bar, palette);
        line.push_span(palette.span(format!(" {shares}"), TextRole::Heading));
        write(buffer, layout.seek_bar, 0, line);
        outlook::draw_graph(buffer, layout.graph, viewer, bar, palette);
        write(buffer, layout.status, 0, self.status_line(viewer, layout));
    }

    /// The title of the match, or the words of the moment that is shown; and the moment, at the end of the match with its result.
    fn title_line(&self, viewer: &ViewerState<'_>, columns: usize) -> Line<'static> {
        let moment = printable(&viewer.scene.title);
        let ending = if viewer.at < viewer.last() {
            String::new()
        } else {
            format!(" · {}", result::ending(viewer.history.outcome(), self.names))
        };
        let moment = cut(&format!("{moment}{ending}"), columns);
        let room = columns.saturating_sub(moment.width() + 1);
        // The moment is more useful than the title, so the title is cut first.
        let words = outlook::words(viewer);
        let title = if words.is_empty() { &self.title } else { &words };
        let title = if room >= SHORTEST_TITLE { padded(&cut(title, room), room + 1) } else { String::new() };
        vec![self.palette.span(title, TextRole::Quiet), self.palette.span(moment, TextRole::Heading)].into()
    }

    fn status_line(&self, viewer: &ViewerState<'_>, layout: &Layout) -> Line<'static> {
        let heading = |text: String| Line::from(self.palette.span(text, TextRole::Heading));
        if let ViewerMode::Asking(digits) = &viewer.mode {
            return heading(format!("go to round: {digits}_  (Enter: go, Esc: cancel)"));
        }
        if !viewer.notice.is_empty() {
            return heading(printable(&viewer.notice));
        }
        let columns = usize::from(layout.status.width);
        let doing = if viewer.playing { "playing" } else { "paused" };
        let eyes = match viewer.eye {
            Eye::Referee => "referee".to_owned(),
            Eye::Seat(seat) => seat.to_string(),
            Eye::Everyone => "everyone".to_owned(),
        };
        let mut parts = vec![
            format!("{doing} {}/s", viewer.speed()),
            match viewer.at.checked_sub(1) {
                None => "start".to_owned(),
                Some(round) => format!("round {round}/{}", viewer.last() - 1),
            },
            format!("eyes: {eyes}"),
        ];
        if layout.page.1 > 1 {
            parts.push(format!("page {}/{}", layout.page.0 + 1, layout.page.1));
        }
        let keys = "space: play  ?: keys  q: leave";
        let right = if parts.join("  ").width() + 2 + keys.width() <= columns { keys } else { "?: keys" };
        let room = columns.saturating_sub(right.width() + 1);
        while parts.join("  ").width() > room && parts.len() > 1 {
            parts.pop();
        }
        let left = parts.join("  ");
        let gap = columns.saturating_sub(left.width() + right.width());
        vec![
            self.palette.span(padded(&left, left.width() + gap), TextRole::Heading),
            self.palette.span(right, TextRole::Quiet),
        ]
        .into()
    }
}

fn draw_too_small(buffer: &mut Buffer, area: Rect, least: TooSmall) {
    let lines = [
        "This terminal is too small.".to_owned(),
        format!("It has {} x {};", area.width, area.height),
        format!("{} x {} are needed.", least.columns, least.rows),
        "q leaves".to_owned(),
    ];
    for (row, line) in lines.into_iter().enumerate() {
        write(buffer, area, row, line);
    }
}

#[cfg(test)]
mod tests;
