//! The interface between a game and the arena: a state that is a value, views, orders and an outcome.

use crate::kind::counted;
use crate::{BySeat, Eye, GameKind, Scene, Seat, Seats, printable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The rules and state of one kind of Battleship.
///
/// A clone is a snapshot. The same settings, seats, seed and answers always give the same states and outcome. What is
/// serialised of a state is all that the rest of the match depends on: records keep a fingerprint of it.
///
/// ```
/// use rules::{Ending, Fault, Game};
///
/// /// Plays a match in which nobody ever answers.
/// fn silent<G: Game>(settings: &G::Settings) -> Result<Ending, rules::SetupError> {
///     let mut game = G::start(settings, 2, 7)?;
///     loop {
///         if let Some(outcome) = game.outcome() {
///             return Ok(outcome.ending);
///         }
///         let answers = game.awaited().iter().map(|seat| (seat, Err(Fault::NothingWritten))).collect();
///         game.advance(answers);
///     }
/// }
///
/// let ending = silent::<rules::bots_arena::BotsArena>(&Default::default())?;
/// assert!(matches!(ending, Ending::KilledOff { seats } if seats.len() == 2));
/// # Ok::<(), rules::SetupError>(())
/// ```
pub trait Game: Clone + Serialize + Send + Sync + 'static {
    /// The terms agreed before the match.
    type Settings: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// The knowledge of one seat.
    type View: Clone + Debug + PartialEq + Send + Sync;
    /// An order of a player.
    type Order: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// Something that happened.
    type Event: Clone + Debug + PartialEq + Send + Sync;

    /// The kind of the game.
    const KIND: GameKind;
    /// The numbers of players that the game can be played with, by any settings.
    const SEATS: RangeInclusive<u8>;

    /// The state before the first turn.
    ///
    /// # Errors
    /// [`SetupError`] for a number of seats outside [`Game::SEATS`], and for settings with which no match can be played.
    fn start(settings: &Self::Settings, seats: u8, seed: u64) -> Result<Self, SetupError>;

    /// The numbers of players of a match by these settings, within [`Game::SEATS`].
    fn seats(_settings: &Self::Settings) -> RangeInclusive<u8> {
        Self::SEATS
    }

    /// The most that a match by these settings can have; `None` if nothing bounds it.
    fn bounds(_settings: &Self::Settings) -> Option<MatchBounds> {
        None
    }

    /// True if players come to know by a match what its seed has drawn, and would gain by that in another match with the same seed:
    /// the two games of a pair have seeds of their own then.
    fn reveals_seed(_settings: &Self::Settings) -> bool {
        false
    }

    /// True if each player plays alone, on a board that the seed draws for all: its score is the shots that it took
    /// ([`Scoring::Shots`]).
    fn is_solo(_settings: &Self::Settings) -> bool {
        false
    }

    /// The seats that must answer before the game goes on. When nobody is awaited and there is no outcome yet, the
    /// game goes on by itself: call [`Game::advance`] without answers.
    fn awaited(&self) -> Seats;

    /// The view of `seat` now: all that it may know, and nothing else.
    fn view(&self, seat: Seat) -> Self::View;

    /// Checks that `order` would be obeyed if `seat` gave it now, as far as the seat can know.
    ///
    /// # Errors
    /// The reason why not, for a person. A person can be asked again; [`Game::advance`] says what it costs a bot.
    fn check(&self, seat: Seat, order: &Self::Order) -> Result<(), Illegal>;

    /// Plays one turn. `answer` gives the answer of each awaited seat: its order, or the reason why there is none. The events of
    /// the turn are in memory that the game uses again; there are none once there is an outcome.
    ///
    /// ```
    /// use rules::salvo::{Order, Salvo, random_fleet};
    /// use rules::Game;
    ///
    /// let mut game = Salvo::start(&Default::default(), 2, 7)?;
    /// let fleets = [1, 2].map(|seed| Order::Place(random_fleet(&mut rules::random(seed))));
    /// let events = game.step(|seat| Ok(&fleets[seat.index()]));
    /// assert!(!events.is_empty());
    /// # Ok::<(), rules::SetupError>(())
    /// ```
    fn step<'a>(&mut self, answer: impl Fn(Seat) -> AnswerRef<'a, Self::Order>) -> &[Told<Self::Event>];

    /// As [`Game::step`], with answers and events in memory of their own; a missing answer is [`Fault::NothingWritten`].
    fn advance(&mut self, answers: Answers<Self::Order>) -> Vec<Told<Self::Event>> {
        self.step(|seat| answers.of(seat)).to_vec()
    }

    /// The outcome of the match; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The scene that a screen may draw for `eye`.
    fn scene(&self, eye: Eye) -> Scene;
}

