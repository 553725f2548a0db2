//! The games of a ladder: each is played between the two versions that it needs, and no other is looked at.

use crate::contests::contest_folder::{ContestFolder, version_at};
use crate::state::bot_address::BotAddress;
use arena::{ArenaError, Interrupt, Sequence};
use platform::locks::lock;
use rules::Game;
use runner::{
    ContestantOf, FactoryGames, GameSetup, KeptGames, LostGames, Opening, RunnerError, ScratchFolder, with_causes,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use tournament::{Entrant, Fixture, Format, GameLine, GameRunner};

/// Plays games of a ladder. `make` makes the setup of one game.
pub(crate) struct LadderRunner<'a, S: GameSetup, M: Fn() -> S> {
    pub(crate) make: M,
    pub(crate) folder: &'a ContestFolder,
    /// The server's folder, which bots cannot read.
    pub(crate) server: PathBuf,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) settings: <S::Game as Game>::Settings,
    pub(crate) seed: u64,
    pub(crate) interrupt: &'a Interrupt,
    /// The addresses of entrants that are web services, by the paths of their versions.
    pub(crate) urls: BTreeMap<String, BotAddress>,
    /// The entrants that cannot play, with the reasons.
    pub(crate) unusable: Mutex<BTreeMap<usize, String>>,
}

impl<S: GameSetup, M: Fn() -> S> LadderRunner<'_, S, M> {
    fn played(&self, fixture: Fixture) -> Result<GameLine, RunnerError> {
        let setup = (self.make)();
        let pairing = [fixture.first, fixture.second];
        let contestants = pairing.into_iter().map(|at| self.entered(&setup, at)).collect::<Result<Vec<_>, _>>()?;
        let factory = self.open(setup, contestants)?;
        let games = FactoryGames {
            factory: &factory,
            contestants: &pairing,
            settings: &self.settings,
            interrupt: self.interrupt,
            seed: self.seed,
            entrants: &self.entrants,
            sequence: Sequence::InTurn,
            folder: self.folder.path(),
            keep: KeptGames::All,
            lost: LostGames::default(),
            format: Format::Ladder,
        };
        Ok(games.play(fixture)?)
    }

    fn entered(&self, setup: &S, at: usize) -> Result<ContestantOf<S>, RunnerError> {
        let entrant = &self.entrants[at];
        if let Some(url) = self.urls.get(&entrant.bot) {
            // With a name, so that its opponent is not told the URL.
            let found = setup.find_one(&format!("bot={}", url.as_str()))?;
            return Ok(ContestantOf::<S> { source: entrant.bot.clone(), info: entrant.details.clone(), ..found });
        }
        let folder = version_at(&entrant.bot).map(|(bot, number)| self.folder.version(bot, number).bot());
        setup.entered(entrant, folder.as_deref())
    }

    fn open(&self, setup: S, contestants: Vec<ContestantOf<S>>) -> Result<S::Factory, RunnerError> {
        let scratch = Some(ScratchFolder::make(setup.context())?);
        setup.open(contestants, Opening { closed: vec![self.server.clone()], spool: None, scratch, copies: true })
    }

    /// Notes which entrants of a game that could not be played cannot play by themselves either.
    fn note_unusable(&self, fixture: Fixture) {
        for at in [fixture.first, fixture.second] {
            let setup = (self.make)();
            let opened = self.entered(&setup, at).and_then(|contestant| self.open(setup, vec![contestant]));
            match opened {
                Err(RunnerError::Arena(_)) | Ok(_) => {}
                Err(error) => drop(lock(&self.unusable).insert(at, with_causes(&error))),
            }
        }
    }
}

impl<S: GameSetup, M: Fn() -> S + Sync> GameRunner for LadderRunner<'_, S, M>
where
    <S::Game as Game>::Settings: Sync,
{
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        self.played(fixture).map_err(|error| match error {
            RunnerError::Arena(error) => error,
            error => {
                self.note_unusable(fixture);
                ArenaError::Elsewhere(with_causes(&error))
            }
        })
    }
}
