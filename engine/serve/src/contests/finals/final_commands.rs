//! Commands about the final of a contest: the administrator plans one or calls it off.

use crate::contests::contest_host::ContestHost;
use crate::contests::finals::final_views::publish_final;
use crate::contests::tournaments::tournament_commands::call_off;
use crate::matches::finals::commands::FinalPlan;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::contests::contest_tournament::PlannedFinal;
use crate::state::request_error::{RequestError, RequestResult};

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

/// Calls off the final that is planned or being played. Games that were played stay.
pub(crate) fn cancel(contests: &ContestHost, contest: &ContestName) -> RequestResult<()> {
    let (is_planned, open) = contests
        .look(contest, |known| (known.planned_final.is_some(), known.open_final().map(|(number, _)| number)))?;
    if !is_planned {
        let none = || RequestError::conflict("no final is planned or being played");
        return call_off(contests, contest, open.ok_or_else(none)?);
    }
    contests.enter(contest, ContestLine::FinalCancelled)?;
    let ladder = contests.ladder(contest)?;
    publish_final(&contests.host, &ladder);
    ladder.final_changed.tell();
    // A final that waits for bots waits for changes of those who play.
    ladder.changed.tell();
    Ok(())
}
