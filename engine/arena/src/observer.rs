//! Observers: everything that watches a match sees the same events.

use crate::{ArenaError, Reply};
use rules::{Game, Outcome, Seat, Told};

/// A step of the match itself.
#[derive(Debug)]
pub enum MatchEvent<'a, G: Game> {
    /// A turn begins; the state is that before it.
    Opened {
        /// The turn, counted from 0.
        turn: u32,
        /// The present state.
        game: &'a G,
    },
    /// All awaited players have answered; the state is still that before the turn.
    Answered {
        /// The turn, counted from 0.
        turn: u32,
        /// The present state.
        game: &'a G,
        /// The replies with their seats, in the order of the seats.
        replies: &'a [(Seat, Reply<G::Order>)],
    },
    /// The turn has been played; the state is that after it.
    Advanced {
        /// The turn, counted from 0.
        turn: u32,
        /// The present state.
        game: &'a G,
        /// The events of the turn, with the seats that may know them.
        told: &'a [Told<G::Event>],
    },
    /// The match is over.
    Finished {
        /// The outcome.
        outcome: &'a Outcome,
        /// The last state.
        game: &'a G,
    },
}

/// Watches a match.
///
/// ```
/// use arena::{ArenaError, MatchEvent, Observer};
/// use rules::Game;
///
/// /// Counts the turns.
/// struct Turns(u32);
///
/// impl<G: Game> Observer<G> for Turns {
///     fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
///         if let MatchEvent::Advanced { .. } = event {
///             self.0 += 1;
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait Observer<G: Game> {
    /// Sees a step.
    ///
    /// # Errors
    /// A failure ends the match without a winner.
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError>;
}

/// An observer that ignores every step.
impl<G: Game> Observer<G> for () {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// Several observers as one. They see each step in the order in which they were added; the first failure ends it.
#[derive(Default)]
pub struct Observers<'a, G: Game>(Vec<&'a mut dyn Observer<G>>);

impl<'a, G: Game> Observers<'a, G> {
    /// No observers.
    pub fn new() -> Observers<'a, G> {
        Observers(Vec::new())
    }

    /// Adds an observer.
    pub fn add(&mut self, observer: &'a mut dyn Observer<G>) {
        self.0.push(observer);
    }
}

impl<G: Game> Observer<G> for Observers<'_, G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.0.iter_mut().try_for_each(|observer| observer.on(event))
    }
}
