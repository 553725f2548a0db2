//! The health of bots: if they answer, how fast, and which ones are parked, i.e. not asked to play for a while.
//!
//! Health is not in the journal. After a restart, of every bot is known only whether it has answered before.

use crate::state::name::BotId;
use crate::state::registered_bot::RegisteredBot;
use crate::state::server_state::ServerState;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The number of matches in a row that a bot fails to begin before it is parked.
pub(crate) const PATIENCE: u32 = 3;
/// The time until a parked bot is probed for the first time. The time doubles with each probe.
pub(crate) const FIRST: Duration = Duration::from_secs(5);
/// A slow bot takes this many times as long for a match as half of the bots.
const TIMES_AS_SLOW: u32 = 4;
/// A slow bot takes at least this part of its budget for a match.
const LEAST_OF_BUDGET: u32 = 4;
/// The part of the time, and of the matches at the same time, that matches of slow bots take at most.
pub(crate) const SLOW_PART: u32 = 4;
/// The least time of a match that ended early that tells something of a bot of which nothing is known.
const LONG: Duration = Duration::from_secs(1);
/// The least time that others wait for a match that is being played before they play in the next tournament: that their tournament
/// ends before the next one begins is worth some seconds.
const LEAST_PATIENCE: Duration = Duration::from_secs(5);
/// The time for which it is remembered that the last match of two bots took long.
const REMEMBERED: Duration = Duration::from_secs(30 * 60);
/// The most pairings of which this is remembered.
const MOST_PAIRINGS: usize = 4096;
/// The most tournaments before the current one that are left open for matches that take long.
pub(crate) const MOST_BEHIND: usize = 3;
/// The longest time between two probes.
pub(crate) const LONGEST: Duration = Duration::from_secs(300);

/// The least time that a slow bot takes for a match if it may take as long as `budget`.
pub(crate) fn least_of_slow(budget: Duration) -> Duration {
    budget / LEAST_OF_BUDGET
}

/// The health of a bot.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Health {
    /// True if the bot answered the last request; `None` if there was none yet.
    pub(crate) reachable: Option<bool>,
    /// True if the bot has begun a match at this URL.
    has_begun: bool,
    /// The time of the last match to which the bot did not come; `None` if it has answered since.
    absent_at: Option<Instant>,
    /// The duration of the last answer.
    pub(crate) latency: Option<Duration>,
    /// The longest time of all its answers in a match, which counts less after each match.
    thinking: Option<Duration>,
    /// The last fault, in words.
    pub(crate) fault: Option<String>,
    /// The number of matches in a row that the bot failed to begin, because it placed no valid fleet.
    failures: u32,
    pub(crate) parked: Option<Parked>,
}

/// A bot that is not asked to play.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parked {
    /// The last fault.
    pub(crate) why: String,
    /// The number of probes so far.
    pub(crate) asked: u32,
    /// The time of the next probe.
    pub(crate) next: Instant,
}

/// The health of all bots.
#[derive(Debug, Default)]
pub(crate) struct HealthByBot {
    bots: BTreeMap<BotId, Health>,
    /// The pairings whose last match took long: the time of all answers of the slower bot, and the time when it ended.
    long: BTreeMap<[BotId; 2], (Duration, Instant)>,
}

/// The slow bots and pairings.
#[derive(Debug, Default)]
pub(crate) struct Slow {
    pub(crate) bots: BTreeSet<BotId>,
    pairings: BTreeSet<[BotId; 2]>,
    /// The times until which bots rest that had a long match, so that such matches take only a part of their time.
    rests: BTreeMap<BotId, Instant>,
    /// The time that half of the bots take for a match at most, if it is known.
    usual: Option<Duration>,
}

impl Slow {
    /// True if a match of these bots is one of a slow bot, or their last one took as long.
    pub(crate) fn has(&self, pairing: &[BotId; 2]) -> bool {
        pairing.iter().any(|bot| self.bots.contains(bot)) || self.pairings.contains(&sorted(*pairing))
    }

    /// The time until which no slow match of these bots begins, because one of them, which is not slow itself, had one before.
    pub(crate) fn rests_until(&self, pairing: &[BotId; 2]) -> Option<Instant> {
        let quick = pairing.iter().filter(|bot| !self.bots.contains(bot));
        quick.filter_map(|bot| self.rests.get(bot).copied()).max()
    }

