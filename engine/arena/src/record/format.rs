//! The lines of a record as they are written; docs/record.md describes them for everyone else.

use crate::{Limits, Sequence, TimeUsed};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rules::PlayerInfo;
use rules::{BySeat, Fault, GameKind, Outcome, Seat};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// What every record says it is.
pub(super) const FORMAT: &str = "broadside record";
/// The version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 1;

/// What only the beginning of a record says; read first, so that a newer format is told from a broken one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordMark {
    pub(super) format: String,
    pub(super) version: u32,
}

/// The first line: what was agreed before the match, and who played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The kind of game.
    pub game: GameKind,
    /// What was agreed before the match, as the game writes it.
    pub settings: serde_json::Value,
    /// What all randomness was derived from. As text, because not every reader of JSON has numbers of 64 bits.
    #[serde(with = "as_text")]
    pub seed: u64,
    /// Who played.
    pub seats: BySeat<RecordedSeat>,
    /// Whether the players of a turn were asked together or in turn; `None` if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Sequence>,
    /// What bots were kept from, in words; `None` without a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// Which program wrote the record.
    pub engine: String,
    /// When the match began (RFC 3339); `None` if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
}

impl Header {
    /// With how long each player may take, by seat.
    #[must_use]
    pub fn with_limits(mut self, limits: &BySeat<Option<Limits>>) -> Header {
        for ((_, recorded), (_, limits)) in self.seats.iter_mut().zip(limits.iter()) {
            recorded.limits = limits.map(Into::into);
        }
        self
    }
}

/// Who sat in a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedSeat {
    /// What its bot.json says of it.
    pub details: PlayerInfo,
    /// The SHA-256 of what was in its folder, in hexadecimal digits; `None` where there was none, or too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// How long it might take for an answer; `None` without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsLine>,
}

/// How long a player may take, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LimitsLine {
    /// From when on an answer is too late.
    pub answer_ms: u64,
    /// When a bot that still runs is killed.
    pub kill_ms: u64,
}

impl From<Limits> for LimitsLine {
    fn from(limits: Limits) -> LimitsLine {
        LimitsLine { answer_ms: limits.answer().as_millis() as u64, kill_ms: limits.kill().as_millis() as u64 }
    }
}

/// A turn that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TurnLine {
    /// Counted from 0.
    pub(super) turn: u32,
    /// What came from those who were asked.
    #[serde(deserialize_with = "each_once")]
    pub(super) answers: BTreeMap<Seat, AnswerLine>,
    /// The fingerprint of the state after the turn.
    pub(super) state: String,
}

/// What came from one player.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct AnswerLine {
    /// The parts of its answer exactly as it gave them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) gave: BTreeMap<String, RecordedText>,
    /// Why there was no usable order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<FaultLine>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<f64>,
    /// How much of the processor's time it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cpu_ms: Option<f64>,
}

impl AnswerLine {
    pub(super) fn time(&self) -> Option<TimeUsed> {
        Some(TimeUsed { wall: duration(self.ms?), cpu: self.cpu_ms.map(duration) })
    }

    pub(super) fn with_time(self, time: Option<TimeUsed>) -> AnswerLine {
        AnswerLine {
            ms: time.map(|t| milliseconds(t.wall)),
            cpu_ms: time.and_then(|t| t.cpu).map(milliseconds),
            ..self
        }
    }
}

/// A part of an answer: text, or bytes that are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RecordedText {
    Text(String),
    Bytes { base64: String },
}

impl RecordedText {
    pub(super) fn new(bytes: &[u8]) -> RecordedText {
        let plain = |text: &&str| text.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r'));
        // Other control characters are no text for people, and six times as long in JSON.
        match std::str::from_utf8(bytes).ok().filter(plain) {
            Some(text) => RecordedText::Text(text.to_owned()),
            None => RecordedText::Bytes { base64: STANDARD.encode(bytes) },
        }
    }

    /// `None` if it is no base64.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            RecordedText::Text(text) => Some(text.clone().into_bytes()),
            RecordedText::Bytes { base64 } => STANDARD.decode(base64).ok(),
        }
    }
}

/// [`Fault`] as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum FaultLine {
    TimedOut { used_ms: f64, limit_ms: f64 },
    Crashed { how: String },
    NothingWritten,
    Unreadable { why: String },
    GaveUp,
    Unreachable { why: String },
}

impl From<&Fault> for FaultLine {
    fn from(fault: &Fault) -> FaultLine {
        match fault.clone() {
            Fault::TimedOut { used, limit } => {
                FaultLine::TimedOut { used_ms: milliseconds(used), limit_ms: milliseconds(limit) }
            }
            Fault::Crashed { how } => FaultLine::Crashed { how },
            Fault::NothingWritten => FaultLine::NothingWritten,
            Fault::Unreadable { why } => FaultLine::Unreadable { why },
            Fault::GaveUp => FaultLine::GaveUp,
            Fault::Unreachable { why } => FaultLine::Unreachable { why },
        }
    }
}

impl From<FaultLine> for Fault {
    fn from(line: FaultLine) -> Fault {
        match line {
            FaultLine::TimedOut { used_ms, limit_ms } => {
                Fault::TimedOut { used: duration(used_ms), limit: duration(limit_ms) }
            }
            FaultLine::Crashed { how } => Fault::Crashed { how },
            FaultLine::NothingWritten => Fault::NothingWritten,
            FaultLine::Unreadable { why } => Fault::Unreadable { why },
            FaultLine::GaveUp => Fault::GaveUp,
            FaultLine::Unreachable { why } => Fault::Unreachable { why },
        }
    }
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordEnd {
    /// How the match ended.
    pub outcome: Outcome,
    /// When (RFC 3339); `None` if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// A time as records have it, in milliseconds with two digits after the point: a hundredth of a millisecond says more than
/// a clock can. The rest is cut off, so that whole milliseconds, of which an outcome may speak, are the same when the match
/// is played again.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_micros() / 10) as f64 / 100.0
}

fn duration(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}

/// A map in which no key stands twice: of two answers, readers would take different ones.
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
        text.parse().map_err(|_| serde::de::Error::custom(format!("{text:?} is no number of 64 bits")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_milliseconds_are_the_same_when_a_time_is_read_again() {
        for micros in (0..5_000_000).step_by(997).chain([1_999_995, 1_999_999, 2_000_000, 2_000_999]) {
            let time = Duration::from_micros(micros);
            assert_eq!(duration(milliseconds(time)).as_millis(), time.as_millis(), "{micros}");
        }
    }
}
