//! The venue: where everything of the server meets, and what it tells of itself.

use super::books::Books;
use super::condition::{Condition, Conditions};
use super::desk::left;
use super::floor::Floor;
use super::ledger::{Entry, Ledger};
use super::line::Mode;
use super::news::{News, Place};
use super::secret::{AdminPassword, Passwords};
use super::session::{Seals, Sessions};
use super::throttle::Throttle;
use super::wire::{BotState, BotView, Leaderboards, Status, TournamentView};
use arena::record::milliseconds;
use arena::{ArenaError, Interrupt};
use players::http::Client;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Pairings that are told in advance.
const NEXT: usize = 5;
/// Bots that are tried out at the same time.
const TRIALS: usize = 2;
/// Matches that are seen again at the same time.
const REPLAYS: usize = 2;

/// Where everything of the server meets.
#[derive(Debug)]
pub(super) struct Venue {
    pub(super) folder: PathBuf,
    /// The program and its version, for records.
    pub(super) engine: String,
    pub(super) books: Books,
    conditions: Mutex<Conditions>,
    pub(super) news: Arc<News>,
    pub(super) floor: Floor,
    pub(super) client: Arc<Client>,
    pub(super) passwords: Passwords,
    pub(super) admin: AdminPassword,
    pub(super) sessions: Sessions,
    pub(super) seals: Seals,
    pub(super) throttles: Throttles,
    pub(super) trials: Arc<Semaphore>,
    /// Turns of those who want to see a match again, which takes memory and time.
    pub(super) replays: Semaphore,
    /// Ends what belongs to no match.
    pub(super) ending: Interrupt,
    /// Whether only this machine can reach the server.
    pub(super) is_local: bool,
    /// How the bots were when that was told last. Held while something is made of what is so now and told, so that
    /// nothing older is told after it.
    telling: Mutex<Vec<(String, BotState)>>,
}

/// How often one address may do what costs something.
#[derive(Debug)]
pub(super) struct Throttles {
    /// A whole room of teams may share one address.
    pub(super) register: Throttle,
    pub(super) set_url: Throttle,
    pub(super) login: Throttle,
    pub(super) test: Throttle,
}

impl Throttles {
    fn new() -> Throttles {
        Throttles {
            register: Throttle::new(40, Duration::from_secs(3)),
            set_url: Throttle::new(40, Duration::from_secs(2)),
            login: Throttle::new(10, Duration::from_secs(5)),
            test: Throttle::new(20, Duration::from_secs(3)),
        }
    }
}

impl Venue {
    pub(super) fn new(
        folder: PathBuf,
        engine: String,
        books: Books,
        client: Client,
        admin: AdminPassword,
        is_local: bool,
    ) -> Result<Venue, ArenaError> {
        let ending = Interrupt::new().map_err(|e| ArenaError::process("make a pipe for", "the server", e))?;
        Ok(Venue {
            folder,
            engine,
            books,
            conditions: Mutex::default(),
            news: Arc::new(News::new()),
            floor: Floor::new(),
            client: Arc::new(client),
            passwords: Passwords::new(),
            admin,
            sessions: Sessions::new(),
            seals: Seals::new(),
            throttles: Throttles::new(),
            trials: Arc::new(Semaphore::new(TRIALS)),
            replays: Semaphore::new(REPLAYS),
            ending,
            is_local,
            telling: Mutex::default(),
        })
    }

    /// Ends everything that goes on.
    pub(super) fn close(&self) {
        self.ending.raise();
        self.floor.close();
        self.news.close();
    }

    /// How the bots are doing.
    pub(super) fn conditions(&self) -> MutexGuard<'_, Conditions> {
        self.conditions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells everything to those who come later.
    pub(super) fn tell_all(&self) {
        self.tell_settings();
        self.tell_bots();
        self.tell_leaderboard();
        self.tell_tournament();
    }

    pub(super) fn tell_settings(&self) {
        let _telling = self.telling();
        self.news.publish("settings", Place::Topic, &self.books.look(Ledger::settings));
    }

    pub(super) fn tell_bots(&self) {
        let mut states = self.telling();
        let bots = self.bots(false);
        *states = states_of(&bots);
        self.news.publish("bots", Place::Topic, &bots);
    }

