//! The lines of a record as they are written; docs/record.md describes them for everyone else.

use super::Clock;
use crate::{Limits, Notes, Sequence, TimeUsed};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rules::{BySeat, Fault, Game, GameKind, Outcome, PlayerInfo, Seat, from_milliseconds};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The name of the format, which every record has in its first line.
pub(super) const FORMAT: &str = "broadside record";
/// The version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 1;

/// The marks of a record's first line. They are read first, to tell a newer format from a broken one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordMark {
    pub(super) format: String,
    pub(super) version: u32,
}

/// The first line: what was agreed before the match, and the players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The kind of game.
    pub game: GameKind,
    /// The settings of the game, as the game writes them.
    pub settings: serde_json::Value,
    /// The seed of all randomness. It is text in JSON, because not every reader has numbers of 64 bits.
    #[serde(with = "as_text")]
    pub seed: u64,
    /// The players by their seats.
    pub seats: BySeat<RecordedSeat>,
    /// The order in which the players of a turn were asked; `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Sequence>,
    /// The sandbox of the bots, in words; `None` without a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// The program that wrote the record.
    pub engine: String,
    /// The time at which the match began (RFC 3339); `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The folder from which the record was made; `None` for a record that was written while the match was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportNote>,
}

/// A note in a record that was made from a folder of 2017: its seed, and who wrote it when, are not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportNote {
    /// The first difference between the folder and what the rules make of its answers; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

impl Header {
    /// The header of a match of `G` that begins now and is recorded by this program. Time limits and the sandbox are added
    /// when they are known.
    ///
    /// # Panics
    /// The settings have keys that are not strings; those of our games have none.
    ///
    /// ```
    /// use arena::Sequence;
    /// use arena::record::Header;
    /// use rules::sea_battle::SeaBattle;
    ///
    /// let header = Header::new::<SeaBattle>(&Default::default(), 7, rules::BySeat::from_iter([]), Sequence::InTurn);
    /// assert_eq!(header.game, rules::GameKind::SeaBattle);
    /// ```
    pub fn new<G: Game>(settings: &G::Settings, seed: u64, seats: BySeat<RecordedSeat>, sequence: Sequence) -> Header {
        Header {
            game: G::KIND,
            settings: serde_json::to_value(settings).expect("settings have string keys"),
            seed,
            seats,
            sequence: Some(sequence),
            sandbox: None,
            engine: crate::ENGINE.to_owned(),
            started: Clock::Running.stamp(),
            imported: None,
        }
    }

    /// Adds the time limits of the players by seat, and the ways in which their programs are started.
    #[must_use]
    pub fn with_programs(mut self, programs: &BySeat<(Option<Limits>, Option<StartMode>)>) -> Header {
        for ((_, recorded), (_, (limits, start))) in self.seats.iter_mut().zip(programs.iter()) {
            recorded.limits = limits.map(Into::into);
            recorded.start = *start;
        }
        self
    }
}

/// A player of a recorded match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedSeat {
    /// The player's details, from its bot.json if it has one.
    pub details: PlayerInfo,
    /// The name that tells it from others of the match or the tournament; `None` if that is its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The bot as it was named: its folder, or its URL without secrets; `None` for built-in players and people, and if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// The SHA-256 of the bot's folder, in hexadecimal digits; `None` without a folder, or if it was too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The time limits; `None` without limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsLine>,
    /// The way in which its program is started; `None` for one that is started for every turn, and without a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<StartMode>,
}

/// The way in which the program of a player is started, if it is not started for every turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StartMode {
    /// Once a match.
    Stays,
    /// For every turn, by a fork of an interpreter that is started once a match, where that is possible.
    Warm,
}

impl RecordedSeat {
    /// A player of whom only the description is known.
    pub fn new(details: PlayerInfo) -> RecordedSeat {
        RecordedSeat { details, name: None, bot: None, content: None, limits: None, start: None }
    }

