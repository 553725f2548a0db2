//! The server of Salvo: 2 to 16 teams, each with a client of its own, who fire at each other through an MQTT broker.
//!
//! The server is the single source of truth. One thread does all of its thinking: it takes letters out of the `postbox`,
//! which is small, looks at what costs nothing first, and makes one key at a time. So a flood costs a bounded amount of
//! memory, and whose turn it is comes first. Letters get there, and news to the clients, by a `carrier`: the `embedded`
//! broker, or a connection to one `outside`. A match itself is played by [`arena::play`] like those of all games; each team
//! has a `gunner` in its seat, and the `herald` watches.
//!
//! The rules, the names of topics and what is written in messages are in [`rules::salvo`].

mod access;
mod acl;
mod carrier;
mod cipher;
pub mod client;
mod embedded;
mod error;
mod gunner;
mod herald;
mod journal;
mod keeper;
mod lobby;
mod outside;
mod postbox;
mod server;
mod spectator;
mod teams;

pub use acl::{access_list, password_commands};
pub use cipher::{Cipher, Envelope, Sealed};
pub use error::ServerError;
pub use journal::JOURNAL;
pub use outside::Broker;
pub use server::{Network, Options, Server, Stopper};
pub use spectator::{News, Spectator, Waiting};
pub use teams::check_name;