/// The most that a match can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchBounds {
    /// The turns, with that in which the players place their ships.
    pub turns: u32,
    /// The points of a player.
    pub points: u32,
    /// The shots of a player.
    pub shots: u32,
}

/// An order, or the reason why there is none.
pub type Answer<O> = Result<O, Fault>;

/// An [`Answer`] that is somewhere else.
pub type AnswerRef<'a, O> = Result<&'a O, &'a Fault>;

/// The reason why a player gave no usable order. The rules say what it costs. A new reason is a breaking change, so that the
/// compiler shows every `match` it concerns; [`Fault::kind`] needs none. Records have what it is serialised as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fault {
    /// The answer came too late or never.
    #[error("timed out: {}", no_answer_within(*limit, *used, arrived))]
    TimedOut {
        /// The time that the player took, up to being stopped.
        #[serde(rename = "used_ms", with = "crate::milliseconds")]
        used: Duration,
        /// The time that it was allowed to take.
        #[serde(rename = "limit_ms", with = "crate::milliseconds")]
        limit: Duration,
        /// The part of an answer that did arrive, and what it lacks, in words; empty if that is not known.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        arrived: String,
    },
    /// The player ended abnormally and left no answer.
    #[error("crashed: {how}")]
    Crashed {
        /// Exit status or signal in words.
        how: String,
    },
    /// The player ended normally and left no answer.
    #[error("wrote nothing")]
    NothingWritten,
    /// The answer makes no sense.
    #[error("unreadable answer: {}", with_excerpt(why, excerpt))]
    Unreadable {
        /// The part and the mistake in it, without any of its text.
        why: String,
        /// The beginning of what was answered instead; empty if there is nothing to show. In records of version 0.1.0 it is
        /// at the end of `why`.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        excerpt: String,
    },
    /// The player left the table.
    #[error("gave up")]
    GaveUp,
    /// The player could not be asked, or was gone before it had answered.
    #[error("unreachable: {why}")]
    Unreachable {
        /// The attempt and its result.
        why: String,
    },
    /// The player is not asked any more in this match. The referee decides that, for bots that would only cost time.
    #[error("not asked: {why}")]
    NotAsked {
        /// The reason.
        why: String,
    },
}

/// A time-out in words. A player is stopped some time after its limit, so the time that it used is not set against the limit.
fn no_answer_within(limit: Duration, used: Duration, arrived: &str) -> String {
    let (limit, used) = (limit.as_millis(), used.as_millis());
    let more = if used > limit { format!(" ({used} ms used in all)") } else { String::new() };
    let arrived = if arrived.is_empty() { String::new() } else { format!("; {arrived}") };
    format!("no answer within {limit} ms{more}{arrived}")
}

impl Fault {
    /// An unreadable answer of which nothing is shown. Bots have a say in `why`, so it is made [`printable`].
    pub fn unreadable(why: &str) -> Fault {
        Fault::unreadable_text(why, "")
    }

    /// An unreadable answer with an excerpt. Both are made [`printable`].
    ///
    /// ```
    /// let fault = rules::Fault::unreadable_text("move: x is not a whole number", "\"a\"");
    /// assert_eq!(fault.to_string(), "unreadable answer: move: x is not a whole number: \"a\"");
    /// ```
    pub fn unreadable_text(why: &str, excerpt: &str) -> Fault {
        Fault::Unreadable { why: printable(why), excerpt: printable(excerpt) }
    }

    /// A player that took `used` of `limit`, of whose answer nothing is told.
    pub fn timed_out(used: Duration, limit: Duration) -> Fault {
        Fault::timed_out_after(used, limit, "")
    }

    /// A player that took `used` of `limit`, and what of its answer arrived. Bots have a say in that, so it is made [`printable`].
    pub fn timed_out_after(used: Duration, limit: Duration, arrived: &str) -> Fault {
        Fault::TimedOut { used, limit, arrived: printable(arrived) }
    }

