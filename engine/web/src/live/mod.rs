//! The live view: a match in the browser while it is played.
//!
//! The server has a thread of its own. The match only adds to a log, which late viewers need in any case, and wakes the
//! thread; it never waits for a viewer. Each viewer goes through the log at its own pace. So a slow viewer costs the
//! match nothing, and memory is bounded by the match, however many viewers there are.

mod hall;
mod server;

use crate::house::House;
use crate::projector::{Projector, eyes, over, setup};
use crate::tape::Tape;
use crate::{About, assets};
use arena::{ArenaError, Interrupt, MatchEvent, Observer, TimeUsed};
use hall::Hall;
use rules::{Eye, Game, Outcome, Seat};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{io, thread};

/// Why there is no live view.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The port is taken or not allowed.
    #[error("cannot show the match on port {port}: {source}")]
    Port {
        /// Which.
        port: u16,
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
    seats: u8,
    projector: Projector,
    times: Vec<(Seat, TimeUsed)>,
    hall: Arc<Hall>,
    address: SocketAddr,
    server: Option<JoinHandle<()>>,
}

impl Live {
    /// Shows a match that begins with the state `first` on `port` of this machine only; on port 0, on any that is
    /// free.
    pub fn start<G: Game>(first: &G, about: &About, port: u16) -> Result<Live, LiveError> {
        let seats = about.names.len() as u8;
        let mut projector = Projector::default();
        let mut tape = Tape::new(&setup(about, G::KIND, &first.scene(Eye::Referee)));
        tape.push(&projector.frame(scenes(first, seats), &[]));
        let hall = Hall::new(tape, assets::page(r#"{"events":"events"}"#, assets::Reach::Server));
        let hall = Arc::new(hall.map_err(LiveError::Server)?);

        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = listener.map_err(|source| LiveError::Port { port, source })?;
        let address = listener.local_addr().map_err(LiveError::Server)?;
        let house = House::new(listener).map_err(LiveError::Server)?;
        let within = Arc::clone(&hall);
        let server = thread::Builder::new().name("live view".to_owned()).spawn(move || server::run(house, within));
        let server = Some(server.map_err(LiveError::Server)?);
        Ok(Live { seats, projector, times: Vec::new(), hall, address, server })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Whether anybody has come to watch yet.
    pub fn has_viewers(&self) -> bool {
        self.wait(Duration::ZERO, None)
    }

    /// Waits until somebody has come to watch, the time is over, or waiting is to stop. Tells whether somebody has.
    pub fn wait_for_viewers(&self, most: Duration, interrupt: &Interrupt) -> bool {
        self.wait(most, Some(interrupt))
    }

    fn wait(&self, most: Duration, interrupt: Option<&Interrupt>) -> bool {
        let until = Instant::now() + most;
        loop {
            let mut fds = vec![PollFd::from_borrowed_fd(self.hall.bell(), PollFlags::IN)];
            fds.extend(interrupt.map(|interrupt| PollFd::new(interrupt, PollFlags::IN)));
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut fds, Some(&left)) {
                Err(Errno::INTR) => {}
                _ => return !fds[0].revents().is_empty(),
            }
        }
    }

    /// Ends the server, but not before its viewers know the end of the match. One who takes more than two seconds to
    /// read the rest is left behind. Dropping does the same.
    pub fn finish(mut self) {
        self.close();
    }

    fn close(&mut self) {
        // Says that the match was broken off, unless its end was told.
        self.end(None);
        self.hall.close();
        // A server that panicked has said so on its own.
        let _ = self.server.take().map(JoinHandle::join);
    }

    fn end(&self, outcome: Option<&Outcome>) {
        self.hall.tell(|tape| tape.end(&over(outcome)));
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.close();
        }
    }
}

impl<G: Game> Observer<G> for Live {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { .. } => {}
            MatchEvent::Answered { replies, .. } => {
                self.times = replies.iter().filter_map(|(seat, reply)| Some((*seat, reply.time?))).collect();
            }
            MatchEvent::Advanced { game, .. } => {
                let frame = self.projector.frame(scenes(*game, self.seats), &std::mem::take(&mut self.times));
                self.hall.tell(|tape| tape.push(&frame));
            }
            MatchEvent::Finished { outcome, .. } => self.end(Some(outcome)),
        }
        Ok(())
    }
}

/// What all eyes see.
fn scenes<G: Game>(game: &G, seats: u8) -> Vec<rules::Scene> {
    eyes(seats).map(|eye| game.scene(eye)).collect()
}
