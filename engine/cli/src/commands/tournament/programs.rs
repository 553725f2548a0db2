//! Tournaments of the Entelect Challenge 2017: each game is played with copies of the bots, in a folder of its own.

use super::entrants::Ready;
use super::kit::{Ground, Kit, Seating};
use crate::args::{Kept, PlayArgs};
use crate::commands::bot_seats::limits;
use crate::commands::contestant::{self, Program, Who};
use crate::commands::play::own_program;
use crate::commands::recording::Scratch;
use crate::commands::seclusion::Cells;
use crate::failure::Failure;
use crate::{settings, show, signals};
use arena::folder::{MatchFolder, remove_folder};
use arena::record::{Archive, FolderStore, Keep, LimitsLine};
use arena::{ArenaError, Interrupt, Limits, MatchEvent, Observer, Player, Players};
use players::process::guardian::{Care, Guardian};
use players::process::{Calibration, PerRound, copy_bot, size_of_copy};
use players::{Bot, Tools};
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Settings};
use rules::{BySeat, Game, Seat};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tournament::Entrant;

/// A folder that is larger is not copied for each game.
const MOST_COPIED: u64 = 256 << 20;

/// A bot, and the folder that is copied for each game. Without one, its games share the bot's own.
pub(super) struct Copied {
    program: Program,
    pattern: Option<PathBuf>,
}

/// What is agreed in a tournament.
pub(super) struct Programs<'a> {
    play: &'a PlayArgs,
    settings: Settings,
    tools: Tools,
}

impl<'a> Programs<'a> {
    /// As the command line says.
    pub(super) fn new(play: &'a PlayArgs) -> Result<Programs<'a>, Failure> {
        Ok(Programs { play, settings: Settings { size: play.size }, tools: settings::tools()? })
    }

    fn bot_in(&self, folder: &Path) -> Result<Ready<Copied>, Failure> {
        let (details, program) = contestant::bot(folder, self.play.force_rebuild, &self.tools)?;
        let size =
            size_of_copy(&program.folder, MOST_COPIED).map_err(|e| ArenaError::disk("look through", folder, e))?;
        let pattern = (size <= MOST_COPIED).then(|| program.folder.clone());
        let name = show::clean(details.name().trim());
        if pattern.is_none() {
            show::say(&format!("{name}: {} is too large to be copied, so all its games share it", folder.display()));
        }
        let bot = folder.display().to_string();
        let entrant = Entrant { name, bot, details, content: program.content.clone() };
        Ok(Ready { entrant, who: Who::Bot(Copied { program, pattern }) })
    }
}

impl<'a> Ground for Programs<'a> {
    type Game = Entelect2017;
    type Bot = Copied;
    type Kit = Workshop<'a>;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn dialect(&self) -> Option<&'static str> {
        None
    }

    fn mark(&self) -> String {
        format!("{:?}", self.settings.size)
    }

    /// With patterns filled in, for shells that do not do that.
    fn named(&self, name: &str) -> Result<Vec<Ready<Copied>>, Failure> {
        if !name.contains(['*', '?', '[']) || Path::new(name).exists() {
            return Ok(vec![self.bot_in(Path::new(name))?]);
        }
        let wrong = |what: String| Failure::Usage { what, hint: "quote the pattern, or name the folders".to_owned() };
        let found = glob::glob(name).map_err(|e| wrong(format!("{name} is no pattern: {e}")))?;
        // Of all that it fits, those that are bots.
        let folders: Vec<PathBuf> =
            found.filter_map(Result::ok).filter(|path| path.join("bot.json").is_file()).collect();
        if folders.is_empty() {
            return Err(wrong(format!("no folder with a bot.json fits {name}")));
        }
        folders.iter().map(|folder| self.bot_in(folder)).collect()
    }

    fn kit(self, mut entrants: Vec<Ready<Copied>>, folder: &Path) -> Result<Workshop<'a>, Failure> {
        let Programs { play, settings, tools } = self;
        let interrupt = signals::interrupt()?;
        let scratch = Scratch::make()?;
        let care = Care { journal: None, scratch: Some(scratch.path().to_owned()) };
        let guardian = Guardian::start(&own_program()?, &care)?;
        for (number, ready) in entrants.iter_mut().enumerate() {
            set_aside(ready, scratch.path().join("bots").join(number.to_string()));
        }
        let question = Files::new([PlayerInfo::named(""), PlayerInfo::named("")].into_iter().collect());
        let first = Entelect2017::start(&settings, 2, 0).expect("two players sit down");
        let mut calibration = Calibration::new(question.player_files(&first.view(Seat::A)), tools, interrupt.clone());
        let extra = (!play.nolimit).then_some(play.calibration);
        let limits = entrants.iter().map(|ready| match &ready.who {
            Who::BuiltIn(_) => Ok(None),
            Who::Bot(Copied { program, .. }) => {
                Ok(limits(program, extra, &mut calibration)?.map(|limits| limits.with_cpu(play.limit_cpu)))
            }
        });
        let limits = limits.collect::<Result<Vec<_>, ArenaError>>()?;
        let cells = Cells::of(play.sandbox, play.memory, closed_folders(&entrants, folder, scratch.path()))?;
        Ok(Workshop { play, settings, entrants, limits, cells, interrupt, scratch, _guardian: guardian })
    }
}

