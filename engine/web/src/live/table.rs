//! The live view of a table at which match after match is played.

use super::LiveError;
use super::routes::LiveServer;
use super::show::{Report, Reporter, Show};
use crate::About;
use crate::frame_log::FrameLog;
use crate::wire::Lobby;
use arena::{ArenaError, MatchEvent, Observer};
use rules::{Eye, Game};
use std::net::SocketAddr;

/// All matches of a table in the browser, for those who sit around it: an observer with a server.
///
/// While a match is played the page is told what all players may know, and no more: they can see it, too. When it is over the
/// boards are uncovered. Between matches it shows who waits. The page follows the table for as long as the server lives, and
/// comes back when it is started again.
#[derive(Debug)]
pub struct LiveTable {
    front: LiveServer,
    act: Option<Act>,
}

/// The match that is on.
#[derive(Debug)]
struct Act {
    spectator: Reporter,
    referee: Reporter,
    /// What the referee has seen; it is told when the match is over.
    covered: FrameLog,
}

impl LiveTable {
    /// Shows a table at this address; on port 0, on any that is free. On an address that only this machine can reach, it
    /// answers to the names of this machine only.
    pub fn open(address: SocketAddr, lobby: &Lobby) -> Result<LiveTable, LiveError> {
        Ok(LiveTable { front: LiveServer::open(address, Show::lobby(lobby), false)?, act: None })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        self.front.url()
    }

    /// No match is played; these wait for the next.
    pub fn lobby(&mut self, lobby: &Lobby) {
        self.act = None;
        self.front.put_on(Show::lobby(lobby));
    }

    /// A match begins with the state `first`. Its events are told by [`Observer::on`].
    pub fn begin<G: Game>(&mut self, first: &G, about: &About) {
        let (spectator, frame_log) = Reporter::begin(first, about, vec![Eye::Everyone]);
        let (referee, covered) = Reporter::begin(first, about, vec![Eye::Referee]);
        self.act = Some(Act { spectator, referee, covered });
        self.front.put_on(Show::Match(frame_log));
    }

    /// Ends the server. A match that is being played is shown as broken off. Dropping does the same.
    pub fn finish(self) {}
}

impl<G: Game> Observer<G> for LiveTable {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let Some(act) = &mut self.act else { return Ok(()) };
        if let Some(report) = act.referee.report(event) {
            report.enter(&mut act.covered);
        }
        match act.spectator.report(event) {
            // It is in what the referee has seen, too.
            Some(Report::Over(_)) => {
                if let Some(Act { covered, .. }) = self.act.take() {
                    self.front.put_on(Show::Match(covered));
                }
            }
            Some(report) => self.front.tell(&report),
            None => {}
        }
        Ok(())
    }
}
