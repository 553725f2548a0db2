//! The interface by which the program around a server learns what happens.

use arena::record::Header;
use arena::{ArenaError, MatchEvent, Observer};
use rules::salvo::Salvo;
use rules::{BySeat, Outcome};
use std::path::Path;

/// An event of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerEvent<'a> {
    /// The lobby is open.
    Lobby {
        /// The number of teams in it: after a restart there may be some.
        teams: usize,
    },
    /// The team of this name takes part.
    Joined(&'a str),
    /// The team of this name has placed all of its ships.
    Ready(&'a str),
    /// A team was removed from the lobby.
    Removed {
        /// The name of the team.
        name: &'a str,
        /// The reason, as the team is told.
        why: &'a str,
    },
    /// A match begins, or goes on after a restart.
    Begun {
        /// The path of the match's record.
        record: &'a Path,
        /// The number of turns that were played before the restart.
        turns: u32,
        /// The names of the teams by their seats.
        names: &'a BySeat<String>,
    },
    /// The administrator has ended the match, which has no outcome.
    Ended,
    /// A match is over.
    Over {
        /// The outcome of the match.
        outcome: &'a Outcome,
        /// The names of the teams by their seats.
        names: &'a BySeat<String>,
    },
}

/// A team in the lobby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeamStatus<'a> {
    /// The team's name.
    pub name: &'a str,
    /// True if all of its ships are placed.
    pub is_ready: bool,
}

/// The program around a server. All names that it is given are printable.
pub trait Spectator {
    /// Called for every event, in order.
    fn hear(&mut self, event: &ServerEvent<'_>);

    /// Called whenever the lobby changes, with its teams in the order of their requests.
    fn wait(&mut self, _teams: &[TeamStatus<'_>]) {}

    /// Called before a match, with its first state. [`Spectator::see`] gets all steps from there on, also after a restart.
    ///
    /// # Errors
    /// An error ends the server.
    fn begin(&mut self, _header: &Header, _first: &Salvo) -> Result<(), ArenaError> {
        Ok(())
    }

    /// Called for each step of a match.
    ///
    /// # Errors
    /// An error ends the server.
    fn see(&mut self, _event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// An observer that passes a match on to a spectator.
pub(crate) struct SpectatorObserver<'a>(pub(crate) &'a mut dyn Spectator);

impl Observer<Salvo> for SpectatorObserver<'_> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        self.0.see(event)
    }
}
