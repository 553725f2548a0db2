//! Time limits of players, and the order in which players are asked.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time limits of one answer (Player Rules 5). A bot is never killed before its answer is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    answer: Duration,
    kill: Duration,
    cpu: Option<Duration>,
}

impl Limits {
    /// The time for an answer by the rules: 2 s.
    pub const ANSWER: Duration = Duration::from_secs(2);
    /// The earliest time at which a bot is killed: 4 s.
    pub const KILL: Duration = Duration::from_secs(4);

    /// The limits of the rules with `extra` time for the start of the bot's language: an answer later than
    /// 2 s + extra does not count; after 4 s, or after that limit if it is later, the bot is killed.
    pub fn with_extra(extra: Duration) -> Limits {
        let answer = Self::ANSWER + extra;
        Limits { answer, kill: answer.max(Self::KILL), cpu: None }
    }

    /// Exactly these limits.
    ///
    /// # Panics
    /// If `kill` is below `answer`.
    pub fn exactly(answer: Duration, kill: Duration) -> Limits {
        assert!(kill >= answer, "a bot is not killed before its time is up");
        Limits { answer, kill, cpu: None }
    }

    /// The same limits, with a limit on the processor time of an answer.
    #[must_use]
    pub fn with_cpu(self, cpu: Option<Duration>) -> Limits {
        Limits { cpu, ..self }
    }

    /// The same limits for a bot that stays: it is killed as soon as its answer is too late.
    #[must_use]
    pub fn killed_when_late(self) -> Limits {
        Limits { kill: self.answer, ..self }
    }

    /// The time after which an answer is too late.
    pub fn answer(self) -> Duration {
        self.answer
    }

    /// The limit on the processor time of an answer; `None` without limit.
    pub fn cpu(self) -> Option<Duration> {
        self.cpu
    }

    /// The time after which a bot that still runs is killed.
    pub fn kill(self) -> Duration {
        self.kill
    }
}

/// The order in which awaited players are asked. The view of each is fixed before any is asked.
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
