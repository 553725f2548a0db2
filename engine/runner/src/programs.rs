//! Matches of the Entelect Challenge 2017, whose bots are programs in folders.

use crate::sandbox::SandboxPolicy;
use crate::{
    BotOptions, Contestant, ContestantKind, Context, CpuLimit, FoundBots, GameSetup, MatchFactory, Opening, Program,
    Report, RunnerError, SandboxLevel, ScratchFolder, Seating, SideFileOptions, TimeLimit,
};
use arena::folder::{MatchFolder, remove_folder};
use arena::record::{Clock, EntelectFiles, EntelectFolder, SideFiles};
use arena::{ArenaError, Interrupt, Limits, Player, Players, RunReport, Sequence};
use players::Bot;
use players::process::guardian::{Cleanup, Guardian};
use players::process::{Calibration, Launch, PerRound, Sandbox, copy_bot, size_of_copy};
use rules::entelect_2017::files::{Entry, Files};
use rules::entelect_2017::{Entelect2017, Settings};
use rules::{Game, Part, PlayerInfo, Seat};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The largest size of a bot's folder in a tournament, in bytes: each game plays on a copy.
const LARGEST_COPY: u64 = 256 << 20;

/// The contestants of the Entelect Challenge 2017.
type Player2017 = Contestant<Entelect2017, Program>;

/// The Entelect Challenge 2017 with its settings and the options of its bots.
#[derive(Clone)]
pub struct ProgramSetup {
    /// The settings of the game.
    pub settings: Settings,
    options: BotOptions,
    context: Context,
    /// Shared by clones, so that a language is measured once.
    calibration: Arc<Mutex<Calibration>>,
}

impl ProgramSetup {
    /// A setup with these settings of the game and options of bots.
    pub fn new(settings: Settings, options: BotOptions, context: Context) -> ProgramSetup {
        let calibration = Calibration::new(first_question(), options.tools.clone(), context.interrupt.clone());
        ProgramSetup { settings, options, context, calibration: Arc::new(Mutex::new(calibration)) }
    }

    /// The time limit of every contestant; languages are measured in the sandbox of the bots.
    fn limits(
        &self,
        contestants: &[Player2017],
        sandbox: Option<&SandboxPolicy>,
    ) -> Result<Vec<Option<Limits>>, ArenaError> {
        let confine = |launch: Launch| match sandbox {
            Some(sandbox) => sandbox.confine(launch, None, Some(2 * Calibration::CAP)),
            None => Ok(launch),
        };
        let mut calibration = self.calibration.lock().unwrap_or_else(PoisonError::into_inner);
        let limits = contestants.iter().map(|contestant| {
            let Some(Program { language, launch, .. }) = contestant.bot() else { return Ok(None) };
            let extra = match self.options.time {
                TimeLimit::Unlimited => return Ok(None),
                TimeLimit::Extra(extra) => extra,
                TimeLimit::Measured => {
                    let is_new = !calibration.knows(language, launch);
                    let extra = calibration.extra(language, launch, &confine)?;
                    if is_new && !extra.is_zero() {
                        self.context.report(&Report::LanguageTime { language: language.name, extra });
                    }
                    extra
                }
            };
            let limits = Limits::with_extra(extra);
            Ok(Some(limits.with_cpu(match self.options.cpu {
                CpuLimit::Unlimited => None,
                CpuLimit::AsTime => Some(limits.answer()),
                CpuLimit::Exactly(time) => Some(time),
            })))
        });
        limits.collect()
    }
}

/// The files that a bot is shown first in a match of medium size: tiny bots read them when their language is measured.
pub fn first_question() -> Vec<Part> {
    let files = Files::new(["A", "B"].map(PlayerInfo::named).into_iter().collect());
    let game = Entelect2017::start(&Settings::default(), 2, 0).expect("the game is for two players");
    files.player_files(&game.view(Seat::A))
}

impl GameSetup for ProgramSetup {
    type Game = Entelect2017;
    type Bot = Program;
    type Factory = ProgramMatches;

    const PLAYERS_HAVE_FILES: bool = true;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn context(&self) -> &Context {
        &self.context
    }

    fn fingerprint(&self) -> String {
        format!("{:?}", self.settings.size)
    }

    /// The bot in a folder, or the bots of a pattern of folders: of all that match it, those with a `bot.json`. `NAME=FOLDER`
    /// calls the bot in a folder otherwise.
    fn find_bots(&self, named: &str) -> Result<FoundBots<Self>, RunnerError> {
        if !named.contains(['*', '?', '[']) || Path::new(named).exists() {
            return Ok(vec![Program::named(named, &self.options, &self.context)]);
        }
        let found = glob::glob(named).map_err(|e| RunnerError::Pattern(format!("{named} is not a pattern: {e}")))?;
        let folders: Vec<PathBuf> =
            found.filter_map(Result::ok).filter(|path| path.join("bot.json").is_file()).collect();
        if folders.is_empty() {
            return Err(RunnerError::Pattern(format!("no folder with a bot.json fits {named}")));
        }
        Ok(folders.iter().map(|folder| Program::find(folder, &self.options, &self.context)).collect())
    }

