//! A match as spectators see it.

use super::live_analysis::{LastEvent, LiveAnalysis};
use crate::About;
use crate::event_log::EventLog;
use crate::frame_encoder::over;
use crate::history_encoder::{HistoryEncoder, pieces};
use crate::piece::Piece;
use crate::wire::MatchEnd;
use analysis::Analysed;
use arena::{ArenaError, GameHistory, MatchEvent, MatchHistory, Observer};
use rules::{Eye, Game};
use std::sync::Arc;

/// An observer that shows spectators a match in an event log, as some eyes see it, and everything once it is uncovered.
#[derive(Debug)]
pub struct Spectators<G: Game> {
    log: Arc<EventLog>,
    /// The number of the match in the log.
    number: u64,
    about: About,
    eyes: Vec<Eye>,
    history: GameHistory<G>,
    encoder: HistoryEncoder,
    analysis: Option<LiveAnalysis<G>>,
}

impl<G: Game> Spectators<G> {
    /// Shows a match that begins with the state `first`, under this number in the log, as these eyes see it, of which there is at least one.
    pub fn begin(log: Arc<EventLog>, number: u64, first: &G, about: About, eyes: Vec<Eye>) -> Spectators<G> {
        let history = GameHistory::new(first.clone(), about.names.len() as u8);
        let (mut encoder, setup) = HistoryEncoder::begin(&history, &about, eyes.clone());
        log.add_pieces(number, &[setup]);
        log.add_pieces(number, &encoder.frames(&history));
        Spectators { log, number, about, eyes, history, encoder, analysis: None }
    }

    /// Shows an analysis of the match as well, from this state on, with which it begins. It is made on a thread of its own and may come late.
    #[must_use]
    pub fn analysed(mut self, first: &G) -> Spectators<G>
    where
        G: Analysed,
    {
        let (log, names) = (Arc::clone(&self.log), self.about.names.clone());
        self.analysis = Some(LiveAnalysis::begin(log, self.number, first.clone(), names, self.eyes.clone()));
        self
    }

    /// Publishes the end of the match, and before that the match once more with everything that spectators have not seen. A match
    /// that was broken off has a reason, which is a sentence.
    pub fn uncover(&mut self, broken_off: Option<&str>) {
        let end = match broken_off {
            Some(why) => MatchEnd { why: why.to_owned(), ..MatchEnd::default() },
            None => over(self.history.outcome()),
        };
        if self.eyes.contains(&Eye::Referee) {
            return self.log.add_pieces(self.number, &[Piece::over(&end)]);
        }
        let eyes = vec![Eye::Referee];
        let full = pieces(&self.history, &self.about, eyes.clone(), &end);
        match &self.analysis {
            Some(analysis) => analysis.replace(eyes, &full),
            None => self.log.replace(self.number, full.iter().map(|piece| (piece.kind, &*piece.text))),
        }
    }

    /// Uncovers the match, and closes the log once all of its analysis is in it.
    pub fn finish(mut self, broken_off: Option<&str>) {
        self.uncover(broken_off);
        let last = LastEvent(self.log);
        if let Some(analysis) = self.analysis {
            analysis.end(last);
        }
    }
}

impl<G: Game> Observer<G> for Spectators<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.history.on(event)?;
        self.log.add_pieces(self.number, &self.encoder.frames(&self.history));
        if let (Some(analysis), MatchEvent::Advanced { told, game, .. }) = (&self.analysis, event) {
            analysis.add(told, game);
        }
        Ok(())
    }
}
