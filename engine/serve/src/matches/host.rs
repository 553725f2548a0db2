//! The host of matches: the store, the health of bots, the events and the running matches, shared by all threads.

use crate::matches::event_state;
use crate::matches::health::HealthByBot;
use crate::matches::match_streams::MatchStreams;
use crate::matches::running_matches::RunningMatches;
use crate::state::journal_line::ServerJournalLine;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use crate::state::store::Store;
use crate::state::wire::BotState;
use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use players::http::Client;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use web::EventLog;

/// The most matches that are replayed at the same time.
const REPLAYS: usize = 2;

/// The store of a server, the health of its bots, its events, and the matches that are being played.
#[derive(Debug)]
pub(crate) struct MatchHost {
    pub(crate) folder: PathBuf,
    /// The name and version of the program, for records.
    pub(crate) engine: String,
    pub(crate) store: Store,
    health: Mutex<HealthByBot>,
    pub(crate) events: Arc<EventLog>,
    pub(crate) streams: MatchStreams,
    pub(crate) running: RunningMatches,
    pub(crate) client: Arc<Client>,
    /// Permits for replaying a match, which takes memory and processor time.
    pub(crate) replays: Arc<Semaphore>,
    /// Interrupts work that belongs to no match.
    pub(crate) ending: Interrupt,
    /// The number and the state of each bot as last published, and if it is slow. The lock is held while an event is made and published, so that no older
    /// event follows a newer one.
    published: Mutex<Vec<(String, BotState, bool)>>,
}

impl MatchHost {
    /// # Errors
    /// The system gives no pipe.
    pub(crate) fn new(folder: PathBuf, engine: String, store: Store, client: Client) -> Result<MatchHost, ArenaError> {
        let ending = Interrupt::new().map_err(|e| ArenaError::process("make a pipe for", "the server", e))?;
        let health = Mutex::new(store.look(HealthByBot::of_those_that_answered));
        Ok(MatchHost {
            folder,
            engine,
            store,
            health,
            events: Arc::new(event_state::events()),
            streams: MatchStreams::default(),
            running: RunningMatches::default(),
            client: Arc::new(client),
            replays: Arc::new(Semaphore::new(REPLAYS)),
            ending,
            published: Mutex::default(),
        })
    }

    /// Ends all activity of the server.
    pub(crate) fn close(&self) {
        self.ending.raise();
        self.running.close();
        self.events.close();
        self.streams.close();
    }

    /// Runs work that may wait for the disk on another thread.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<MatchHost>,
        work: impl FnOnce(&MatchHost) -> RequestResult<T> + Send + 'static,
    ) -> RequestResult<T> {
        let host = Arc::clone(self);
        spawn_blocking(move || work(&host)).await.map_err(RequestError::internal)?
    }

    /// Enters a line in the journal, on a thread that may wait for the disk.
    pub(crate) async fn enter(
        self: &Arc<MatchHost>,
        make: impl FnOnce(&ServerState) -> RequestResult<ServerJournalLine> + Send + 'static,
    ) -> RequestResult<ServerJournalLine> {
        let entered = self.blocking(move |host| host.store.enter(make)).await;
        entered.inspect_err(|error| {
            if error.cause.is_some() {
                self.report_trouble(error);
            }
        })
    }

    /// The health of all bots. The state must not be looked at while it is locked.
    pub(crate) fn health(&self) -> MutexGuard<'_, HealthByBot> {
        lock(&self.health)
    }

    /// The lock that is held while an event is made and published.
    pub(crate) fn published(&self) -> MutexGuard<'_, Vec<(String, BotState, bool)>> {
        lock(&self.published)
    }

    /// Notes what the server could not do, as [`RunningMatches::report_trouble`] does, and tells the operator when it is new.
    pub(crate) fn report_trouble(&self, error: &RequestError) {
        let text = error.cause.as_ref().unwrap_or(&error.message);
        if self.running.report_trouble(text) {
            // The terminal may be seen by an audience, and the text may have the URL of a bot.
            self.store.activity.add(|| "The server failed; /admin tells the cause".to_owned());
        }
    }

    /// Tells the operator about a bot: its name, and these words.
    pub(crate) fn note_bot(&self, bot: BotId, words: &str) {
        let name = self.store.look(|state| state.bot(bot).map(|entry| entry.name.to_string()));
        if let Some(name) = name {
            self.store.activity.add(|| format!("{name} {words}"));
        }
    }

    /// The number of the match that is played for the screens, or that they show.
    pub(crate) fn match_on_screen(&self) -> Option<u64> {
        self.running.lock().on_screen
    }
}