    fn as_entered(&self, contestant: &Player2017, template: &Path, content: Option<&str>) -> Option<Player2017> {
        let folder = contestant.bot()?.folder.clone();
        // It was built when it entered.
        let mut found = Program::find_built(template, &self.options).ok()?;
        if content.is_none() || found.content.as_deref() != content {
            return None;
        }
        if let ContestantKind::Bot(program) = &mut found.kind {
            program.template = Some(std::mem::replace(&mut program.folder, folder));
        }
        // It may have been given another name than that of its bot.json.
        let info = PlayerInfo { nick_name: contestant.info.nick_name.clone(), ..found.info };
        Some(Contestant { source: contestant.source.clone(), info, ..found })
    }

    fn may_enter(&self, contestant: &Player2017) -> Result<(), RunnerError> {
        self.check(std::slice::from_ref(contestant))?;
        contestant.bot().map_or(Ok(()), |bot| is_small_enough(&bot.folder))
    }

    fn check(&self, contestants: &[Player2017]) -> Result<(), RunnerError> {
        // Without a sandbox any file will do.
        if self.options.sandbox != SandboxLevel::Off && Sandbox::start().is_ok() {
            let mut launches = contestants.iter().filter_map(Contestant::bot).map(|bot| &bot.launch);
            launches.try_for_each(Launch::stays_inside).map_err(RunnerError::OutsideFolder)?;
        }
        Ok(())
    }

    /// Together where there are two processors, unless two people share a console.
    fn usual_sequence(&self, contestants: &[Player2017]) -> Sequence {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let own = contestants.iter().filter(|one| matches!(one.kind, ContestantKind::Own(_))).count();
        if processors > 1 && own < 2 { Sequence::Together } else { Sequence::InTurn }
    }

    fn open(self, mut contestants: Vec<Player2017>, opening: Opening) -> Result<ProgramMatches, RunnerError> {
        let ProgramSetup { options, context, .. } = &self;
        let Opening { mut closed, spool, scratch, copies, templates } = opening;
        closed.extend(spool.clone());
        // Before any bot runs, so that none outlives the engine.
        let cleanup = Cleanup { journal: spool, scratch: scratch.as_ref().map(|scratch| scratch.path().to_owned()) };
        let guardian = options.guardian.as_deref().map(|program| Guardian::start(program, &cleanup)).transpose()?;
        if let Some(scratch) = scratch.as_ref().filter(|_| copies) {
            for (number, contestant) in contestants.iter_mut().enumerate() {
                let places = [templates.clone(), Some(scratch.path().join("bots"))].into_iter().flatten();
                let places: Vec<PathBuf> = places.map(|place| place.join(number.to_string())).collect();
                make_template(contestant, &places, context)?;
            }
        }
        closed.extend(contestants.iter().filter_map(Contestant::bot).map(|bot| bot.folder.clone()));
        closed.extend(scratch.as_ref().map(|scratch| scratch.path().to_owned()));
        let sandbox = SandboxPolicy::new(options.sandbox, options.memory, closed, context)?;
        if sandbox.is_some() {
            // Here, so that a tournament ends before its first game.
            for bot in contestants.iter().filter_map(Contestant::bot) {
                let launch = bot.launch.clone();
                // Links stay links in copies: one that leads into the bot's own folder by its full path leads out of a copy.
                let played = bot.template.iter().fold(launch, |launch, template| launch.moved(template));
                played.stays_inside().map_err(RunnerError::OutsideFolder)?;
            }
        }
        let limits = self.limits(&contestants, sandbox.as_ref())?;
        let (interrupt, are_rebuilt) = (context.interrupt.clone(), options.rebuild);
        Ok(ProgramMatches { interrupt, contestants, limits, are_rebuilt, sandbox, _guardian: guardian, scratch })
    }
}

/// Checks that the folder can be copied for each game.
fn is_small_enough(folder: &Path) -> Result<(), RunnerError> {
    let size = size_of_copy(folder, LARGEST_COPY).map_err(|e| ArenaError::disk("look through", folder, e))?;
    if size > LARGEST_COPY {
        return Err(RunnerError::LargeFolder { folder: folder.to_owned(), most: LARGEST_COPY });
    }
    Ok(())
}

/// Copies the bot's folder to the first of these `places` that has room, as the template of all its games, so that somebody who
/// changes the bot meanwhile does not change who plays. Without room for it, games copy the folder itself. A bot that has a
/// template keeps it.
///
/// # Errors
/// [`RunnerError::LargeFolder`]; or the folder cannot be read.
fn make_template(contestant: &mut Player2017, places: &[PathBuf], context: &Context) -> Result<(), RunnerError> {
    let name = rules::printable(contestant.info.name().trim());
    let ContestantKind::Bot(program) = &mut contestant.kind else { return Ok(()) };
    if program.template.is_some() {
        return Ok(());
    }
    let folder = &program.folder;
    is_small_enough(folder)?;
    let mut failed = None;
    for place in places {
        // What an earlier run left there may be of another bot.
        match remove_folder(place).and_then(|()| copy_bot(folder, place)) {
            Ok(()) => {
                program.template = Some(place.clone());
                return Ok(());
            }
            Err(error) => {
                // Half a copy only takes room.
                let _ = remove_folder(place);
                failed = Some(error);
            }
        }
    }
    if let Some(error) = failed {
        context.report(&Report::FolderNotCopied { bot: &name, folder, error: &error });
    }
    program.template = Some(folder.clone());
    Ok(())
}

