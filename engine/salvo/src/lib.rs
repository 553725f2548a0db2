//! The server and a client of Salvo: 2 to 16 teams, each with its own client, fire at each other through an MQTT broker.
//!
//! A server with an embedded broker, and two clients that play a match to its end:
//!
//! ```
//! use rules::salvo::{Order, Settings, Topics, View, random_fleet};
//! use rules::{BySeat, Point};
//! use salvo::client::{Strategy, Team, play};
//! use salvo::{Absence, BrokerAddress, Network, Options, Server, ServerEvent, Spectator};
//! use std::thread;
//! use std::time::Duration;
//!
//! /// Fires at the cells of the other player, row by row.
//! struct RowByRow {
//!     shots: i32,
//! }
//!
//! impl Strategy for RowByRow {
//!     fn order(&mut self, view: &View, _: &BySeat<String>) -> Option<Order> {
//!         if view.salvo.is_none() {
//!             return Some(Order::Place(random_fleet(&mut rules::random(1))));
//!         }
//!         let target = view.players.seats().find(|seat| *seat != view.seat)?;
//!         self.shots += 1;
//!         Some(Order::Fire { target, at: Point::new((self.shots - 1) % 10, (self.shots - 1) / 10) })
//!     }
//! }
//!
//! struct Log;
//!
//! impl Spectator for Log {
//!     fn hear(&mut self, event: &ServerEvent<'_>) {
//!         println!("{event:?}");
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let options = Options {
//!     folder: folder.path().to_owned(),
//!     prefix: None,
//!     place: Duration::from_secs(60),
//!     turn: Duration::from_secs(30),
//!     absence: Absence::default(),
//!     teams_per_address: 16,
//!     join_code: None,
//!     lobby_after: Duration::from_secs(1),
//!     players: Some(2),
//!     matches: Some(1),
//!     seed: Some(1),
//!     settings: Settings { rounds_without_sinking: 1 },
//! };
//! let mut server = Server::open(options, Network::Embedded("127.0.0.1:0".parse()?))?;
//! let address = server.address().ok_or("an embedded broker has an address")?;
//! let broker = BrokerAddress { host: address.ip().to_string(), port: address.port(), login: None };
//! let server = thread::spawn(move || server.run(&mut Log));
//!
//! let clients = ["Henkiebunch", "Deep Water"].map(|name| {
//!     let (name, secret, topics) = (name.to_owned(), format!("secret of {name}"), Topics::default());
//!     let team = Team { name, secret, join_code: None, broker: broker.clone(), topics };
//!     thread::spawn(move || play(&team, &mut RowByRow { shots: 0 }, None))
//! });
//! let [first, second] = clients.map(|client| client.join().expect("no client panics"));
//! assert_eq!(first?.winner, second?.winner);
//! server.join().expect("the server does not panic")?;
//! # Ok(())
//! # }
//! ```
//!
//! The state of a match is the server's alone. One thread plays it: it takes messages from the `inbox`, whose size is limited,
//! makes the cheap checks first, and derives one key at a time. So a flood costs bounded memory, and messages of the current
//! player precede all others. The `embedded` or `external` broker carries messages to the inbox and from the `publisher`.
//! [`arena::play`] plays the match, as it does for all games, with a `remote_player` in the seat of each team and the
//! publisher among its observers.
//!
//! The rules, the names of topics and the texts of messages are in [`rules::salvo`].
//!
//! **The broker's accept loop is our own** (`embedded`). That of `mqtt5` counts a connection only after its login, has one
//! limit for all addresses, and cannot close a connection for another one. The code for one client is that of `mqtt5`.

mod access;
mod acl;
mod admin;
mod attendance;
mod broker;
mod cipher;
pub mod client;
mod embedded;
mod error;
mod external;
mod inbox;
mod join_code;
mod journal;
mod lobby;
mod options;
mod publisher;
mod record_writer;
mod remote_player;
mod server;
mod spectator;
mod teams;

pub use acl::{access_list, password_commands};
pub use admin::{ADMIN_FILE, ADMIN_USER, AdminAccess, AdminCommand, AdminError};
pub use cipher::{Cipher, CipherError, Envelope};
pub use error::ServerError;
pub use external::BrokerAddress;
pub use journal::JOURNAL;
pub use options::{Absence, Network, Options};
pub use server::{Server, Stopper};
pub use spectator::{ServerEvent, Spectator, TeamStatus};
pub use teams::check_name;
