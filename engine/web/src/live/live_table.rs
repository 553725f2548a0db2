//! The live view of a lobby in which match after match is played.

use super::LiveError;
use super::clock::Clock;
use super::content::{LiveContent, LiveUpdate, UpdateEncoder};
use super::live_server::LiveServer;
use crate::About;
use crate::frame_log::FrameLog;
use crate::wire::LobbyView;
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game, Seat};
use std::net::SocketAddr;
use std::time::Duration;

/// All matches of a lobby in the browser, for the players and their guests: an observer with a server.
///
/// During a match, the page shows what all players may know, and no more, because the players can see it. After the
/// match, it shows the ships. Between matches, it shows the teams that wait. The page follows the lobby for as long as
/// the server lives, and connects again when the server is started again.
#[derive(Debug)]
pub struct LiveTable {
    server: LiveServer,
    current: Option<CurrentMatch>,
}

/// The current match.
#[derive(Debug)]
struct CurrentMatch {
    spectator: UpdateEncoder,
    referee: UpdateEncoder,
    /// The match as the referee sees it; shown when the match is over.
    full_log: FrameLog,
}

impl LiveTable {
    /// Opens a live view at this address. Port 0 takes any free port. On a loopback address, the server answers only
    /// requests to a name of this machine.
    ///
    /// # Errors
    /// [`LiveError::Address`] if the port is in use or not allowed; another port may work. [`LiveError::Server`] if the
    /// system does not give a thread or a runtime.
    pub fn open(address: SocketAddr, lobby: &LobbyView) -> Result<LiveTable, LiveError> {
        Ok(LiveTable { server: LiveServer::open(address, LiveContent::lobby(lobby), false)?, current: None })
    }

    /// The URL of the page.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Shows the lobby: no match is being played.
    pub fn lobby(&mut self, lobby: &LobbyView) {
        self.current = None;
        self.server.broadcast.replace(LiveContent::lobby(lobby));
    }

    /// Shows a match that begins with the state `first`. [`Observer::on`] passes on its events.
    pub fn begin<G: Game>(&mut self, first: &G, about: &About) {
        let (spectator, frame_log) = UpdateEncoder::begin(first, about, vec![Eye::Everyone]);
        let (referee, full_log) = UpdateEncoder::begin(first, about, vec![Eye::Referee]);
        self.current = Some(CurrentMatch { spectator, referee, full_log });
        self.server.broadcast.replace(LiveContent::Match(frame_log));
    }

    /// Starts the clock of a turn: the player in `seat` has `limit` from now on. Only the latest clock counts; a viewer
    /// who comes later is sent the rest of its time. It ends with the match. A limit without an end shows no clock.
    pub fn clock(&mut self, seat: Seat, limit: Duration) {
        if self.current.is_some()
            && let Some(clock) = Clock::start(seat, limit)
        {
            self.server.broadcast.start(clock);
        }
    }

    /// Ends the server. A match that is being played is shown as broken off. Dropping the value does the same.
    pub fn finish(self) {}
}

impl<G: Game> Observer<G> for LiveTable {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        if let Some(update) = current.referee.update(event) {
            update.add_to(&mut current.full_log);
        }
        match current.spectator.update(event) {
            // The end is part of the full log, too.
            Some(LiveUpdate::End(_)) => {
                if let Some(CurrentMatch { full_log, .. }) = self.current.take() {
                    self.server.broadcast.replace(LiveContent::Match(full_log));
                }
            }
            Some(update) => self.server.broadcast.add(&update),
            None => {}
        }
        Ok(())
    }
}
