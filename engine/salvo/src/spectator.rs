//! Whoever runs the server, and wants to know what happens.

use arena::record::Header;
use arena::{ArenaError, MatchEvent, Observer};
use rules::salvo::Salvo;
use rules::{BySeat, Outcome};
use std::path::Path;

/// Something that happened, for whoever runs the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerEvent<'a> {
    /// The lobby is open; teams may be in it already if the server was started again.
    Lobby {
        /// How many teams are in it.
        teams: usize,
    },
    /// A team has come.
    Joined {
        /// Its name.
        name: &'a str,
    },
    /// A team has placed all of its ships.
    Ready {
        /// Its name.
        name: &'a str,
    },
    /// A team is out, because it has not placed all of its ships in time.
    Late {
        /// Its name.
        name: &'a str,
    },
    /// A match begins, or goes on.
    Begun {
        /// Where its record is.
        record: &'a Path,
        /// How many turns were played before the server was started again.
        turns: u32,
        /// Who plays, by their seats.
        names: &'a BySeat<String>,
    },
    /// It is over.
    Over {
        /// How it ended.
        outcome: &'a Outcome,
        /// Who played.
        names: &'a BySeat<String>,
    },
}

/// A team in the lobby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeamStatus<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether all of its ships are placed.
    pub is_ready: bool,
}

/// Whoever runs the server, and wants to know what happens.
pub trait Spectator {
    /// Something happened.
    fn hear(&mut self, news: &ServerEvent<'_>);

    /// These teams are in the lobby, in the order in which they came; told whenever that changes.
    fn wait(&mut self, _teams: &[TeamStatus<'_>]) {}

    /// A match begins with this state. All of its steps will be seen, those of before the server was started again, too. What
    /// fails here ends the server.
    fn begin(&mut self, _header: &Header, _first: &Salvo) -> Result<(), ArenaError> {
        Ok(())
    }

    /// A step of a match. What fails here ends the server.
    fn see(&mut self, _event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// Lets the spectator see a match.
pub(crate) struct SpectatorObserver<'a>(pub(crate) &'a mut dyn Spectator);

impl Observer<Salvo> for SpectatorObserver<'_> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        self.0.see(event)
    }
}
