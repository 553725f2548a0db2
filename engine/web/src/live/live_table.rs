//! The live view of a lobby in which match after match is played.

use super::LiveError;
use super::live_server::LiveServer;
use super::spectators::Spectators;
use crate::event_log::EventScope;
use crate::piece::json;
use crate::wire::{ClockView, LobbyView};
use crate::{About, assets};
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game, Seat, printable};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// All matches of a lobby in the browser, for the players and their guests: an observer with a server.
///
/// During a match, the page shows what all players may know, and no more, because the players can see it; so it has no
/// analysis. After the match, it shows the ships. Between matches, it shows the teams that wait. The page follows the lobby
/// for as long as the server lives, and connects again when the server is started again.
#[derive(Debug)]
pub struct LiveTable<G: Game> {
    server: LiveServer,
    current: Option<Spectators<G>>,
    /// The number of lobbies and matches so far.
    number: u64,
}

impl<G: Game> LiveTable<G> {
    /// Opens a live view at this address. Port 0 takes any free port. On a loopback address, the server answers only
    /// requests to a name of this machine.
    ///
    /// # Errors
    /// [`LiveError::Address`] if the port is in use or not allowed; another port may work. [`LiveError::Server`] if the
    /// system does not give a thread or a runtime.
    pub fn open(address: SocketAddr, lobby: &LobbyView) -> Result<LiveTable<G>, LiveError> {
        let mut table = LiveTable { server: LiveServer::open(address, assets::table_page)?, current: None, number: 0 };
        table.lobby(lobby);
        Ok(table)
    }

    /// The URL of the page.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Shows the lobby: no match is being played.
    pub fn lobby(&mut self, lobby: &LobbyView) {
        self.current = None;
        let mut lobby = lobby.clone();
        lobby.teams.iter_mut().for_each(|team| team.name = printable(&team.name));
        let number = self.next();
        self.server.log.publish("lobby", EventScope::Part(number), &json(&lobby));
    }

    /// Shows a match that begins with the state `first`. [`Observer::on`] passes on its events.
    pub fn begin(&mut self, first: &G, about: About) {
        let number = self.next();
        let log = Arc::clone(&self.server.log);
        self.current = Some(Spectators::begin(log, number, first, about, vec![Eye::Everyone]));
    }

    /// The number of what is shown next; what was shown is past.
    fn next(&mut self) -> u64 {
        self.server.log.end(self.number);
        self.number += 1;
        self.number
    }

    /// Starts the clock of a turn: the player in `seat` has `limit` from now on. Only the latest clock counts; a viewer
    /// who comes later is sent the rest of its time. It ends with the match. A limit without an end shows no clock.
    pub fn clock(&mut self, seat: Seat, limit: Duration) {
        let until =
            SystemTime::now().checked_add(limit).and_then(|until| until.duration_since(SystemTime::UNIX_EPOCH).ok());
        if let (Some(until), Some(_)) = (until, &self.current) {
            let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let clock = ClockView { seat: seat.letter(), until_ms: milliseconds(until), limit_ms: milliseconds(limit) };
            self.server.log.publish("clock", EventScope::Latest(self.number), &json(&clock));
        }
    }

    /// Ends the server. A match that is being played is shown as broken off. Dropping the value does the same.
    pub fn finish(self) {}
}

impl<G: Game> Drop for LiveTable<G> {
    fn drop(&mut self) {
        self.server.log.break_off(self.number);
        // Without a last event: pages connect again to the next server.
        self.server.log.close();
    }
}

impl<G: Game> Observer<G> for LiveTable<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if let Some(current) = &mut self.current {
            current.on(event)?;
        }
        if let MatchEvent::Finished { .. } = event {
            self.current.take().into_iter().for_each(|mut current| current.uncover(None));
        }
        Ok(())
    }
}
