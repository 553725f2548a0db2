//! The live view: a match in the browser while it is played, or all matches of a table.
//!
//! The server has a thread of its own. The match only adds to a log, which late viewers need in any case, and wakes the
//! thread; it never waits for a viewer. Each viewer goes through the log at its own pace. So a slow viewer costs the
//! match nothing, and memory is bounded by the match, however many viewers there are.

mod broadcast;
mod routes;
mod show;
mod table;

use crate::About;
use crate::frame_encoder::eyes;
use arena::{ArenaError, Interrupt, MatchEvent, Observer};
use routes::LiveServer;
use rules::Game;
use show::{Reporter, Show};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
pub use table::LiveTable;

/// Why there is no live view.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The port is taken or not allowed.
    #[error("cannot show the match at {address}: {source}")]
    Address {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The server could not be set up.
    #[error("cannot start the server of the live view: {0}")]
    Server(#[source] io::Error),
}

/// A match in the browser while it is played: an observer with a server on this machine.
///
/// Its page follows the match, goes back in it as one likes, and stays useful when the server has gone: it has all it
/// was told. The address `/match.html` gives what was played so far as [`page`](crate::page) does.
#[derive(Debug)]
pub struct Live {
    reporter: Reporter,
    front: LiveServer,
}

impl Live {
    /// Shows a match that begins with the state `first` on `port` of this machine only; on port 0, on any that is
    /// free.
    pub fn start<G: Game>(first: &G, about: &About, port: u16) -> Result<Live, LiveError> {
        let (reporter, frame_log) = Reporter::begin(first, about, eyes(about.names.len() as u8));
        let front = LiveServer::open((Ipv4Addr::LOCALHOST, port).into(), Show::Match(frame_log), true)?;
        Ok(Live { reporter, front })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        self.front.url()
    }

    /// Whether anybody has come to watch yet.
    pub fn has_viewers(&self) -> bool {
        self.front.wait_for_viewers(Duration::ZERO, None)
    }

    /// Waits until somebody has come to watch, the time is over, or waiting is to stop. Tells whether somebody has.
    pub fn wait_for_viewers(&self, most: Duration, interrupt: &Interrupt) -> bool {
        self.front.wait_for_viewers(most, Some(interrupt))
    }

    /// Ends the server, but not before its viewers know the end of the match. One who takes more than two seconds to
    /// read the rest is left behind. Dropping does the same.
    pub fn finish(self) {}
}

impl<G: Game> Observer<G> for Live {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if let Some(report) = self.reporter.report(event) {
            self.front.tell(&report);
        }
        Ok(())
    }
}
