//! The report: a tournament as one HTML page without a script.

mod course;
mod cross;
mod progress;
mod ratings;
mod records;
mod standings;
mod text;

use crate::Escaped;
use crate::assets;
pub use course::Course;
use std::fmt::Write as _;
use tournament::{ScoreTable, Standings, columns};

/// What a report tells of a tournament beside its table. All texts are shown as they are; none is trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportAbout {
    /// What the page is called.
    pub title: String,
    /// What else is to be known, such as that it is not finished.
    pub note: Option<String>,
}

/// A tournament as one HTML page that needs nothing else: no server, no network, no other file, no script.
///
/// Links to records are relative, so they lead somewhere only if the page lies in the folder of the journal.
///
/// # Panics
/// When `course` is of other entrants than `standings`.
pub fn report(standings: &Standings<'_>, course: &Course, about: &ReportAbout) -> String {
    let (bots, columns) = (standings.all(), columns(standings));
    let mut body = heading(standings.table(), course, about);
    body.push_str("<main>\n");
    standings::results(&mut body, standings, &columns);
    body.push_str("<div class=\"plots\">\n");
    ratings::write(&mut body, bots);
    progress::write(&mut body, course, bots);
    body.push_str("</div>\n<div class=\"tables\">\n");
    standings::answers(&mut body, bots, &columns);
    cross::write(&mut body, standings);
    body.push_str("</div>\n");
    records::write(&mut body, course, bots);
    body.push_str("</main>\n");
    assets::report(&Escaped(&about.title).to_string(), &body)
}

fn heading(table: &ScoreTable, course: &Course, about: &ReportAbout) -> String {
    let event = table.event();
    let mut facts = vec![event.game.title().to_owned()];
    if let Some(settings) = event.settings.as_object() {
        facts.extend(settings.iter().map(|(name, value)| match value.as_str() {
            Some(text) => format!("{name} {text}"),
            None => format!("{name} {value}"),
        }));
    }
    facts.push(event.plan.name().replace('-', " "));
    facts.push(format!("{} bots", table.entrants().len()));
    facts.push(format!("{} games", table.results().games()));
    facts.push(format!("seed {}", event.seed));
    facts.extend(course.played());
    facts.push(event.engine.clone());
    let mut text = format!(
        "<header class=\"masthead\">\n<p class=\"brand\" aria-hidden=\"true\"><svg viewBox=\"0 0 24 24\"><path d=\"M2 15h20l-2.4 \
         4.4H5Zm4-2 1.4-4h3V5h2v4h4l1.6 4Zm6.4-9H16v1.6h-3.6Z\"/></svg>Broadside</p>\n<h1><bdi>{}</bdi></h1>\n<p id=\"about\">",
        Escaped(&about.title)
    );
    for fact in &facts {
        let _ = write!(text, "<bdi>{}</bdi>", Escaped(fact));
    }
    if let Some(note) = &about.note {
        let _ = write!(text, "<bdi class=\"note\">{}</bdi>", Escaped(note));
    }
    text.push_str("</p>\n</header>\n");
    text
}
