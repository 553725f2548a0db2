//! The server of Salvo: 2 to 16 teams, each with a client of its own, who fire at each other through an MQTT broker.
//!
//! The server is the single source of truth. One thread does all of its thinking: it takes messages out of the `inbox`,
//! which is small, looks at what costs nothing first, and makes one key at a time. So a flood costs a bounded amount of
//! memory, and whose turn it is comes first. Letters get there, and news to the clients, by a `carrier`: the `embedded`
//! broker, or a connection to one `external`. A match itself is played by [`arena::play`] like those of all games; each team
//! has a `remote_player` in its seat, and the `publisher` watches.
//!
//! The rules, the names of topics and what is written in messages are in [`rules::salvo`].

mod access;
mod acl;
mod broker;
mod cipher;
pub mod client;
mod embedded;
mod error;
mod external;
mod inbox;
mod journal;
mod lobby;
mod publisher;
mod record_writer;
mod remote_player;
mod server;
mod spectator;
mod teams;

pub use acl::{access_list, password_commands};
pub use cipher::{Cipher, CipherError, Envelope};
pub use error::ServerError;
pub use external::BrokerAddress;
pub use journal::JOURNAL;
pub use server::{Network, Options, Server, Stopper};
pub use spectator::{ServerEvent, Spectator, TeamStatus};
pub use teams::check_name;
