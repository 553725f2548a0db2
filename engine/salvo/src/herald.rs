//! The herald tells on topics what happens, to everyone or to one player, as the published text has it.

use crate::carrier::Carrier;
use arena::{ArenaError, MatchEvent, Observer};
use log::debug;
use rules::salvo::body::{GameState, Refused};
use rules::salvo::{Event, Salvo, ShipKind, ShipTopic, Statistic, Topic, Topics, body};
use rules::{BySeat, Game, Outcome, Seat, Told};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tells what happens.
pub(crate) struct Herald {
    topics: Topics,
    carrier: Box<dyn Carrier>,
    /// The topics whose last message is kept for those who come later, and which only make sense in this game.
    of_this_game: Mutex<BTreeSet<String>>,
    refusals: Mutex<Refusals>,
}

/// The most refusals in a second. Everyone is told of them, so whoever asks again and again could bury all else.
const REFUSALS: u32 = 20;

/// The refusals of a second.
struct Refusals {
    since: Instant,
    told: u32,
}

impl Refusals {
    /// Counts one more; false if that is too many.
    fn counts_one(&mut self) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            *self = Refusals { since: Instant::now(), told: 0 };
        }
        self.told += 1;
        self.told <= REFUSALS
    }
}

impl Herald {
    /// One that tells through this carrier.
    pub(crate) fn new(topics: Topics, carrier: Box<dyn Carrier>) -> Herald {
        let refusals = Mutex::new(Refusals { since: Instant::now(), told: 0 });
        Herald { topics, carrier, of_this_game: Mutex::default(), refusals }
    }

    fn tell(&self, topic: &Topic<'_>, body: impl Into<Vec<u8>>) {
        let (body, retain) = (body.into(), is_kept(topic));
        for name in self.topics.names(topic) {
            if retain && !matches!(topic, Topic::State | Topic::Count | Topic::List) {
                self.of_this_game.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
            }
            self.carrier.publish(name, body.clone(), retain);
        }
    }

    /// Takes back what was kept of a game.
    pub(crate) fn forget(&self) {
        let names = std::mem::take(&mut *self.of_this_game.lock().unwrap_or_else(PoisonError::into_inner));
        names.into_iter().for_each(|name| self.carrier.publish(name, Vec::new(), true));
    }

    /// What the game is doing now.
    pub(crate) fn state(&self, state: GameState) {
        self.tell(&Topic::State, state.name());
    }

    /// Who takes part.
    pub(crate) fn teams<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) {
        self.tell(&Topic::Count, names.clone().count().to_string());
        self.tell(&Topic::List, body::list(names));
    }

    /// Whether the latest place of a ship was right.
    pub(crate) fn placed<T>(&self, player: &str, ship: ShipKind, result: Result<T, impl Display>) {
        let topic = |what| Topic::Ship { player, ship, what };
        self.tell(&topic(ShipTopic::Approved), result.is_ok().to_string());
        if let Err(error) = result {
            self.tell(&topic(ShipTopic::Error), error.to_string());
        }
    }

    /// Tells a player what was wrong with a message of its own.
    pub(crate) fn complain(&self, player: &str, error: &impl Display) {
        self.tell(&Topic::Error { player }, error.to_string());
    }

    /// Tells those who want to take part why they cannot. They have no topic of their own: the name may be another's.
    pub(crate) fn refuse(&self, name: &str, error: &impl Display) {
        let refused = body::refused(&Refused { name: name.to_owned(), error: error.to_string() });
        if self.refusals.lock().unwrap_or_else(PoisonError::into_inner).counts_one() {
            self.tell(&Topic::Refused, refused);
        } else {
            debug!("not told any more in this second: {refused}");
        }
    }
}

/// Whether those who come later get the last message of a topic.
fn is_kept(topic: &Topic<'_>) -> bool {
    match topic {
        Topic::State
        | Topic::Current
        | Topic::Winner
        | Topic::Stats(_)
        | Topic::Count
        | Topic::List
        | Topic::Defeated { .. } => true,
        Topic::Ship { what, .. } => matches!(what, ShipTopic::Approved | ShipTopic::Sunk),
        Topic::Request
        | Topic::Hits
        | Topic::Refused
        | Topic::Fire { .. }
        | Topic::Hit { .. }
        | Topic::Error { .. } => false,
    }
}

