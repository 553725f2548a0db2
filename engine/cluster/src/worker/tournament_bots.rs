//! A tournament on a worker: its description, its bots from the server or the cache, and the factory of its matches.

use crate::error::ClusterError;
use crate::wire::messages::{self, LONGEST_MS, TournamentMessage};
use crate::wire::names;
use crate::wire::version::version;
use crate::worker::bot_cache;
use crate::worker::head_link::HeadLink;
use crate::worker::options::WorkerOptions;
use arena::{ArenaError, Interrupt, Sequence};
use players::http::{AllowedHosts, Client};
use players::{Manifest, OverHttp};
use rules::Game;
use runner::{
    BotOptions, Context, FactoryGames, GameSetup, LostGames, Opening, Program, ProgramSetup, RunnerError, SandboxLevel,
    ScratchFolder, ServiceSetup, Silent,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tournament::{Fixture, GameLine, GameRunner};

/// The longest description of a tournament, in bytes.
const LONGEST: u64 = 16 << 20;

/// A tournament that a worker plays games of, with its bots.
pub(crate) struct TournamentBots {
    message: TournamentMessage,
    play_game: PlayGame,
    refused: Refused,
}

/// The reasons why entrants cannot be played on this machine, by their numbers.
type Refused = BTreeMap<usize, String>;

/// Plays a game. What is kept of it goes to the folder.
type PlayGame = Box<dyn Fn(Fixture, &TournamentMessage, &Path) -> Result<GameLine, ArenaError> + Send + Sync>;

impl TournamentBots {
    /// Fetches the description of a tournament and the bots that this worker can play, and makes everything ready for them.
    ///
    /// # Errors
    /// Something cannot be fetched or read, or the tournament is of another version of the program.
    pub(crate) fn new(
        description: &str,
        labels: &[String],
        head: HeadLink<'_>,
        options: &WorkerOptions,
        interrupt: &Interrupt,
    ) -> Result<TournamentBots, ClusterError> {
        let message = fetch_description(description, head)?;
        let opening = OpeningTournament { message: &message, labels, head, options, interrupt };
        let (play_game, refused) = runner::for_setup!(
            message.header.game,
            programs G => {
                let settings: <G as Game>::Settings = opening.settings()?;
                opening.with(ProgramSetup::new(settings, opening.bots(), opening.context()))?
            },
            services G => opening.with(opening.services::<G>()?)?,
            built_ins G => return Err(wrong(format!("there are no tournaments of {}", G::KIND.title()))),
        );
        Ok(TournamentBots { message, play_game, refused })
    }

    /// The names of the players of a game.
    pub(crate) fn names(&self, fixture: Option<Fixture>) -> [String; 2] {
        const LONGEST: usize = 60;
        let name = |at: usize| {
            let entrant = self.message.entrants.get(at);
            entrant.map(|entrant| entrant.name.chars().take(LONGEST).collect()).unwrap_or_default()
        };
        fixture.map(|fixture| [fixture.first, fixture.second].map(name)).unwrap_or_default()
    }

    /// The reason why a player of this game cannot be played here, if there is one: other machines may be able to.
    pub(crate) fn refusal(&self, fixture: Fixture) -> Option<ClusterError> {
        let refused = |entrant| Some((entrant, self.refused.get(&entrant)?.clone()));
        let (entrant, why) = [fixture.first, fixture.second].into_iter().find_map(refused)?;
        Some(ClusterError::Refused(self.message.entrants[entrant].name.clone(), why))
    }

    /// Plays a game that is not [refused](TournamentBots::refusal). What is kept of it goes to `folder`.
    ///
    /// # Errors
    /// As for [`GameRunner::play`], or there is no such game.
    pub(crate) fn play(&self, fixture: Fixture, folder: &Path) -> Result<GameLine, ArenaError> {
        for entrant in [fixture.first, fixture.second] {
            if entrant >= self.message.entrants.len() {
                return Err(ArenaError::Elsewhere(format!("there is no entrant {entrant}")));
            }
        }
        if fixture.first == fixture.second {
            return Err(ArenaError::Elsewhere("nobody plays against itself".to_owned()));
        }
        (self.play_game)(fixture, &self.message, folder)
    }
}

fn wrong(why: String) -> ClusterError {
    ClusterError::Message("a description", why)
}

fn opening_failed(error: impl Into<RunnerError>) -> ClusterError {
    match error.into() {
        RunnerError::Arena(ArenaError::Interrupted) => ClusterError::Interrupted,
        error => ClusterError::Opening(runner::with_causes(&error)),
    }
}

fn fetch_description(hash: &str, head: HeadLink<'_>) -> Result<TournamentMessage, ClusterError> {
    let scratch = tempfile::tempdir().map_err(|e| ClusterError::disk("make", &std::env::temp_dir(), e))?;
    let path = scratch.path().join("description");
    head.fetch("a description", hash, &path)?;
    let size = fs::metadata(&path).map_err(|e| ClusterError::disk("read", &path, e))?.len();
    if size > LONGEST {
        return Err(wrong(format!("it has {size} bytes")));
    }
    let bytes = fs::read(&path).map_err(|e| ClusterError::disk("read", &path, e))?;
    let message: TournamentMessage = messages::read_description(&bytes)?;
    if message.engine != version() {
        return Err(wrong(format!("it is of {}, and this is {}", message.engine, version())));
    }
    let entrants = message.entrants.len();
    if [message.archives.len(), message.needs.len(), message.are_native.len()] != [entrants; 3] {
        return Err(wrong("it does not tell all of each entrant".to_owned()));
    }
    Ok(message)
}

/// The opening of a tournament.
struct OpeningTournament<'a> {
    message: &'a TournamentMessage,
    labels: &'a [String],
    head: HeadLink<'a>,
    options: &'a WorkerOptions,
    interrupt: &'a Interrupt,
}