    /// A player that cannot be reached. Bots have a say in `why`, so it is made [`printable`].
    pub fn unreachable(why: &str) -> Fault {
        Fault::Unreachable { why: printable(why) }
    }

    /// A player that crashed. Bots have a say in `how`, so it is made [`printable`].
    pub fn crashed(how: &str) -> Fault {
        Fault::Crashed { how: printable(how) }
    }

    /// The fault as words on one line that follow the name of the player. They leave out measured times, so that
    /// equal matches end in the same words.
    pub(crate) fn deed(&self) -> String {
        let words = match self {
            Fault::TimedOut { .. } => "took too long".to_owned(),
            Fault::Unreadable { why, excerpt } => format!("gave an unreadable answer: {}", with_excerpt(why, excerpt)),
            Fault::Unreachable { why } => format!("was unreachable: {why}"),
            Fault::NotAsked { .. } => "was not asked any more".to_owned(),
            Fault::Crashed { .. } | Fault::NothingWritten | Fault::GaveUp => self.to_string(),
        };
        words.replace(char::is_control, " ")
    }

    /// The [kind](Fault::kind) of [`Fault::TimedOut`].
    pub const TIMED_OUT: &str = "timed-out";
    const CRASHED: &str = "crashed";
    const NOTHING_WRITTEN: &str = "nothing-written";
    const UNREADABLE: &str = "unreadable";
    const GAVE_UP: &str = "gave-up";
    const UNREACHABLE: &str = "unreachable";
    const NOT_ASKED: &str = "not-asked";

    /// All kinds of faults.
    pub const KINDS: [&str; 7] = [
        Self::TIMED_OUT,
        Self::CRASHED,
        Self::NOTHING_WRITTEN,
        Self::UNREADABLE,
        Self::GAVE_UP,
        Self::UNREACHABLE,
        Self::NOT_ASKED,
    ];

    /// The kind of fault, as records and journals have it: one of [`Fault::KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TimedOut { .. } => Self::TIMED_OUT,
            Fault::Crashed { .. } => Self::CRASHED,
            Fault::NothingWritten => Self::NOTHING_WRITTEN,
            Fault::Unreadable { .. } => Self::UNREADABLE,
            Fault::GaveUp => Self::GAVE_UP,
            Fault::Unreachable { .. } => Self::UNREACHABLE,
            Fault::NotAsked { .. } => Self::NOT_ASKED,
        }
    }
}

/// The reason for an unreadable answer, and its excerpt if there is one.
pub(crate) fn with_excerpt(why: &str, excerpt: &str) -> String {
    if excerpt.is_empty() { why.to_owned() } else { format!("{why}: {excerpt}") }
}

/// The answers of one turn; of two answers of a seat, the first counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers<O>(Vec<(Seat, Answer<O>)>);

impl<O> Answers<O> {
    /// No answers, for a turn in which no seat was awaited.
    pub fn none() -> Answers<O> {
        Answers(Vec::new())
    }

    /// The answer of `seat`: [`Fault::NothingWritten`] if it gave none.
    ///
    /// # Errors
    /// The reason why there is no order.
    pub fn of(&self, seat: Seat) -> AnswerRef<'_, O> {
        static NOTHING: Fault = Fault::NothingWritten;
        let answer = self.0.iter().find(|(who, _)| *who == seat).map(|(_, answer)| answer.as_ref());
        answer.unwrap_or(Err(&NOTHING))
    }
}

impl<O> FromIterator<(Seat, Answer<O>)> for Answers<O> {
    fn from_iter<I: IntoIterator<Item = (Seat, Answer<O>)>>(answers: I) -> Answers<O> {
        Answers(answers.into_iter().collect())
    }
}

/// The reason why an order is not obeyed, as a sentence for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// The reason why a match cannot begin with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The game is not for this many players.
    #[error("{} is a game for {wanted}, not {given} players", kind.name())]
    WrongSeats {
        /// The game.
        kind: GameKind,
        /// The numbers of players that it is for, in words.
        wanted: &'static str,
        /// The number of players given.
        given: u8,
    },
    /// No match can be played with these settings.
    #[error("{0}")]
    Settings(String),
}

/// An event and who may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<E> {
    /// The event.
    pub event: E,
    /// The seats that may know.
    pub to: Audience,
}