    /// The longest time that other bots wait for a match that is being played, at most `most`.
    pub(crate) fn patience(&self, most: Duration) -> Duration {
        self.usual.map_or(most, |usual| (usual * 2).max(LEAST_PATIENCE).min(most))
    }
}

fn sorted(mut pairing: [BotId; 2]) -> [BotId; 2] {
    pairing.sort_unstable();
    pairing
}

impl HealthByBot {
    /// The health of bots of which the journal knows that they have answered, and nothing else: they are missed in an outage that began
    /// before the server did.
    pub(crate) fn of_those_that_answered(state: &ServerState) -> HealthByBot {
        let mut health = HealthByBot::default();
        let answered = |entry: &&RegisteredBot| entry.median_ms.is_some() || entry.all.wins + entry.all.draws > 0;
        state.bots().filter(answered).for_each(|entry| health.began(entry.id));
        health
    }

    /// The health of a bot.
    pub(crate) fn of(&self, bot: BotId) -> Health {
        self.bots.get(&bot).cloned().unwrap_or_default()
    }

    /// True if the bot is parked.
    pub(crate) fn is_parked(&self, bot: BotId) -> bool {
        self.bots.get(&bot).is_some_and(|health| health.parked.is_some())
    }

    /// Notes an answer, and its duration if that was measured.
    pub(crate) fn answered(&mut self, bot: BotId, after: Option<Duration>) {
        let health = self.bots.entry(bot).or_default();
        health.reachable = Some(true);
        health.absent_at = None;
        health.latency = after.or(health.latency);
    }

    /// Notes the time of all answers of the bot in a match. A match that ended early tells only that the bot is slow, not that it is
    /// fast.
    pub(crate) fn took(&mut self, bot: BotId, time: Duration, is_whole: bool) {
        let health = self.bots.entry(bot).or_default();
        if is_whole || health.thinking.unwrap_or(LONG) < time {
            let before = health.thinking.unwrap_or_default() * 3 / 4;
            health.thinking = Some(before.max(time));
        }
    }

    /// Notes the time of all answers of the slower of two bots in their match. A match that ended early tells only that they are slow.
    pub(crate) fn met(&mut self, pairing: [BotId; 2], time: Duration, is_whole: bool, now: Instant) {
        let pairing = sorted(pairing);
        if time < LONG {
            if is_whole {
                self.long.remove(&pairing);
            }
            return;
        }
        if self.long.len() >= MOST_PAIRINGS && !self.long.contains_key(&pairing) {
            let oldest = self.long.iter().min_by_key(|(_, (_, at))| *at).map(|(known, _)| *known);
            oldest.map(|oldest| self.long.remove(&oldest));
        }
        self.long.insert(pairing, (time, now));
    }

    /// The slow bots among those that may play: they take much longer for a match than most, and much of the budget that the settings
    /// give them. At most half of the bots are slow. A pairing is slow if its last match took as long, however quick its bots are
    /// against others. If too many tournaments are open, it does not matter how much of the budget it was.
    pub(crate) fn slow(&self, state: &ServerState, now: Instant) -> Slow {
        let able = state.bots().filter(|entry| entry.url.is_some() && !self.is_parked(entry.id));
        let is_behind = state.previous.len() >= MOST_BEHIND;
        let least = if is_behind { LONG } else { least_of_slow(state.settings.budget()) };
        self.slow_of(&able.map(|entry| entry.id).collect::<Vec<_>>(), least, now)
    }

    fn slow_of(&self, bots: &[BotId], least: Duration, now: Instant) -> Slow {
        let known = || bots.iter().filter_map(|bot| Some((self.bots.get(bot)?.thinking?, *bot)));
        let mut times: Vec<Duration> = known().map(|(time, _)| time).collect();
        times.sort_unstable();
        let Some(usual) = times.get(times.len().saturating_sub(1) / 2).copied() else { return Slow::default() };
        let least = (usual * TIMES_AS_SLOW).max(least);
        let is_long =
            |(time, at): &(Duration, Instant)| *time > least && now.saturating_duration_since(*at) < REMEMBERED;
        let mut slow = Slow { usual: Some(usual), ..Slow::default() };
        slow.bots.extend(known().filter(|(time, _)| *time > least).map(|(_, bot)| bot));
        for (pairing, (time, at)) in self.long.iter().filter(|(_, last)| is_long(last)) {
            slow.pairings.insert(*pairing);
            let until = *at + *time * (SLOW_PART - 1);
            for bot in pairing {
                slow.rests.entry(*bot).and_modify(|rest| *rest = until.max(*rest)).or_insert(until);
            }
        }
        slow
    }

