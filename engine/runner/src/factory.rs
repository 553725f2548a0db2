//! The traits by which matches of every game are set up in the same way.

use crate::bots::program_host::hash_of_copy;
use crate::{Advice, Contestant, ContestantKind, Context, Program, Report, RunnerError, ScratchFolder, with_causes};
use analysis::Analysed;
use arena::folder::MatchFolder;
use arena::record::{SideFiles, StartMode};
use arena::{ArenaError, Limits, Player, Players, RunReport, Sequence};
use players::{BuiltIn, WithBuiltIns};
use rules::{Game, Listed, Seat};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tournament::{Entrant, LeftOutBot, TournamentHeader};

/// A contestant of a setup.
pub type ContestantOf<S> = Contestant<<S as GameSetup>::Game, <S as GameSetup>::Bot>;
/// The contestants of a match or a tournament, in their order.
pub type Contestants<S> = Vec<ContestantOf<S>>;

/// A bot that was named for a tournament and cannot take part as it is.
#[derive(Debug)]
pub struct LeftOut {
    /// Its folder as it was named, or the whole name if that leads to no bot.
    pub named: String,
    /// The reason.
    pub error: RunnerError,
}

impl LeftOut {
    /// Its line in the journal. The output of a build may be long, and is cut.
    pub(crate) fn in_journal(&self) -> LeftOutBot {
        const LONGEST: usize = 1000;
        let reason = with_causes(&self.error);
        // The bot is named beside the reason.
        let reason = reason.strip_prefix(&format!("bot {}: ", self.named)).unwrap_or(&reason);
        LeftOutBot { bot: rules::printable(&self.named), reason: rules::printable_line(reason.as_bytes(), LONGEST) }
    }
}

/// A game and its settings, before it is known who plays. It finds contestants, and becomes a [`MatchFactory`] for them.
pub trait GameSetup: Sized {
    /// The game.
    type Game: Analysed;
    /// A bot of the game.
    type Bot;
    /// The factory for matches between the contestants.
    type Factory: MatchFactory<Game = Self::Game>;

    /// True if players read and write files in the folder of the match.
    const PLAYERS_HAVE_FILES: bool;

    /// The settings of the game.
    fn settings(&self) -> &<Self::Game as Game>::Settings;

    /// The way to stop matches, and the receiver of reports.
    fn context(&self) -> &Context;

    /// The dialect that bots are asked in, if the game has several.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// Takes over from the journal of a tournament that goes on what nobody has chosen otherwise: the dialect of bots without
    /// one of their own, and the settings of the game.
    fn go_on_with(&mut self, _header: &TournamentHeader) {}

    /// A text that differs between tournaments of different settings, for the names of their folders.
    fn fingerprint(&self) -> String;

    /// The names that a name stands for: those of several folders if it is a pattern, else itself.
    ///
    /// # Errors
    /// [`RunnerError::Pattern`].
    fn expanded(&self, named: &str) -> Result<Vec<String>, RunnerError> {
        Ok(vec![named.to_owned()])
    }

    /// The bot that a name stands for, which is neither a pattern nor that of a built-in player.
    ///
    /// # Errors
    /// The name stands for nobody, or the bot cannot be used.
    fn find_bot(&self, named: &str) -> Result<ContestantOf<Self>, RunnerError>;

    /// The contestant that a name stands for: the built-in player `builtin:NAME`, or a bot. `OTHER=NAME` calls it otherwise.
    ///
    /// # Errors
    /// [`RunnerError::NoSuchBuiltIn`], and as for [`GameSetup::find_bot`].
    fn find_one(&self, named: &str) -> Result<ContestantOf<Self>, RunnerError> {
        if let Some(name) = named.strip_prefix(BuiltIn::PREFIX) {
            return Contestant::built_in(name);
        }
        if let Some((other, name)) = named.split_once('=')
            && let Some(name) = name.strip_prefix(BuiltIn::PREFIX)
            && !other.is_empty()
        {
            return Contestant::built_in(name).map(|found| found.called(other));
        }
        self.find_bot(named)
    }

    /// The contestants that a name stands for, several if it is a pattern.
    ///
    /// # Errors
    /// As for [`GameSetup::expanded`] and [`GameSetup::find_one`].
    fn find(&self, named: &str) -> Result<Contestants<Self>, RunnerError> {
        self.expanded(named)?.iter().map(|named| self.find_one(named)).collect()
    }

