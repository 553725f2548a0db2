//! The start and the end of a server.

use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::other_machines::OtherMachines;
use crate::contests::submissions::disk_budget;
use crate::contests::submissions::judge_queue::{self, Failures};
use crate::http::app::App;
use crate::http::reach::Reach;
use crate::http::{api, contest_final_api, contest_watch_api, guard, metrics, openapi};
use crate::matches::finals::screens;
use crate::matches::host::MatchHost;
use crate::matches::house_match::HouseMatches;
use crate::matches::records::Sweep;
use crate::matches::{health_check, publish, records, scheduler};
use crate::pages::join_address::JoinAddress;
use crate::pages::{
    admin, admin_contests, contest_games, contest_marks, contest_pages, contest_profile, contest_screen,
    contest_tournament_pages, final_page, forms, play, response, screen, team_pages,
};
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::journal_line::{ServerJournalLine, TournamentMode, now};
use crate::state::random::token;
use crate::state::serve_error::ServeError;
use crate::state::settings::SettingsChange;
use crate::state::store::Store;
use crate::teams::access::Access;
use crate::teams::password::Secret;
use arena::ArenaError;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use axum::middleware::from_fn_with_state;
use players::http::{AllowedHosts, Client};
use runner::SandboxLevel;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::watch;
use web::http_server::HttpServer;

/// The shortest password of an administrator whose server others can reach, in characters: guesses of 128 connections from one
/// address are about forty a second.
const LEAST_OF_ADMIN_PASSWORD: usize = 8;

/// Options for starting a server.
#[derive(Debug)]
pub struct ServeOptions {
    /// The address to listen on. Port 0 takes any free port.
    pub address: SocketAddr,
    /// The folder for everything that must survive a restart.
    pub folder: PathBuf,
    /// The administrator's password. A server for this machine only may have none, and generates one.
    pub password: Option<String>,
    /// The code that teams need to join; none if everyone may join.
    pub join_code: Option<String>,
    /// Settings that differ from the stored ones, or from the defaults.
    pub settings: SettingsChange,
    /// True to start tournaments without waiting for the administrator.
    pub start: bool,
    /// The name and version of the program.
    pub engine: String,
    /// The HTTP client for calling bots, with the hosts that it may call.
    pub client: Client,
    /// The most open connections of one address, of 1,024 in total; 128 is a good default. Clients behind a reverse proxy
    /// or a router share its address. Three quarters may be event streams.
    pub connections_per_address: usize,
    /// The time for the headers of a request, and as much again for its body; 10 s is a good default.
    pub request_time: Duration,
    /// The hosts that every team may test. Without a list, a team may test only bots on its own machine.
    pub test_hosts: Option<AllowedHosts>,
    /// Contests in which bots are handed in, each with its name: new ones begin, and those that there are get these settings.
    pub contests: Vec<(ContestName, ContestSettings)>,
    /// The number of versions that are built and tried at the same time: at least one, and at most one for each processor.
    pub builds: usize,
    /// The sandbox of bots that are handed in. Without it, or with gaps at the level strict, none are taken.
    pub sandbox: SandboxLevel,
    /// The machines that play the games of ladders; `None` for this one.
    pub others: Option<OtherMachines>,
    /// The names under which a reverse proxy or a tunnel on this machine passes requests on. A server on a loopback address
    /// refuses requests for any other name, because another site could point its own name there.
    pub public_hosts: Vec<String>,
}

/// A running tournament server.
#[derive(Debug)]
pub struct TournamentServer {
    /// The address that the server listens on.
    pub address: SocketAddr,
    /// Messages about what was repaired at the start.
    pub repairs: Vec<String>,
    /// The administrator's password, if it was generated.
    pub generated_password: Option<String>,
    app: Arc<App>,
    close: watch::Sender<bool>,
    threads: Vec<JoinHandle<()>>,
}

