//! The queue of submissions: each version gets its verdict in its turn.

use crate::contests::contest_host::{ContestHost, JudgedNow};
use crate::contests::verdict::{Submission, judge};
use crate::contests::views::publish_queue;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::contests::version::{JudgeStep, Rejection};
use crate::state::name::BotId;
use crate::state::random::fresh_seed;
use crate::state::request_error::{RequestError, RequestResult};
use arena::ArenaError;
use runner::{RunnerError, with_causes};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A version that has brought the server down so often is rejected.
const MOST_ATTEMPTS: u32 = 2;
/// The time until the next try if the machine fails.
const AGAIN: Duration = Duration::from_secs(30);

/// A version that waits for its verdict.
#[derive(Debug, Clone, PartialEq)]
struct Waiting {
    contest: ContestName,
    settings: ContestSettings,
    bot: BotId,
    version: u32,
    archive: String,
    /// The number of attempts that were begun, and of which the server did not see the end.
    attempts: u32,
}

/// A contest, a bot and the number of its version.
type VersionKey = (ContestName, BotId, u32);

impl Waiting {
    fn key(&self) -> VersionKey {
        (self.contest.clone(), self.bot, self.version)
    }
}

/// Gives versions their verdicts until the server ends.
pub(crate) fn run(contests: &ContestHost) {
    // Versions with which the machine has failed, whose attempts are in the journal already, and when they are tried again.
    let mut failed: BTreeMap<VersionKey, Instant> = BTreeMap::new();
    loop {
        let seen = contests.queue.changes();
        if contests.host.ending.is_raised() {
            return;
        }
        let now = Instant::now();
        // Others do not wait for one of those.
        let Some(waiting) = next(contests, |key| failed.get(key).is_none_or(|again| *again <= now)) else {
            let again = failed.values().min().map(|again| again.saturating_duration_since(now));
            failed.retain(|_, again| *again > now);
            contests.queue.wait(seen, again);
            continue;
        };
        let key = waiting.key();
        match give_verdict(contests, &waiting, failed.contains_key(&key)) {
            Ok(()) => drop(failed.remove(&key)),
            Err(error) => {
                contests.host.report_trouble(&error);
                failed.insert(key, Instant::now() + AGAIN);
            }
        }
    }
}

/// The version that has waited longest, of those that may be tried now.
fn next(contests: &ContestHost, may_try: impl Fn(&VersionKey) -> bool) -> Option<Waiting> {
    contests.host.store.look(|state| {
        let first = |(name, contest): (&ContestName, &Contest)| {
            let mut open = contest.open_versions();
            let (bot, version, attempts) =
                open.find(|(bot, version, _)| may_try(&(name.clone(), *bot, version.number)))?;
            let waiting = Waiting {
                contest: name.clone(),
                settings: contest.settings.clone(),
                bot,
                version: version.number,
                archive: version.archive.clone(),
                attempts,
            };
            Some((version.submitted.clone(), waiting))
        };
        state.contests.iter().filter_map(first).min_by(|one, other| one.0.cmp(&other.0)).map(|(_, waiting)| waiting)
    })
}

fn give_verdict(contests: &ContestHost, waiting: &Waiting, is_begun: bool) -> RequestResult<()> {
    let Waiting { contest, settings, bot, version, archive, attempts } = waiting;
    let (bot, version) = (*bot, *version);
    let folder = contests.folder(contest);
    if *attempts >= MOST_ATTEMPTS && !is_begun {
        let reason = format!("the server ended {attempts} times while it was built and tried");
        let rejection = Rejection { step: JudgeStep::Building, reason };
        enter(contests, contest, ContestLine::Rejected { bot, version, rejection })?;
        publish_queue(contests, contest);
        return Ok(());
    }
    if !is_begun {
        enter(contests, contest, ContestLine::Judged { bot, version })?;
    }
    let submission = Submission {
        settings,
        archive: &folder.archive(archive),
        folder: &folder.version(bot, version),
        seed: fresh_seed(),
        sandbox: contests.sandbox,
        at_step: &|step| {
            contests.set_judged_now(Some(JudgedNow { contest: contest.clone(), bot, version, step }));
            publish_queue(contests, contest);
        },
    };
    let judged = judge(&submission, &contests.host.ending);
    contests.set_judged_now(None);
    let change = match judged {
        Ok(Ok(acceptance)) => ContestLine::Accepted { bot, version, acceptance },
        Ok(Err(rejection)) => ContestLine::Rejected { bot, version, rejection },
        Err(RunnerError::Arena(ArenaError::Interrupted)) => ContestLine::Queued { bot, version },
        Err(error) => return Err(RequestError::internal(with_causes(&error))),
    };
    enter(contests, contest, change)?;
    publish_queue(contests, contest);
    contests.ladder(contest)?.changed.tell();
    Ok(())
}

/// Enters a change, unless the bot was removed meanwhile.
fn enter(contests: &ContestHost, contest: &ContestName, change: ContestLine) -> RequestResult<()> {
    match contests.enter(contest, change) {
        Err(error) if error.cause.is_none() => Ok(()),
        entered => entered,
    }
}
