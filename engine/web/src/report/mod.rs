//! The report: a tournament as one HTML page that can be read without its script.

mod bot;
mod bracket;
mod headline;
mod matches;
mod progress_chart;
mod ratings;
mod records;
mod rounds;
mod shots_chart;
mod swiss;
mod table;
mod tournament_history;

use crate::assets::PageParts;
use crate::site::{MatchPages, SITE_MARK};
use askama::Template;
use bot::ReportBot;
use bracket::bracket;
use headline::ReportHeadline;
pub use matches::MatchList;
use matches::MatchesTable;
use progress_chart::ProgressChart;
use ratings::RatingsChart;
use records::RecordsTable;
pub use records::relative_link;
use rounds::RoundsPicture;
use rules::printable;
use shots_chart::ShotsChart;
use swiss::swiss;
use table::BotTable;
use tournament::{Format, KnockoutTree, Standings, SwissTable, columns};
pub use tournament_history::TournamentHistory;

/// The title and the note of a report. All texts may come from strangers; the page shows them as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportAbout {
    /// The title of the page.
    pub title: String,
    /// A note on the tournament, e.g. that it is not finished.
    pub note: Option<String>,
    /// The time when the page was made, for people.
    pub made: Option<String>,
}

/// A tournament as one HTML page that needs nothing else: no server, no network, no other file. Its script only sorts tables and
/// hides results where the address ends with `?spoilers=0`.
///
/// Links to records are relative, so they work only if the page lies in the folder of the journal.
///
/// # Panics
/// If `history` is of other entrants than `standings`.
pub fn report(standings: &Standings<'_>, history: &TournamentHistory, about: &ReportAbout) -> String {
    written(standings, history, about, None)
}

/// The front page of a site: the same report, with links to the pages of matches in place of those to records.
///
/// # Panics
/// If `history` is of other entrants than `standings`.
pub fn site_index(
    standings: &Standings<'_>,
    history: &TournamentHistory,
    about: &ReportAbout,
    pages: &MatchPages,
) -> String {
    written(standings, history, about, Some(pages))
}

fn written(
    standings: &Standings<'_>,
    history: &TournamentHistory,
    about: &ReportAbout,
    pages: Option<&MatchPages>,
) -> String {
    let (bots, columns) = (standings.all(), columns(standings));
    let entrants = in_order_of_entrants(standings);
    let PageParts { style, script, policy } = PageParts::of_report();
    // Where all sink the fleets of a passive player, who wins tells nothing.
    let is_solo = standings.table().event().plan == Format::Solo;
    let page = ReportPage {
        is_site: pages.is_some(),
        policy,
        style,
        script,
        title: printable(&about.title),
        facts: facts(standings, history, about),
        note: about.note.as_deref().map(printable),
        headline: ReportHeadline::new(standings, &entrants),
        rounds: rounds_picture(standings, &entrants, pages),
        results: BotTable::results(standings, &columns),
        shots: if standings.is_by_shots() { ShotsChart::new(bots) } else { None },
        ratings: (!is_solo).then(|| RatingsChart::new(bots)),
        progress: (!is_solo).then(|| ProgressChart::new(history, bots)),
        answers: BotTable::answers(standings, &columns),
        cross: BotTable::cross(standings),
        matches: pages.and_then(|pages| MatchesTable::new(standings, history, &entrants, pages)),
        records: if pages.is_none() { RecordsTable::new(history, &entrants) } else { None },
    };
    page.render().expect("writing into a String cannot fail")
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'a> {
    is_site: bool,
    policy: String,
    style: String,
    script: String,
    title: String,
    facts: Vec<String>,
    note: Option<String>,
    headline: ReportHeadline<'a>,
    rounds: Option<RoundsPicture>,
    results: BotTable,
    shots: Option<ShotsChart>,
    ratings: Option<RatingsChart>,
    progress: Option<ProgressChart>,
    answers: Option<BotTable>,
    cross: Option<BotTable>,
    matches: Option<MatchesTable>,
    records: Option<RecordsTable<'a>>,
}

/// The bots in the order of the entrants, also those without a place in the standings.
fn in_order_of_entrants(standings: &Standings<'_>) -> Vec<ReportBot> {
    let placed = standings.all();
    let mut bots: Vec<(usize, ReportBot)> = placed.iter().map(|bot| (bot.number, bot.into())).collect();
    let is_placed = |number: usize| placed.iter().any(|bot| bot.number == number);
    let others = standings.table().entrants().iter().enumerate().filter(|(number, _)| !is_placed(*number));
    bots.extend(others.zip(placed.len()..).map(|((number, of), index)| (number, ReportBot::new(of, index + 1, index))));
    bots.sort_by_key(|(number, _)| *number);
    bots.into_iter().map(|(_, bot)| bot).collect()
}

/// The bracket of a knockout or the rounds of a Swiss tournament, if they can be drawn.
fn rounds_picture(standings: &Standings<'_>, bots: &[ReportBot], pages: Option<&MatchPages>) -> Option<RoundsPicture> {
    let table = standings.table();
    let tree = KnockoutTree::of(table).map(|tree| bracket(&tree, bots, pages));
    tree.or_else(|| SwissTable::of(table).and_then(|rounds| swiss(&rounds, bots, pages)))
}

/// The facts below the title.
fn facts(standings: &Standings<'_>, history: &TournamentHistory, about: &ReportAbout) -> Vec<String> {
    let (table, event) = (standings.table(), standings.table().event());
    let mut facts = vec![event.game.title().to_owned()];
    if let Some(settings) = event.settings.as_object() {
        facts.extend(settings.iter().map(|(name, value)| match value.as_str() {
            Some(text) => format!("{name} {text}"),
            None => format!("{name} {value}"),
        }));
    }
    facts.push(event.plan.name().replace('-', " "));
    facts.push(format!("{} bots", standings.all().len()));
    facts.push(format!("{} games", table.results().games()));
    facts.push(format!("seed {}", event.seed));
    facts.extend(history.played());
    facts.push(event.engine.clone());
    facts.extend(about.made.as_ref().map(|made| format!("site made {made}")));
    facts.iter().map(|fact| printable(fact)).collect()
}
