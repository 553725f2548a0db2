//! The page: one HTML file with its style, its script and the whole match inside.

use crate::frame_encoder::{eyes, over};
use crate::history_encoder::pieces;
use crate::piece::whole_of;
use crate::site::{MatchLinks, SharedParts};
use crate::{About, assets};
use arena::MatchHistory;
use rules::printable;

/// A match as one HTML page that needs nothing else: no server, no network, no other file. The front page of this crate
/// has an example.
pub fn page(history: &dyn MatchHistory, about: &About) -> String {
    assets::page(&json(history, about), assets::NO_CONNECTION)
}

/// The same page with links to other pages of the site of its tournament, and without the script and the style, which are in files
/// of the site.
pub fn page_of_site(history: &dyn MatchHistory, about: &About, links: &MatchLinks, shared: &SharedParts) -> String {
    let (tournament, label) = (printable(&links.tournament), printable(&links.label));
    let links = MatchLinks { tournament, label, ..links.clone() };
    assets::page_of_site(&json(history, about), &links, shared)
}

/// A finished match in an event log that is closed, as a viewer of a live match gets it who may know everything.
#[cfg(feature = "servers")]
pub fn finished_log(history: &dyn MatchHistory, about: &About) -> crate::EventLog {
    let log = crate::EventLog::new();
    log.add_pieces(1, &pieces(history, about, vec![rules::Eye::Referee], &over(history.outcome())));
    log.close();
    log
}

/// A whole match as JSON, as all eyes see it.
pub(crate) fn json(history: &dyn MatchHistory, about: &About) -> String {
    whole_of(&pieces(history, about, eyes(history.seats()), &over(history.outcome())))
}
