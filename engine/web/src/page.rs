//! The page: one HTML file with its style, its script and the whole match inside.

use crate::analysis_encoder::AnalysisEncoder;
use crate::frame_encoder::{eyes, over};
#[cfg(feature = "servers")]
use crate::history_encoder::HistoryEncoder;
use crate::history_encoder::pieces;
#[cfg(feature = "servers")]
use crate::piece::Piece;
use crate::piece::whole_of;
use crate::site::{MatchLinks, SharedParts};
use crate::{About, assets};
use analysis::{MatchAnalysis, Moment};
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

/// A finished match in an event log that is closed, as a viewer of a live match gets it who may know everything. `analysis` is that of the
/// match, where there is one.
#[cfg(feature = "servers")]
pub fn finished_log(
    history: &dyn MatchHistory,
    about: &About,
    analysis: Option<&MatchAnalysis>,
) -> std::sync::Arc<crate::EventLog> {
    let mut showing = Showing::begin(history, about, analysis);
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
    /// The moments that were not shown yet, each with its analysis.
    left: std::vec::IntoIter<Vec<Piece>>,
    over: Piece,
}

#[cfg(feature = "servers")]
impl Showing {
    /// The number of the match in its log.
    const MATCH: u64 = 1;

    /// Shows the setup of a match, and no moment of it yet.
    pub fn begin(history: &dyn MatchHistory, about: &About, analysis: Option<&MatchAnalysis>) -> Showing {
        let log = std::sync::Arc::new(crate::EventLog::new());
        let eyes = vec![rules::Eye::Referee];
        let (mut encoder, setup) = HistoryEncoder::begin(history, about, eyes.clone());
        log.add_pieces(Showing::MATCH, &[setup]);
        let mut analysis_encoder = AnalysisEncoder::new(eyes);
        let analysed = moments_of(analysis).iter().map(|moment| Some(analysis_encoder.moment(moment)));
        let analysed = analysed.chain(std::iter::repeat_with(|| None));
        let frames = encoder.frames(history).into_iter().zip(analysed);
        let moments = frames.map(|(frame, analysis)| std::iter::once(frame).chain(analysis).collect());
        let left = moments.collect::<Vec<Vec<Piece>>>().into_iter();
        Showing { log, left, over: Piece::over(&over(history.outcome())) }
    }

    /// The log.
    pub fn log(&self) -> &std::sync::Arc<crate::EventLog> {
        &self.log
    }

    /// Shows the next moment, of which the first is that before the first turn. False if all were shown.
    pub fn advance(&mut self) -> bool {
        let next = self.left.next();
        self.log.add_pieces(Showing::MATCH, next.as_deref().unwrap_or_default());
        next.is_some()
    }

    /// Shows all that is left, and the end of the match.
    pub fn end(mut self) {
        while self.advance() {}
        self.log.add_pieces(Showing::MATCH, std::slice::from_ref(&self.over));
        drop(crate::live::LastEvent(std::sync::Arc::clone(&self.log)));
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
    let moments = moments_of(analysis);
    let mut encoder = AnalysisEncoder::new(eyes);
    pieces.extend(moments.iter().take(history.scenes()).map(|moment| encoder.moment(moment)));
    whole_of(&pieces)
}

/// The moments of an analysis, where there is one that has something to show.
fn moments_of(analysis: Option<&MatchAnalysis>) -> &[Moment] {
    analysis.filter(|analysis| !analysis.too_large).map_or(&[], |analysis| &analysis.moments)
}
