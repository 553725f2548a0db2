//! The queue of submissions: each version gets its verdict in its turn.

use crate::contests::contest_host::ContestHost;
use crate::contests::submissions::disk_budget;
use crate::contests::submissions::turns::{self, VersionKey};
use crate::contests::views::publish_queue;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::contests::version::VersionSource;
use crate::state::name::BotId;
use crate::state::random::fresh_seed;
use crate::state::request_error::{RequestError, RequestResult};
use arena::ArenaError;
use platform::locks::lock;
use runner::{RunnerError, with_causes};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use submissions::add_to_log;
use submissions::{Handed, Submission, judge};
use submissions::{JudgeStep, Rejection};

/// A version that has brought the server down so often is rejected.
const MOST_ATTEMPTS: u32 = 2;
/// A version with which the machine has failed so often is rejected.
const MOST_FAILURES: u32 = 3;
/// The time until the next try if the machine fails.
const AGAIN: Duration = Duration::from_secs(30);

/// Versions with which the machine has failed, whose attempts are in the journal already: when they are tried again, and how often the
/// machine failed.
pub(crate) type Failures = Mutex<BTreeMap<VersionKey, (Instant, u32)>>;

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

impl Waiting {
    fn key(&self) -> VersionKey {
        (self.contest.clone(), self.bot, self.version)
    }
}

/// Gives versions their verdicts until the server ends. Several threads may do that at once.
pub(crate) fn run(contests: &ContestHost, failed: &Failures) {
    loop {
        let seen = contests.queue.changes();
        if contests.host.ending.is_raised() {
            return;
        }
        let now = Instant::now();
        let Some(waiting) = next(contests, failed, now) else {
            let again = lock(failed).values().map(|(again, _)| again.saturating_duration_since(now)).min();
            contests.queue.wait(seen, again);
            continue;
        };
        let key = waiting.key();
        let failures = lock(failed).get(&key).map_or(0, |(_, failures)| *failures);
        match give_verdict(contests, &waiting, failures) {
            Ok(()) => drop(lock(failed).remove(&key)),
            Err(error) => {
                contests.host.report_trouble(&error);
                lock(failed).insert(key.clone(), (Instant::now() + AGAIN, failures + 1));
            }
        }
        contests.change_judged_now(|judged| judged.remove(&key));
    }
}

/// Takes the next version in turn, of those that may be tried now. No other thread takes it.
fn next(contests: &ContestHost, failed: &Failures, now: Instant) -> Option<Waiting> {
    let failed = lock(failed);
    contests.change_judged_now(|judged| {
        // Others do not wait for one with which the machine has failed.
        let is_free =
            |key: &VersionKey| !judged.contains_key(key) && failed.get(key).is_none_or(|(again, _)| *again <= now);
        let waiting = contests.host.store.look(|state| {
            let (name, bot, number) = turns::waiting(state, is_free).into_iter().next()?;
            let contest = state.contests.get(&name)?;
            let (_, version, attempts) =
                contest.open_versions().find(|(of, version, _)| (*of, version.number) == (bot, number))?;
            let (settings, source) = (contest.settings.clone(), version.source.clone());
            Some(Waiting { contest: name, settings, bot, version: number, source, attempts })
        })?;
        judged.insert(waiting.key(), JudgeStep::Unpacking);
        Some(waiting)
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
            return give_up(contests, waiting, reason);
        }
        enter(contests, contest, ContestLine::Judged { bot, version })?;
    }
    let submission = Submission {
        settings: &settings.judge_settings(contests.sandbox),
        source: match source {
            VersionSource::Archive { archive, .. } => Handed::Archive(folder.archive(archive)),
            VersionSource::Url { url } => Handed::Url(url.as_str()),
        },
        folder: &folder.version(bot, version),
        seed: fresh_seed(),
        client: &contests.host.client,
        at_step: &|step| {
            contests.change_judged_now(|judged| judged.insert(waiting.key(), step));
            publish_queue(contests, contest);
        },
    };
    let change = match judge(&submission, &contests.host.ending) {
        Ok(Ok(acceptance)) => ContestLine::Accepted { bot, version, acceptance },
        Ok(Err(rejection)) => return reject(contests, waiting, rejection),
        Err(RunnerError::Arena(ArenaError::Interrupted)) => ContestLine::Queued { bot, version },
        // A full disk says nothing about the bot, however often.
        Err(error)
            if failures + 1 >= MOST_FAILURES && !matches!(error, RunnerError::Arena(ArenaError::Disk { .. })) =>
        {
            log::error!("version {version} of bot {bot} is given up: {}", with_causes(&error));
            let reason = "the server failed at it again and again; its operator can see why".to_owned();
            return give_up(contests, waiting, reason);
        }
        Err(error) => return Err(RequestError::internal(with_causes(&error))),
    };
    enter(contests, contest, change)?;
    publish_queue(contests, contest);
    contests.ladder(contest)?.changed.tell();
    disk_budget::keep_within(contests, contest, bot)
}

/// Rejects a version for a reason that its log does not have yet.
fn give_up(contests: &ContestHost, waiting: &Waiting, reason: String) -> RequestResult<()> {
    let log = contests.folder(&waiting.contest).version(waiting.bot, waiting.version).log();
    add_to_log(&log, &format!("rejected: {reason}"));
    reject(contests, waiting, Rejection { step: JudgeStep::Building, reason, lacks_tool: false })
}

/// Rejects a version. Its archive goes, unless it is that of another one.
fn reject(contests: &ContestHost, waiting: &Waiting, rejection: Rejection) -> RequestResult<()> {
    let Waiting { contest, bot, version, source, .. } = waiting;
    enter(contests, contest, ContestLine::Rejected { bot: *bot, version: *version, rejection })?;
    publish_queue(contests, contest);
    // It is marked as one that does not play.
    contests.ladder(contest)?.changed.tell();
    let Some(archive) = source.archive() else { return Ok(()) };
    let _archives = lock(&contests.archives);
    let is_needed = contests.look(contest, |contest| contest.needs_archive(source));
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
