//! The tournament server of Sea Battle: bots join, are called over HTTP, and play without end; a room full of people
//! watches.
//!
//! The [`journal`](Line) comes first: what is not in `arena.jsonl` is not so. What follows from it is the ledger in memory
//! and the index, an SQLite database that is made anew of the journal if need be. The desk says who meets next; each
//! match has a thread of its own; one thread serves pages, the API and the news. `wire` has what the API and the stream
//! of events say.

mod admin_api;
mod administration;
mod api;
mod assets;
mod books;
mod bot_url;
mod condition;
mod course;
mod desk;
mod floor;
mod forms;
mod guard;
mod index;
mod leaderboard;
mod ledger;
mod line;
mod lookout;
mod name;
mod news;
mod openapi;
mod pages;
mod records;
mod refusal;
mod registration;
mod schedule;
mod screen;
mod secret;
mod server;
mod session;
mod settings;
mod table;
mod throttle;
mod trial;
mod venue;
mod wire;
mod words;

pub use bot_url::{BotUrl, BotUrlError};
pub use line::{ARENA_JSONL, BotId, Line, MatchLine, Mode};
pub use name::{BotName, NameError};
pub use openapi::openapi;
pub use refusal::Refusal;
pub use server::{ServeOptions, Server};
pub use settings::{Settings, SettingsChange};

use secret::token;
use venue::Venue;

use arena::ArenaError;
use std::path::PathBuf;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another server has the folder.
    #[error("another server is at work in {}", folder.display())]
    Locked {
        /// Which.
        folder: PathBuf,
    },
    /// The journal makes no sense.
    #[error("{}: line {line}: {what}", path.display())]
    Journal {
        /// Where it is.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The journal cannot be begun.
    #[error("the journal cannot be begun: {0}")]
    Begin(String),
    /// The index cannot be made.
    #[error("{}: {source}", path.display())]
    Index {
        /// Where it is.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The address is taken or not allowed.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// Which.
        address: std::net::SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// Everybody could reach the server, and nobody has a password for it.
    #[error("{address} is not of this machine only, and there is no password for the administrator")]
    NoPassword {
        /// Which.
        address: std::net::SocketAddr,
    },
    /// A setting is out of its bounds.
    #[error("{0}")]
    Settings(String),
    /// The disk or the system failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}
