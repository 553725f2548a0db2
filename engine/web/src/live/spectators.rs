//! A match as spectators see it.

use super::piece_encoder::PieceEncoder;
use crate::About;
use crate::event_log::EventLog;
use crate::piece::Piece;
use crate::wire::MatchEnd;
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game};
use std::sync::Arc;

/// An observer that shows spectators a match in an event log: what all players know until it is uncovered, and everything
/// afterwards.
#[derive(Debug)]
pub struct Spectators {
    log: Arc<EventLog>,
    number: u64,
    spectator: PieceEncoder,
    referee: PieceEncoder,
    /// The match as the referee sees it.
    full: Vec<Piece>,
}

impl Spectators {
    /// Shows a match that begins with the state `first`, under this number in the log. With `reveals`, spectators see everything
    /// from the beginning.
    pub fn begin<G: Game>(log: Arc<EventLog>, number: u64, first: &G, about: &About, reveals: bool) -> Spectators {
        let eye = if reveals { Eye::Referee } else { Eye::Everyone };
        let (spectator, pieces) = PieceEncoder::begin(first, about, vec![eye]);
        let (referee, full) = PieceEncoder::begin(first, about, vec![Eye::Referee]);
        log.add_pieces(number, &pieces);
        Spectators { log, number, spectator, referee, full }
    }

    /// Publishes the match once more, from its setup to its end, with everything that the referee saw.
    pub fn uncover(self) {
        self.log.replace(self.number, self.full.iter().map(|piece| (piece.kind, &*piece.text)));
    }

    /// Uncovers a match that was broken off for this reason, which is a sentence.
    pub fn break_off(mut self, why: &str) {
        self.full.retain(|piece| piece.kind != "over");
        self.full.push(Piece::over(&MatchEnd { why: why.to_owned(), ..MatchEnd::default() }));
        self.uncover();
    }
}

impl<G: Game> Observer<G> for Spectators {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.full.extend(self.referee.piece(event));
        let piece = self.spectator.piece(event).filter(|piece| piece.kind != "over");
        self.log.add_pieces(self.number, piece.as_slice());
        Ok(())
    }
}
