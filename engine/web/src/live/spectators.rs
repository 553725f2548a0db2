//! A match as spectators see it.

use crate::About;
use crate::event_log::EventLog;
use crate::frame_encoder::over;
use crate::history_encoder::{HistoryEncoder, pieces};
use crate::piece::Piece;
use crate::wire::MatchEnd;
use arena::{ArenaError, GameHistory, MatchEvent, MatchHistory, Observer};
use rules::{Eye, Game};
use std::sync::Arc;

/// An observer that shows spectators a match in an event log, as one eye sees it, and everything once it is uncovered.
#[derive(Debug)]
pub struct Spectators<G> {
    log: Arc<EventLog>,
    /// The number of the match in the log.
    number: u64,
    about: About,
    eye: Eye,
    history: GameHistory<G>,
    encoder: HistoryEncoder,
}

impl<G: Game> Spectators<G> {
    /// Shows a match that begins with the state `first`, under this number in the log.
    pub fn begin(log: Arc<EventLog>, number: u64, first: &G, about: About, eye: Eye) -> Spectators<G> {
        let history = GameHistory::new(first.clone(), about.names.len() as u8);
        let (mut encoder, setup) = HistoryEncoder::begin(&history, &about, vec![eye]);
        log.add_pieces(number, &[setup]);
        log.add_pieces(number, &encoder.frames(&history));
        Spectators { log, number, about, eye, history, encoder }
    }

    /// Publishes the end of the match, and before that the match once more with everything that spectators have not seen. A match
    /// that was broken off has a reason, which is a sentence.
    pub fn uncover(self, broken_off: Option<&str>) {
        let end = match broken_off {
            Some(why) => MatchEnd { why: why.to_owned(), ..MatchEnd::default() },
            None => over(self.history.outcome()),
        };
        if self.eye == Eye::Referee {
            return self.log.add_pieces(self.number, &[Piece::over(&end)]);
        }
        let full = pieces(&self.history, &self.about, vec![Eye::Referee], &end);
        self.log.replace(self.number, full.iter().map(|piece| (piece.kind, &*piece.text)));
    }
}

impl<G: Game> Observer<G> for Spectators<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.history.on(event)?;
        self.log.add_pieces(self.number, &self.encoder.frames(&self.history));
        Ok(())
    }
}