/// Puts a copy of the bot's folder in `to`, for the games to be played with: whoever works on the bot meanwhile does not
/// change who plays. Where there is no room for it, the folder itself has to do.
fn set_aside(ready: &mut Ready<Copied>, to: PathBuf) {
    let Who::Bot(Copied { program, pattern: Some(pattern) }) = &mut ready.who else { return };
    match copy_bot(&program.folder, &to) {
        Ok(()) => *pattern = to,
        Err(e) => {
            // What there is of it only takes room; it is removed with all else in the end.
            let _ = remove_folder(&to);
            let (name, folder) = (&ready.entrant.name, program.folder.display());
            show::say(&format!("{name}: changes in {folder} while games are played change the bot: {e}"));
        }
    }
}

/// Folders that bots have no business in, but for their own.
fn closed_folders(entrants: &[Ready<Copied>], folder: &Path, scratch: &Path) -> Vec<PathBuf> {
    let bots = entrants.iter().filter_map(|ready| match &ready.who {
        Who::BuiltIn(_) => None,
        Who::Bot(Copied { program, .. }) => Some(program.folder.clone()),
    });
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    bots.chain([folder, scratch.to_owned()]).collect()
}

/// Where games are played, and with what.
pub(super) struct Workshop<'a> {
    play: &'a PlayArgs,
    settings: Settings,
    entrants: Vec<Ready<Copied>>,
    /// How long each may take, by entrant.
    limits: Vec<Option<Limits>>,
    cells: Option<Cells>,
    interrupt: Interrupt,
    scratch: Scratch,
    _guardian: Guardian,
}

/// The bundles of the turns of a game that went wrong, and the folder that they are in.
pub(super) struct Bundles {
    archive: Archive,
    folder: Arc<MatchFolder>,
}

impl Observer<Entelect2017> for Bundles {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        self.archive.on(event)
    }
}

impl Kit for Workshop<'_> {
    type Game = Entelect2017;
    type Beside = Bundles;

    const SHARES_PROCESSORS: bool = true;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn limits(&self, entrant: usize) -> Option<LimitsLine> {
        self.limits[entrant].map(Into::into)
    }

    fn sandbox(&self) -> Option<String> {
        self.cells.as_ref().map(Cells::description)
    }

    fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<(Players<Entelect2017>, Bundles), ArenaError> {
        let root = self.root(seating);
        let details = seating.seated.map(|at| self.entrants[at].entrant.details.clone());
        let files = Files::new(BySeat::from_iter(details));
        let folder = Arc::new(MatchFolder::create(&root.join("match"))?);
        let seats = [Seat::A, Seat::B].into_iter().zip(seating.seated);
        let players = seats.map(|(seat, at)| {
            self.player(at, rules::seat_seed(seating.seed, seat), &files, &folder, &root.join(seat.to_string()))
        });
        let players = players.collect::<Result<Vec<_>, ArenaError>>()?;
        let keep = if self.play.keep == Kept::None { Keep::Nothing } else { Keep::Faults };
        let archive = Archive::new(Box::new(FolderStore::new(Arc::clone(&folder)))).with_bundles(files, keep);
        Ok((players.into_iter().collect(), Bundles { archive, folder }))
    }

    fn keep(&self, beside: Bundles, to: &Path) -> Result<(), ArenaError> {
        beside.archive.close()?;
        let faults = beside.folder.path().join("faults");
        if faults.is_dir() { copy_bot(&faults, to).map_err(|e| ArenaError::disk("write", to, e)) } else { Ok(()) }
    }

    fn clear(&self, seating: &Seating<'_>) -> Result<(), ArenaError> {
        let root = self.root(seating);
        remove_folder(&root).map_err(|e| ArenaError::disk("remove", &root, e))
    }
}

impl Workshop<'_> {
    /// The folder of a game.
    fn root(&self, seating: &Seating<'_>) -> PathBuf {
        self.scratch.path().join(seating.name)
    }

    /// A player; a bot in a copy of its folder.
    fn player(
        &self,
        at: usize,
        seed: u64,
        files: &Files,
        folder: &Arc<MatchFolder>,
        copy: &Path,
    ) -> Result<Box<dyn Player<Entelect2017>>, ArenaError> {
        match &self.entrants[at].who {
            Who::BuiltIn(built_in) => Ok(built_in.player(seed)),
            Who::Bot(Copied { program, pattern }) => {
                let mut launch = program.launch.clone().with_seed(seed);
                if let Some(pattern) = pattern {
                    copy_bot(pattern, copy).map_err(|e| ArenaError::disk("copy", pattern, e))?;
                    launch = launch.moved(copy);
                }
                if let Some(cells) = &self.cells {
                    launch = cells.confine(launch, self.limits[at].map(Limits::kill))?;
                }
                let interrupt = self.interrupt.clone();
                // Nothing that a player was shown stays where the other could look.
                let transport = PerRound::new(launch, Arc::clone(folder), self.limits[at], false, interrupt);
                Ok(Box::new(Bot::new(files.clone(), transport)))
            }
        }
    }
}
