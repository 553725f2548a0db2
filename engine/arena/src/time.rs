//! How long players may take and whether they answer together or in turn.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What one run of a bot may take (Player Rules 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    answer: Duration,
    kill: Duration,
    cpu: Option<Duration>,
}

impl Limits {
    /// A bot's own time: 2 s.
    pub const ANSWER: Duration = Duration::from_secs(2);
    /// When a bot is killed at the earliest: 4 s.
    pub const KILL: Duration = Duration::from_secs(4);

    /// The limits of the rules with `extra` time for the start of the bot's language: an answer later than
    /// 2 s + extra does not count; after 4 s, or after that limit if it is later, the bot is killed.
    pub fn with_extra(extra: Duration) -> Limits {
        let answer = Self::ANSWER + extra;
        Limits { answer, kill: answer.max(Self::KILL), cpu: None }
    }

    /// These limits exactly.
    ///
    /// # Panics
    /// When a bot would be killed before its time is up.
    pub fn exactly(answer: Duration, kill: Duration) -> Limits {
        assert!(kill >= answer, "a bot is not killed before its time is up");
        Limits { answer, kill, cpu: None }
    }

    /// The same, and an answer that took more of the processor's time does not count either.
    #[must_use]
    pub fn with_cpu(self, cpu: Option<Duration>) -> Limits {
        Limits { cpu, ..self }
    }

    /// From when on an answer is too late.
    pub fn answer(self) -> Duration {
        self.answer
    }

    /// How much of the processor's time an answer may take; `None` without limit.
    pub fn cpu(self) -> Option<Duration> {
        self.cpu
    }

    /// When a bot that still runs is killed.
    pub fn kill(self) -> Duration {
        self.kill
    }
}

/// Whether the awaited players are asked at the same time. What each is shown is fixed before either is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sequence {
    /// All at once.
    Together,
    /// One after the other.
    InTurn,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_killed_after_four_seconds_or_when_its_longer_limit_is_over() {
        let seconds = Duration::from_secs;
        assert_eq!(Limits::with_extra(seconds(1)), Limits::exactly(seconds(3), seconds(4)));
        assert_eq!(Limits::with_extra(seconds(3)), Limits::exactly(seconds(5), seconds(5)));
    }
}