    /// The same player under this name.
    #[must_use]
    pub fn called(self, name: String) -> RecordedSeat {
        // What a name may not have on a screen is replaced in it only.
        let is_own = name == rules::printable(self.details.name().trim());
        RecordedSeat { name: Some(name).filter(|_| !is_own), ..self }
    }

    /// The name to show.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_else(|| self.details.name())
    }
}

/// The time limits of a player, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LimitsLine {
    /// The time after which an answer is too late.
    pub answer_ms: u64,
    /// The time after which a bot that still runs is killed.
    pub kill_ms: u64,
    /// The limit on the processor time of an answer; `None` without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
}

impl From<Limits> for LimitsLine {
    fn from(limits: Limits) -> LimitsLine {
        let ms = |time: Duration| time.as_millis() as u64;
        LimitsLine { answer_ms: ms(limits.answer()), kill_ms: ms(limits.kill()), cpu_ms: limits.cpu().map(ms) }
    }
}

/// A turn that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TurnLine {
    /// The turn, counted from 0.
    pub(super) turn: u32,
    /// The answers of the players who were asked.
    #[serde(deserialize_with = "each_once")]
    pub(super) answers: BTreeMap<Seat, AnswerLine>,
    /// The fingerprint of the state after the turn.
    pub(super) state: String,
}

/// The answer of one player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AnswerLine {
    /// The parts of its answer exactly as it gave them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) gave: BTreeMap<String, RecordedText>,
    /// The fault, if there was no usable order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<Fault>,
    /// Wall time of the answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<f64>,
    /// Processor time of the answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cpu_ms: Option<f64>,
    /// The notes beside the answer, exactly as the bot wrote them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) notes: Option<RecordedText>,
    /// The last lines of its standard output, if they were to be kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) output: Vec<String>,
}

impl AnswerLine {
    /// The notes beside the answer. Those that cannot be read any more are none: no state depends on them.
    pub(super) fn notes(&self) -> Option<Notes> {
        let source = self.notes.as_ref().and_then(RecordedText::bytes);
        let notes = source.and_then(|bytes| Notes::read(&bytes).ok());
        Notes::with_output(notes, self.output.clone())
    }

    pub(super) fn time(&self) -> Option<TimeUsed> {
        Some(TimeUsed { wall: from_milliseconds(self.ms?), cpu: self.cpu_ms.map(from_milliseconds) })
    }
}

/// A part of an answer: text, or bytes that are not text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RecordedText {
    Text(String),
    Bytes { base64: String },
}

impl RecordedText {
    pub(super) fn new(bytes: &[u8]) -> RecordedText {
        let plain = |text: &&str| text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'));
        // Other control characters are not text for people, and take six times the space in JSON.
        match std::str::from_utf8(bytes).ok().filter(plain) {
            Some(text) => RecordedText::Text(text.to_owned()),
            None => RecordedText::Bytes { base64: STANDARD.encode(bytes) },
        }
    }

    /// The bytes; `None` if they are not base64.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            RecordedText::Text(text) => Some(text.clone().into_bytes()),
            RecordedText::Bytes { base64 } => STANDARD.decode(base64).ok(),
        }
    }
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordEnd {
    /// The outcome of the match.
    pub outcome: Outcome,
    /// The time of the end (RFC 3339); `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// A map in which no key stands twice: readers would take different ones of two answers.
fn each_once<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Seat, AnswerLine>, D::Error> {
    struct AnswersVisitor;
    impl<'de> Visitor<'de> for AnswersVisitor {
        type Value = BTreeMap<Seat, AnswerLine>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("answers by seats")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
            let mut answers = BTreeMap::new();
            while let Some((seat, answer)) = from.next_entry()? {
                if answers.insert(seat, answer).is_some() {
                    return Err(A::Error::custom(format!("there are two answers of {seat}")));
                }
            }
            Ok(answers)
        }
    }
    from.deserialize_map(AnswersVisitor)
}

/// A number of 64 bits as text.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &u64, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(from)?;
        text.parse().map_err(|_| serde::de::Error::custom(format!("{text:?} is not a number of 64 bits")))
    }
}
