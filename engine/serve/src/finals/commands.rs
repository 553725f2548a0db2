//! Commands of the administrator about finals, and the steps of the scheduler in one.

use super::state::time;
use super::{FinalView, view};
use crate::app::App;
use crate::journal_line::{BotId, ServerJournalLine, now, written};
use crate::match_run::ScheduledMatch;
use crate::request_error::{RequestError, RequestResult};
use crate::round_robin::derived;
use crate::server_state::ServerState;
use chrono::{NaiveDateTime, TimeDelta, Utc};
use serde::Deserialize;
use std::sync::Arc;
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

/// The time in a form, in RFC 3339: `local` is a time of day at the administrator's place, `offset` the minutes from there to UTC,
/// as a browser tells them. Without an offset the time is UTC; `None` if there is no time.
pub(crate) fn form_time(local: &str, offset: &str) -> RequestResult<Option<String>> {
    let (local, offset) = (local.trim(), offset.trim());
    if local.is_empty() {
        return Ok(None);
    }
    let bad = || RequestError::bad("the time of a final is a date and a time of day");
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];
    let parsed = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(local, format).ok()).ok_or_else(bad)?;
    let minutes: i64 = if offset.is_empty() { 0 } else { offset.parse().map_err(|_| bad())? };
    let minutes = TimeDelta::try_minutes(minutes).filter(|minutes| minutes.num_days() == 0).ok_or_else(bad)?;
    let utc = parsed.checked_add_signed(minutes).ok_or_else(bad)?;
    Ok(Some(written(utc.and_utc())))
}

impl App {
    /// Plans a final.
    pub(crate) async fn plan_final(self: &Arc<App>, plan: FinalPlan) -> RequestResult<FinalView> {
        let present = Utc::now();
        let start = match plan.start.as_deref().map(time).transpose().map_err(RequestError::bad)? {
            Some(start) if start < present - TimeDelta::minutes(LATE_MINUTES) => {
                return Err(RequestError::bad("the time of the final is over"));
            }
            Some(start) if start > present + TimeDelta::days(DAYS) => {
                return Err(RequestError::bad("a final is planned at most a year ahead"));
            }
            start => written(start.unwrap_or(present)),
        };
        self.enter(move |state| {
            let number = state.last_final + 1;
            let (entrants, best_of) = (plan.entrants, plan.best_of);
            super::Final::planned(number, &start, entrants, best_of).map_err(RequestError::bad)?;
            if state.present_final.as_ref().is_some_and(|present| present.ranking.is_none()) {
                return Err(RequestError::conflict("a final is planned or being played already; cancel it first"));
            }
            Ok(ServerJournalLine::FinalPlanned { number, start, entrants, best_of, at: now() })
        })
        .await?;
        self.matches.hurry();
        self.tell_final();
        Ok(self.final_view())
    }

    /// Calls off the final that is planned or being played. A game that is being played ends without a result.
    pub(crate) async fn cancel_final(self: &Arc<App>) -> RequestResult<()> {
        self.enter(|state| {
            let present = state.present_final.as_ref().filter(|present| present.ranking.is_none());
            let present = present.ok_or_else(|| RequestError::conflict("no final is planned or being played"))?;
            Ok(ServerJournalLine::FinalCancelled { number: present.number, at: now() })
        })
        .await?;
        self.matches.break_off_final();
        self.matches.hurry();
        self.tell_final();
        Ok(())
    }

    /// The final as the screens have shown it so far.
    pub(crate) fn final_view(&self) -> FinalView {
        self.store.look(|state| FinalView::of(state, &self.health(), Utc::now()))
    }

    /// Begins the final with these bots.
    pub(crate) fn begin_final(&self, bots: &[BotId]) -> RequestResult<()> {
        self.store.enter(|state| {
            let number = state.present_final.as_ref().map_or(0, |present| present.number);
            let seed = derived(state.seed, &[u64::MAX, number.into()]).to_string();
            let present = bots.iter().filter_map(|bot| state.bot(*bot));
            let (bots, names) = present.map(|entry| (entry.id, entry.name.clone())).unzip();
            let first_game = written(Utc::now() + super::screening::rest(state.settings.pace));
            Ok(ServerJournalLine::FinalBegun { number, seed, bots, names, first_game, at: now() })
        })?;
        self.tell_final();
        Ok(())
    }

    /// Ends the final.
    pub(crate) fn end_final(&self) -> RequestResult<()> {
        self.store.enter(|state| {
            let over = || RequestError::conflict("the final was called off");
            let present = state.present_final.as_ref().ok_or_else(over)?;
            let lineup = present.playing().ok_or_else(over)?;
            let ranking = lineup.ranking().ok_or_else(over)?.into_iter().map(|entrant| lineup.bots[entrant]).collect();
            Ok(ServerJournalLine::FinalEnded { number: present.number, ranking, at: now() })
        })?;
        self.tell_final();
        Ok(())
    }
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
        final_game: Some((fixture, view::place(present, lineup, fixture))),
        bots,
        names: [a.name.clone(), b.name.clone()],
        urls: [a.url.clone()?, b.url.clone()?],
        seed: derived(lineup.seed, &[fixture.first as u64, fixture.second as u64, fixture.number.into()]),
        settings: state.settings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_a_form_is_that_of_the_browser() {
        let utc = |local, offset| form_time(local, offset).map_err(|error| error.to_string());
        assert_eq!(utc("", ""), Ok(None));
        assert_eq!(utc("2026-11-24T19:00", "-60").unwrap().as_deref(), Some("2026-11-24T18:00:00.000Z"));
        assert_eq!(utc("2026-11-24T23:30:10", "300").unwrap().as_deref(), Some("2026-11-25T04:30:10.000Z"));
        assert_eq!(utc("2026-11-24T19:00", "").unwrap().as_deref(), Some("2026-11-24T19:00:00.000Z"));
        for (local, offset) in [("tonight", "0"), ("2026-11-24T19:00", "x"), ("2026-11-24T19:00", "99999999999999999")]
        {
            assert!(utc(local, offset).is_err(), "{local} {offset}");
        }
    }
}
