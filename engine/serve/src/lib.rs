//! The tournament server of Sea Battle. Teams register bots that are called over HTTP; the bots play tournaments
//! without end, and a big screen shows the matches.
//!
//! The [journal](ServerJournalLine) comes first: a change takes effect once its line is in `arena.jsonl`. The server
//! state in memory and the index, an SQLite database, follow from the journal, and can be made again from it. The
//! scheduler decides which bots meet next; each match has a thread of its own; one thread serves the pages, the API and
//! the event stream. `wire` documents the JSON of the API and of the events.
//!
//! A server on any free port of this machine, in a temporary folder:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use players::http::{AllowedHosts, Client};
//! use serve::{ServeOptions, SettingsChange, TournamentServer};
//!
//! let folder = tempfile::tempdir()?;
//! let server = TournamentServer::start(ServeOptions {
//!     address: "127.0.0.1:0".parse()?,
//!     folder: folder.path().to_owned(),
//!     password: Some("open sesame".to_owned()),
//!     settings: SettingsChange::default(),
//!     start: false,
//!     engine: "my program 1.0".to_owned(),
//!     client: Client::new(AllowedHosts::private()),
//! })?;
//! println!("http://{}/", server.address());
//! server.finish();
//! # Ok(())
//! # }
//! ```

mod admin_api;
mod administration;
mod api;
mod app;
mod assets;
mod bot_address;
mod csrf;
mod event_stream;
mod forms;
mod guard;
mod health;
mod health_check;
mod index;
mod journal_line;
mod leaderboard;
mod match_feed;
mod match_run;
mod name;
mod openapi;
mod pages;
mod password;
mod probe;
mod random;
mod records;
mod registration;
mod request_error;
mod round_robin;
mod running_matches;
mod scheduler;
mod screen;
mod server;
mod server_state;
mod session;
mod settings;
mod store;
mod text;
mod throttle;
mod wire;

pub use bot_address::{BotAddress, BotAddressError};
pub use journal_line::{ARENA_JSONL, BotId, MatchLine, ServerJournalLine, TournamentMode};
pub use name::{BotName, NameError};
pub use openapi::openapi;
pub use server::{ServeOptions, TournamentServer};
pub use settings::{ServerSettings, SettingsChange};

use app::App;
use request_error::RequestError;

use arena::ArenaError;
use std::path::PathBuf;

/// The reason why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another server uses the folder. End it first, or name another folder.
    #[error("another server is at work in {}", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// A line of the journal cannot be read, or cannot follow the lines before it. The file was changed or damaged.
    #[error("{}: line {line}: {what}", path.display())]
    Journal {
        /// The path of the journal.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: usize,
        /// The problem with the line.
        what: String,
    },
    /// The first lines of the journal cannot be written.
    #[error("the journal cannot be begun: {0}")]
    Begin(String),
    /// The index cannot be made. Its file may be removed: the next start makes it again from the journal.
    #[error("{}: {source}", path.display())]
    Index {
        /// The path of the index.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// The address is in use or not allowed. Port 0 takes any free port.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address.
        address: std::net::SocketAddr,
        /// The system's error.
        source: std::io::Error,
    },
    /// Other machines could reach the server, and the administrator has no password. Give one, or listen on 127.0.0.1.
    #[error("{address} is not of this machine only, and there is no password for the administrator")]
    NoPassword {
        /// The address.
        address: std::net::SocketAddr,
    },
    /// A setting is out of its range.
    #[error("{0}")]
    Settings(String),
    /// The disk or the system failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}
