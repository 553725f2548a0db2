//! A tournament on a worker: its description, its bots from the server or the cache, and the factories of its matches.

use crate::archive::{self, BOT};
use crate::engine::engine;
use crate::link::Link;
use crate::messages::{self, Job, TournamentMessage};
use crate::worker::WorkerOptions;
use crate::{ClusterError, names};
use arena::{ArenaError, Interrupt, Sequence};
use rules::GameKind;
use runner::{
    BotOptions, Context, FactoryGames, GameSetup, Opening, ProgramMatches, ProgramSetup, SandboxLevel, ScratchFolder,
    Silent,
};
use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tournament::{Fixture, GameLine, GameRunner};

/// The number of factories that are kept of a tournament. Each has copies of its bots in memory.
const FACTORIES: usize = 4;
/// The longest description of a tournament, in bytes.
const LONGEST: u64 = 16 << 20;

/// A tournament that this worker plays games of.
pub(crate) struct Opened {
    /// Its name.
    pub(crate) tournament: String,
    /// Stops its games.
    pub(crate) interrupt: Interrupt,
    message: TournamentMessage,
    setup: ProgramSetup,
    factories: Mutex<VecDeque<(Vec<usize>, Arc<ProgramMatches>)>>,
}

/// The games of a job, ready to be played.
pub(crate) struct JobGames<'a> {
    opened: &'a Opened,
    factory: Arc<ProgramMatches>,
    contestants: Vec<usize>,
    folder: &'a Path,
}

impl Opened {
    /// Fetches the description of a tournament.
    ///
    /// # Errors
    /// It cannot be fetched or read, or is of another version of the program.
    pub(crate) fn new(
        tournament: &str,
        description: &str,
        link: &Link,
        options: &WorkerOptions,
    ) -> Result<Opened, ClusterError> {
        let scratch = tempfile::tempdir().map_err(|e| ClusterError::disk("make", &std::env::temp_dir(), e))?;
        let path = scratch.path().join("description");
        link.fetch(description, &path)?;
        let size = fs::metadata(&path).map_err(|e| ClusterError::disk("read", &path, e))?.len();
        let wrong = |why: String| ClusterError::Message { kind: "description", why };
        if size > LONGEST {
            return Err(wrong(format!("it has {size} bytes")));
        }
        let bytes = fs::read(&path).map_err(|e| ClusterError::disk("read", &path, e))?;
        let message: TournamentMessage = messages::read("description", &bytes)?;
        if message.engine != engine() {
            return Err(wrong(format!("it is of {}, and this is {}", message.engine, engine())));
        }
        if message.header.game != GameKind::Entelect2017 || message.archives.len() != message.entrants.len() {
            return Err(wrong(format!("workers do not play {}", message.header.game.name())));
        }
        let settings = serde_json::from_value(message.header.settings.clone()).map_err(|e| wrong(e.to_string()))?;
        let interrupt = Interrupt::new().map_err(ClusterError::Threads)?;
        let bots = BotOptions {
            time: message.limits.time(),
            cpu: message.limits.cpu(),
            sandbox: SandboxLevel::Strict,
            memory: message.limits.memory,
            warm: message.limits.is_warm,
            tools: options.tools.clone(),
            guardian: options.guardian.clone(),
            ..BotOptions::default()
        };
        let context = Context { interrupt: interrupt.clone(), reporter: Arc::new(Silent) };
        let setup = ProgramSetup::new(settings, bots, context);
        Ok(Opened { tournament: tournament.to_owned(), interrupt, message, setup, factories: Mutex::default() })
    }

    /// The names of the players of a game.
    pub(crate) fn names(&self, fixture: Option<Fixture>) -> [String; 2] {
        let name = |at: usize| self.message.entrants.get(at).map(|entrant| entrant.name.clone()).unwrap_or_default();
        fixture.map(|fixture| [fixture.first, fixture.second].map(name)).unwrap_or_default()
    }

