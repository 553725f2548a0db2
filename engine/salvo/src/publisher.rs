//! The publisher: writes on topics what happens, in the words of the published text.

use crate::admin::answer_topic;
use crate::broker::Broker;
use arena::{ArenaError, MatchEvent, Observer, TimeUsed};
use log::{debug, error};
use platform::locks::lock;
use rules::salvo::body::{GameState, PlayerError, Refused};
use rules::salvo::{Event, NoOrder, Readers, Salvo, ShipKind, ShipTopic, Statistic, Topic, Topics, body};
use rules::{Audience, BySeat, Fault, Game, Outcome, Seat, Told, from_milliseconds, milliseconds, printable};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Writes on the topics of one server.
pub(crate) struct Publisher {
    topics: Topics,
    broker: Box<dyn Broker>,
    retained: Mutex<Retained>,
    refusals: Mutex<RefusalRate>,
}

/// The topics with a retained message that is about the current game only.
#[derive(Default)]
struct Retained {
    names: BTreeSet<String>,
    /// The name with the latest other spelling of the ship, by the usual name of the topic.
    spelled: BTreeMap<String, String>,
}

/// The most refusals in a second: everyone reads them, so a flood of requests must not bury all else.
const MAX_REFUSALS: u32 = 20;

/// The number of refusals in the current second.
#[derive(Debug, Clone)]
pub(crate) struct RefusalRate {
    since: Instant,
    count: u32,
}

impl Default for RefusalRate {
    fn default() -> RefusalRate {
        RefusalRate { since: Instant::now(), count: 0 }
    }
}

impl RefusalRate {
    /// Counts one more refusal; false if the second has too many.
    pub(crate) fn allows_one(&mut self) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            *self = RefusalRate::default();
        }
        self.count += 1;
        self.count <= MAX_REFUSALS
    }
}

impl Publisher {
    pub(crate) fn new(topics: Topics, broker: Box<dyn Broker>) -> Publisher {
        Publisher { topics, broker, retained: Mutex::default(), refusals: Mutex::default() }
    }

    fn retained(&self) -> MutexGuard<'_, Retained> {
        lock(&self.retained)
    }

    fn publish(&self, topic: &Topic<'_>, body: impl Into<Vec<u8>>) {
        self.publish_as(self.topics.names(topic), topic, body);
    }

    /// Publishes under these names of the topic.
    fn publish_as(&self, names: Vec<String>, topic: &Topic<'_>, body: impl Into<Vec<u8>>) {
        let (body, retain) = (body.into(), is_retained(topic));
        for name in names {
            if retain && !matches!(topic, Topic::State | Topic::Count | Topic::List) {
                self.retained().names.insert(name.clone());
            }
            self.broker.publish(name, body.clone(), retain);
        }
    }

    /// Takes back the retained messages of the game that is over.
    pub(crate) fn forget(&self) {
        let retained = std::mem::take(&mut *self.retained());
        retained.names.into_iter().for_each(|name| self.broker.publish(name, Vec::new(), true));
    }

    /// Takes back the retained message under another spelling of the ship's name in this topic, and keeps `spelled` as the
    /// name that is taken back next. So at most one spelling besides the usual one is retained.
    fn replace_spelling(&self, usual: &str, spelled: Option<&String>) {
        let mut retained = self.retained();
        let before = match spelled {
            Some(spelled) => retained.spelled.insert(usual.to_owned(), spelled.clone()),
            None => retained.spelled.remove(usual),
        };
        if let Some(before) = before.filter(|before| Some(before) != spelled) {
            retained.names.remove(&before);
            self.broker.publish(before, Vec::new(), true);
        }
    }

    /// Publishes an answer to a command of the administrator.
    pub(crate) fn answer_administrator(&self, answer: Vec<u8>) {
        self.broker.publish(answer_topic(&self.topics), answer, false);
    }

    /// Publishes the phase of the game.
    pub(crate) fn state(&self, state: GameState) {
        self.publish(&Topic::State, state.name());
    }

    /// Publishes the names of the teams, and their number.
    pub(crate) fn teams<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) {
        self.publish(&Topic::Count, names.clone().count().to_string());
        self.publish(&Topic::List, body::list(names));
    }

    /// Publishes that the latest place of a ship counts, or the reason why it does not. If the message spelled the name of the
    /// ship in another way than usual, the answer goes to the topics with that `spelling` as well: the client reads those. Of
    /// the spellings of a ship only the latest is retained.
    pub(crate) fn placed(
        &self,
        player: &str,
        ship: ShipKind,
        spelling: Option<&str>,
        result: Result<(), &dyn Display>,
    ) {
        let answer = |what: ShipTopic, text: String| {
            let topic = Topic::Ship { player, ship, what };
            let mut names = self.topics.names(&topic);
            let spelled = spelling.map(|spelling| self.topics.with_ship(&names[0], spelling));
            if is_retained(&topic) {
                self.replace_spelling(&names[0], spelled.as_ref());
            }
            names.extend(spelled);
            self.publish_as(names, &topic, text);
        };
        answer(ShipTopic::Approved, result.is_ok().to_string());
        if let Err(error) = result {
            answer(ShipTopic::Error, error.to_string());
        }
    }

    /// Tells a player why its message has no effect.
    pub(crate) fn complain(&self, player: &str, error: &dyn Display) {
        self.publish(&Topic::Error { player }, error.to_string());
    }

    /// Tells the sender of a request why it cannot take part. Everyone reads this: a topic of its own would be that of
    /// another team if the name is taken.
    pub(crate) fn refuse(&self, name: &str, error: &dyn Display) {
        let refused = body::refused(&Refused { name: name.to_owned(), error: error.to_string() });
        if lock(&self.refusals).allows_one() {
            self.publish(&Topic::Refused, refused);
        } else {
            debug!("not published, after {MAX_REFUSALS} in this second: {}", printable(&refused));
        }
    }
}