/// Matches between programs, built-in players and players of the calling program.
pub struct ProgramMatches {
    interrupt: Interrupt,
    contestants: Vec<Player2017>,
    limits: Vec<Option<Limits>>,
    /// True if all bots were built as asked, so that another build would bring nothing.
    are_rebuilt: bool,
    sandbox: Option<SandboxPolicy>,
    // Ended before the scratch folder is removed: no bot writes there any more.
    _guardian: Option<Guardian>,
    scratch: Option<ScratchFolder>,
}

impl MatchFactory for ProgramMatches {
    type Game = Entelect2017;

    const SHARES_PROCESSORS: bool = true;

    fn limits(&self, contestant: usize) -> Option<Limits> {
        self.limits[contestant]
    }

    fn sandbox(&self) -> Option<String> {
        self.sandbox.as_ref().map(SandboxPolicy::description)
    }

    fn game_folder(&self, game: &str) -> Result<Option<Arc<MatchFolder>>, ArenaError> {
        let root = self.root(game);
        root.map(|root| Ok(Arc::new(MatchFolder::create(&root.join("match"))?))).transpose()
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Players<Entelect2017>, ArenaError> {
        let files = self.files(seating);
        seating.players(&self.contestants, |bot, at, seat, seed| {
            let limits = self.limits[at];
            self.player(bot, limits, seat, seed, seating, &files)
        })
    }

    fn lacks_build(&self, contestant: usize, run: &RunReport) -> bool {
        let bot = self.contestants[contestant].bot().filter(|_| !self.are_rebuilt);
        bot.is_some_and(|bot| bot.lacks_build(run))
    }

    fn side_files(&self, seating: &Seating<'_>, wanted: SideFileOptions) -> Box<dyn SideFiles<Entelect2017>> {
        let files = self.files(seating);
        let mut side_files = EntelectFiles::default().with_bundles(files.clone(), wanted.bundles);
        if wanted.rounds {
            let (seats, preamble) = (seating.contestants.len() as u8, self.preamble(seating, &files));
            side_files = side_files.with_folder(EntelectFolder::new(files, Clock::Running, seats, preamble));
        }
        Box::new(side_files)
    }

    fn clear(&self, game: &str) -> Result<(), ArenaError> {
        let Some(root) = self.root(game) else { return Ok(()) };
        remove_folder(&root).map_err(|e| ArenaError::disk("remove", &root, e))
    }
}

impl ProgramMatches {
    /// The temporary folder of a game.
    fn root(&self, game: &str) -> Option<PathBuf> {
        self.scratch.as_ref().map(|scratch| scratch.path().join(game))
    }

    fn files(&self, seating: &Seating<'_>) -> Files {
        Files::new(seating.contestants.iter().map(|&at| self.contestants[at].info.clone()).collect())
    }

    /// The player that a bot is in a seat. If it has a template, it plays in a copy of that, or where what it writes is gone
    /// at the end.
    fn player(
        &self,
        program: &Program,
        limits: Option<Limits>,
        seat: Seat,
        seed: u64,
        seating: &Seating<'_>,
        files: &Files,
    ) -> Result<Box<dyn Player<Entelect2017>>, ArenaError> {
        let mut launch = program.launch.clone().with_seed(seed);
        if let (Some(template), Some(root)) = (&program.template, self.root(seating.game)) {
            let mut folder = template.clone();
            if !self.sandbox.as_ref().is_some_and(SandboxPolicy::keeps_folders) {
                folder = root.join(seat.to_string());
                copy_bot(template, &folder).map_err(|e| ArenaError::disk("copy", template, e))?;
            }
            launch = launch.moved(&folder);
        }
        let folder = Arc::clone(seating.folder.expect("bots that are programs get a folder"));
        if let Some(sandbox) = &self.sandbox {
            launch = sandbox.confine(launch, Some(folder.path()), limits.map(Limits::kill))?;
        }
        let transport = PerRound::new(launch, folder, limits, !seating.hide_files, self.interrupt.clone());
        Ok(Box::new(Bot::new(files.clone(), transport)))
    }

    /// The beginning of the first engine.log, as in the original.
    fn preamble(&self, seating: &Seating<'_>, files: &Files) -> Vec<Entry> {
        let bots = seating.contestants.iter().filter_map(|&at| self.contestants[at].bot());
        let loaded = bots.map(|bot| format!("Loaded bot {}", bot.folder.display()));
        let seats = (0..seating.contestants.len() as u8).filter_map(Seat::new);
        let registered = seats.map(|seat| format!("Registered player {}", files.name_in_line(seat)));
        loaded.chain(registered).chain(self.sandbox()).chain(["\tOK!".to_owned()]).map(Entry::info).collect()
    }
}