    /// The contestants that several names stand for.
    ///
    /// # Errors
    /// As for [`GameSetup::find`].
    fn find_all<N: AsRef<str>>(&self, named: impl IntoIterator<Item = N>) -> Result<Contestants<Self>, RunnerError> {
        let mut found = Vec::new();
        for name in named {
            found.extend(self.find(name.as_ref())?);
        }
        Ok(found)
    }

    /// The contestants of a tournament that several names stand for, and those that cannot take part, e.g. because they cannot be built
    /// or started.
    ///
    /// # Errors
    /// The engine failed.
    fn find_entrants<N: AsRef<str>>(
        &self,
        named: impl IntoIterator<Item = N>,
    ) -> Result<(Contestants<Self>, Vec<LeftOut>), RunnerError> {
        let (mut entrants, mut left_out) = (Vec::new(), Vec::new());
        let mut all: Vec<String> = Vec::new();
        for name in named {
            let name = name.as_ref();
            match self.expanded(name) {
                Ok(names) => all.extend(names),
                Err(error) => left_out.push(LeftOut { named: name.to_owned(), error }),
            }
        }
        for (number, name) in (1..).zip(&all) {
            self.context().report(&Report::Finding { named: name, number, of: all.len() });
            match self.find_one(name) {
                Ok(found) => entrants.push(found),
                Err(error @ RunnerError::Arena(_)) => return Err(error),
                Err(error) => {
                    let folder = error.folder().map(|folder| folder.display().to_string());
                    left_out.push(LeftOut { named: folder.unwrap_or_else(|| name.clone()), error });
                }
            }
        }
        self.context().report(&Report::Found);
        Ok((entrants, left_out))
    }

    /// Checks that a contestant can play games of a tournament in copies of its folder, and gives the hash of such a copy; `None` without
    /// a folder. Nothing is changed.
    ///
    /// # Errors
    /// [`RunnerError::OutsideFolder`], [`RunnerError::NotCopied`].
    fn may_enter(&self, contestant: &mut ContestantOf<Self>) -> Result<Option<String>, RunnerError> {
        self.check(std::slice::from_ref(contestant))?;
        let program = contestant.bot_mut().and_then(Self::program);
        program.map(|program| hash_of_copy(&program.folder)).transpose()
    }

    /// The program that a bot is, if it is one.
    fn program(bot: &mut Self::Bot) -> Option<&mut Program>;

    /// The bot in this folder as it is: nothing is built. Games are played with copies of the folder.
    ///
    /// # Errors
    /// There is no usable bot in it, or its language is missing.
    fn find_built(&self, folder: &Path) -> Result<ContestantOf<Self>, RunnerError>;

    /// The contestant that an entrant of a tournament is, with its bot in a copy of its folder, in which it was built when it
    /// entered; `None` for a built-in player.
    ///
    /// # Errors
    /// As for [`GameSetup::find_built`], or there is no such built-in player.
    fn entered(&self, entrant: &Entrant, folder: Option<&Path>) -> Result<ContestantOf<Self>, RunnerError> {
        let found = match folder {
            Some(folder) => self.find_built(folder)?,
            None => Contestant::built_in(entrant.bot.strip_prefix(BuiltIn::PREFIX).unwrap_or(&entrant.bot))?,
        };
        Ok(Contestant { source: entrant.bot.clone(), info: entrant.details.clone(), ..found })
    }

    /// The time that an answer may take; `None` without limit, or if each bot has a limit of its own.
    fn answer_limit(&self) -> Option<Duration> {
        None
    }

    /// The sequence in which these contestants are asked if nothing else is wanted.
    fn usual_sequence(&self, contestants: &[ContestantOf<Self>]) -> Sequence;

    /// Checks that these contestants may play in their own folders. Nothing is changed.
    ///
    /// # Errors
    /// [`RunnerError::OutsideFolder`].
    fn check(&self, _contestants: &[ContestantOf<Self>]) -> Result<(), RunnerError> {
        Ok(())
    }

    /// Makes everything ready for matches between the contestants: copies, time limits, the sandbox.
    ///
    /// # Errors
    /// [`RunnerError::OutsideFolder`] and [`RunnerError::NotCopied`]: a bot is refused. [`RunnerError::Sandbox`]: the sandbox
    /// that was asked for is not available. Or the engine failed.
    fn open(self, contestants: Contestants<Self>, opening: Opening) -> Result<Self::Factory, RunnerError>;
}

