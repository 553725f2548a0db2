//! Views of marks: a team's own, and those of all for the administrator.

use crate::contests::contest_folder::version_at;
use crate::contests::contest_host::ContestHost;
use crate::contests::marking::contest_marks::{ContestMarks, student};
use crate::contests::marking::wire::{CriterionView, MarksView};
use crate::state::contests::contest_settings::ContestName;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use grading::{Judgement, Marks};
use platform::locks::lock;
use std::sync::Arc;

/// The marks so far of a contest with a plan.
pub(crate) fn marks(contests: &ContestHost, contest: &ContestName) -> RequestResult<Option<Arc<ContestMarks>>> {
    if contests.look(contest, |contest| contest.settings.plan.is_none())? {
        return Err(RequestError::missing("this contest has no plan for marks"));
    }
    Ok(lock(&contests.ladder(contest)?.marks).clone())
}

/// The marks of a team's own bot.
pub(crate) fn own(contests: &ContestHost, contest: &ContestName, bot: BotId) -> RequestResult<MarksView> {
    let so_far = marks(contests, contest)?;
    let title = contests.look(contest, |known| known.settings.plan.as_ref().map(|plan| plan.title.clone()))?;
    let mut view = MarksView {
        title: title.unwrap_or_default(),
        version: None,
        is_being_marked: false,
        games: 0,
        is_late: false,
        failing: None,
        points: 0.0,
        most: 0.0,
        criteria: Vec::new(),
    };
    let Some(so_far) = so_far else { return Ok(view) };
    let name = student(bot);
    let Some(one) = so_far.marks.students.iter().find(|one| one.student == name) else { return Ok(view) };
    view.version = so_far.versions.get(&name).map(|(_, version)| *version);
    view.is_being_marked = one.marks.iter().any(|mark| mark.judgement == Judgement::Open);
    (view.games, view.is_late) = (one.games, one.is_late);
    view.failing = one.failing.as_ref().map(|failing| format!("{} failed: {}", failing.step, failing.reason));
    for (head, mark) in so_far.marks.criteria.iter().zip(&one.marks).filter(|(head, _)| !head.is_hidden) {
        view.most += head.points;
        view.points += mark.points;
        view.criteria.push(CriterionView {
            name: head.name.clone(),
            condition: head.condition.clone(),
            most: head.points,
            points: mark.points,
            judgement: mark.judgement,
            reason: mark.reason.clone(),
            measured: mark.measured,
        });
    }
    Ok(view)
}

/// The marks of all teams under their names, each with the number of the version.
pub(crate) fn all(contests: &ContestHost, contest: &ContestName) -> RequestResult<Option<(Marks, Vec<Option<u32>>)>> {
    let Some(so_far) = marks(contests, contest)? else { return Ok(None) };
    let (marks, _) = contests.host.store.look(|state| so_far.named(state));
    let versions = marks.students.iter().map(|one| version_at(&one.submission).map(|(_, version)| version)).collect();
    Ok(Some((marks, versions)))
}