/// Watches a match and lets the herald tell what happens in it.
pub(crate) struct Announcer<'a> {
    herald: &'a Herald,
    names: &'a BySeat<String>,
    /// So many turns were played before the server was started again: what happened in them was told then.
    known: u32,
    /// How long each player has taken for its shots.
    taken: BySeat<Duration>,
}

impl<'a> Announcer<'a> {
    pub(crate) fn new(herald: &'a Herald, names: &'a BySeat<String>, known: u32) -> Announcer<'a> {
        Announcer { herald, names, known, taken: names.map(|_| Duration::ZERO) }
    }

    fn name(&self, seat: Seat) -> &'a str {
        &self.names[seat]
    }

    fn happened(&self, event: &Event, told_before: bool) {
        match event {
            Event::Sunk { target, ship, .. } => {
                let topic = Topic::Ship { player: self.name(*target), ship: *ship, what: ShipTopic::Sunk };
                self.herald.tell(&topic, "true");
            }
            Event::Defeated { seat } => self.herald.tell(&Topic::Defeated { player: self.name(*seat) }, "true"),
            _ if told_before => {}
            Event::Turn { seat, .. } => self.herald.tell(&Topic::Current, self.name(*seat)),
            Event::Incoming { target, at, .. } => {
                self.herald.tell(&Topic::Hit { target: self.name(*target) }, body::cell(*at));
            }
            Event::SalvoOver { hits, .. } => self.herald.tell(&Topic::Hits, hits.to_string()),
            Event::Lapsed { seat, shots, why } => {
                let shots = if *shots == 1 { "a shot is lost".to_owned() } else { format!("{shots} shots are lost") };
                self.herald.complain(self.name(*seat), &format!("{shots}: {} {why}", self.name(*seat)));
            }
            Event::Removed { seat, why } => {
                self.herald.complain(self.name(*seat), &format!("out of the game: {} {why}", self.name(*seat)));
                self.herald.tell(&Topic::Defeated { player: self.name(*seat) }, "true");
            }
            Event::Placed { .. } | Event::Fired { .. } => {}
        }
    }

    fn over(&self, outcome: &Outcome, game: &Salvo) {
        if let Some(winner) = outcome.winner {
            self.herald.tell(&Topic::Winner, self.name(winner));
        }
        let stats = game.stats();
        for statistic in Statistic::ALL {
            let value = |seat: Seat| match stats[seat].value(statistic) {
                Some(value) => value,
                None => self.milliseconds_per_turn(seat, stats[seat].turns),
            };
            let values = self.names.iter().map(|(seat, name)| (name.as_str(), value(seat)));
            self.herald.tell(&Topic::Stats(statistic), body::by_player(values));
        }
        self.herald.state(GameState::Over);
    }

    fn milliseconds_per_turn(&self, seat: Seat, turns: u32) -> f64 {
        let micros = self.taken[seat].checked_div(turns).unwrap_or_default().as_micros();
        micros as f64 / 1000.0
    }
}

impl Observer<Salvo> for Announcer<'_> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { turn, game } => {
                if *turn == self.known && *turn > 0 {
                    self.herald.state(GameState::Turn);
                    if let Some(salvo) = game.salvo() {
                        self.herald.tell(&Topic::Current, self.name(salvo.seat));
                    }
                }
            }
            MatchEvent::Answered { replies, .. } => {
                for (seat, reply) in *replies {
                    self.taken[*seat] += reply.time.map_or(Duration::ZERO, |time| time.wall);
                }
            }
            MatchEvent::Advanced { turn, told, game } => {
                if *turn == 0 && self.known == 0 && game.outcome().is_none() {
                    self.herald.state(GameState::Turn);
                }
                told.iter().for_each(|Told { event, .. }| self.happened(event, *turn < self.known));
            }
            MatchEvent::Finished { outcome, game } => self.over(outcome, game),
        }
        Ok(())
    }
}