impl<E> Told<E> {
    /// Events with the seats that may know of each.
    pub(crate) fn all(events: impl IntoIterator<Item = E>, audience: fn(&E) -> Audience) -> Vec<Told<E>> {
        events.into_iter().map(|event| Told { to: audience(&event), event }).collect()
    }
}

/// The seats that may know of an event. Observers of the match see all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// All players.
    Everyone,
    /// These seats only.
    Only(Seats),
}

impl<E> Told<E> {
    /// True if an eye may know of the event.
    pub fn is_for(&self, eye: Eye) -> bool {
        match (eye, self.to) {
            (Eye::Referee, _) | (_, Audience::Everyone) => true,
            (Eye::Seat(seat), audience) => audience.includes(seat),
            (Eye::Everyone, Audience::Only(_)) => false,
        }
    }
}

impl Audience {
    /// True if `seat` may know.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Audience::Everyone => true,
            Audience::Only(seats) => seats.contains(seat),
        }
    }
}

/// The meaning of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// More points are better.
    #[default]
    Points,
    /// The shots that a player took to sink all ships, or all that it could have taken if it sank fewer: fewer are better.
    Shots,
}

impl Scoring {
    /// The word for points.
    ///
    /// ```
    /// assert_eq!(rules::Scoring::Shots.unit(), "shots");
    /// ```
    pub fn unit(self) -> &'static str {
        match self {
            Scoring::Points => "points",
            Scoring::Shots => "shots",
        }
    }

    /// True if more points are better.
    pub fn is_points(&self) -> bool {
        *self == Scoring::Points
    }
}

/// The outcome of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
    /// All seats, best first.
    pub ranking: Vec<Seat>,
    /// The points of every seat.
    pub points: BySeat<u32>,
    /// The meaning of the points.
    #[serde(default, skip_serializing_if = "Scoring::is_points")]
    pub scoring: Scoring,
    /// The reason for the end.
    pub ending: Ending,
    /// The number of turns played.
    pub turns: u32,
}

impl Ending {
    /// The reason for the end, in words with these names.
    pub fn told(&self, name: impl Fn(Seat) -> String) -> String {
        match self {
            Ending::FleetSunk { seats } if seats.len() == 2 => "both fleets were sunk in the same round".to_owned(),
            Ending::FleetSunk { seats } if seats.len() > 2 => {
                format!("{} fleets were sunk in the same round", seats.len())
            }
            Ending::FleetSunk { seats } => {
                format!("all ships of {} are sunk", seats.iter().map(|&seat| name(seat)).collect::<String>())
            }
            Ending::KilledOff { seats } => {
                let each = seats.iter().map(|(seat, why)| format!("{} {why}", name(*seat)));
                each.collect::<Vec<_>>().join(" and ")
            }
            Ending::RoundLimit { rounds } => limit_reached(*rounds, "round"),
            Ending::MoveLimit { moves } => limit_reached(*moves, "move"),
            Ending::Solved { seats } => match &seats.iter().map(|&seat| name(seat)).collect::<Vec<_>>()[..] {
                [] => "nobody sank all ships".to_owned(),
                names => format!("{} sank all ships", names.join(" and ")),
            },
            Ending::NothingSunk { rounds: 1 } => "no ship was sunk in a whole round".to_owned(),
            Ending::NothingSunk { rounds } => format!("no ship was sunk in {rounds} rounds"),
        }
    }
}

fn limit_reached(limit: u32, word: &str) -> String {
    format!("the {} {} over", counted(limit, word), if limit == 1 { "is" } else { "are" })
}

/// The reason why a match ended. A new reason is a breaking change, so that the compiler shows every `match` it concerns;
/// [`Ending::told`] needs none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    /// These seats lost their last ship in the same turn.
    FleetSunk {
        /// The seats without ships.
        seats: Vec<Seat>,
    },
    /// The rules removed these seats from the game.
    KilledOff {
        /// The seats that were removed, each with the reason in words.
        seats: Vec<(Seat, String)>,
    },
    /// The last round was played.
    RoundLimit {
        /// The most rounds of a match.
        rounds: u32,
    },
    /// The last move was made, in a game in which players move by turns.
    MoveLimit {
        /// The most moves of all players together.
        moves: u32,
    },
    /// All who play alone are done.
    Solved {
        /// The seats that have sunk all ships.
        seats: Vec<Seat>,
    },
    /// For so many rounds in a row no ship was sunk.
    NothingSunk {
        /// The number of rounds.
        rounds: u32,
    },
}