impl TournamentServer {
    /// Starts a server. It continues with the state that it finds in the folder.
    ///
    /// # Errors
    /// The address is in use or has no password, the folder is in use, the journal is damaged, a setting is out of its
    /// range, or the disk or the system fails. [`ServeError`] says for each case what to do.
    pub fn start(options: ServeOptions) -> Result<TournamentServer, ServeError> {
        let ServeOptions {
            address,
            folder,
            password,
            join_code,
            settings,
            start,
            engine,
            client,
            connections_per_address,
            request_time,
            test_hosts,
            contests,
            builds,
            sandbox,
            others,
            public_hosts,
        } = options;
        let is_local = address.ip().is_loopback();
        let password = password.filter(|password| !password.is_empty());
        let is_long = password.as_ref().is_some_and(|password| password.chars().count() >= LEAST_OF_ADMIN_PASSWORD);
        if !is_long && !is_local {
            return Err(ServeError::NoPassword { address });
        }
        let generated_password = password.is_none().then(|| token()[..16].to_owned());
        let admin = Secret::new(password.as_deref().or(generated_password.as_deref()).unwrap_or_default());
        let listener = TcpListener::bind(address).map_err(|source| ServeError::Address { address, source })?;
        let address = listener.local_addr().map_err(|source| ServeError::Address { address, source })?;

        let (store, repairs) = Store::open(&folder, &engine)?;
        let host = Arc::new(MatchHost::new(folder, engine, store, client)?);
        records::make_folder(&host)?;
        records::sweep(&host, Sweep::All);
        adjust(&host, settings, start)?;
        screens::hide(&host);
        let (contests, ladders) = ContestHost::new(Arc::clone(&host), contests, (sandbox, others))?;
        publish::all(&host);
        let access = Access::new(Arc::clone(&host), admin, join_code.as_deref(), test_hosts, !public_hosts.is_empty());
        let reach = Reach { is_local, public_hosts, address };
        let house_matches = Arc::new(HouseMatches::default());
        let (contests, analysed) = (Arc::new(contests), Arc::default());
        let app = Arc::new(App { host, contests, analysed, access, house_matches, reach, request_time });

        let http_server = HttpServer::new(listener, connections_per_address)
            .map_err(|source| ServeError::Address { address, source })?
            .with_headers_within(request_time);
        ladders.into_iter().try_for_each(|ladder| app.contests.play(ladder))?;
        let (close, mut closing) = watch::channel(false);
        let routes = routes(&app);
        let mut threads = vec![spawn("server", move || {
            http_server.run(routes, async move {
                let _ = closing.wait_for(|closing| *closing).await;
            });
        })?];
        for (name, work) in [("scheduler", scheduler::run as fn(&Arc<MatchHost>)), ("health check", health_check::run)]
        {
            let host = Arc::clone(&app.host);
            threads.push(spawn(name, move || work(&host))?);
        }
        disk_budget::keep_all_within(&app.contests);
        let failures: Arc<Failures> = Arc::default();
        for _ in 0..builds.min(thread::available_parallelism().map_or(1, usize::from)).max(1) {
            let (contests, failures) = (Arc::clone(&app.contests), Arc::clone(&failures));
            threads.push(spawn("submissions", move || judge_queue::run(&contests, &failures))?);
        }
        Ok(TournamentServer { address, repairs, generated_password, app, close, threads })
    }

    /// The pages for people: what each is for, and its address, as other machines reach it if the server knows how.
    pub fn links(&self) -> Vec<(String, String)> {
        let JoinAddress { text, .. } = self.app.reach.join_address(&HeaderMap::new());
        let pages = [
            ("Lobby for teams", "/"),
            ("Big screen", "/view"),
            ("Overlay for streams", "/overlay"),
            ("Administration", "/admin"),
        ];
        let pages = pages.map(|(what, path)| (what.to_owned(), format!("{text}{path}")));
        let contests = self.app.host.store.look(|state| {
            let link = |name| (format!("Contest {name}"), format!("{text}/c/{name}"));
            state.contests.keys().map(link).collect::<Vec<_>>()
        });
        pages.into_iter().chain(contests).collect()
    }

    /// The reason why no bots can be handed in, if there are contests and no bots can.
    pub fn refuses_bots(&self) -> Option<&str> {
        let has_contests = self.app.host.store.look(|state| !state.contests.is_empty());
        self.app.contests.refusal.as_deref().filter(|_| has_contests)
    }

    /// Calls `tell` for each event from now on, with one line for the operator: who joins, results, bots that are parked. The
    /// calls come from a thread of their own; lines for which `tell` is too slow are lost. Only the first call has an effect.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn report_activity(&self, tell: impl Fn(&str) + Send + 'static) -> Result<(), ServeError> {
        let failed = |e| ArenaError::process("start a thread for", "the events", e);
        Ok(self.app.host.store.activity.listen(tell).map_err(failed)?)
    }

    /// Ends the server. Matches that are being played end without a result; the next server in the same folder plays
    /// them again. Dropping the value does the same.
    pub fn finish(self) {}
}

impl Drop for TournamentServer {
    fn drop(&mut self) {
        self.app.host.close();
        self.app.contests.close();
        self.close.send_replace(true);
        // A thread that panicked has reported that itself.
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
        self.app.contests.join();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, ArenaError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|e| ArenaError::process("start a thread for", "the server", e))
}

/// Enters settings and a mode that differ from the stored ones.
fn adjust(host: &MatchHost, change: SettingsChange, start: bool) -> Result<(), ServeError> {
    let enter = |line| host.store.enter(|_| Ok(line)).map(drop).map_err(|error| ServeError::Begin(error.to_string()));
    let (settings, mode) = host.store.look(|state| (state.settings, state.mode));
    let changed = settings.changed(change).map_err(ServeError::Settings)?;
    if changed != settings {
        enter(ServerJournalLine::Settings { settings: changed, at: now() })?;
    }
    if start && mode == TournamentMode::Stopped {
        enter(ServerJournalLine::Mode { mode: TournamentMode::Running, why: None, at: now() })?;
    }
    Ok(())
}

fn routes(app: &Arc<App>) -> Router {
    let (api, document) = openapi::with_document(openapi::routes());
    Router::new()
        .merge(api)
        .merge(openapi::route(&document))
        .merge(api::page_routes())
        .merge(contest_watch_api::page_routes())
        .merge(contest_final_api::page_routes())
        .merge(metrics::routes())
        .merge(team_pages::routes())
        .merge(admin::routes())
        .merge(admin_contests::routes())
        .merge(screen::routes())
        .merge(final_page::routes())
        .merge(forms::routes())
        .merge(contest_pages::routes())
        .merge(contest_games::routes())
        .merge(contest_marks::routes())
        .merge(contest_profile::routes())
        .merge(contest_tournament_pages::routes())
        .merge(contest_screen::routes())
        .merge(play::routes(app))
        .fallback(response::missing)
        .layer(DefaultBodyLimit::max(guard::MOST_OF_BODY))
        .layer(from_fn_with_state(Arc::clone(app), guard::guard))
        .with_state(Arc::clone(app))
}
