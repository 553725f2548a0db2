//! A match to be watched in any order.

use crate::{ArenaError, MatchEvent, Notes, Observer, Reply, TimeUsed};
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

    /// The notes of the players on the turn that led to scene number `at`, as far as `eye` may know them: those of each seat
    /// are for the referee and that seat only. In the order of the seats.
    fn notes(&self, _at: usize, _eye: Eye) -> Vec<(Seat, &Notes)> {
        Vec::new()
    }

    /// The outcome; `None` if the match was not played to its end.
    fn outcome(&self) -> Option<&Outcome>;
}

/// Keeps the states of a match as it is played or played again.
#[derive(Debug, Clone)]
pub struct GameHistory<G> {
    seats: u8,
    moments: Vec<Moment<G>>,
    times: Vec<(Seat, TimeUsed)>,
    notes: Vec<(Seat, Notes)>,
    outcome: Option<Outcome>,
}

/// A state, and what is known of the turn that led to it.
#[derive(Debug, Clone)]
struct Moment<G> {
    state: G,
    times: Vec<(Seat, TimeUsed)>,
    notes: Vec<(Seat, Notes)>,
}

impl<G: Game> GameHistory<G> {
    /// Begins with the state before the first turn, of a match with this number of seats.
    pub fn new(first: G, seats: u8) -> GameHistory<G> {
        let first = Moment { state: first, times: Vec::new(), notes: Vec::new() };
        GameHistory { seats, moments: vec![first], times: Vec::new(), notes: Vec::new(), outcome: None }
    }
}

/// The notes in the replies of a turn, with their seats.
pub fn notes_of<O>(replies: &[(Seat, Reply<O>)]) -> Vec<(Seat, Notes)> {
    replies.iter().filter_map(|(seat, reply)| Some((*seat, reply.notes_to_show()?))).collect()
}

impl<G: Game> Observer<G> for GameHistory<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { .. } => {}
            MatchEvent::Answered { replies, .. } => {
                self.times = replies.iter().filter_map(|(seat, reply)| Some((*seat, reply.time?))).collect();
                self.notes = notes_of(replies);
            }
            MatchEvent::Advanced { game, .. } => {
                let (times, notes) = (std::mem::take(&mut self.times), std::mem::take(&mut self.notes));
                self.moments.push(Moment { state: (*game).clone(), times, notes });
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
        self.moments.len()
    }

    fn scene(&self, at: usize, eye: Eye) -> Scene {
        self.moments[at].state.scene(eye)
    }

    fn times(&self, at: usize) -> &[(Seat, TimeUsed)] {
        &self.moments[at].times
    }

    fn notes(&self, at: usize, eye: Eye) -> Vec<(Seat, &Notes)> {
        let notes = self.moments[at].notes.iter().filter(|(seat, _)| eye.sees_all_of(*seat));
        notes.map(|(seat, notes)| (*seat, notes)).collect()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}
