//! The next step of a final.

use crate::matches::health::HealthByBot;
use crate::state::finals::final_state::Final;
use crate::state::journal_line::TournamentMode;
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use chrono::{DateTime, Utc};
use tournament::{Fixture, NextGame};

/// The next step of a final that has precedence over tournaments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FinalStep {
    /// Begin with these bots, the best first.
    Begin(Vec<BotId>),
    /// Play a game.
    Play(Fixture),
    /// End the final: all games were played and shown.
    End,
    /// Wait until something changes.
    Wait { why: Option<&'static str> },
}

/// The next step; `None` if tournaments may go on. While a match is played or shown, there is nothing to do.
pub(crate) fn next(
    state: &ServerState,
    health: &HealthByBot,
    is_playing: bool,
    now: DateTime<Utc>,
) -> Option<FinalStep> {
    let present = state.present_final.as_ref().filter(|present| present.ranking.is_none() && present.start <= now)?;
    let wait = |why| Some(FinalStep::Wait { why });
    if is_playing {
        return wait(None);
    }
    if state.mode == TournamentMode::Paused {
        return wait(Some("the final goes on after the pause"));
    }
    let Some(lineup) = present.playing() else {
        let bots = entrants(state, health, present.entrants);
        return match bots.len() {
            0 | 1 => wait(Some("a final needs two bots with a URL that are not parked")),
            _ => Some(FinalStep::Begin(bots)),
        };
    };
    match lineup.next() {
        NextGame::Play(fixture) => Some(FinalStep::Play(fixture)),
        NextGame::Done => Some(FinalStep::End),
        NextGame::Wait => unreachable!("a final has one game at a time"),
    }
}

/// The bots of a final that begins now: the best of all matches that have a URL and are not parked.
pub(crate) fn entrants(state: &ServerState, health: &HealthByBot, most: u32) -> Vec<BotId> {
    let may_play = |bot: &BotId| !health.is_parked(*bot) && state.bot(*bot).is_some_and(|entry| entry.url.is_some());
    let ranked = state.leaderboards().all.into_iter().filter_map(|row| row.id.parse().ok().map(BotId));
    ranked.filter(may_play).take(most as usize).collect()
}

impl Final {
    /// The time until which tournaments may begin matches, if it is planned.
    pub(crate) fn to_come(&self) -> Option<DateTime<Utc>> {
        self.lineup.is_none().then_some(self.start)
    }
}
