//! The page: one HTML file with its style, its script and the whole match inside.

use crate::frame_encoder::{FrameEncoder, eyes, over, setup};
use crate::frame_log::FrameLog;
use crate::{About, assets};
use arena::MatchHistory;

/// A match as one HTML page that needs nothing else: no server, no network, no other file. The front page of this crate
/// has an example.
pub fn page(film: &dyn MatchHistory, about: &About) -> String {
    let eyes = eyes(film.seats());
    let scenes = |at| eyes.iter().map(|eye| film.scene(at, *eye)).collect::<Vec<_>>();
    let mut frame_encoder = FrameEncoder::default();
    let mut frame_log = FrameLog::new(&setup(about, film.kind(), &eyes, &film.scene(0, rules::Eye::Referee)));
    for at in 0..film.scenes() {
        frame_log.push(&frame_encoder.frame(scenes(at), film.times(at)));
    }
    frame_log.end(&over(film.outcome()));
    assets::page(&frame_log.whole(), assets::Reach::Nothing)
}
