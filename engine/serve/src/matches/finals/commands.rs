//! Commands of the administrator about finals, and the steps of the scheduler in one.

use crate::matches::finals::view::{self, FinalView};
use crate::matches::host::MatchHost;
use crate::matches::match_run::ScheduledMatch;
use crate::matches::publish;
use crate::matches::views;
use crate::state::finals::final_plan::time;
use crate::state::finals::final_state::Final;
use crate::state::finals::screening::rest;
use crate::state::journal_line::{ServerJournalLine, now, written};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::round_robin::derived;
use crate::state::server_state::ServerState;
use chrono::{TimeDelta, Utc};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;
use tournament::Fixture;
use utoipa::ToSchema;

/// The longest time before a final, in days.
const DAYS: i64 = 366;
/// The oldest time that still means now, in minutes: somebody may have taken long to fill in the form.
const LATE_MINUTES: i64 = 10;

/// A final to plan.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FinalPlan {
    /// The time when it begins, in RFC 3339; none for now.
    pub(crate) start: Option<String>,
    /// The most bots that take part: 2, 4 or 8.
    pub(crate) entrants: u32,
    /// The most games of a meeting: an odd number up to 15.
    pub(crate) best_of: u32,
}

impl FinalPlan {
    /// The time when it begins.
    ///
    /// # Errors
    /// It is none, is over, or is far away.
    pub(crate) fn begins(&self) -> RequestResult<String> {
        let present = Utc::now();
        match self.start.as_deref().map(time).transpose().map_err(RequestError::bad)? {
            Some(start) if start < present - TimeDelta::minutes(LATE_MINUTES) => {
                Err(RequestError::bad("the time of the final is over"))
            }
            Some(start) if start > present + TimeDelta::days(DAYS) => {
                Err(RequestError::bad("a final is planned at most a year ahead"))
            }
            start => Ok(written(start.unwrap_or(present))),
        }
    }
}

/// Plans a final.
pub(crate) async fn plan_final(host: &Arc<MatchHost>, plan: FinalPlan) -> RequestResult<FinalView> {
    let start = plan.begins()?;
    host.enter(move |state| {
        let number = state.last_final + 1;
        let (entrants, best_of) = (plan.entrants, plan.best_of);
        Final::planned(number, &start, entrants, best_of).map_err(RequestError::bad)?;
        if state.present_final.as_ref().is_some_and(|present| present.ranking.is_none()) {
            return Err(RequestError::conflict("a final is planned or being played already; cancel it first"));
        }
        Ok(ServerJournalLine::FinalPlanned { number, start, entrants, best_of, at: now() })
    })
    .await?;
    host.running.hurry();
    publish::present_final(host);
    Ok(views::present_final(host))
}

/// Calls off the final that is planned or being played. A game that is being played ends without a result.
pub(crate) async fn cancel_final(host: &Arc<MatchHost>) -> RequestResult<()> {
    host.enter(|state| {
        let present = state.present_final.as_ref().filter(|present| present.ranking.is_none());
        let present = present.ok_or_else(|| RequestError::conflict("no final is planned or being played"))?;
        Ok(ServerJournalLine::FinalCancelled { number: present.number, at: now() })
    })
    .await?;
    host.running.break_off("the final was called off", |_, running| running.tournament == 0);
    host.running.hurry();
    publish::present_final(host);
    Ok(())
}

/// Begins the final with these bots.
pub(crate) fn begin_final(host: &MatchHost, bots: &[BotId]) -> RequestResult<()> {
    let pause = host.store.look(|state| rest(state.settings.pace));
    host.store.enter(|state| {
        let number = state.present_final.as_ref().map_or(0, |present| present.number);
        let seed = derived(state.seed, &[u64::MAX, number.into()]).to_string();
        let present = bots.iter().filter_map(|bot| state.bot(*bot));
        let (bots, names) = present.map(|entry| (entry.id, entry.name.clone())).unzip();
        let first_game = written(Utc::now() + pause);
        Ok(ServerJournalLine::FinalBegun { number, seed, bots, names, first_game, at: now() })
    })?;
    host.running.lock().rest_until = Some(Instant::now() + pause);
    publish::present_final(host);
    Ok(())
}

/// Ends the final.
pub(crate) fn end_final(host: &MatchHost) -> RequestResult<()> {
    host.store.enter(|state| {
        let over = || RequestError::conflict("the final was called off");
        let present = state.present_final.as_ref().ok_or_else(over)?;
        let lineup = present.playing().ok_or_else(over)?;
        let ranking = lineup.ranking().ok_or_else(over)?.into_iter().map(|entrant| lineup.bots[entrant]).collect();
        Ok(ServerJournalLine::FinalEnded { number: present.number, ranking, at: now() })
    })?;
    publish::present_final(host);
    Ok(())
}

/// The match of a game of the final; `None` if a bot was removed or the final was called off meanwhile.
pub(crate) fn scheduled(state: &ServerState, fixture: Fixture, last_id: u64) -> Option<ScheduledMatch> {
    let present = state.present_final.as_ref()?;
    let lineup = present.playing()?;
    let bots = lineup.seated(fixture);
    let [a, b] = bots.map(|bot| state.bot(bot));
    let (a, b) = (a?, b?);
    Some(ScheduledMatch {
        id: state.last_match.max(last_id) + 1,
        tournament: 0,
        place: [0, 0],
        final_game: Some((fixture, view::place(present, lineup, fixture, state.settings.pace))),
        bots,
        names: [a.name.clone(), b.name.clone()],
        urls: [a.url.clone()?, b.url.clone()?],
        seed: derived(lineup.seed, &[fixture.first as u64, fixture.second as u64, fixture.number.into()]),
        settings: state.settings,
    })
}
