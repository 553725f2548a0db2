//! The server from its start to its end.

use super::books::Books;
use super::records::Sweep;
use super::secret::{AdminPassword, token};
use super::{Line, ServeError, SettingsChange, Venue, admin_api, api, desk, forms, guard, lookout, openapi, pages};
use arena::ArenaError;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use players::http::Client;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::watch;
use web::http_server::HttpServer;

/// What a server is started with.
#[derive(Debug)]
pub struct ServeOptions {
    /// Where it listens; on port 0, on any that is free.
    pub address: SocketAddr,
    /// The folder for everything that it must not forget.
    pub folder: PathBuf,
    /// The administrator's password. Without one, a server for this machine only makes one up.
    pub password: Option<String>,
    /// Settings that are to be other than they were, or other than usual.
    pub settings: SettingsChange,
    /// Whether tournaments are played without an administrator starting them.
    pub start: bool,
    /// The program and its version.
    pub engine: String,
    /// Calls the bots, where that is allowed.
    pub client: Client,
}

/// A tournament server that runs.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    venue: Arc<Venue>,
    close: watch::Sender<bool>,
    threads: Vec<JoinHandle<()>>,
    told: Vec<String>,
    made_up: Option<String>,
}

impl Server {
    /// Starts one. It goes on where the last one in its folder has ended, however that was.
    pub fn start(options: ServeOptions) -> Result<Server, ServeError> {
        let ServeOptions { address, folder, password, settings, start, engine, client } = options;
        let is_local = address.ip().is_loopback();
        let password = password.filter(|password| !password.is_empty());
        if password.is_none() && !is_local {
            return Err(ServeError::NoPassword { address });
        }
        let made_up = password.is_none().then(|| token()[..16].to_owned());
        let admin = AdminPassword::new(password.as_deref().or(made_up.as_deref()).unwrap_or_default());
        let listener = TcpListener::bind(address).map_err(|source| ServeError::Address { address, source })?;
        let address = listener.local_addr().map_err(|source| ServeError::Address { address, source })?;

        let (books, told) = Books::open(&folder, &engine)?;
        let venue = Arc::new(Venue::new(folder, engine, books, client, admin, is_local)?);
        venue.make_records()?;
        venue.sweep_records(Sweep::All);
        adjust(&venue, settings, start)?;
        venue.tell_all();

        let http_server = HttpServer::new(listener).map_err(|source| ServeError::Address { address, source })?;
        let (close, mut closing) = watch::channel(false);
        let routes = routes(&venue);
        let mut threads = vec![spawn("server", move || {
            http_server.run(routes, async move {
                let _ = closing.wait_for(|closing| *closing).await;
            });
        })?];
        for (name, work) in [("desk", desk::run as fn(&Arc<Venue>)), ("lookout", lookout::run)] {
            let venue = Arc::clone(&venue);
            threads.push(spawn(name, move || work(&venue))?);
        }
        Ok(Server { address, venue, close, threads, told, made_up })
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What had to be repaired, in words.
    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// The administrator's password, if it was made up.
    pub fn made_up_password(&self) -> Option<&str> {
        self.made_up.as_deref()
    }

    /// Ends it. Matches that are being played end without a result, and are played again by the next server in the same
    /// folder. Dropping does the same.
    pub fn finish(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        self.venue.close();
        self.close.send_replace(true);
        // A thread that panicked has said so on its own.
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, ArenaError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|e| ArenaError::process("start a thread for", "the server", e))
}

/// Enters what is other than it was.
fn adjust(venue: &Venue, change: SettingsChange, start: bool) -> Result<(), ServeError> {
    let enter =
        |line| venue.books.enter(|_| Ok(line)).map(drop).map_err(|refusal| ServeError::Begin(refusal.to_string()));
    let (settings, mode) = venue.books.look(|ledger| (ledger.settings(), ledger.mode()));
    let changed = settings.changed(change).map_err(ServeError::Settings)?;
    if changed != settings {
        enter(Line::Settings { settings: changed, at: super::line::now() })?;
    }
    if start && mode == super::Mode::Stopped {
        enter(Line::Mode { mode: super::Mode::Running, at: super::line::now() })?;
    }
    Ok(())
}

fn routes(venue: &Arc<Venue>) -> Router {
    let (api, document) = openapi::with_document(api::routes().merge(admin_api::routes()));
    Router::new()
        .merge(api)
        .merge(openapi::route(&document))
        .merge(pages::routes())
        .merge(forms::routes())
        .fallback(pages::missing)
        .layer(DefaultBodyLimit::max(guard::MOST_OF_BODY))
        .layer(from_fn_with_state(Arc::clone(venue), guard::guard))
        .with_state(Arc::clone(venue))
}
