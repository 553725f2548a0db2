//! The application state: everything that requests and threads of the server share, and the events about its changes.

use super::csrf::CsrfTokens;
use super::event_stream::{EventScope, EventStream};
use super::health::{Health, HealthByBot};
use super::journal_line::{BotId, TournamentMode};
use super::password::{AdminPassword, Passwords};
use super::play::HousePlay;
use super::request_error::{RequestError, RequestResult};
use super::running_matches::RunningMatches;
use super::server_state::{RegisteredBot, ServerState};
use super::session::Sessions;
use super::store::Store;
use super::throttle::Throttle;
use super::upcoming::{Upcoming, upcoming};
use super::wire::{BotState, BotView, Leaderboards, Status, TournamentView};
use arena::record::milliseconds;
use arena::{ArenaError, Interrupt};
use axum::extract::State;
use players::http::{AllowedHosts, Client};
use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The number of pairings that are announced in advance.
const NEXT: usize = 5;
/// The most log-ins of the administrator.
const ADMIN_LOG_INS: usize = 64;
/// The most log-ins of one team.
const TEAM_LOG_INS: usize = 16;
/// The most bots that are tested at the same time.
const PROBES: usize = 2;
/// The most matches that are replayed at the same time.
const REPLAYS: usize = 2;

/// The application state as the handlers of requests get it.
pub(super) type AppState = State<Arc<App>>;

/// The state that all parts of the server share.
#[derive(Debug)]
pub(super) struct App {
    pub(super) folder: PathBuf,
    /// The name and version of the program, for records.
    pub(super) engine: String,
    pub(super) store: Store,
    health: Mutex<HealthByBot>,
    pub(super) events: Arc<EventStream>,
    pub(super) matches: RunningMatches,
    pub(super) client: Arc<Client>,
    /// The hosts that every team may test.
    pub(super) test_hosts: AllowedHosts,
    pub(super) passwords: Passwords,
    pub(super) admin: AdminPassword,
    pub(super) sessions: Sessions<()>,
    pub(super) team_sessions: Sessions<BotId>,
    pub(super) csrf_tokens: CsrfTokens,
    pub(super) throttles: Throttles,
    pub(super) house_play: HousePlay,
    pub(super) probes: Arc<Semaphore>,
    /// Permits for replaying a match, which takes memory and processor time.
    pub(super) replays: Semaphore,
    /// Interrupts work that belongs to no match.
    pub(super) ending: Interrupt,
    pub(super) reach: Reach,
    /// The time for the body of a request.
    pub(super) request_time: Duration,
    /// The state of each bot as last published. The lock is held while an event is made and published, so that no older
    /// event follows a newer one.
    published: Mutex<Vec<(String, BotState)>>,
}

/// The rate limits of one address.
#[derive(Debug)]
pub(super) struct Throttles {
    /// Generous, because a whole room of teams may share one address.
    pub(super) register: Throttle,
    pub(super) set_url: Throttle,
    pub(super) login: Throttle,
    pub(super) team_login: Throttle,
    pub(super) test: Throttle,
}

/// The names by which the server is reached.
#[derive(Debug)]
pub(super) struct Reach {
    /// True if it listens on a loopback address. It then answers only to names of this machine and to `public_hosts`, else to
    /// any name.
    pub(super) is_local: bool,
    /// The names of proxies and tunnels that pass requests on.
    pub(super) public_hosts: Vec<String>,
    /// The address that it listens on.
    pub(super) address: SocketAddr,
}

impl App {
    pub(super) fn new(
        folder: PathBuf,
        engine: String,
        store: Store,
        client: Client,
        test_hosts: Option<AllowedHosts>,
        admin: AdminPassword,
        reach: Reach,
    ) -> Result<App, ArenaError> {
        let ending = Interrupt::new().map_err(|e| ArenaError::process("make a pipe for", "the server", e))?;
        Ok(App {
            folder,
            engine,
            store,
            health: Mutex::default(),
            events: Arc::new(EventStream::new()),
            matches: RunningMatches::default(),
            client: Arc::new(client),
            test_hosts: test_hosts.unwrap_or_else(AllowedHosts::none),
            passwords: Passwords::new(),
            admin,
            sessions: Sessions::new(ADMIN_LOG_INS),
            team_sessions: Sessions::new(TEAM_LOG_INS),
            csrf_tokens: CsrfTokens::new(),
            throttles: Throttles {
                register: Throttle::new(40, Duration::from_secs(3)),
                set_url: Throttle::new(40, Duration::from_secs(2)),
                login: Throttle::new(10, Duration::from_secs(5)),
                team_login: Throttle::new(40, Duration::from_secs(2)),
                test: Throttle::new(20, Duration::from_secs(3)),
            },
            house_play: HousePlay::default(),
            probes: Arc::new(Semaphore::new(PROBES)),
            replays: Semaphore::new(REPLAYS),
            ending,
            reach,
            request_time: Duration::from_secs(10),
            published: Mutex::default(),
        })
    }

    /// Ends all activity of the server.
    pub(super) fn close(&self) {
        self.ending.raise();
        self.matches.close();
        self.events.close();
    }

