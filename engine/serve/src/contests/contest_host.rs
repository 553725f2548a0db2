//! The host of contests: their ladders, and the queue of submissions.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::finals::final_thread::FinalThread;
use crate::contests::ladders::ladder::Ladder;
use crate::contests::ladders::ladder_thread::LadderThread;
use crate::contests::ladders::other_machines::OtherMachines;
use crate::contests::marking::marking_thread::MarkingThread;
use crate::contests::signal::Signal;
use crate::contests::submissions::turns::VersionKey;
use crate::matches::host::MatchHost;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::plan;
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
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
use std::thread::{self, JoinHandle};
use submissions::JudgeStep;

/// The beginning of the name of an archive that is being received.
pub(crate) const PART: &str = "upload-";
/// The most archives that are received at the same time.
const UPLOADS: usize = 16;

/// The versions that get their verdicts now, and the steps at which they are.
pub(crate) type JudgedNow = BTreeMap<VersionKey, JudgeStep>;

/// The contests of a server.
#[derive(Debug)]
pub(crate) struct ContestHost {
    pub(crate) host: Arc<MatchHost>,
    pub(crate) sandbox: SandboxLevel,
    /// Other machines that play games of ladders, if there are any.
    others: Option<OtherMachines>,
    /// The reason why no bots can be handed in on this machine, if there is one.
    pub(crate) refusal: Option<String>,
    ladders: Mutex<Ladders>,
    /// Locked while a contest begins or gets other settings: one of two requests comes first.
    beginning: Mutex<()>,
    /// Submissions have come.
    pub(crate) queue: Signal,
    judged_now: Mutex<JudgedNow>,
    /// The teams whose archives are being received.
    receiving: Mutex<BTreeSet<BotId>>,
    /// Locked while an archive is entered, or removed because no version needs it.
    pub(crate) archives: Mutex<()>,
}

/// The ladders of all contests, and their threads.
#[derive(Debug, Default)]
struct Ladders {
    by_name: BTreeMap<ContestName, Arc<Ladder>>,
    threads: Vec<JoinHandle<()>>,
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
    /// Enters these contests, or their settings if those have changed, and opens the ladders of all. They play as soon as
    /// [`ContestHost::play`] is called.
    ///
    /// # Errors
    /// Settings cannot be used, a journal is damaged, or the disk fails.
    pub(crate) fn new(
        host: Arc<MatchHost>,
        contests: Vec<(ContestName, ContestSettings)>,
        (sandbox, others): (SandboxLevel, Option<OtherMachines>),
    ) -> Result<(ContestHost, Vec<LadderThread>), ServeError> {
        let refusal = refusal(sandbox);
        let (ladders, beginning, queue, judged_now, receiving, archives) = Default::default();
        let contests_host =
            ContestHost { host, sandbox, others, refusal, ladders, beginning, queue, judged_now, receiving, archives };
        for (contest, settings) in contests {
            let wrong = |error: RequestError| match error.cause {
                Some(cause) => ServeError::Begin(cause),
                None => ServeError::Contest { contest: contest.to_string(), why: error.message },
            };
            contests_host.enter_settings(&contest, settings, false).map_err(wrong)?;
        }
        let all: Vec<ContestName> = contests_host.host.store.look(|state| state.contests.keys().cloned().collect());
        let threads = all.into_iter().map(|name| contests_host.open(name)).collect::<Result<_, _>>()?;
        Ok((contests_host, threads))
    }

    /// Begins a contest, or gives it these settings; games of its ladder that are being played are played to their end. Returns true
    /// if it has begun. With `is_new`, a contest that there is keeps its settings.
    ///
    /// # Errors
    /// The settings cannot be used, the contest exists or has another game, or the disk fails. If a ladder cannot be opened, the same
    /// request tries it again.
    pub(crate) fn set(&self, name: &ContestName, settings: ContestSettings, is_new: bool) -> RequestResult<bool> {
        let _beginning = lock(&self.beginning);
        let known = self.host.store.look(|state| state.contests.get(name).map(|known| known.settings.clone()));
        let folders = |settings| plan::folders(settings).map(|(plan, baseline)| plan.folder.join(&baseline.bot));
        let known: BTreeSet<_> = known.iter().flat_map(folders).collect();
        if !folders(&settings).all(|folder| known.contains(&folder)) {
            return Err(RequestError::bad("plan: folders of baselines are named by contest files only"));
        }
        let has_begun = self.enter_settings(name, settings, is_new)?;
        match self.ladder(name) {
            Ok(ladder) => ladder.changed.tell(),
            Err(_) => {
                let failed = |error: ServeError| {
                    let error = RequestError::internal(with_causes(&error));
                    self.host.report_trouble(&error);
                    error
                };
                self.play(self.open(name.clone()).map_err(failed)?).map_err(|error| failed(error.into()))?;
            }
        }
        Ok(has_begun)
    }

