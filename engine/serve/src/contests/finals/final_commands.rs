//! Commands about the final of a contest: the administrator plans one or calls it off, and it begins at its time.

use crate::contests::contest_host::ContestHost;
use crate::contests::finals::final_views::publish_final;
use crate::contests::ladders::ladder::Ladder;
use crate::contests::tournaments::tournament_commands::{active_versions, begin, best_first, call_off};
use crate::matches::finals::commands::FinalPlan;
use crate::matches::host::MatchHost;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::contest_tournament::{PlannedFinal, TournamentPlan};
use crate::state::request_error::{RequestError, RequestResult};
use tournament::Format;

/// Plans a final.
pub(crate) fn plan(contests: &ContestHost, contest: &ContestName, plan: &FinalPlan) -> RequestResult<()> {
    let (start, entrants, best_of) = (plan.begins()?, plan.entrants, plan.best_of);
    let plan = PlannedFinal { start, entrants, best_of };
    plan.check().map_err(RequestError::bad)?;
    contests.enter(contest, ContestLine::FinalPlanned { plan })?;
    let ladder = contests.ladder(contest)?;
    publish_final(&contests.host, &ladder);
    ladder.final_changed.tell();
    Ok(())
}

/// Calls off the final that is planned or being played. Games that were shown stay.
pub(crate) fn cancel(contests: &ContestHost, contest: &ContestName) -> RequestResult<()> {
    let (is_planned, open) = contests
        .look(contest, |known| (known.planned_final.is_some(), known.open_final().map(|(number, _)| number)))?;
    match open {
        _ if is_planned => contests.enter(contest, ContestLine::FinalCancelled)?,
        Some(number) => call_off(contests, contest, number)?,
        None => return Err(RequestError::conflict("no final is planned or being played")),
    }
    let ladder = contests.ladder(contest)?;
    publish_final(&contests.host, &ladder);
    ladder.final_changed.tell();
    Ok(())
}

/// Begins the final that is planned, with the best bots that can play. False if there are not two.
pub(crate) fn begin_final(host: &MatchHost, ladder: &Ladder) -> RequestResult<bool> {
    let order = best_first(host, ladder);
    let mut are_enough = true;
    let begun = begin(host, ladder, |state, known| {
        let planned = known.planned_final.as_ref();
        let planned = planned.ok_or_else(|| RequestError::conflict("the final was called off"))?;
        let mut entrants = active_versions(known, &order, |bot| !bot.is_hidden);
        entrants.truncate(planned.entrants as usize);
        are_enough = entrants.len() > 1;
        let pace = Some(state.settings.pace);
        Ok(TournamentPlan { by: None, format: Format::Final, games: planned.best_of, pace, sprt: None, entrants })
    });
    match begun {
        Err(error) if !are_enough && error.cause.is_none() => Ok(false),
        begun => begun.map(|_| true),
    }
}