    /// Notes that there was no usable answer, for this reason. The bot may be reachable all the same.
    pub(crate) fn failed(&mut self, bot: BotId, why: &str, reachable: bool) {
        let health = self.bots.entry(bot).or_default();
        health.reachable = Some(reachable);
        health.fault = Some(why.to_owned());
    }

    /// Notes that the bot did not come to a match: it gave no answer at all.
    pub(crate) fn absent(&mut self, bot: BotId, now: Instant) {
        let health = self.bots.entry(bot).or_default();
        health.absent_at = health.has_begun.then_some(now);
    }

    /// True if the bot did not come to a match within this time, and has not answered since. `None` if it is parked for longer or has
    /// never begun a match, so that its absence is no news.
    pub(crate) fn is_absent(&self, bot: BotId, now: Instant, within: Duration) -> Option<bool> {
        let health = self.bots.get(&bot).filter(|health| health.has_begun)?;
        let is_absent = health.absent_at.is_some_and(|at| now.saturating_duration_since(at) < within);
        (is_absent || health.parked.is_none()).then_some(is_absent)
    }

    /// Forgets who did not answer.
    pub(crate) fn forget_absences(&mut self) {
        self.bots.values_mut().for_each(|health| health.absent_at = None);
    }

    /// Notes that the bot began a match.
    pub(crate) fn began(&mut self, bot: BotId) {
        let health = self.bots.entry(bot).or_default();
        (health.failures, health.has_begun) = (0, true);
    }

    /// Notes that the bot failed to begin a match, for this reason. Returns true if the bot is parked now.
    pub(crate) fn never_began(&mut self, bot: BotId, why: &str, now: Instant) -> bool {
        let health = self.bots.entry(bot).or_default();
        health.failures += 1;
        if health.failures >= PATIENCE && health.parked.is_none() {
            health.parked = Some(Parked { why: why.to_owned(), asked: 0, next: now + FIRST });
        }
        health.parked.is_some()
    }

    /// A parked bot whose probe is due, or the time of the next probe.
    pub(crate) fn due(&self, now: Instant) -> Result<BotId, Option<Instant>> {
        let parked = self.bots.iter().filter_map(|(bot, health)| Some((health.parked.as_ref()?.next, *bot)));
        match parked.min() {
            Some((next, bot)) if next <= now => Ok(bot),
            Some((next, _)) => Err(Some(next)),
            None => Err(None),
        }
    }

    /// Notes that a parked bot failed a probe, for this reason.
    pub(crate) fn asked_in_vain(&mut self, bot: BotId, why: &str, now: Instant) {
        if let Some(parked) = self.bots.get_mut(&bot).and_then(|health| health.parked.as_mut()) {
            parked.asked += 1;
            why.clone_into(&mut parked.why);
            parked.next = now + (FIRST * 2_u32.saturating_pow(parked.asked)).min(LONGEST);
        }
    }

    /// Lets a bot play again. Returns true if it was parked.
    pub(crate) fn welcome(&mut self, bot: BotId) -> bool {
        let Some(health) = self.bots.get_mut(&bot) else { return false };
        health.failures = 0;
        health.parked.take().is_some()
    }

    /// Forgets a bot that was removed.
    pub(crate) fn forget(&mut self, bot: BotId) {
        self.bots.remove(&bot);
        self.long.retain(|pairing, _| !pairing.contains(&bot));
    }

    /// Forgets the faults of a bot that has a new URL.
    pub(crate) fn forget_faults(&mut self, bot: BotId) {
        // A slow bot would not be slow any more.
        let thinking = self.of(bot).thinking;
        self.bots.insert(bot, Health { thinking, ..Health::default() });
    }
}

#[cfg(test)]
mod tests;
