//! The report: a tournament as one HTML page without a script.

mod bot;
mod progress_chart;
mod ratings;
mod records;
mod table;
mod tournament_history;

use crate::assets;
use askama::Template;
use progress_chart::ProgressChart;
use ratings::RatingsChart;
use records::RecordsTable;
use rules::printable;
use table::BotTable;
use tournament::{ScoreTable, Standings, columns};
pub use tournament_history::TournamentHistory;

/// The title and the note of a report. All texts may come from strangers; the page shows them as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportAbout {
    /// The title of the page.
    pub title: String,
    /// A note on the tournament, e.g. that it is not finished.
    pub note: Option<String>,
}

/// A tournament as one HTML page that needs nothing else: no server, no network, no other file, no script.
///
/// Links to records are relative, so they work only if the page lies in the folder of the journal.
///
/// # Panics
/// If `history` is of other entrants than `standings`.
pub fn report(standings: &Standings<'_>, history: &TournamentHistory, about: &ReportAbout) -> String {
    let (bots, columns) = (standings.all(), columns(standings));
    let entrants = RecordsTable::bots(bots);
    let (style, policy) = assets::report_style();
    let page = ReportPage {
        policy,
        style,
        title: printable(&about.title),
        facts: facts(standings.table(), history),
        note: about.note.as_deref().map(printable),
        results: BotTable::results(standings, &columns),
        ratings: RatingsChart::new(bots),
        progress: ProgressChart::new(history, bots),
        answers: BotTable::answers(standings, &columns),
        cross: BotTable::cross(standings),
        records: RecordsTable::new(history, &entrants),
    };
    page.render().expect("writing into a String cannot fail")
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'a> {
    policy: String,
    style: String,
    title: String,
    facts: Vec<String>,
    note: Option<String>,
    results: BotTable,
    ratings: RatingsChart,
    progress: ProgressChart,
    answers: Option<BotTable>,
    cross: Option<BotTable>,
    records: Option<RecordsTable<'a>>,
}

/// The facts below the title.
fn facts(table: &ScoreTable, history: &TournamentHistory) -> Vec<String> {
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
    facts.extend(history.played());
    facts.push(event.engine.clone());
    facts.iter().map(|fact| printable(fact)).collect()
}
