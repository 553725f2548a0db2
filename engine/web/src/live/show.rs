//! What is on: a match, or the wait for one.

use crate::About;
use crate::frame_encoder::{FrameEncoder, over, setup};
use crate::frame_log::{FrameLog, Piece, json};
use crate::wire::{Frame, Lobby, Over};
use arena::{MatchEvent, TimeUsed};
use rules::{Eye, Game, Outcome, Scene, Seat};
use std::sync::Arc;

/// What viewers are told, piece by piece. A copy shares the pieces.
#[derive(Debug, Clone)]
pub(super) enum Show {
    /// Who waits for a match; one piece.
    Lobby(Arc<str>),
    /// A match.
    Match(FrameLog),
}

impl Show {
    pub(super) fn lobby(lobby: &Lobby) -> Show {
        Show::Lobby(json(lobby))
    }

    /// Piece number `at`; `None` if it is still to come.
    pub(super) fn piece(&self, at: usize) -> Option<Piece> {
        match self {
            Show::Lobby(text) if at == 0 => Some(Piece { kind: "lobby", text: Arc::clone(text) }),
            Show::Lobby(_) => None,
            Show::Match(frame_log) => frame_log.piece(at),
        }
    }

    /// Whether there is no piece number `at`, and never will be.
    pub(super) fn ends_before(&self, at: usize) -> bool {
        match self {
            Show::Lobby(_) => at > 0,
            Show::Match(frame_log) => frame_log.ends_before(at),
        }
    }

    /// The match; `None` while one is waited for.
    pub(super) fn frame_log(&mut self) -> Option<&mut FrameLog> {
        match self {
            Show::Lobby(_) => None,
            Show::Match(frame_log) => Some(frame_log),
        }
    }
}

/// Makes pieces of a match of what certain eyes see of it.
#[derive(Debug)]
pub(super) struct Reporter {
    eyes: Vec<Eye>,
    frame_encoder: FrameEncoder,
    times: Vec<(Seat, TimeUsed)>,
}

impl Reporter {
    /// Of the match that begins with the state `first`, with its first pieces.
    pub(super) fn begin<G: Game>(first: &G, about: &About, eyes: Vec<Eye>) -> (Reporter, FrameLog) {
        let mut frame_log = FrameLog::new(&setup(about, G::KIND, &eyes, &first.scene(Eye::Everyone)));
        let mut reporter = Reporter { eyes, frame_encoder: FrameEncoder::default(), times: Vec::new() };
        frame_log.push(&reporter.frame_encoder.frame(reporter.scenes(first), &[]));
        (reporter, frame_log)
    }

    /// What viewers are to be told of an event, if there is anything.
    pub(super) fn report<G: Game>(&mut self, event: &MatchEvent<'_, G>) -> Option<Report> {
        match event {
            MatchEvent::Opened { .. } => None,
            MatchEvent::Answered { replies, .. } => {
                self.times = replies.iter().filter_map(|(seat, reply)| Some((*seat, reply.time?))).collect();
                None
            }
            MatchEvent::Advanced { game, .. } => {
                let times = std::mem::take(&mut self.times);
                Some(Report::Frame(self.frame_encoder.frame(self.scenes(*game), &times)))
            }
            MatchEvent::Finished { outcome, .. } => Some(Report::end(Some(outcome))),
        }
    }

    fn scenes<G: Game>(&self, game: &G) -> Vec<Scene> {
        self.eyes.iter().map(|eye| game.scene(*eye)).collect()
    }
}

/// What viewers are to be told.
#[derive(Debug)]
pub(super) enum Report {
    /// The next scene.
    Frame(Frame),
    /// The end.
    Over(Over),
}

impl Report {
    /// That the match is over; without an outcome it was broken off.
    pub(super) fn end(outcome: Option<&Outcome>) -> Report {
        Report::Over(over(outcome))
    }

    /// Adds it to what was told. Of several ends the first one stands.
    pub(super) fn enter(&self, frame_log: &mut FrameLog) {
        match self {
            Report::Frame(frame) => frame_log.push(frame),
            Report::Over(over) => frame_log.end(over),
        }
    }
}