    /// Runs work that may wait for the disk on another thread.
    pub(super) async fn blocking<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&App) -> RequestResult<T> + Send + 'static,
    ) -> RequestResult<T> {
        let app = Arc::clone(self);
        spawn_blocking(move || work(&app)).await.map_err(RequestError::internal)?
    }

    /// The health of all bots.
    pub(super) fn health(&self) -> MutexGuard<'_, HealthByBot> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what the server could not do, as [`RunningMatches::report_trouble`] does, and tells the operator.
    pub(super) fn report_trouble(&self, text: &str) {
        self.matches.report_trouble(text);
        self.store.activity.add(|| format!("The server failed: {text}"));
    }

    /// Tells the operator about a bot: its name, and these words.
    pub(super) fn note_bot(&self, bot: BotId, words: &str) {
        let name = self.store.look(|state| state.bot(bot).map(|entry| entry.name.to_string()));
        if let Some(name) = name {
            self.store.activity.add(|| format!("{name} {words}"));
        }
    }

    /// Publishes all topics, for listeners that connect later.
    pub(super) fn tell_all(&self) {
        self.tell_settings();
        self.tell_bots();
        self.tell_leaderboard();
        self.tell_tournament();
        self.tell_final();
    }

    fn publish<T: Serialize>(&self, topic: &'static str, make: impl FnOnce(&App) -> T) {
        let _publishing = self.published();
        self.events.publish(topic, EventScope::Topic, &make(self));
    }

    pub(super) fn tell_settings(&self) {
        self.publish("settings", |app| app.store.look(|state| state.settings));
    }

    pub(super) fn tell_bots(&self) {
        let mut states = self.published();
        let bots = self.bots(false);
        *states = states_of(&bots);
        self.events.publish("bots", EventScope::Topic, &bots);
    }

    /// Publishes the bots if the state of one has changed since the last time, e.g. because it stopped answering.
    pub(super) fn tell_changed_bots(&self) {
        let changed = *self.published() != states_of(&self.bots(false));
        if changed {
            self.tell_bots();
        }
    }

    pub(super) fn tell_leaderboard(&self) {
        self.publish("leaderboard", App::leaderboards);
        // The bots of a final that is planned follow from the leaderboard.
        if self.store.look(|state| state.present_final.as_ref().is_some_and(|present| present.lineup.is_none())) {
            self.tell_final();
        }
    }

    pub(super) fn tell_final(&self) {
        self.publish("final", App::final_view);
    }

    pub(super) fn tell_tournament(&self) {
        self.publish("tournament", App::tournament);
    }

    fn published(&self) -> MutexGuard<'_, Vec<(String, BotState)>> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bots in the order of registration, with their URLs for the administrator.
    pub(super) fn bots(&self, with_urls: bool) -> Vec<BotView> {
        let now = Instant::now();
        self.store.look(|state| {
            let health = self.health();
            state.bots().map(|entry| view(entry, &health.of(entry.id), with_urls, now)).collect()
        })
    }

    /// A bot as its owner may see it.
    pub(super) fn own(&self, entry: &RegisteredBot) -> BotView {
        view(entry, &self.health().of(entry.id), true, Instant::now())
    }

    pub(super) fn leaderboards(&self) -> Leaderboards {
        self.store.look(ServerState::leaderboards)
    }

    pub(super) fn tournament(&self) -> TournamentView {
        let matches = self.matches.lock();
        let view = self.store.look(|state| {
            let present = state.tournament.as_ref();
            let name = |bot| state.bot(bot).map_or_else(String::new, |entry| entry.name.to_string());
            let is_over = present.is_none_or(|tournament| tournament.is_over);
            let running: Vec<[BotId; 2]> = matches.running.values().map(|running| running.bots).collect();
            let Upcoming { pairings, left_out } = upcoming(state, &self.health(), &running, NEXT);
            TournamentView {
                mode: state.mode,
                running: state.mode != TournamentMode::Stopped,
                paused: state.mode == TournamentMode::Paused,
                number: present.map_or(0, |tournament| tournament.number),
                over: is_over,
                played: present.map_or(0, |tournament| tournament.played.len() as u32),
                planned: present.map_or(0, |tournament| tournament.order.len() as u32),
                now: matches.running.keys().copied().collect(),
                next: pairings.into_iter().map(|pairing| pairing.map(name)).collect(),
                left_out,
                since: state.mode_since.clone(),
                words: String::new(),
                waiting: matches.waiting.map(str::to_owned),
            }
        });
        TournamentView { words: view.describe(), ..view }
    }

    /// The status for the administrator.
    pub(super) fn status(&self) -> Status {
        let trouble = self.matches.lock().trouble.clone();
        Status {
            tournament: self.tournament(),
            settings: self.store.look(|state| state.settings),
            bots: self.bots(true),
            listeners: self.events.listeners(),
            trouble,
        }
    }
}

fn states_of(bots: &[BotView]) -> Vec<(String, BotState)> {
    bots.iter().map(|bot| (bot.id.clone(), bot.state)).collect()
}

fn view(entry: &RegisteredBot, health: &Health, with_url: bool, now: Instant) -> BotView {
    let state = match (&entry.url, &health.parked, health.reachable) {
        (None, ..) => BotState::NoUrl,
        (_, Some(_), _) => BotState::Parked,
        (_, _, Some(true)) => BotState::Reachable,
        (_, _, Some(false)) => BotState::Unreachable,
        (_, _, None) => BotState::Unknown,
    };
    let parked = health.parked.as_ref();
    let fault = parked.map(|parked| parked.why.clone());
    BotView {
        id: entry.id.to_string(),
        name: entry.name.to_string(),
        bot_url: entry.url.as_ref().filter(|_| with_url).map(|url| url.as_str().to_owned()),
        has_url: entry.url.is_some(),
        created_at: entry.registered.clone(),
        last_update_at: entry.updated.clone(),
        stats: entry.all,
        state,
        latency_ms: health.latency.map(milliseconds).or(entry.median_ms),
        last_fault: fault.or_else(|| health.fault.clone()).or_else(|| entry.fault.clone()),
        asked_again_in_s: parked.map(|parked| parked.next.saturating_duration_since(now).as_secs()),
    }
}
