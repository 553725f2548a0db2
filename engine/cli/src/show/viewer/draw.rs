//! The viewer on a screen of any size.

use super::ink::{Ink, write};
use super::plan::{Plan, TooSmall, Wanted, plan};
use super::state::{Mode, Viewer};
use super::{boards, help, log, timeline};
use crate::show::names::{cut, padded};
use crate::show::paint::Meaning;
use crate::show::{Names, result};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use rules::printable;
use rules::{Eye, Seat};
use unicode_width::UnicodeWidthStr;

/// The fewest columns in which a title tells something.
const SHORTEST_TITLE: usize = 8;

/// What stays the same while a match is watched.
pub(super) struct Easel<'a> {
    title: String,
    names: &'a Names,
    ink: Ink,
}

impl<'a> Easel<'a> {
    /// For a match of this title between players of these names.
    pub(super) fn new(title: &str, names: &'a Names, ink: Ink) -> Easel<'a> {
        Easel { title: printable(title), names, ink }
    }

    /// Draws what the viewer shows.
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, viewer: &Viewer<'_>) {
        let wanted = Wanted { density: viewer.density(), log: viewer.log(), page: viewer.page() };
        match plan(area, viewer.scene(), wanted) {
            Err(least) => draw_too_small(buffer, area, least),
            Ok(plan) => {
                self.draw_plan(buffer, &plan, viewer);
                if *viewer.mode() == Mode::Reading {
                    help::draw(buffer, area, self.ink);
                }
            }
        }
    }

    fn draw_plan(&self, buffer: &mut Buffer, plan: &Plan, viewer: &Viewer<'_>) {
        let (scene, course, at, ink) = (viewer.scene(), viewer.course(), viewer.at(), self.ink);
        write(buffer, plan.title, 0, self.title_line(viewer, usize::from(plan.title.width)));
        let times = viewer.film().times(at);
        for (number, area) in &plan.boards {
            let board = &scene.boards[*number];
            let time = times.iter().find(|(seat, _)| *seat == board.seat).map(|(_, time)| time);
            boards::draw(buffer, *area, board, self.names.of(board.seat), time, ink);
        }
        for (number, area) in &plan.densities {
            let board = &scene.boards[*number];
            let shots = course.shots(at, *number, board.cells.len());
            boards::draw_density(buffer, *area, board, &shots, ink);
        }
        let shown = plan.boards.iter().chain(&plan.densities);
        let seats: Vec<Seat> = shown.map(|(number, _)| scene.boards[*number].seat).collect();
        log::draw_deeds(buffer, plan.deeds, &course.turns()[at], &seats, self.names, ink);
        log::draw(buffer, plan.log, course, at, ink);
        write(buffer, plan.timeline, 0, timeline::line(course, at, usize::from(plan.timeline.width), ink));
        write(buffer, plan.status, 0, self.status_line(viewer, plan));
    }

    /// Which match this is, and where in it we are; at its end how it ended.
    fn title_line(&self, viewer: &Viewer<'_>, columns: usize) -> Line<'static> {
        let moment = printable(&viewer.scene().title);
        let ending = if viewer.at() < viewer.last() {
            String::new()
        } else {
            format!(" · {}", printable(&result::ending(viewer.film().outcome(), self.names)))
        };
        let moment = cut(&format!("{moment}{ending}"), columns);
        let room = columns.saturating_sub(moment.width() + 1);
        // The moment tells more than the title.
        let title = if room >= SHORTEST_TITLE { padded(&cut(&self.title, room), room + 1) } else { String::new() };
        vec![self.ink.span(title, Meaning::Quiet), self.ink.span(moment, Meaning::Heading)].into()
    }

    fn status_line(&self, viewer: &Viewer<'_>, plan: &Plan) -> Line<'static> {
        if let Mode::Asking(digits) = viewer.mode() {
            return self
                .ink
                .span(format!("go to round: {digits}_  (Enter goes, Esc does not)"), Meaning::Heading)
                .into();
        }
        if !viewer.notice().is_empty() {
            return self.ink.span(printable(viewer.notice()), Meaning::Heading).into();
        }
        let columns = usize::from(plan.status.width);
        let doing = if viewer.is_playing() { "playing" } else { "paused" };
        let eyes = match viewer.eye() {
            Eye::Referee => "referee".to_owned(),
            Eye::Seat(seat) => seat.to_string(),
            Eye::Everyone => "everyone".to_owned(),
        };
        let mut parts = vec![
            format!("{doing} {}/s", viewer.speed()),
            match viewer.at().checked_sub(1) {
                None => "start".to_owned(),
                Some(round) => format!("round {round}/{}", viewer.last() - 1),
            },
            format!("eyes: {eyes}"),
        ];
        if plan.page.1 > 1 {
            parts.push(format!("page {}/{}", plan.page.0 + 1, plan.page.1));
        }
        let keys = "space: play  ?: keys  q: leave";
        let right = if parts.join("  ").width() + 2 + keys.width() <= columns { keys } else { "?: keys" };
        let room = columns.saturating_sub(right.width() + 1);
        while parts.join("  ").width() > room && parts.len() > 1 {
            parts.pop();
        }
        let left = parts.join("  ");
        let gap = columns.saturating_sub(left.width() + right.width());
        vec![self.ink.span(padded(&left, left.width() + gap), Meaning::Heading), self.ink.span(right, Meaning::Quiet)]
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
