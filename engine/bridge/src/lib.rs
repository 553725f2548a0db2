//! A bridge: serves a bot that is asked by lines over HTTP, so that it can be called as a web service is.
//!
//! Each match has a process of its own, told apart by the name of the match in each request (`match` in Battleship, `gameId` in Sea
//! Battle, `game-id` and `player-index` in botsArena). The process of a match that is not heard of for some minutes is ended.

mod matches;
mod routes;

use arena::ArenaError;
use connections::PER_ADDRESS;
pub use matches::MatchEvent;
use matches::Matches;
use runner::LineBots;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::watch;
use web::http_server::HttpServer;

/// A bridge that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The system gave no thread.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

/// A receiver of what happens to the processes of a bridge.
pub type OnMatch = Box<dyn Fn(MatchEvent<'_>) + Send + Sync>;

/// A running bridge. Dropping it ends it, and all its processes.
pub struct Bridge {
    /// The address that it listens on.
    pub address: SocketAddr,
    matches: Arc<Matches>,
    close: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Bridge {
    /// Serves this bot. Port 0 takes any free port.
    ///
    /// # Errors
    /// [`BridgeError`]: the address is in use or not one of this machine, or the system gives no threads.
    pub fn open(bots: LineBots, address: SocketAddr, on_match: OnMatch) -> Result<Bridge, BridgeError> {
        let failed = |source| BridgeError::Address { address, source };
        let listener = TcpListener::bind(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let server = HttpServer::new(listener, PER_ADDRESS).map_err(failed)?;
        let matches = Arc::new(Matches::new(bots, on_match));
        let routes = routes::routes(Arc::clone(&matches));
        let (close, mut closing) = watch::channel(false);
        let run = move || {
            server.run(routes, async move {
                let _ = closing.wait_for(|closing| *closing).await;
            });
        };
        let thread = thread::Builder::new().name("bridge".to_owned()).spawn(run);
        let thread = thread.map_err(|e| ArenaError::process("start a thread for", "the bridge", e))?;
        Ok(Bridge { address, matches, close, thread: Some(thread) })
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.close.send_replace(true);
        // A thread that panicked has reported that itself.
        let _ = self.thread.take().map(JoinHandle::join);
        self.matches.end();
    }
}