impl OpeningTournament<'_> {
    fn context(&self) -> Context {
        Context { interrupt: self.interrupt.clone(), reporter: Arc::new(Silent) }
    }

    fn settings<T: DeserializeOwned>(&self) -> Result<T, ClusterError> {
        serde_json::from_value(self.message.header.settings.clone()).map_err(|e| wrong(rules::json_mistake(&e)))
    }

    fn bots(&self) -> BotOptions {
        let limits = self.message.limits;
        BotOptions {
            time: limits.time(),
            cpu: limits.cpu(),
            sandbox: SandboxLevel::Strict,
            memory: limits.memory,
            warm: limits.is_warm,
            notes: limits.notes,
            tools: self.options.tools.clone(),
            ..BotOptions::default()
        }
    }

    /// The setup of a game whose bots are asked line by line here.
    fn services<G: OverHttp>(&self) -> Result<ServiceSetup<G>, ClusterError>
    where
        G::Settings: DeserializeOwned,
    {
        let limit = self.message.answer_ms.map(|limit| Duration::from_millis(limit.min(LONGEST_MS)));
        let client = Client::new(AllowedHosts::default());
        let setup = ServiceSetup::new(self.settings()?, G::Speech::default(), limit, client, self.context());
        Ok(setup.with_programs(self.bots()))
    }

    /// The matches between the entrants that can be played here, and the reasons why others cannot.
    fn with<S>(&self, setup: S) -> Result<(PlayGame, Refused), ClusterError>
    where
        S: GameSetup,
        S::Factory: Send + 'static,
    {
        let (mut found, mut contestants, mut refused) = (Vec::new(), Vec::new(), BTreeMap::new());
        for at in 0..self.message.entrants.len() {
            match self.entrant(&setup, at)? {
                Ok(contestant) => {
                    found.push(contestant);
                    contestants.push(at);
                }
                Err(why) => {
                    refused.insert(at, why);
                }
            }
            if self.interrupt.is_raised() {
                return Err(ClusterError::Interrupted);
            }
        }
        // Settings with which no game can be played are refused here.
        runner::start::<S::Game>(setup.settings(), 2, 0).map_err(opening_failed)?;
        let settings = setup.settings().clone();
        let scratch = Some(ScratchFolder::make(setup.context()).map_err(opening_failed)?);
        let closed = vec![self.options.cache.clone()];
        let opening = Opening { closed, scratch, copies: true, ..Opening::default() };
        let factory = setup.open(found, opening).map_err(opening_failed)?;
        let interrupt = self.interrupt.clone();
        let play_game = move |fixture: Fixture, message: &TournamentMessage, folder: &Path| {
            let games = FactoryGames {
                lost: LostGames::default(),
                factory: &factory,
                contestants: &contestants,
                settings: &settings,
                interrupt: &interrupt,
                seed: message.header.base_seed(),
                entrants: &message.entrants,
                sequence: if message.is_together { Sequence::Together } else { Sequence::InTurn },
                folder,
                keep: message.keep,
                format: message.header.plan,
            };
            games.play(fixture)
        };
        Ok((Box::new(play_game), refused))
    }

    /// An entrant, or the reason why it cannot be played here.
    fn entrant<S: GameSetup>(
        &self,
        setup: &S,
        at: usize,
    ) -> Result<Result<runner::ContestantOf<S>, String>, ClusterError> {
        let entrant = &self.message.entrants[at];
        if let Some(language) = self.message.needs[at].as_deref().filter(|needs| !names::has(self.labels, needs)) {
            return Ok(Err(format!("this machine does not have {}", names::text_of(language))));
        }
        let Some(hash) = &self.message.archives[at] else {
            return Ok(setup.entered(entrant, None).map_err(|error| runner::with_causes(&error)));
        };
        let folder = match bot_cache::fetched(hash, self.head, &self.options.cache) {
            Ok(folder) => folder,
            // What was changed on its way may come as it is next time.
            Err(error @ ClusterError::Archive(..)) => return Ok(Err(error.to_string())),
            Err(error) => return Err(error),
        };
        Ok(match setup.entered(entrant, Some(&folder)) {
            Ok(found) if entrant.content.is_some() && found.content != entrant.content => {
                Err("its folder is not what it was when it entered".to_owned())
            }
            Err(error) => Err(runner::with_causes(&error)),
            Ok(found) if self.message.are_native[at] => {
                let usable = self.usable(hash, &folder)?;
                // As the bot was when it entered, but for its program.
                usable.and_then(|usable| match usable == folder {
                    true => Ok(found),
                    false => setup.entered(entrant, Some(&usable)).map_err(|error| runner::with_causes(&error)),
                })
            }
            Ok(found) => Ok(found),
        })
    }

    /// The folder of a bot whose program runs by itself: the one that came, or another with a program that was built on this
    /// machine; or the reason why there is none.
    fn usable(&self, hash: &str, folder: &Path) -> Result<Result<PathBuf, String>, ClusterError> {
        let (options, context) = (self.bots(), self.context());
        let start_failure = |folder: &Path| {
            Program::start_failure(folder, vec![self.options.cache.clone()], &options, &context).map_err(opening_failed)
        };
        let is_source_less = || Manifest::read(folder).is_ok_and(|manifest| manifest.language.builds.is_empty());
        let foreign = if self.message.machine == self.options.machine || is_source_less() {
            match start_failure(folder)? {
                None => return Ok(Ok(folder.to_owned())),
                Some(why) => why,
            }
        } else {
            format!("its program is for {}, and this is {}", self.message.machine, self.options.machine)
        };
        let refused = |why: &str| Ok(Err(format!("{foreign}; it cannot be built here: {why}")));
        let built = bot_cache::built(hash, &self.options.machine, &self.options.cache, |to| {
            Program::build_anew(folder, to, &options, &context)
        });
        match built? {
            Ok(built) => match start_failure(&built)? {
                None => Ok(Ok(built)),
                Some(why) => refused(&why),
            },
            Err(RunnerError::Arena(ArenaError::Interrupted)) => Err(ClusterError::Interrupted),
            Err(error) => refused(&runner::with_causes(&error)),
        }
    }
}
