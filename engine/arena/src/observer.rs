//! Observers: everything that watches a match sees the same events.

use crate::{ArenaError, Reply};
use rules::{Game, Outcome, Seat, Told};

/// A step of the match itself.
#[derive(Debug)]
pub enum MatchEvent<'a, G: Game> {
    /// A turn begins; the state is that before it.
    Opened {
        /// Counted from 0.
        turn: u32,
        /// The state.
        game: &'a G,
    },
    /// All awaited players have answered; the state is still that before the turn.
    Answered {
        /// Counted from 0.
        turn: u32,
        /// The state.
        game: &'a G,
        /// What came from whom, in the order of the seats.
        replies: &'a [(Seat, Reply<G::Order>)],
    },
    /// The turn has been played; the state is that after it.
    Advanced {
        /// Counted from 0.
        turn: u32,
        /// The state.
        game: &'a G,
        /// What happened.
        told: &'a [Told<G::Event>],
    },
    /// The match is over.
    Finished {
        /// How it ended.
        outcome: &'a Outcome,
        /// The last state.
        game: &'a G,
    },
}

/// Someone who watches a match.
pub trait Observer<G: Game> {
    /// Sees a step. A failure ends the match without a winner.
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError>;
}

/// An observer that ignores every step.
impl<G: Game> Observer<G> for () {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// Several observers as one, told in order.
#[derive(Default)]
pub struct Observers<'a, G: Game>(Vec<&'a mut dyn Observer<G>>);

impl<'a, G: Game> Observers<'a, G> {
    /// Nobody.
    pub fn new() -> Observers<'a, G> {
        Observers(Vec::new())
    }

    /// Adds one.
    pub fn add(&mut self, observer: &'a mut dyn Observer<G>) {
        self.0.push(observer);
    }
}

impl<G: Game> Observer<G> for Observers<'_, G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.0.iter_mut().try_for_each(|observer| observer.on(event))
    }
}