    /// Enters the settings of a contest, if they are others. Returns true if it begins with them.
    fn enter_settings(&self, name: &ContestName, settings: ContestSettings, is_new: bool) -> RequestResult<bool> {
        settings.check().map_err(RequestError::bad)?;
        let known = self.host.store.look(|state| state.contests.get(name).map(|known| known.settings == settings));
        if known.is_some() && is_new {
            return Err(RequestError::conflict(format!("there is a contest called {name} already")));
        }
        if known != Some(true) {
            self.enter(name, ContestLine::Settings { settings })?;
        }
        Ok(known.is_none())
    }

    /// Opens the ladder of a contest.
    fn open(&self, name: ContestName) -> Result<LadderThread, ServeError> {
        let folder = ContestFolder::of(&self.host.folder, &name);
        let archives = folder.archives();
        // So that a copy has no exceptions.
        for path in [&archives, &folder.tournaments(), &folder.records_folder(), &folder.versions()] {
            fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e))?;
        }
        remove_parts(&archives);
        let settings = self.host.store.look(|state| state.contests.get(&name).map(|contest| contest.settings.clone()));
        let settings = settings.ok_or_else(|| ServeError::Begin(format!("there is no contest {name}")))?;
        let wrong = |why| ServeError::Contest { contest: name.to_string(), why };
        plan::check_folders(&settings).map_err(wrong)?;
        let played = (self.sandbox, self.others.clone());
        LadderThread::open(Arc::clone(&self.host), name, folder, &settings, played)
    }

    /// Lets a ladder play, its finals be shown and its bots be marked, on threads of their own, until the server ends.
    ///
    /// # Errors
    /// The system gives no threads.
    pub(crate) fn play(&self, thread: LadderThread) -> Result<(), ArenaError> {
        let mut ladders = lock(&self.ladders);
        // `close` raises it before it looks at the ladders.
        if self.host.ending.is_raised() {
            return Err(ArenaError::Interrupted);
        }
        let ladder = Arc::clone(thread.ladder());
        let finals = FinalThread { host: Arc::clone(&self.host), ladder: Arc::clone(&ladder) };
        let marking = MarkingThread::new(Arc::clone(&self.host), Arc::clone(&ladder), self.sandbox);
        let mut start = |name: &'static str, work: Box<dyn FnOnce() + Send>| {
            let spawned = thread::Builder::new().name(name.to_owned()).spawn(work);
            spawned
                .map(|thread| ladders.threads.push(thread))
                .map_err(|e| ArenaError::process("start a thread for", name, e))
        };
        start("ladder", Box::new(move || thread.run()))?;
        start("finals", Box::new(move || finals.run()))?;
        start("marks", Box::new(move || marking.run()))?;
        ladders.by_name.insert(ladder.name.clone(), ladder);
        Ok(())
    }

    /// Teams or contests have changed, and with them who plays.
    pub(crate) fn tell_ladders(&self) {
        lock(&self.ladders).by_name.values().for_each(|ladder| ladder.changed.tell());
    }

    /// Ends all activity: the server ends, which its host knows already.
    pub(crate) fn close(&self) {
        self.queue.tell();
        for ladder in lock(&self.ladders).by_name.values() {
            ladder.close();
        }
    }

    /// Waits until no ladder plays any more, after [`ContestHost::close`].
    pub(crate) fn join(&self) {
        let threads = std::mem::take(&mut lock(&self.ladders).threads);
        // A thread that panicked has reported that itself.
        threads.into_iter().for_each(|thread| drop(thread.join()));
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
    pub(crate) fn ladder(&self, contest: &ContestName) -> RequestResult<Arc<Ladder>> {
        lock(&self.ladders).by_name.get(contest).cloned().ok_or_else(missing)
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

    pub(crate) fn judged_now(&self) -> JudgedNow {
        lock(&self.judged_now).clone()
    }

    pub(crate) fn change_judged_now<T>(&self, change: impl FnOnce(&mut JudgedNow) -> T) -> T {
        change(&mut lock(&self.judged_now))
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