/// The surroundings of the matches that a [`MatchFactory`] makes.
#[derive(Debug, Default)]
pub struct Opening {
    /// Folders that bots must not reach, besides the folders of other bots.
    pub closed: Vec<PathBuf>,
    /// The spool whose files the guardian restores if the engine dies.
    pub spool: Option<PathBuf>,
    /// A folder for files that do not stay; the factory removes it.
    pub scratch: Option<ScratchFolder>,
    /// True to play each game with fresh copies of the bots' folders as they are now. This needs `scratch`.
    pub copies: bool,
}

/// The one way to seat players: makes the players of every match between its contestants, who are numbered from 0.
pub trait MatchFactory: Sync {
    /// The game.
    type Game: Listed;

    /// True if all bots run on the processors of this machine, so that games at the same time slow each other down.
    fn shares_processors(&self) -> bool;

    /// The time limit of a contestant; `None` without limit.
    fn limits(&self, _contestant: usize) -> Option<Limits> {
        None
    }

    /// The way in which the program of a contestant is started; `None` for one that is started for every turn, and without a
    /// program.
    fn start_mode(&self, _contestant: usize) -> Option<StartMode> {
        None
    }

    /// The line about the sandbox in records; `None` without a sandbox.
    fn sandbox(&self) -> Option<String> {
        None
    }

    /// A fresh folder for the files of the players of one game; `None` if players have no files.
    ///
    /// # Errors
    /// The disk failed.
    fn game_folder(&self, _game: &str) -> Result<Option<Arc<MatchFolder>>, ArenaError> {
        Ok(None)
    }

    /// The players of a match, by seat.
    ///
    /// # Errors
    /// A folder could not be copied, or a sandbox could not be made.
    fn seat(&self, seating: &Seating<'_>) -> Result<Players<Self::Game>, ArenaError>;

    /// The advice for the bot of a contestant that ended badly in this run.
    fn advice(&self, _contestant: usize, _run: &RunReport) -> Option<Advice> {
        None
    }

    /// The writer of the files of a match besides its record.
    fn side_files(&self, _seating: &Seating<'_>, _wanted: SideFileOptions) -> Box<dyn SideFiles<Self::Game>> {
        Box::new(())
    }

    /// Removes the temporary files of a game.
    ///
    /// # Errors
    /// The disk failed.
    fn clear(&self, _game: &str) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// The contestants of one match by seat.
#[derive(Debug, Clone)]
pub struct Seating<'a> {
    /// The name of the match among all matches of the factory, fit for a file.
    pub game: &'a str,
    /// The numbers of the contestants, by seat.
    pub contestants: &'a [usize],
    /// The names that opponents may be told, by seat.
    pub names: &'a [&'a str],
    /// The seed of the match.
    pub seed: u64,
    /// The seed from which the seeds of the players, and the names by which bots over HTTP tell matches apart, are
    /// derived. In a single match it is `seed`; the two games of a pair have the same `seed` and one of these each.
    pub player_seed: u64,
    /// The folder in which players that are programs find their files.
    pub folder: Option<&'a Arc<MatchFolder>>,
    /// True to remove a player's files when its turn is over (tournament mode).
    pub hide_files: bool,
}

impl Seating<'_> {
    /// The players by seat. `bot` makes those of bots: of the bot, the number of its contestant, its seat and the seat's seed.
    pub(crate) fn players<G: WithBuiltIns, B>(
        &self,
        contestants: &[Contestant<G, B>],
        bot: impl Fn(&B, usize, Seat, u64) -> Result<Box<dyn Player<G>>, ArenaError>,
    ) -> Result<Players<G>, ArenaError> {
        let player = |(&at, seat): (&usize, Seat)| {
            let seed = rules::seat_seed(self.player_seed, seat);
            match &contestants[at].kind {
                // Its fleet is the same whoever plays against it, and wherever it sits.
                ContestantKind::BuiltIn(BuiltIn::Passive) => Ok(BuiltIn::Passive.player(self.seed)),
                ContestantKind::BuiltIn(built_in) => Ok(built_in.player(seed)),
                ContestantKind::Bot(found) => bot(found, at, seat, seed),
                ContestantKind::Own(make) => Ok(make(seat, seed)),
            }
        };
        self.contestants.iter().zip((0..).map_while(Seat::new)).map(player).collect()
    }
}

/// The files that are written of a match besides its record. Only the Entelect Challenge 2017 has such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideFileOptions {
    /// True to write the files of all rounds as the original engine did.
    pub rounds: bool,
    /// The turns that are kept as fault bundles.
    pub bundles: match_folder::Keep,
}
