//! How bots are doing: whether they answer, how fast, and which ones are not asked for a while.
//!
//! Nothing of it is in the journal. After a restart every bot begins as one that is not known.

use super::line::BotId;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// After so many matches in a row that it never began, a bot is parked.
pub(super) const PATIENCE: u32 = 3;
/// When a parked bot is asked for the first time; then after twice as long each time.
pub(super) const FIRST: Duration = Duration::from_secs(5);
/// The longest time between two questions.
pub(super) const LONGEST: Duration = Duration::from_secs(300);

/// How a bot is doing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Condition {
    /// Whether it answered when it was asked last; `None` if it was not.
    pub(super) reachable: Option<bool>,
    /// How long its last answer took.
    pub(super) latency: Option<Duration>,
    /// What went wrong last, in words.
    pub(super) fault: Option<String>,
    /// How many matches in a row it never began, for want of a fleet that may lie as it does.
    failures: u32,
    pub(super) parked: Option<Parked>,
}

/// Why and until when a bot is not asked to play.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parked {
    /// What went wrong.
    pub(super) why: String,
    /// How often it was asked since.
    pub(super) asked: u32,
    /// When it is asked next.
    pub(super) next: Instant,
}

/// How all bots are doing.
#[derive(Debug, Default)]
pub(super) struct Conditions(BTreeMap<BotId, Condition>);

impl Conditions {
    /// How this bot is doing.
    pub(super) fn of(&self, bot: BotId) -> Condition {
        self.0.get(&bot).cloned().unwrap_or_default()
    }

    /// Whether the bot is parked.
    pub(super) fn is_parked(&self, bot: BotId) -> bool {
        self.0.get(&bot).is_some_and(|condition| condition.parked.is_some())
    }

    /// It answered, after so long.
    pub(super) fn answered(&mut self, bot: BotId, after: Option<Duration>) {
        let condition = self.0.entry(bot).or_default();
        condition.reachable = Some(true);
        condition.latency = after.or(condition.latency);
    }

    /// It gave no usable answer, for this reason; it may still have answered something.
    pub(super) fn failed(&mut self, bot: BotId, why: &str, reachable: bool) {
        let condition = self.0.entry(bot).or_default();
        condition.reachable = Some(reachable);
        condition.fault = Some(why.to_owned());
    }

    /// It began a match.
    pub(super) fn began(&mut self, bot: BotId) {
        self.0.entry(bot).or_default().failures = 0;
    }

    /// It never began a match, for this reason. Tells whether it is parked now.
    pub(super) fn never_began(&mut self, bot: BotId, why: &str, now: Instant) -> bool {
        let condition = self.0.entry(bot).or_default();
        condition.failures += 1;
        if condition.failures >= PATIENCE && condition.parked.is_none() {
            condition.parked = Some(Parked { why: why.to_owned(), asked: 0, next: now + FIRST });
        }
        condition.parked.is_some()
    }

    /// A parked bot that is to be asked now, or when the next one is.
    pub(super) fn due(&self, now: Instant) -> Result<BotId, Option<Instant>> {
        let parked = self.0.iter().filter_map(|(bot, condition)| Some((condition.parked.as_ref()?.next, *bot)));
        match parked.min() {
            Some((next, bot)) if next <= now => Ok(bot),
            Some((next, _)) => Err(Some(next)),
            None => Err(None),
        }
    }

    /// A parked bot was asked and did not answer as it should, for this reason.
    pub(super) fn asked_in_vain(&mut self, bot: BotId, why: &str, now: Instant) {
        if let Some(parked) = self.0.get_mut(&bot).and_then(|condition| condition.parked.as_mut()) {
            parked.asked += 1;
            why.clone_into(&mut parked.why);
            parked.next = now + (FIRST * 2_u32.saturating_pow(parked.asked)).min(LONGEST);
        }
    }

    /// A bot may play again. Tells whether it was parked.
    pub(super) fn welcome(&mut self, bot: BotId) -> bool {
        let Some(condition) = self.0.get_mut(&bot) else { return false };
        condition.failures = 0;
        condition.parked.take().is_some()
    }

    /// A bot is gone, or begins anew.
    pub(super) fn forget(&mut self, bot: BotId) {
        self.0.remove(&bot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOT: BotId = BotId(1);

    fn parked(now: Instant) -> Conditions {
        let mut conditions = Conditions::default();
        let parked: Vec<bool> = (0..3).map(|_| conditions.never_began(BOT, "refused", now)).collect();
        assert_eq!(parked, [false, false, true]);
        conditions
    }

    #[test]
    fn a_bot_that_begins_none_of_three_matches_in_a_row_is_parked() {
        let now = Instant::now();
        assert!(parked(now).is_parked(BOT));
        let mut conditions = Conditions::default();
        for _ in 0..5 {
            assert!(!conditions.never_began(BOT, "refused", now) && !conditions.never_began(BOT, "refused", now));
            conditions.began(BOT);
        }
    }

    #[test]
    fn a_parked_bot_is_asked_after_growing_times() {
        let mut now = Instant::now();
        let mut conditions = parked(now);
        let mut waited = Vec::new();
        for _ in 0..9 {
            let next = conditions.due(now).unwrap_err().unwrap();
            waited.push((next - now).as_secs());
            now = next;
            assert_eq!(conditions.due(now), Ok(BOT));
            conditions.asked_in_vain(BOT, "still refused", now);
        }
        assert_eq!(waited, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
        assert_eq!(conditions.of(BOT).parked.unwrap().why, "still refused");
        assert!(conditions.welcome(BOT) && !conditions.welcome(BOT));
        assert_eq!(conditions.due(now), Err(None));
        assert!(!conditions.never_began(BOT, "refused", now), "it has all its chances again");
    }

    #[test]
    fn the_last_answer_and_the_last_fault_are_known() {
        let mut conditions = Conditions::default();
        assert_eq!(conditions.of(BOT), Condition::default());
        conditions.failed(BOT, "refused", false);
        conditions.answered(BOT, Some(Duration::from_millis(3)));
        let condition = conditions.of(BOT);
        assert_eq!((condition.reachable, condition.fault.as_deref()), (Some(true), Some("refused")));
        assert_eq!(condition.latency, Some(Duration::from_millis(3)));
    }
}
