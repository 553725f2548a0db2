//! The pieces of a match, as its events come.

use crate::About;
use crate::event_log::{EventLog, EventScope};
use crate::frame_encoder::{FrameEncoder, over};
use crate::piece::Piece;
use arena::{MatchEvent, Notes, TimeUsed, notes_of};
use rules::{Eye, Game, Seat};

/// Encodes the events of a match as pieces for certain eyes.
#[derive(Debug)]
pub(crate) struct PieceEncoder {
    frame_encoder: FrameEncoder,
    times: Vec<(Seat, TimeUsed)>,
    notes: Vec<(Seat, Notes)>,
}

impl PieceEncoder {
    /// An encoder for the match that begins with the state `first`, and the first pieces: the setup and a frame.
    pub(crate) fn begin<G: Game>(first: &G, about: &About, eyes: Vec<Eye>) -> (PieceEncoder, Vec<Piece>) {
        let (mut frame_encoder, setup) = FrameEncoder::begin(about, G::KIND, eyes, &first.scene(Eye::Everyone));
        let frame = Piece::frame(&frame_encoder.frame(|eye| first.scene(eye), &[], &[]));
        (PieceEncoder { frame_encoder, times: Vec::new(), notes: Vec::new() }, vec![setup, frame])
    }

    /// The piece that an event causes, if there is one: a frame, or the end.
    pub(crate) fn piece<G: Game>(&mut self, event: &MatchEvent<'_, G>) -> Option<Piece> {
        match event {
            MatchEvent::Opened { .. } => None,
            MatchEvent::Answered { replies, .. } => {
                self.times = replies.iter().filter_map(|(seat, reply)| Some((*seat, reply.time?))).collect();
                self.notes = notes_of(replies);
                None
            }
            MatchEvent::Advanced { game, .. } => {
                let times = std::mem::take(&mut self.times);
                let notes = std::mem::take(&mut self.notes);
                let notes: Vec<_> = notes.iter().map(|(seat, notes)| (*seat, notes)).collect();
                Some(Piece::frame(&self.frame_encoder.frame(|eye| game.scene(eye), &times, &notes)))
            }
            MatchEvent::Finished { outcome, .. } => Some(Piece::over(&over(Some(outcome)))),
        }
    }

    /// A frame that shows all eyes what the referee sees, for the end of a match. The deeds of the last turn are known.
    pub(crate) fn uncover<G: Game>(&mut self, game: &G) -> Piece {
        let mut scene = game.scene(Eye::Referee);
        scene.boards.iter_mut().for_each(|board| board.deed.clear());
        Piece::frame(&self.frame_encoder.frame(|_| scene.clone(), &[], &[]))
    }
}

impl EventLog {
    /// Publishes pieces of the match with this number.
    pub(crate) fn add_pieces(&self, number: u64, pieces: &[Piece]) {
        for piece in pieces {
            self.publish(piece.kind, EventScope::Part(number), &piece.text);
        }
    }

    /// Publishes that the current match was broken off, unless it has an end.
    pub(crate) fn break_off(&self, number: u64) {
        let current = self.current_data();
        if current.iter().any(|(kind, _)| *kind == "setup") && !current.iter().any(|(kind, _)| *kind == "over") {
            self.add_pieces(number, &[Piece::over(&over(None))]);
        }
    }
}
