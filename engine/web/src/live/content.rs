//! The content of the live view: a match, or a lobby.

use crate::About;
use crate::frame_encoder::{FrameEncoder, over};
use crate::frame_log::{FrameLog, Piece, json};
use crate::wire::{Frame, LobbyView, MatchEnd};
use arena::{MatchEvent, Notes, TimeUsed, notes_of};
use rules::{Eye, Game, Seat, printable};
use std::sync::Arc;

/// The pieces of the content. A copy shares them.
#[derive(Debug, Clone)]
pub(super) enum LiveContent {
    /// A lobby; one piece.
    Lobby(Arc<str>),
    /// A match.
    Match(FrameLog),
}

impl LiveContent {
    pub(super) fn lobby(lobby: &LobbyView) -> LiveContent {
        let mut lobby = lobby.clone();
        lobby.teams.iter_mut().for_each(|team| team.name = printable(&team.name));
        LiveContent::Lobby(json(&lobby))
    }

    /// Piece number `at`, counted from 0; `None` if it does not exist yet.
    pub(super) fn piece(&self, at: usize) -> Option<Piece> {
        match self {
            LiveContent::Lobby(text) if at == 0 => Some(Piece { kind: "lobby", text: Arc::clone(text) }),
            LiveContent::Lobby(_) => None,
            LiveContent::Match(frame_log) => frame_log.piece(at),
        }
    }

    /// True if piece number `at` will never exist.
    pub(super) fn ends_before(&self, at: usize) -> bool {
        match self {
            LiveContent::Lobby(_) => at > 0,
            LiveContent::Match(frame_log) => frame_log.ends_before(at),
        }
    }
}

/// Encodes the events of a match as updates for certain eyes.
#[derive(Debug)]
pub(crate) struct UpdateEncoder {
    frame_encoder: FrameEncoder,
    times: Vec<(Seat, TimeUsed)>,
    notes: Vec<(Seat, Notes)>,
}

impl UpdateEncoder {
    /// An encoder for the match that begins with the state `first`, and a log with the first pieces.
    pub(crate) fn begin<G: Game>(first: &G, about: &About, eyes: Vec<Eye>) -> (UpdateEncoder, FrameLog) {
        let (mut frame_encoder, mut frame_log) = FrameEncoder::begin(about, G::KIND, eyes, &first.scene(Eye::Everyone));
        frame_log.push(&frame_encoder.frame(|eye| first.scene(eye), &[], &[]));
        (UpdateEncoder { frame_encoder, times: Vec::new(), notes: Vec::new() }, frame_log)
    }

    /// The update that an event causes, if there is one.
    pub(crate) fn update<G: Game>(&mut self, event: &MatchEvent<'_, G>) -> Option<LiveUpdate> {
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
                Some(LiveUpdate::Frame(self.frame_encoder.frame(|eye| game.scene(eye), &times, &notes)))
            }
            MatchEvent::Finished { outcome, .. } => Some(LiveUpdate::End(over(Some(outcome)))),
        }
    }

    /// An update that shows all eyes what the referee sees, for the end of a match. The deeds of the last turn were told.
    pub(crate) fn uncover<G: Game>(&mut self, game: &G) -> LiveUpdate {
        let mut scene = game.scene(Eye::Referee);
        scene.boards.iter_mut().for_each(|board| board.deed.clear());
        LiveUpdate::Frame(self.frame_encoder.frame(|_| scene.clone(), &[], &[]))
    }
}

/// An addition to the pieces of a match.
#[derive(Debug)]
pub(crate) enum LiveUpdate {
    /// The next scene.
    Frame(Frame),
    /// The end.
    End(MatchEnd),
}

impl LiveUpdate {
    /// Adds the update to a log. Only the first end counts.
    pub(crate) fn add_to(&self, frame_log: &mut FrameLog) {
        match self {
            LiveUpdate::Frame(frame) => frame_log.push(frame),
            LiveUpdate::End(over) => frame_log.end(over),
        }
    }
}
