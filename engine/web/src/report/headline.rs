//! The result of a tournament in words.

use super::bot::ReportBot;
use askama::Template;
use tournament::{HeadlinePart, Standings};

/// The result of a tournament in words.
#[derive(Template)]
#[template(path = "report/headline.html")]
pub(super) struct ReportHeadline<'a> {
    label: &'static str,
    bots: Vec<&'a ReportBot>,
    parts: Vec<TextOrBot<'a>>,
}

enum TextOrBot<'a> {
    Text(String),
    Bot(&'a ReportBot),
}

impl ReportHeadline<'_> {
    /// The headline. `bots` is in the order of the entrants.
    pub(super) fn new<'a>(standings: &Standings<'_>, bots: &'a [ReportBot]) -> ReportHeadline<'a> {
        let headline = standings.headline();
        let part = |part| match part {
            HeadlinePart::Text(text) => TextOrBot::Text(text),
            HeadlinePart::Bot(number) => TextOrBot::Bot(&bots[number]),
        };
        ReportHeadline {
            label: headline.label,
            bots: headline.bots.iter().map(|number| &bots[*number]).collect(),
            parts: headline.parts.into_iter().map(part).collect(),
        }
    }
}
