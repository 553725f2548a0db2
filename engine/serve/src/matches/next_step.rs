//! The next step of the scheduler: which bots meet, when a tournament or a final begins and ends. Matches of slow bots do
//! not hold up those of others.

use crate::matches::finals::step::{self, FinalStep};
use crate::matches::health::{HealthByBot, MOST_BEHIND, SLOW_PART, Slow, least_of_slow};
use crate::state::finals::final_state::Final;
use crate::state::journal_line::TournamentMode;
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use crate::state::tournament::Tournament;
use chrono::{DateTime, Utc};
use std::time::{Duration, Instant};

/// The longest wait for a time of the wall clock.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The next step of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextStep {
    /// Begin a tournament of these bots.
    Begin(Vec<BotId>),
    /// Play a match of these bots in this tournament.
    Play(u32, [BotId; 2]),
    /// The next step of a final.
    Final(FinalStep),
    /// End this tournament.
    End(u32),
    /// Wait until something changes, or until this time.
    Wait { until: Option<Instant>, why: Option<&'static str> },
}

const NOTHING: NextStep = NextStep::Wait { until: None, why: None };

/// The times until which nothing begins: pauses between matches, after a match of a slow bot, and after a failure of the server.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pauses {
    pub(super) rest_until: Option<Instant>,
    /// Until then, matches of slow bots only begin if no others can.
    pub(super) slow_after: Option<Instant>,
    pub(super) retry_at: Option<Instant>,
}

/// A match that is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Playing {
    /// The number of its tournament, or 0 for a game of a final.
    pub(crate) tournament: u32,
    pub(crate) bots: [BotId; 2],
    /// The time when it began.
    pub(crate) begun: Instant,
}

/// The next step while these matches are being played, at a time of both clocks. A final has precedence over tournaments.
pub(super) fn decide(
    state: &ServerState,
    health: &HealthByBot,
    playing: &[Playing],
    pauses: Pauses,
    (now, time): (Instant, DateTime<Utc>),
) -> NextStep {
    let waits = |until: Option<Instant>| until.filter(|until| now < *until);
    if let Some(until) = waits(pauses.retry_at) {
        return NextStep::Wait { until: Some(until), why: None };
    }
    // The clock of the wall may be set, or go on while the machine sleeps.
    let instant = |at: DateTime<Utc>| now + (at - time).to_std().unwrap_or_default().min(LONGEST_WAIT);
    match step::next(state, health, !playing.is_empty(), time) {
        Some(FinalStep::Wait { why }) => NextStep::Wait { until: None, why },
        // A final begins at its time; its games and its end have pauses of their own.
        Some(step @ FinalStep::Begin(_)) => NextStep::Final(step),
        Some(step) => match waits(pauses.rest_until) {
            Some(until) => NextStep::Wait { until: Some(until), why: None },
            None => NextStep::Final(step),
        },
        None => match next(state, health, playing, pauses, now) {
            NextStep::Wait { until, why } => {
                let begins = state.present_final.as_ref().and_then(Final::to_come).map(instant);
                NextStep::Wait { until: until.into_iter().chain(begins).min(), why }
            }
            step => step,
        },
    }
}

