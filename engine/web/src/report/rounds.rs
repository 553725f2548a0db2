//! The meetings of a tournament in rounds, drawn as boxes from left to right.

use super::bot::ReportBot;
use crate::site::MatchPages;
use askama::Template;
use std::ops::Range;
use tournament::Fixture;

/// The height of a row of a box, in pixels.
pub(super) const ROW: u32 = 24;
/// The height above the first boxes, for the names of the rounds, in pixels.
pub(super) const TOP: u32 = 30;
/// The vertical distance between two boxes, in pixels.
pub(super) const APART: u32 = 14;
/// The edges of the width of a box, in pixels.
const WIDTHS: Range<u32> = 132..208;
/// The width of a link to a game, in pixels.
const LINK: u32 = 28;

/// A picture of meetings.
#[derive(Template)]
#[template(path = "report/rounds.html")]
pub(super) struct RoundsPicture {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) hint: String,
    /// The sizes of the boxes.
    pub(super) size: BoxSize,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The name of each column, and its place.
    pub(super) headings: Vec<(String, u32)>,
    /// The class and the path of each line between boxes.
    pub(super) lines: Vec<(String, String)>,
    pub(super) boxes: Vec<MeetingBox>,
}

/// The size of all boxes of a picture, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxSize {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// A meeting.
pub(super) struct MeetingBox {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) sides: Vec<MeetingSide>,
    pub(super) games: Vec<GameLink>,
}

/// One of the two of a meeting.
#[derive(Default)]
pub(super) struct MeetingSide {
    /// `None` where nobody has come so far.
    pub(super) bot: Option<ReportBot>,
    /// The points in the games of the meeting.
    pub(super) points: String,
    pub(super) has_won: bool,
    /// True if it follows from results who it is.
    pub(super) is_spoiler: bool,
}

/// A link to the page of a game.
pub(super) struct GameLink {
    pub(super) address: String,
    /// The number of the game between the two, counted from 1.
    pub(super) number: u32,
}

impl BoxSize {
    /// The size that fits the names of these bots, and links to games if there are pages of them.
    pub(super) fn new(bots: &[ReportBot], pages: Option<&MatchPages>) -> BoxSize {
        let longest = bots.iter().map(|bot| bot.name.chars().count()).max().unwrap_or_default();
        let width = (longest as u32).saturating_mul(8).saturating_add(60).clamp(WIDTHS.start, WIDTHS.end);
        let rows = if pages.is_some_and(|pages| !pages.is_empty()) { 3 } else { 2 };
        BoxSize { width, height: rows * ROW + 6 }
    }

    /// The links to the last games of a meeting, as many as there is room for.
    pub(super) fn links(self, pages: Option<&MatchPages>, one: usize, other: usize, of: Range<u32>) -> Vec<GameLink> {
        let (first, second) = (one.min(other), one.max(other));
        let numbers = pages.into_iter().flat_map(|pages| pages.numbers(first, second));
        let numbers: Vec<u32> = numbers.filter(|number| of.contains(number)).collect();
        let room = (self.width / LINK) as usize;
        let shown = numbers[numbers.len().saturating_sub(room)..].iter();
        let link = |&number: &u32| GameLink {
            address: MatchPages::address(Fixture { first, second, number }),
            number: number + 1,
        };
        shown.map(link).collect()
    }

    /// The middle of a row of a box, from above.
    pub(super) fn row(row: usize) -> u32 {
        3 + row as u32 * ROW + ROW / 2
    }
}

impl MeetingBox {
    /// The names of those who meet, for a text that is read aloud.
    fn spoken(&self) -> String {
        let names = self.sides.iter().filter_map(|side| Some(side.bot.as_ref()?.spoken.as_str()));
        names.collect::<Vec<_>>().join(" against ")
    }
}
