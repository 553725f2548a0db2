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
//!     test_hosts: None,
//!     public_hosts: Vec::new(),
//!     connections_per_address: 128,
//!     request_time: std::time::Duration::from_secs(10),
//! })?;
//! println!("http://{}/", server.address);
//! server.finish();
//! # Ok(())
//! # }
//! ```

mod activity;
mod admin_api;
mod administration;
mod api;
mod app;
mod assets;
mod bot_address;
mod csrf;
mod event_stream;
mod finals;
mod forms;
mod guard;
mod health;
mod health_check;
mod index;
mod join_address;
mod journal_line;
mod leaderboard;
mod match_feed;
mod match_run;
mod name;
mod openapi;
mod pages;
mod password;
mod play;
mod probe;
mod random;
mod records;
mod registration;
mod request_error;
mod round_robin;
mod running_matches;
mod scheduler;
mod screen;
mod serve_error;
mod server;
mod server_state;
mod session;
mod settings;
mod store;
mod team;
mod text;
mod throttle;
mod upcoming;
mod wire;

pub use bot_address::{BotAddress, BotAddressError};
pub use journal_line::{
    ARENA_JSONL, BotId, FinalGameLine, FinalMatchLine, MatchLine, ServerJournalLine, TournamentMode,
};
pub use name::{BotName, NameError};
pub use openapi::openapi;
pub use serve_error::ServeError;
pub use server::{ServeOptions, TournamentServer};
pub use settings::{ServerSettings, SettingsChange};
