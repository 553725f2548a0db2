//! The host of contests: their ladders, and the queue of submissions.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::ladder::Ladder;
use crate::contests::ladder_thread::LadderThread;
use crate::contests::signal::Signal;
use crate::matches::host::MatchHost;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::contests::version::JudgeStep;
use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::serve_error::ServeError;
use arena::ArenaError;
use platform::locks::lock;
use players::process::{BuildSandbox, Sandbox};
use runner::{SandboxLevel, with_causes};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The beginning of the name of an archive that is being received.
pub(crate) const PART: &str = "upload-";
/// The most archives that are received at the same time.
const UPLOADS: usize = 16;

/// A version that gets its verdict now, and the step at which it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedNow {
    pub(crate) contest: ContestName,
    pub(crate) bot: BotId,
    pub(crate) version: u32,
    pub(crate) step: JudgeStep,
}

/// The contests of a server.
#[derive(Debug)]
pub(crate) struct ContestHost {
    pub(crate) host: Arc<MatchHost>,
    pub(crate) sandbox: SandboxLevel,
    /// The reason why no bots can be handed in on this machine, if there is one.
    pub(crate) refusal: Option<String>,
    ladders: BTreeMap<ContestName, Arc<Ladder>>,
    /// Submissions have come.
    pub(crate) queue: Signal,
    judged_now: Mutex<Option<JudgedNow>>,
    /// The teams whose archives are being received.
    receiving: Mutex<BTreeSet<BotId>>,
}

/// A team whose archive is being received, while this lives.
#[derive(Debug)]
pub(crate) struct Receiving<'a> {
    contests: &'a ContestHost,
    bot: BotId,
}

impl Drop for Receiving<'_> {
    fn drop(&mut self) {
        lock(&self.contests.receiving).remove(&self.bot);
    }
}

impl ContestHost {
    /// Enters these contests, or their settings if those have changed, and opens the ladders of all. They play as soon as their
    /// threads run.
    ///
    /// # Errors
    /// Settings cannot be used, a journal is damaged, or the disk fails.
    pub(crate) fn new(
        host: Arc<MatchHost>,
        contests: Vec<(ContestName, ContestSettings)>,
        sandbox: SandboxLevel,
    ) -> Result<(ContestHost, Vec<LadderThread>), ServeError> {
        for (contest, settings) in contests {
            let is_known =
                host.store.look(|state| state.contests.get(&contest).map(|known| known.settings == settings));
            if is_known == Some(true) {
                continue;
            }
            let wrong = |why| ServeError::Contest { contest: contest.to_string(), why };
            let change = ContestLine::Settings { settings: settings.clone() };
            host.store
                .look(|state| match state.contests.get(&contest) {
                    Some(known) => known.check(&change),
                    None => settings.check(),
                })
                .map_err(wrong)?;
            let line = ServerJournalLine::Contest { contest: contest.clone(), change, at: now() };
            host.store.enter(|_| Ok(line)).map_err(|error| ServeError::Begin(error.to_string()))?;
        }
        let all: Vec<(ContestName, ContestSettings)> = host.store.look(|state| {
            state.contests.iter().map(|(name, contest)| (name.clone(), contest.settings.clone())).collect()
        });
        let (mut ladders, mut threads) = (BTreeMap::new(), Vec::new());
        for (name, settings) in all {
            let folder = ContestFolder::of(&host.folder, &name);
            let archives = folder.archives();
            // So that a copy has no exceptions.
            for path in [&archives, &folder.tournaments(), &folder.records_folder(), &folder.versions()] {
                fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e))?;
            }
            remove_parts(&archives);
            let (ladder, thread) = LadderThread::open(Arc::clone(&host), name.clone(), folder, &settings, sandbox)?;
            ladders.insert(name, ladder);
            threads.push(thread);
        }
        let refusal = refusal(sandbox);
        let (queue, judged_now, receiving) = Default::default();
        Ok((ContestHost { host, sandbox, refusal, ladders, queue, judged_now, receiving }, threads))
    }

    /// Teams or contests have changed, and with them who plays.
    pub(crate) fn tell_ladders(&self) {
        self.ladders.values().for_each(|ladder| ladder.changed.tell());
    }

    /// Ends all activity: the server ends.
    pub(crate) fn close(&self) {
        self.queue.tell();
        for ladder in self.ladders.values() {
            ladder.changed.tell();
            ladder.events.close();
        }
    }

    /// Begins to receive an archive of a team: one at a time, so that no team is in the way of others.
    pub(crate) fn receive(&self, bot: BotId) -> RequestResult<Receiving<'_>> {
        let mut receiving = lock(&self.receiving);
        if receiving.contains(&bot) {
            return Err(RequestError::busy("another archive of yours is being received; try again in a moment"));
        }
        if receiving.len() >= UPLOADS {
            return Err(RequestError::busy("other bots are being received; try again in a moment"));
        }
        receiving.insert(bot);
        Ok(Receiving { contests: self, bot })
    }

    /// The ladder of a contest.
    pub(crate) fn ladder(&self, contest: &ContestName) -> RequestResult<&Arc<Ladder>> {
        self.ladders.get(contest).ok_or_else(missing)
    }

    /// Looks at a contest.
    pub(crate) fn look<T>(&self, contest: &ContestName, look: impl FnOnce(&Contest) -> T) -> RequestResult<T> {
        self.host.store.look(|state| state.contests.get(contest).map(look)).ok_or_else(missing)
    }

    pub(crate) fn folder(&self, contest: &ContestName) -> ContestFolder {
        ContestFolder::of(&self.host.folder, contest)
    }

    /// The contest of this name.
    pub(crate) fn named(&self, name: &str) -> RequestResult<ContestName> {
        let name = ContestName::try_from(name.to_owned()).map_err(|_| missing())?;
        self.look(&name, |_| ()).map(|()| name)
    }

    /// Enters a change of a contest.
    pub(crate) fn enter(&self, contest: &ContestName, change: ContestLine) -> RequestResult<()> {
        let line = ServerJournalLine::Contest { contest: contest.clone(), change, at: now() };
        self.host.store.enter(|state| state.check(&line).map(|()| line).map_err(RequestError::conflict)).map(drop)
    }

    pub(crate) fn judged_now(&self) -> Option<JudgedNow> {
        lock(&self.judged_now).clone()
    }

    pub(crate) fn set_judged_now(&self, judged: Option<JudgedNow>) {
        *lock(&self.judged_now) = judged;
    }
}

fn missing() -> RequestError {
    RequestError::missing("there is no contest of this name")
}

/// Removes archives of which a part had come when the server was killed.
fn remove_parts(archives: &Path) {
    for entry in fs::read_dir(archives).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PART))
            && let Err(error) = fs::remove_file(entry.path())
        {
            log::warn!("{} cannot be removed: {error}", entry.path().display());
        }
    }
}

/// The reason why no bots can be handed in on this machine, if there is one.
fn refusal(level: SandboxLevel) -> Option<String> {
    let sandbox = match (level, Sandbox::start()) {
        (SandboxLevel::Off, _) => return Some("the sandbox is off".to_owned()),
        (_, Err(error)) => return Some(with_causes(&error)),
        (_, Ok(sandbox)) => sandbox,
    };
    // Builds need more than bots; what one of them lacks, strict does not do without.
    let lacking = BuildSandbox::new(sandbox, false).err().filter(|_| level == SandboxLevel::Strict);
    lacking.map(|error| with_causes(&error))
}