/// True for the topics whose last message the broker keeps for later subscribers.
fn is_retained(topic: &Topic<'_>) -> bool {
    topic.readers() == Readers::Everyone && !matches!(topic, Topic::Hits | Topic::Refused)
}

/// An observer that publishes the events of a match.
pub(crate) struct MatchPublisher<'a> {
    publisher: &'a Publisher,
    names: &'a BySeat<String>,
    /// The number of turns that were played, and published, before the server was restarted.
    known: u32,
    /// The time that each player has taken for its shots.
    taken: BySeat<Duration>,
}

impl<'a> MatchPublisher<'a> {
    pub(crate) fn new(publisher: &'a Publisher, names: &'a BySeat<String>, known: u32) -> MatchPublisher<'a> {
        MatchPublisher { publisher, names, known, taken: names.map(|_| Duration::ZERO) }
    }

    /// Publishes an event. Of events before a restart only the retained messages are published again.
    fn advance(&self, told: &Told<Event>, is_repeated: bool) {
        let publish = |topic: Topic<'_>, body: String| self.route(told.to, &topic, body);
        match &told.event {
            Event::Sunk { target, ship, .. } => publish(
                Topic::Ship { player: &self.names[*target], ship: *ship, what: ShipTopic::Sunk },
                "true".to_owned(),
            ),
            Event::Defeated { seat } => publish(Topic::Defeated { player: &self.names[*seat] }, "true".to_owned()),
            _ if is_repeated => {}
            Event::Turn { seat, .. } => publish(Topic::Current, self.names[*seat].clone()),
            Event::Incoming { target, at, .. } => {
                publish(Topic::Hit { target: &self.names[*target] }, body::cell(*at));
            }
            Event::SalvoOver { hits, .. } => publish(Topic::Hits, hits.to_string()),
            Event::Lapsed { seat, shots, why } => {
                let player = self.names[*seat].as_str();
                let limit = match why {
                    NoOrder::Fault(Fault::TimedOut { limit, .. }) => {
                        format!(": it had {} s", (limit.as_secs_f64() * 10.0).round() / 10.0)
                    }
                    _ => String::new(),
                };
                let why = format!("{player} {why}{limit}");
                let lost = PlayerError::ShotsLost { shots: u32::from(*shots), why };
                publish(Topic::Error { player }, lost.to_string());
            }
            Event::Removed { seat, why } => {
                let player = self.names[*seat].as_str();
                publish(Topic::Error { player }, format!("out of the game: {player} {why}"));
                publish(Topic::Defeated { player }, "true".to_owned());
            }
            Event::Placed { .. } | Event::Fired { .. } => {}
        }
    }

    /// Publishes a message about an event, unless somebody reads the topic who may not know of the event. That would be
    /// an error of this program: the secret stays one, and the log has the error.
    fn route(&self, audience: Audience, topic: &Topic<'_>, body: String) {
        let is_allowed = match (audience, topic.readers()) {
            (_, Readers::Server) => false,
            (Audience::Everyone, _) => true,
            (Audience::Only(_), Readers::Everyone) => false,
            (Audience::Only(seats), Readers::Player(name)) => seats.iter().any(|seat| self.names[seat] == name),
        };
        if is_allowed {
            self.publisher.publish(topic, body);
        } else {
            error!("not published, because {topic:?} has readers who may not know of the event");
        }
    }

    fn over(&self, outcome: &Outcome, game: &Salvo) {
        if let Some(winner) = outcome.winner {
            self.publisher.publish(&Topic::Winner, self.names[winner].as_str());
        }
        let stats = game.stats();
        for statistic in Statistic::ALL {
            let value = |seat: Seat| match stats[seat].value(statistic) {
                Some(value) => value,
                // The time of a turn in milliseconds.
                None => self.taken[seat].checked_div(stats[seat].turns).unwrap_or_default().as_micros() as f64 / 1000.0,
            };
            let values = self.names.iter().map(|(seat, name)| (name.as_str(), value(seat)));
            self.publisher.publish(&Topic::Stats(statistic), body::by_player(values));
        }
        self.publisher.state(GameState::Over);
    }
}

