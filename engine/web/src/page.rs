//! The page: one HTML file with its style, its script and the whole match inside.

use crate::frame_encoder::{FrameEncoder, eyes, over};
use crate::{About, assets};
use arena::MatchHistory;
use rules::Eye;

/// A match as one HTML page that needs nothing else: no server, no network, no other file. The front page of this crate
/// has an example.
pub fn page(film: &dyn MatchHistory, about: &About) -> String {
    let (kind, eyes) = (film.kind(), eyes(film.seats()));
    let (mut frame_encoder, mut frame_log) = FrameEncoder::begin(about, kind, eyes, &film.scene(0, Eye::Referee));
    for at in 0..film.scenes() {
        frame_log.push(&frame_encoder.frame(|eye| film.scene(at, eye), film.times(at)));
    }
    frame_log.end(&over(film.outcome()));
    assets::page(&frame_log.whole(), assets::NO_CONNECTION)
}