    /// Makes everything ready for the games of a job. What is kept of them goes to `folder`.
    ///
    /// # Errors
    /// A bot cannot be fetched, or cannot be played here.
    pub(crate) fn games<'a>(
        &'a self,
        job: &Job,
        folder: &'a Path,
        link: &Link,
        options: &WorkerOptions,
    ) -> Result<JobGames<'a>, ClusterError> {
        let contestants: BTreeSet<usize> = job.games.iter().flat_map(|game| [game.first, game.second]).collect();
        let contestants: Vec<usize> = contestants.into_iter().collect();
        if let Some(unknown) = contestants.iter().find(|at| **at >= self.message.entrants.len()) {
            return Err(ClusterError::Message { kind: "job", why: format!("there is no entrant {unknown}") });
        }
        let mut factories = self.factories.lock().unwrap_or_else(PoisonError::into_inner);
        let found = factories.iter().position(|(of, _)| *of == contestants).and_then(|at| factories.remove(at));
        let factory = match found {
            Some((_, factory)) => factory,
            None => Arc::new(self.factory(&contestants, link, options)?),
        };
        factories.push_back((contestants.clone(), Arc::clone(&factory)));
        if factories.len() > FACTORIES {
            factories.pop_front();
        }
        Ok(JobGames { opened: self, factory, contestants, folder })
    }

    fn factory(
        &self,
        contestants: &[usize],
        link: &Link,
        options: &WorkerOptions,
    ) -> Result<ProgramMatches, ClusterError> {
        let mut found = Vec::new();
        for &at in contestants {
            let entrant = &self.message.entrants[at];
            let refused = |why: String| ClusterError::Entrant { entrant: entrant.name.clone(), why };
            let folder = match &self.message.archives[at] {
                Some(hash) => Some(fetched(hash, link, &options.cache)?),
                None => None,
            };
            let contestant = self.setup.entered(entrant, folder.as_deref());
            let contestant = contestant.map_err(|error| refused(runner::with_causes(&error)))?;
            if entrant.content.is_some() && contestant.content != entrant.content {
                // Somebody has changed it there.
                if let Some(folder) = folder {
                    let _ = fs::remove_dir_all(folder);
                }
                return Err(refused("its folder is not what it was when it entered".to_owned()));
            }
            found.push(contestant);
        }
        let context = self.setup.context().clone();
        let scratch = ScratchFolder::make(&context);
        let failed = |error: &dyn std::error::Error| ClusterError::Entrant {
            entrant: self.names_of(contestants),
            why: runner::with_causes(error),
        };
        let scratch = Some(scratch.map_err(|error| failed(&error))?);
        let opening = Opening { closed: vec![options.cache.clone()], scratch, copies: true, ..Opening::default() };
        self.setup.clone().open(found, opening).map_err(|error| failed(&error))
    }

    fn names_of(&self, contestants: &[usize]) -> String {
        let names = contestants.iter().map(|at| self.message.entrants[*at].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}

impl JobGames<'_> {
    /// Plays a game of the job.
    ///
    /// # Errors
    /// As for [`GameRunner::play`].
    pub(crate) fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        let message = &self.opened.message;
        let games = FactoryGames {
            factory: &*self.factory,
            contestants: &self.contestants,
            settings: &self.opened.setup.settings,
            interrupt: &self.opened.interrupt,
            seed: message.header.base_seed(),
            entrants: &message.entrants,
            sequence: if message.is_together { Sequence::Together } else { Sequence::InTurn },
            folder: self.folder,
            keep: message.keep.into(),
            format: message.header.plan,
        };
        games.play(fixture)
    }
}

/// The folder with the bot of this archive, from the cache or the server.
fn fetched(hash: &str, link: &Link, cache: &Path) -> Result<PathBuf, ClusterError> {
    if hash.len() != 64 || !hash.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(ClusterError::Message { kind: "description", why: "an archive has no hash".to_owned() });
    }
    let bots = cache.join("bots");
    let folder = bots.join(hash);
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(&bots).map_err(|e| ClusterError::disk("make the folder", &bots, e))?;
    let scratch = tempfile::Builder::new().prefix("new-").tempdir_in(&bots);
    let scratch = scratch.map_err(|e| ClusterError::disk("make a folder in", &bots, e))?;
    let (archive, unpacked) = (scratch.path().join("archive"), scratch.path().join("bot"));
    link.fetch(&names::bot(hash), &archive)?;
    let read = |path: &Path| File::open(path).map_err(|e| ClusterError::disk("read", path, e));
    let found = archive::hash(read(&archive)?).map_err(|e| ClusterError::disk("read", &archive, e))?;
    if found != hash {
        return Err(ClusterError::Archive { kind: BOT, why: format!("its SHA-256 is {found}, not {hash}") });
    }
    archive::unpack(BOT, read(&archive)?, &unpacked, |_| true)?;
    match fs::rename(&unpacked, &folder) {
        // Another slot or worker was faster.
        Err(_) if folder.is_dir() => Ok(folder),
        Err(error) => Err(ClusterError::disk("make the folder", &folder, error)),
        Ok(()) => Ok(folder),
    }
}
