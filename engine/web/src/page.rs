//! The page: one HTML file with its style, its script and the whole match inside.

use crate::frame_encoder::{eyes, over};
use crate::history_encoder::pieces;
use crate::piece::whole_of;
use crate::site::{MatchLinks, SharedParts};
use crate::{About, analysis_encoder, assets};
use analysis::MatchAnalysis;
use arena::MatchHistory;
use rules::printable;

/// A match as one HTML page that needs nothing else: no server, no network, no other file. The front page of this crate
/// has an example.
pub fn page(history: &dyn MatchHistory, about: &About) -> String {
    analysed_page(history, about, None)
}

/// The same page with an analysis of the match, where there is one: who is likely to win, and the chances of a hit.
pub fn analysed_page(history: &dyn MatchHistory, about: &About, analysis: Option<&MatchAnalysis>) -> String {
    assets::page(&json(history, about, analysis), assets::NO_CONNECTION)
}

/// The same page with links to other pages of the site of its tournament, and without the script and the style, which are in files
/// of the site.
pub fn page_of_site(
    history: &dyn MatchHistory,
    about: &About,
    analysis: Option<&MatchAnalysis>,
    links: &MatchLinks,
    shared: &SharedParts,
) -> String {
    let (tournament, label) = (printable(&links.tournament), printable(&links.label));
    let links = MatchLinks { tournament, label, ..links.clone() };
    assets::page_of_site(&json(history, about, analysis), &links, shared)
}

/// A finished match in an event log that is closed, as a viewer of a live match gets it who may know everything.
#[cfg(feature = "servers")]
pub fn finished_log(history: &dyn MatchHistory, about: &About) -> std::sync::Arc<crate::EventLog> {
    let mut showing = Showing::begin(history, about);
    while showing.advance() {}
    let log = std::sync::Arc::clone(showing.log());
    showing.end();
    log
}

/// A finished match in an event log, one moment after the other, as a viewer of a live match gets it who may know everything. Dropping
/// it closes the log.
#[cfg(feature = "servers")]
#[derive(Debug)]
pub struct Showing {
    log: std::sync::Arc<crate::EventLog>,
    /// The moments that were not shown yet, and the end.
    left: std::vec::IntoIter<crate::piece::Piece>,
}

#[cfg(feature = "servers")]
impl Showing {
    /// The number of the match in its log.
    const MATCH: u64 = 1;

    /// Shows the setup of a match, and no moment of it yet.
    pub fn begin(history: &dyn MatchHistory, about: &About) -> Showing {
        let log = std::sync::Arc::new(crate::EventLog::new());
        let mut left = pieces(history, about, vec![rules::Eye::Referee], &over(history.outcome())).into_iter();
        log.add_pieces(Showing::MATCH, left.next().as_slice());
        Showing { log, left }
    }

    /// The log.
    pub fn log(&self) -> &std::sync::Arc<crate::EventLog> {
        &self.log
    }

    /// Shows the next moment, of which the first is that before the first turn. False if all were shown.
    pub fn advance(&mut self) -> bool {
        if self.left.len() < 2 {
            return false;
        }
        self.log.add_pieces(Showing::MATCH, self.left.next().as_slice());
        true
    }

    /// Shows all that is left, and the end of the match.
    pub fn end(self) {
        self.log.add_pieces(Showing::MATCH, self.left.as_slice());
    }
}

#[cfg(feature = "servers")]
impl Drop for Showing {
    fn drop(&mut self) {
        self.log.close();
    }
}

/// A whole match as JSON, as all eyes see it, with its analysis if there is one.
pub(crate) fn json(history: &dyn MatchHistory, about: &About, analysis: Option<&MatchAnalysis>) -> String {
    let eyes = eyes(history.seats());
    let mut pieces = pieces(history, about, eyes.clone(), &over(history.outcome()));
    if let Some(analysis) = analysis {
        pieces
            .extend(analysis_encoder::pieces(&analysis.moments[..history.scenes().min(analysis.moments.len())], &eyes));
    }
    whole_of(&pieces)
}
