//! What every game offers the arena: a state that is a value, views, orders and an outcome.

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
pub trait Game: Clone + Serialize + Send + Sync + 'static {
    /// What is agreed before the match.
    type Settings: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What one seat may know.
    type View: Clone + Debug + PartialEq + Send + Sync;
    /// What a player wants done.
    type Order: Clone + Debug + PartialEq + Send + Sync;
    /// Something that happened.
    type Event: Clone + Debug + PartialEq + Send + Sync;

    /// Which game this is.
    const KIND: GameKind;
    /// How many players it is for.
    const SEATS: RangeInclusive<u8>;

    /// The state before the first turn.
    fn start(settings: &Self::Settings, seats: u8, seed: u64) -> Result<Self, SetupError>;

    /// The seats that must answer before the game goes on. When nobody is awaited and there is no outcome yet, the
    /// game goes on by itself: call [`Game::advance`] without answers.
    fn awaited(&self) -> Seats;

    /// What `seat` may know now.
    fn view(&self, seat: Seat) -> Self::View;

    /// Whether `order` would be obeyed if `seat` gave it now, as far as the seat can know.
    fn check(&self, seat: Seat, order: &Self::Order) -> Result<(), Illegal>;

    /// Plays one turn with the answers of the awaited seats; a missing answer is [`Fault::NothingWritten`].
    fn advance(&mut self, answers: Answers<Self::Order>) -> Vec<Told<Self::Event>>;

    /// How the match ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// What a screen may draw for `eye`.
    fn scene(&self, eye: Eye) -> Scene;
}

/// An order, or why there is none.
pub type Answer<O> = Result<O, Fault>;

/// Why a player gave no usable order. What it costs is for the rules to say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The answer came too late or never.
    #[error("timed out: {} ms used of {} ms", used.as_millis(), limit.as_millis())]
    TimedOut {
        /// How long the player took, up to being stopped.
        used: Duration,
        /// How long it was allowed to take.
        limit: Duration,
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
    #[error("unreadable answer: {why}")]
    Unreadable {
        /// What is wrong with which part of it.
        why: String,
    },
    /// The player left the table.
    #[error("gave up")]
    GaveUp,
    /// The player could not be asked, or was gone before it had answered.
    #[error("unreachable: {why}")]
    Unreachable {
        /// What was tried and what came of it.
        why: String,
    },
}

impl Fault {
    /// An unreadable answer. Bots have a say in `why`, so it is made [`printable`].
    pub fn unreadable(why: &str) -> Fault {
        Fault::Unreadable { why: printable(why) }
    }

    /// A player that cannot be reached. Bots have a say in `why`, so it is made [`printable`].
    pub fn unreachable(why: &str) -> Fault {
        Fault::Unreachable { why: printable(why) }
    }

    /// A player that crashed. Bots have a say in `how`, so it is made [`printable`].
    pub fn crashed(how: &str) -> Fault {
        Fault::Crashed { how: printable(how) }
    }

    /// What kind of fault it is, as records and journals have it.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TimedOut { .. } => "timed-out",
            Fault::Crashed { .. } => "crashed",
            Fault::NothingWritten => "nothing-written",
            Fault::Unreadable { .. } => "unreadable",
            Fault::GaveUp => "gave-up",
            Fault::Unreachable { .. } => "unreachable",
        }
    }
}

/// The answers of one turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers<O>(Vec<(Seat, Answer<O>)>);

impl<O> Answers<O> {
    /// No answers: for a turn in which nobody was awaited.
    pub fn none() -> Answers<O> {
        Answers(Vec::new())
    }

    /// Takes out the answer of `seat`, if it gave one.
    pub fn take(&mut self, seat: Seat) -> Option<Answer<O>> {
        let place = self.0.iter().position(|(who, _)| *who == seat)?;
        Some(self.0.swap_remove(place).1)
    }
}

impl<O> FromIterator<(Seat, Answer<O>)> for Answers<O> {
    fn from_iter<I: IntoIterator<Item = (Seat, Answer<O>)>>(answers: I) -> Answers<O> {
        Answers(answers.into_iter().collect())
    }
}

/// Why an order is not obeyed, as a sentence for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// Why a match cannot begin with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The game is not for this many players.
    #[error("{} is a game for {wanted}, not {given} players", kind.name())]
    WrongSeats {
        /// Which game.
        kind: GameKind,
        /// How many players it is for, in words.
        wanted: &'static str,
        /// How many there are.
        given: u8,
    },
    /// No match can be played with these settings.
    #[error("{0}")]
    Settings(String),
}

/// An event and who may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<E> {
    /// What happened.
    pub event: E,
    /// Who may know.
    pub to: Audience,
}

/// Who may know of an event. Observers of the match see all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// All players.
    Everyone,
    /// These seats only.
    Only(Seats),
}

impl Audience {
    /// Whether `seat` may know.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Audience::Everyone => true,
            Audience::Only(seats) => seats.contains(seat),
        }
    }
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Seat>,
    /// All seats, best first.
    pub ranking: Vec<Seat>,
    /// The points of every seat.
    pub points: BySeat<u32>,
    /// Why it ended.
    pub ending: Ending,
    /// How many turns were played.
    pub turns: u32,
}

impl Ending {
    /// Why it ended, in words with these names.
    pub fn told(&self, name: impl Fn(Seat) -> String) -> String {
        match self {
            Ending::FleetSunk { seats } if seats.len() > 1 => "both fleets were sunk in the same round".to_owned(),
            Ending::FleetSunk { seats } => {
                format!("all ships of {} are sunk", seats.iter().map(|&seat| name(seat)).collect::<String>())
            }
            Ending::KilledOff { seats } => {
                let each = seats.iter().map(|(seat, why)| format!("{} {why}", name(*seat)));
                each.collect::<Vec<_>>().join(" and ")
            }
            Ending::RoundLimit { rounds } => limit_reached(*rounds, "round"),
            Ending::MoveLimit { moves } => limit_reached(*moves, "move"),
            Ending::NothingSunk { rounds: 1 } => "no ship was sunk in a whole round".to_owned(),
            Ending::NothingSunk { rounds } => format!("no ship was sunk in {rounds} rounds"),
        }
    }
}

fn limit_reached(limit: u32, word: &str) -> String {
    format!("the {} {} over", counted(limit, word), if limit == 1 { "is" } else { "are" })
}

/// Why a match ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    /// These seats lost their last ship in the same turn.
    FleetSunk {
        /// Who has no ships left.
        seats: Vec<Seat>,
    },
    /// The rules removed these seats from the game.
    KilledOff {
        /// Who was removed, and why in words.
        seats: Vec<(Seat, String)>,
    },
    /// The last round was played.
    RoundLimit {
        /// How many rounds a match may have.
        rounds: u32,
    },
    /// The last move was made, in a game in which players move by turns.
    MoveLimit {
        /// How many moves of all players a match may have.
        moves: u32,
    },
    /// For so many rounds in a row no ship was sunk.
    NothingSunk {
        /// How many.
        rounds: u32,
    },
}
