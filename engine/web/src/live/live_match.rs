//! The live view of one match.

use super::LiveError;
use super::live_server::LiveServer;
use super::spectators::Spectators;
use crate::frame_encoder::eyes;
use crate::{About, assets};
use analysis::Analysed;
use arena::{ArenaError, Interrupt, MatchEvent, Observer};
use rules::Game;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of the only match.
const MATCH: u64 = 1;

/// A match in the browser while it is played: an observer with a server on this machine.
///
/// The page follows the match, and its user can step back. The page keeps everything that it received, so it works after
/// the server has ended. The address `/match.html` returns the match so far as [`page`](crate::page) does.
#[derive(Debug)]
pub struct Live<G: Game> {
    server: LiveServer,
    /// `None` once the match is over.
    spectators: Option<Spectators<G>>,
    pace: Option<Pace>,
}

/// The time for which each moment is shown.
#[derive(Debug)]
struct Pace {
    time: Duration,
    /// Ends the waiting.
    interrupt: Interrupt,
    /// The time since when the newest moment is shown.
    since: Option<Instant>,
}

impl Pace {
    /// Waits until the newest moment was shown for its time.
    fn wait(&mut self) {
        let left = self.since.map_or(self.time, |since| self.time.saturating_sub(since.elapsed()));
        // The match itself ends at an interrupt.
        self.interrupt.is_raised_within(left);
        self.since = Some(Instant::now());
    }
}

impl<G: Analysed> Live<G> {
    /// Shows a match that begins with the state `first`, on `port` of this machine only. Port 0 takes any free port.
    ///
    /// # Errors
    /// [`LiveError::Address`] if the port is in use or not allowed; another port may work. [`LiveError::Server`] if the
    /// system does not give a thread or a runtime.
    pub fn start(first: &G, about: &About, port: u16) -> Result<Live<G>, LiveError> {
        let server = LiveServer::open((Ipv4Addr::LOCALHOST, port).into(), assets::page)?;
        let eyes = eyes(about.names.len() as u8);
        let spectators = Spectators::begin(Arc::clone(&server.log), MATCH, first, about.clone(), eyes).analysed(first);
        Ok(Live { server, spectators: Some(spectators), pace: None })
    }

    /// Shows each moment for at least this time once a viewer has come: the match waits, because it would be over before
    /// people see it. An interrupt ends the waiting.
    #[must_use]
    pub fn with_pace(mut self, time: Duration, interrupt: &Interrupt) -> Live<G> {
        self.pace = Some(Pace { time, interrupt: interrupt.clone(), since: None });
        self
    }

    /// The URL of the page.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Waits for the first viewer, or until the interrupt. Returns true if a viewer has come.
    pub fn wait_for_viewers(&self, interrupt: &Interrupt) -> bool {
        self.server.wait_for_viewers(interrupt)
    }

    /// Ends the server. Viewers have two seconds to read the rest of the match. Dropping the value does the same.
    pub fn finish(self) {}
}

impl<G: Game> Drop for Live<G> {
    fn drop(&mut self) {
        if let Some(spectators) = self.spectators.take() {
            spectators.finish(Some(""));
        }
    }
}

impl<G: Game> Observer<G> for Live<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let Some(spectators) = &mut self.spectators else { return Ok(()) };
        let is_turn = matches!(event, MatchEvent::Advanced { .. });
        if let Some(pace) = self.pace.as_mut().filter(|_| is_turn && self.server.has_viewers()) {
            pace.wait();
        }
        spectators.on(event)?;
        if let MatchEvent::Finished { .. } = event {
            self.spectators.take().into_iter().for_each(|spectators| spectators.finish(None));
        }
        Ok(())
    }
}
