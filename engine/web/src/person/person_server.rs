//! The server for the people of one match.

use super::routes::PersonSeats;
use super::seat::PersonSeat;
use crate::http_server::{self, HttpServer};
use crate::live::LiveError;
use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use connections::PER_ADDRESS;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// Time for the pages to read the end of the match and to fetch the page to keep.
const GRACE: Duration = Duration::from_secs(5);

/// A server with one link for each person. Dropping it ends the server; pages keep what they have received.
///
/// On a loopback address it answers only requests to a name of this machine. Elsewhere the tokens in the links keep others
/// out.
#[derive(Debug)]
pub struct PersonServer {
    seats: PersonSeats,
    address: SocketAddr,
    closing: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl PersonServer {
    /// Opens a server at this address. Port 0 takes any free port.
    ///
    /// # Errors
    /// [`LiveError::Address`] if the port is in use or not allowed; another port may work. [`LiveError::Server`] if the
    /// system does not give a thread or a runtime.
    pub fn open(address: SocketAddr) -> Result<PersonServer, LiveError> {
        let listener = TcpListener::bind(address).map_err(|source| LiveError::Address { address, source })?;
        let address = listener.local_addr().map_err(LiveError::Server)?;
        let http_server = HttpServer::new(listener, PER_ADDRESS).map_err(LiveError::Server)?;
        let seats = PersonSeats::default();
        let routes = routes(&seats, address.ip().is_loopback());
        let closing = watch::Sender::new(false);
        let (mut closed, of_server) = (closing.subscribe(), seats.clone());
        let run = move || {
            http_server.run(routes, async move {
                let _ = closed.wait_for(|closing| *closing).await;
                let gone = async {
                    for seat in of_server.all() {
                        seat.viewers_gone().await;
                    }
                };
                let _ = timeout(GRACE, gone).await;
            });
        };
        let thread = thread::Builder::new().name("people".to_owned()).spawn(run).map_err(LiveError::Server)?;
        Ok(PersonServer { seats, address, closing, thread: Some(thread) })
    }

    /// Adds a seat for a person.
    ///
    /// # Errors
    /// [`LiveError::Server`] if the system has no random bytes or no more file descriptors.
    pub fn add_seat(&self) -> Result<PersonSeat, LiveError> {
        let seat = PersonSeat::new().map_err(LiveError::Server)?;
        self.seats.add(seat.clone());
        Ok(seat)
    }

    /// The link for the person in this seat. Where the server listens at all addresses, the link has the one by which this
    /// machine reaches others.
    pub fn link(&self, seat: &PersonSeat) -> String {
        let ip = Some(self.address.ip()).filter(|ip| !ip.is_unspecified());
        let ip = ip.or_else(|| http_server::outward_ip(Ipv4Addr::UNSPECIFIED.into()));
        let ip = ip.unwrap_or(Ipv4Addr::LOCALHOST.into());
        format!("http://{}/{}/", SocketAddr::new(ip, self.address.port()), seat.token())
    }

    /// Ends the match for all pages, which learn the path of the record, and then the server.
    pub fn finish(self, record: Option<&str>) {
        // A path of this machine says nothing to people at others.
        let record = record.filter(|_| self.address.ip().is_loopback());
        self.close(record);
    }

    fn close(&self, record: Option<&str>) {
        self.seats.all().iter().for_each(|seat| seat.close(record.map(str::to_owned)));
        self.closing.send_replace(true);
    }
}

impl Drop for PersonServer {
    fn drop(&mut self) {
        if !*self.closing.borrow() {
            self.close(None);
        }
        // A server that panicked has reported that itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn routes(seats: &PersonSeats, is_local: bool) -> Router {
    let routes = seats.routes();
    let routes = if is_local { routes.layer(middleware::from_fn(http_server::only_this_machine)) } else { routes };
    routes.layer(middleware::from_fn(headers))
}

async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    http_server::add_headers(&mut response);
    response
}