    /// Tells of the bots if one is doing otherwise than it was told last, such as not answering any more.
    pub(super) fn tell_changed_bots(&self) {
        let changed = *self.telling() != states_of(&self.bots(false));
        if changed {
            self.tell_bots();
        }
    }

    pub(super) fn tell_leaderboard(&self) {
        let _telling = self.telling();
        self.news.publish("leaderboard", Place::Topic, &self.leaderboards());
    }

    pub(super) fn tell_tournament(&self) {
        let _telling = self.telling();
        self.news.publish("tournament", Place::Topic, &self.tournament());
    }

    fn telling(&self) -> MutexGuard<'_, Vec<(String, BotState)>> {
        self.telling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bots in the order in which they joined, with their URLs for the administrator.
    pub(super) fn bots(&self, with_urls: bool) -> Vec<BotView> {
        let now = Instant::now();
        self.books.look(|ledger| {
            let conditions = self.conditions();
            ledger.bots().map(|entry| view(entry, &conditions.of(entry.id), with_urls, now)).collect()
        })
    }

    /// A bot as its owner may see it.
    pub(super) fn own(&self, entry: &Entry) -> BotView {
        view(entry, &self.conditions().of(entry.id), true, Instant::now())
    }

    pub(super) fn leaderboards(&self) -> Leaderboards {
        self.books.look(|ledger| Leaderboards { all: ledger.all(), tournament: ledger.current() })
    }

    pub(super) fn tournament(&self) -> TournamentView {
        let view = self.tournament_without_words();
        TournamentView { words: view.in_words(), ..view }
    }

    fn tournament_without_words(&self) -> TournamentView {
        let (playing, waiting) = (self.floor.playing(), self.floor.waiting());
        self.books.look(|ledger| {
            let present = ledger.tournament();
            let name = |bot| ledger.bot(bot).map_or_else(String::new, |entry| entry.name.to_string());
            let is_over = present.is_none_or(|tournament| tournament.is_over);
            let to_come = present.filter(|_| !is_over).into_iter().flat_map(|tournament| left(ledger, tournament));
            let to_come = to_come.filter(|pairing| playing.iter().all(|(_, bots)| bots != pairing));
            let next = to_come.take(NEXT).map(|pairing| pairing.map(name)).collect();
            TournamentView {
                mode: ledger.mode(),
                running: ledger.mode() != Mode::Stopped,
                paused: ledger.mode() == Mode::Paused,
                number: present.map_or(0, |tournament| tournament.number),
                over: is_over,
                played: present.map_or(0, |tournament| tournament.played.len() as u32),
                planned: present.map_or(0, |tournament| tournament.order.len() as u32),
                now: playing.iter().map(|(id, _)| *id).collect(),
                next,
                words: String::new(),
                waiting: waiting.map(str::to_owned),
            }
        })
    }

    /// What only the administrator may see.
    pub(super) fn status(&self) -> Status {
        Status {
            tournament: self.tournament(),
            settings: self.books.look(Ledger::settings),
            bots: self.bots(true),
            listeners: self.news.listeners(),
            trouble: self.floor.last_trouble(),
        }
    }
}

fn states_of(bots: &[BotView]) -> Vec<(String, BotState)> {
    bots.iter().map(|bot| (bot.id.clone(), bot.state)).collect()
}

fn view(entry: &Entry, condition: &Condition, with_url: bool, now: Instant) -> BotView {
    let state = match (&entry.url, &condition.parked, condition.reachable) {
        (None, ..) => BotState::NoUrl,
        (_, Some(_), _) => BotState::Parked,
        (_, _, Some(true)) => BotState::Reachable,
        (_, _, Some(false)) => BotState::Unreachable,
        (_, _, None) => BotState::Unknown,
    };
    let parked = condition.parked.as_ref();
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
        latency_ms: condition.latency.map(milliseconds).or(entry.median_ms),
        last_fault: fault.or_else(|| condition.fault.clone()).or_else(|| entry.fault.clone()),
        asked_again_in_s: parked.map(|parked| parked.next.saturating_duration_since(now).as_secs()),
    }
}