impl Observer<Salvo> for MatchPublisher<'_> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { turn, game } => {
                if *turn == self.known && *turn > 0 {
                    self.publisher.state(GameState::Turn);
                    if let Some(salvo) = game.salvo() {
                        self.publisher.publish(&Topic::Current, self.names[salvo.seat].as_str());
                    }
                }
            }
            MatchEvent::Answered { replies, .. } => {
                for (seat, reply) in *replies {
                    // As the record has it, so that the result is the same after a restart.
                    let recorded = |time: TimeUsed| from_milliseconds(milliseconds(time.wall));
                    self.taken[*seat] += reply.time.map_or(Duration::ZERO, recorded);
                }
            }
            MatchEvent::Advanced { turn, told, game } => {
                if *turn == 0 && self.known == 0 && game.outcome().is_none() {
                    self.publisher.state(GameState::Turn);
                }
                told.iter().for_each(|told| self.advance(told, *turn < self.known));
            }
            MatchEvent::Finished { outcome, game } => self.over(outcome, game),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::salvo::ShotResult;
    use rules::{Point, Seats};
    use std::sync::Arc;

    /// A broker that keeps the names of the topics that were written.
    #[derive(Default)]
    struct Written(Arc<Mutex<Vec<String>>>);

    impl Broker for Written {
        fn publish(&self, topic: String, _: Vec<u8>, _: bool) {
            self.0.lock().unwrap().push(topic);
        }
    }

    /// A broker that keeps the retained messages.
    struct Keeping(Arc<Mutex<BTreeMap<String, String>>>);

    impl Broker for Keeping {
        fn publish(&self, topic: String, body: Vec<u8>, retain: bool) {
            let mut kept = self.0.lock().unwrap();
            match retain {
                true if body.is_empty() => drop(kept.remove(&topic)),
                true => drop(kept.insert(topic, String::from_utf8(body).unwrap())),
                false => {}
            }
        }
    }

    /// The topics on which an event is published that these may know of.
    fn written(event: Event, to: Audience) -> Vec<String> {
        let topics = Arc::default();
        let publisher = Publisher::new(Topics::default(), Box::new(Written(Arc::clone(&topics))));
        let names = ["Henkiebunch".to_owned(), "Deep Water".to_owned()].into_iter().collect();
        MatchPublisher::new(&publisher, &names, 0).advance(&Told { event, to }, false);
        std::mem::take(&mut *topics.lock().unwrap())
    }

    #[test]
    fn an_event_is_published_only_where_nobody_else_reads() {
        let only = |seat: Seat| Audience::Only(Seats::from_iter([seat]));
        let hit = || Event::Incoming { seat: Seat::A, target: Seat::B, at: Point::new(3, 4), found: ShotResult::Water };
        assert_eq!(written(hit(), only(Seat::B)), ["/players/Deep Water/hit"]);
        assert_eq!(written(hit(), only(Seat::A)), [""; 0], "another player reads there");
        let turn = || Event::Turn { seat: Seat::A, shots: 5 };
        assert_eq!(written(turn(), Audience::Everyone), ["/game/current"]);
        assert_eq!(written(turn(), only(Seat::A)), [""; 0], "everyone reads there");
        let sunk = Event::Sunk { seat: Seat::A, target: Seat::B, ship: ShipKind::Carrier };
        assert_eq!(written(sunk.clone(), Audience::Everyone).len(), 2);
        assert_eq!(written(sunk, only(Seat::B)), [""; 0]);
    }
    #[test]
    fn one_spelling_of_a_ship_is_retained_besides_the_usual_one() {
        let kept = Arc::default();
        let publisher = Publisher::new(Topics::default(), Box::new(Keeping(Arc::clone(&kept))));
        let retained = || -> Vec<(String, String)> {
            kept.lock().unwrap().iter().map(|(topic, body)| (topic.clone(), body.clone())).collect()
        };
        let placed = |ship, spelling: Option<&str>, is_right: bool| {
            publisher.placed("A", ship, spelling, if is_right { Ok(()) } else { Err(&"no") });
        };
        let approved = |ship: &str, body: &str| (format!("/players/A/ships/{ship}/approved"), body.to_owned());
        for number in 0..500 {
            placed(ShipKind::Carrier, Some(&format!("carrier{number:-<9b}")), false);
        }
        placed(ShipKind::Destroyer, Some("Destroyer"), true);
        placed(ShipKind::Carrier, Some("Carrier"), true);
        let carrier = [approved("Carrier", "true"), approved("Destroyer", "true"), approved("carrier", "true")];
        assert_eq!(retained(), [&carrier[..], &[approved("destroyer", "true")]].concat());
        placed(ShipKind::Carrier, Some("Carrier"), false);
        assert_eq!(retained()[0], approved("Carrier", "false"));
        placed(ShipKind::Carrier, None, true);
        assert_eq!(retained()[1], approved("carrier", "true"));
        assert_eq!(retained().len(), 3);
        publisher.forget();
        assert_eq!(retained(), []);
    }
}
