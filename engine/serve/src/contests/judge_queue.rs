//! The queue of submissions: each version gets its verdict in its turn.

use crate::contests::contest_host::{ContestHost, JudgedNow};
use crate::contests::verdict::{Handed, Submission, judge};
use crate::contests::views::publish_queue;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::contests::version::{JudgeStep, Rejection, VersionSource};
use crate::state::name::BotId;
use crate::state::random::fresh_seed;
use crate::state::request_error::{RequestError, RequestResult};
use arena::ArenaError;
use runner::{RunnerError, with_causes};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// A version that has brought the server down so often is rejected.
const MOST_ATTEMPTS: u32 = 2;
/// A version with which the machine has failed so often is rejected.
const MOST_FAILURES: u32 = 3;
/// The time until the next try if the machine fails.
const AGAIN: Duration = Duration::from_secs(30);

/// A version that waits for its verdict.
#[derive(Debug, Clone, PartialEq)]
struct Waiting {
    contest: ContestName,
    settings: ContestSettings,
    bot: BotId,
    version: u32,
    source: VersionSource,
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
    let mut failed: BTreeMap<VersionKey, (Instant, u32)> = BTreeMap::new();
    loop {
        let seen = contests.queue.changes();
        if contests.host.ending.is_raised() {
            return;
        }
        let now = Instant::now();
        // Others do not wait for one of those.
        let Some(waiting) = next(contests, |key| failed.get(key).is_none_or(|(again, _)| *again <= now)) else {
            let again = failed.values().map(|(again, _)| again.saturating_duration_since(now)).min();
            contests.queue.wait(seen, again);
            continue;
        };
        let key = waiting.key();
        let failures = failed.get(&key).map_or(0, |(_, failures)| *failures);
        match give_verdict(contests, &waiting, failures) {
            Ok(()) => drop(failed.remove(&key)),
            Err(error) => {
                contests.host.report_trouble(&error);
                failed.insert(key, (Instant::now() + AGAIN, failures + 1));
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
                source: version.source.clone(),
                attempts,
            };
            Some((version.submitted.clone(), waiting))
        };
        state.contests.iter().filter_map(first).min_by(|one, other| one.0.cmp(&other.0)).map(|(_, waiting)| waiting)
    })
}

/// Gives a version its verdict, with which the machine has failed so many times since the server was started.
fn give_verdict(contests: &ContestHost, waiting: &Waiting, failures: u32) -> RequestResult<()> {
    let Waiting { contest, settings, bot, version, source, attempts } = waiting;
    let (bot, version) = (*bot, *version);
    let folder = contests.folder(contest);
    if failures == 0 {
        if *attempts >= MOST_ATTEMPTS {
            let reason = format!("the server ended {attempts} times while it was built and tried");
            return reject(contests, waiting, Rejection { step: JudgeStep::Building, reason });
        }
        enter(contests, contest, ContestLine::Judged { bot, version })?;
    }
    let submission = Submission {
        settings,
        source: match source {
            VersionSource::Archive { archive, .. } => Handed::Archive(folder.archive(archive)),
            VersionSource::Url { url } => Handed::Url(url),
        },
        folder: &folder.version(bot, version),
        seed: fresh_seed(),
        sandbox: contests.sandbox,
        client: &contests.host.client,
        at_step: &|step| {
            contests.set_judged_now(Some(JudgedNow { contest: contest.clone(), bot, version, step }));
            publish_queue(contests, contest);
        },
    };
    let judged = judge(&submission, &contests.host.ending);
    contests.set_judged_now(None);
    let change = match judged {
        Ok(Ok(acceptance)) => ContestLine::Accepted { bot, version, acceptance },
        Ok(Err(rejection)) => return reject(contests, waiting, rejection),
        Err(RunnerError::Arena(ArenaError::Interrupted)) => ContestLine::Queued { bot, version },
        // A full disk says nothing about the bot, however often.
        Err(error)
            if failures + 1 >= MOST_FAILURES && !matches!(error, RunnerError::Arena(ArenaError::Disk { .. })) =>
        {
            log::error!("version {version} of bot {bot} is given up: {}", with_causes(&error));
            let reason = "the server failed at it again and again; its operator can see why".to_owned();
            return reject(contests, waiting, Rejection { step: JudgeStep::Building, reason });
        }
        Err(error) => return Err(RequestError::internal(with_causes(&error))),
    };
    enter(contests, contest, change)?;
    publish_queue(contests, contest);
    contests.ladder(contest)?.changed.tell();
    Ok(())
}

/// Rejects a version. Its archive goes, unless it is that of another one.
fn reject(contests: &ContestHost, waiting: &Waiting, rejection: Rejection) -> RequestResult<()> {
    let Waiting { contest, bot, version, source, .. } = waiting;
    enter(contests, contest, ContestLine::Rejected { bot: *bot, version: *version, rejection })?;
    publish_queue(contests, contest);
    let Some(archive) = source.archive() else { return Ok(()) };
    let is_needed = contests.look(contest, |contest| {
        let mut versions = contest.bots().flat_map(|(_, bot)| &bot.versions);
        versions.any(|version| version.source == *source && !version.is_rejected())
    });
    let path = contests.folder(contest).archive(archive);
    if !is_needed? && let Err(error) = fs::remove_file(&path) {
        log::warn!("{} cannot be removed: {error}", path.display());
    }
    Ok(())
}

/// Enters a change, unless the bot was removed meanwhile.
fn enter(contests: &ContestHost, contest: &ContestName, change: ContestLine) -> RequestResult<()> {
    match contests.enter(contest, change) {
        Err(error) if error.cause.is_none() => Ok(()),
        entered => entered,
    }
}
