//! People who play in the browser.
//!
//! A [`PersonServer`] is a server with a link for each person. A [`WebPerson`] is the player in its seat: it waits for what the
//! page sends, and lets the rules check it before it counts. A [`PersonWatch`] tells each page what its seat may know. All
//! three share the [`PersonSeat`].

mod person_server;
mod player;
mod routes;
mod seat;
mod watch;
mod wire;

pub use person_server::PersonServer;
pub use player::WebPerson;
pub use routes::PersonSeats;
pub use seat::PersonSeat;
pub use watch::PersonWatch;
