//! A match to be watched in any order.

use crate::{ArenaError, MatchEvent, Observer, TimeUsed};
use rules::{Eye, Game, GameKind, Outcome, Scene, Seat};

/// The scenes of a match, from the one before its first turn to the one after the last turn that was played.
pub trait MatchHistory {
    /// The kind of game.
    fn kind(&self) -> GameKind;

    /// The number of seats.
    fn seats(&self) -> u8;

    /// The number of scenes: one more than the turns that were played.
    fn scenes(&self) -> usize;

    /// Scene number `at`, as `eye` may see it. Scene 0 is the one before the first turn, scene n + 1 the one
    /// after turn n.
    ///
    /// # Panics
    /// If `at` is not below [`MatchHistory::scenes`].
    fn scene(&self, at: usize, eye: Eye) -> Scene;

    /// The time that each player took in the turn that led to scene number `at`; empty for scene 0.
    fn times(&self, at: usize) -> &[(Seat, TimeUsed)];

    /// The outcome; `None` if the match was not played to its end.
    fn outcome(&self) -> Option<&Outcome>;
}

/// Keeps the states of a match as it is played or played again.
#[derive(Debug, Clone)]
pub struct GameHistory<G> {
    seats: u8,
    states: Vec<(G, Vec<(Seat, TimeUsed)>)>,
    times: Vec<(Seat, TimeUsed)>,
    outcome: Option<Outcome>,
}

impl<G: Game> GameHistory<G> {
    /// Begins with the state before the first turn, of a match with this number of seats.
    pub fn new(first: G, seats: u8) -> GameHistory<G> {
        GameHistory { seats, states: vec![(first, Vec::new())], times: Vec::new(), outcome: None }
    }
}

impl<G: Game> Observer<G> for GameHistory<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { .. } => {}
            MatchEvent::Answered { replies, .. } => {
                self.times = replies.iter().filter_map(|(seat, reply)| Some((*seat, reply.time?))).collect();
            }
            MatchEvent::Advanced { game, .. } => {
                self.states.push(((*game).clone(), std::mem::take(&mut self.times)));
            }
            MatchEvent::Finished { outcome, .. } => self.outcome = Some((*outcome).clone()),
        }
        Ok(())
    }
}

impl<G: Game> MatchHistory for GameHistory<G> {
    fn kind(&self) -> GameKind {
        G::KIND
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn scenes(&self) -> usize {
        self.states.len()
    }

    fn scene(&self, at: usize, eye: Eye) -> Scene {
        self.states[at].0.scene(eye)
    }

    fn times(&self, at: usize) -> &[(Seat, TimeUsed)] {
        &self.states[at].1
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}