/// The next step of tournaments while these matches are being played.
fn next(state: &ServerState, health: &HealthByBot, playing: &[Playing], pauses: Pauses, now: Instant) -> NextStep {
    if state.mode != TournamentMode::Running {
        return NOTHING;
    }
    let is_parked = |pairing: &[BotId; 2]| pairing.iter().any(|bot| health.is_parked(*bot));
    let is_played = |open: &Tournament| playing.iter().any(|running| running.tournament == open.number);
    let slow = SlowBots::of(state, health, now);
    // Matches of other bots are never given up: one of them may have been busy with a slow bot.
    let others_left =
        |open: &Tournament| state.left_in(open).any(|pairing| !is_parked(&pairing) && !slow.has(&pairing));
    if let Some(given_up) = state.given_up().iter().find(|open| !is_played(open) && !others_left(open)) {
        return NextStep::End(given_up.number);
    }
    if playing.len() >= state.settings.parallel as usize {
        return NOTHING;
    }
    let until = pauses.rest_until.filter(|until| now < *until);
    if until.is_some() {
        return NextStep::Wait { until, why: None };
    }
    let Some(current) = state.tournament.as_ref().filter(|current| !current.is_over) else {
        return begin(state, health);
    };
    // Those that are being played are left until they are over. Until then, a parked bot may come back.
    let is_left = state.left_in(current).any(|pairing| !is_parked(&pairing));
    if !is_left && !is_played(current) {
        return NextStep::End(current.number);
    }
    let is_busy = |bot: &BotId| playing.iter().any(|running| running.bots.contains(bot));
    let given_up = state.given_up().iter().map(|open| open.number).max().unwrap_or(0);
    let ready = || {
        let left = state.all_pairings_left().filter(|(_, pairing)| !is_parked(pairing) && !pairing.iter().any(is_busy));
        left.filter(|(number, pairing)| *number > given_up || !slow.has(pairing))
    };
    let holds_nobody_up = playing.iter().all(|running| slow.holds_nobody_up(running));
    // At once, they play in the next tournament.
    let has_others = slow.others.iter().filter(|bot| !is_busy(bot)).count() >= 2;
    let is_behind = state.previous.len() >= MOST_BEHIND;
    if is_left && has_others && holds_nobody_up && !is_behind && ready().all(|(_, pairing)| slow.has(&pairing)) {
        return NextStep::Begin(with_url(state));
    }
    let may_be_slow = slow.may_play(playing);
    let waits_until =
        |pairing: &[BotId; 2]| pauses.slow_after.max(slow.slow.rests_until(pairing)).filter(|until| now < *until);
    let next = ready().find(|(_, pairing)| may_be_slow && waits_until(pairing).is_none() || !slow.has(pairing));
    // A slow bot plays on if there is nobody else.
    match next.or_else(|| ready().next().filter(|_| playing.is_empty())) {
        Some((tournament, pairing)) => NextStep::Play(tournament, pairing),
        None => {
            let slow_again = ready().filter_map(|(_, pairing)| waits_until(&pairing)).min().filter(|_| may_be_slow);
            let turns =
                [slow.patience, slow.least].map(|after| playing.iter().map(move |running| running.begun + after));
            let turns_slow = turns.into_iter().flatten().filter(|at| now < *at);
            NextStep::Wait { until: slow_again.into_iter().chain(turns_slow).min(), why: None }
        }
    }
}

/// The bots that take much longer than others. While others wait, their matches take at most a quarter of the matches at the same
/// time, and of the time: of that of the event, and of that of each bot they meet.
struct SlowBots {
    slow: Slow,
    /// The bots that may play and are not slow.
    others: Vec<BotId>,
    most: usize,
    /// The time after which a match that is being played is one of a slow bot, whoever plays.
    least: Duration,
    /// The time after which others do not wait any more for a match that is being played.
    patience: Duration,
    now: Instant,
}

impl SlowBots {
    fn of(state: &ServerState, health: &HealthByBot, now: Instant) -> SlowBots {
        let mut others = with_url(state);
        others.retain(|bot| !health.is_parked(*bot));
        let slow = health.slow(state, now);
        others.retain(|bot| !slow.bots.contains(bot));
        let most = (state.settings.parallel / SLOW_PART).max(1) as usize;
        let least = least_of_slow(state.settings.budget());
        SlowBots { patience: slow.patience(least), slow, others, most, least, now }
    }

    fn has(&self, pairing: &[BotId; 2]) -> bool {
        self.slow.has(pairing)
    }

    /// True for a match of a slow bot, and for one that takes as long.
    fn plays(&self, running: &Playing) -> bool {
        self.has(&running.bots) || running.begun + self.least <= self.now
    }

    /// True for a match for which the others do not wait: it is one of a slow bot, or takes longer than is usual.
    fn holds_nobody_up(&self, running: &Playing) -> bool {
        self.has(&running.bots) || running.begun + self.patience <= self.now
    }

    /// True if one more match of a slow bot may begin beside these.
    fn may_play(&self, playing: &[Playing]) -> bool {
        playing.iter().filter(|running| self.plays(running)).count() < self.most
    }
}

/// The pause after a match of a slow bot until the next one, which gives others the rest of the time.
pub(super) fn pause_of_slow(took: Duration, parallel: u32) -> Duration {
    took * SLOW_PART.saturating_sub(parallel) / parallel.max(1)
}

fn with_url(state: &ServerState) -> Vec<BotId> {
    state.bots().filter(|entry| entry.url.is_some()).map(|entry| entry.id).collect()
}

fn begin(state: &ServerState, health: &HealthByBot) -> NextStep {
    let with_url = with_url(state);
    let why = if with_url.len() < 2 {
        "two bots with a URL are needed"
    } else if with_url.iter().filter(|bot| !health.is_parked(**bot)).count() < 2 {
        "two bots that are not parked are needed"
    } else {
        return NextStep::Begin(with_url);
    };
    NextStep::Wait { until: None, why: Some(why) }
}

#[cfg(test)]
mod tests;
