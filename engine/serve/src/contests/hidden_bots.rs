//! Bots that administrators retire or hide.

use crate::contests::contest_host::ContestHost;
use crate::contests::finals::final_views::publish_final;
use crate::contests::views::publish_queue;
use crate::contests::wire::ContestBotView;
use crate::state::contests::contest::ContestBot;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};

/// Retires or hides a bot of a contest, or takes that back.
pub(crate) fn set(contests: &ContestHost, contest: &ContestName, change: ContestLine) -> RequestResult<()> {
    contests.enter(contest, change)?;
    let ladder = contests.ladder(contest)?;
    ladder.changed.tell();
    publish_queue(contests, contest);
    if contests.look(contest, |known| known.planned_final.is_some() || known.last_final().is_some())? {
        publish_final(&contests.host, &ladder);
    }
    Ok(())
}

/// All bots of a contest, for administrators.
pub(crate) fn bots(contests: &ContestHost, contest: &ContestName) -> RequestResult<Vec<ContestBotView>> {
    contests.host.store.look(|state| {
        let of =
            state.contests.get(contest).ok_or_else(|| RequestError::missing("there is no contest of this name"))?;
        let view = |(id, entry): (BotId, &ContestBot)| {
            let active = entry.active.and_then(|number| entry.version(number));
            Some(ContestBotView {
                bot: id.to_string(),
                name: state.bot(id)?.name.to_string(),
                version: entry.active,
                is_retired: entry.is_retired,
                is_hidden: entry.is_hidden,
                parked: active.and_then(|version| version.parked.clone()),
            })
        };
        Ok(of.bots().filter_map(view).collect())
    })
}
