//! The pieces of a match that is being played, or was played.

use crate::About;
use crate::frame_encoder::FrameEncoder;
use crate::piece::Piece;
use crate::wire::MatchEnd;
use arena::MatchHistory;
use rules::Eye;

/// Encodes the scenes of a match for certain eyes, as far as the match has come.
#[derive(Debug)]
pub(crate) struct HistoryEncoder {
    frame_encoder: FrameEncoder,
    /// The number of scenes that are encoded.
    scenes: usize,
}

impl HistoryEncoder {
    /// An encoder for a match that these eyes see, of which there is at least one, and its first piece: the setup.
    pub(crate) fn begin(history: &dyn MatchHistory, about: &About, eyes: Vec<Eye>) -> (HistoryEncoder, Piece) {
        let first = history.scene(0, eyes[0]);
        let (frame_encoder, setup) = FrameEncoder::begin(about, history.kind(), eyes, &first);
        (HistoryEncoder { frame_encoder, scenes: 0 }, setup)
    }

    /// A frame for each scene that is not encoded yet.
    pub(crate) fn frames(&mut self, history: &dyn MatchHistory) -> Vec<Piece> {
        let first = std::mem::replace(&mut self.scenes, history.scenes());
        let frame = |at| {
            let notes = history.notes(at, Eye::Referee);
            Piece::frame(&self.frame_encoder.frame(|eye| history.scene(at, eye), history.times(at), &notes))
        };
        (first..history.scenes()).map(frame).collect()
    }

    /// A frame that shows all eyes what the referee sees, for the end of a match. The deeds of the last turn are known.
    #[cfg(feature = "servers")]
    pub(crate) fn uncover(&mut self, history: &dyn MatchHistory) -> Piece {
        let mut scene = history.scene(history.scenes() - 1, Eye::Referee);
        scene.boards.iter_mut().for_each(|board| board.deed.clear());
        Piece::frame(&self.frame_encoder.frame(|_| scene.clone(), &[], &[]))
    }
}

/// All pieces of a match with this end, as these eyes see it.
pub(crate) fn pieces(history: &dyn MatchHistory, about: &About, eyes: Vec<Eye>, end: &MatchEnd) -> Vec<Piece> {
    let (mut encoder, setup) = HistoryEncoder::begin(history, about, eyes);
    let frames = encoder.frames(history);
    [vec![setup], frames, vec![Piece::over(end)]].concat()
}
