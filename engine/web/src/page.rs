//! The page: one HTML file with its style, its script and the whole match inside.

use crate::frame_encoder::{FrameEncoder, eyes, over};
use crate::site::MatchLinks;
use crate::{About, assets};
use arena::MatchHistory;
use rules::{Eye, printable};

/// A match as one HTML page that needs nothing else: no server, no network, no other file. The front page of this crate
/// has an example.
pub fn page(history: &dyn MatchHistory, about: &About) -> String {
    assets::page(&json(history, about), assets::NO_CONNECTION)
}

/// The same page with links to other pages of the site of its tournament.
pub fn page_of_site(history: &dyn MatchHistory, about: &About, links: &MatchLinks) -> String {
    let (tournament, label) = (printable(&links.tournament), printable(&links.label));
    let links = MatchLinks { tournament, label, ..links.clone() };
    assets::page_with_links(&json(history, about), assets::NO_CONNECTION, Some(&links))
}

fn json(history: &dyn MatchHistory, about: &About) -> String {
    let (kind, eyes) = (history.kind(), eyes(history.seats()));
    let (mut frame_encoder, mut frame_log) = FrameEncoder::begin(about, kind, eyes, &history.scene(0, Eye::Referee));
    for at in 0..history.scenes() {
        let notes = history.notes(at, Eye::Referee);
        frame_log.push(&frame_encoder.frame(|eye| history.scene(at, eye), history.times(at), &notes));
    }
    frame_log.end(&over(history.outcome()));
    frame_log.whole()
}
