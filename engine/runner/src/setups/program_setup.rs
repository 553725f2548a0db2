//! Matches of the Entelect Challenge 2017, whose bots are programs in folders.

use crate::bots::program::expanded;
use crate::bots::program_host::{self, ProgramHost};
use crate::bots::sandbox::SandboxPolicy;
use crate::{
    Advice, BotOptions, Contestant, ContestantKind, Context, GameSetup, MatchFactory, Opening, Program, Report,
    RunnerError, Seating, SideFileOptions, TimeLimit,
};
use arena::folder::MatchFolder;
use arena::record::{Clock, SideFiles, StartMode};
use arena::{ArenaError, Interrupt, Limits, NotesLevel, Player, Players, RunReport, Sequence};
use match_folder::{EntelectFiles, RoundWriter};
use platform::locks::lock;
use players::Bot;
use players::process::{Calibration, Launch, PerRound, Staying};
use rules::entelect_2017::files::{Entry, Files};
use rules::entelect_2017::{Entelect2017, Settings};
use rules::{Game, Part, PlayerInfo, Seat};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

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

    /// The time that the language of a bot takes to start, if it was measured for its time limit.
    pub fn start_of_language(&self, bot: &Program) -> Option<Duration> {
        let calibration = lock(&self.calibration);
        calibration.known(bot.language, &bot.launch).filter(|time| !time.is_zero())
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
        let mut calibration = lock(&self.calibration);
        let limits = contestants.iter().map(|contestant| {
            let Some(Program { language, launch, .. }) = contestant.bot() else { return Ok(None) };
            let extra = match self.options.time {
                TimeLimit::Unlimited => return Ok(None),
                TimeLimit::Extra(extra) => extra,
                TimeLimit::Measured => {
                    let is_new = calibration.known(language, launch).is_none();
                    let extra = calibration.extra(language, launch, &confine)?;
                    if is_new && !extra.is_zero() {
                        self.context.report(&Report::LanguageTime(language.name, extra));
                    }
                    extra
                }
            };
            let limits = Limits::with_extra(extra);
            let limits = if launch.stays() { limits.killed_when_late() } else { limits };
            Ok(Some(self.options.cpu.added_to(limits)))
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

    fn expanded(&self, named: &str) -> Result<Vec<String>, RunnerError> {
        expanded(named)
    }

    /// The bot in a folder. `NAME=FOLDER` calls it otherwise.
    fn find_bot(&self, named: &str) -> Result<Player2017, RunnerError> {
        Program::named(named, &self.options, &self.context)
    }

    fn find_built(&self, folder: &Path) -> Result<Player2017, RunnerError> {
        Program::as_template(folder, &self.options)
    }

    fn program(bot: &mut Program) -> Option<&mut Program> {
        Some(bot)
    }

    fn check(&self, contestants: &[Player2017]) -> Result<(), RunnerError> {
        program_host::check(contestants.iter().filter_map(Contestant::bot), &self.options)
    }

    /// Together where there are two processors, unless two people share a console.
    fn usual_sequence(&self, contestants: &[Player2017]) -> Sequence {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let own = contestants.iter().filter(|one| matches!(one.kind, ContestantKind::Own(_))).count();
        if processors > 1 && own < 2 { Sequence::Together } else { Sequence::InTurn }
    }

    fn open(self, mut contestants: Vec<Player2017>, opening: Opening) -> Result<ProgramMatches, RunnerError> {
        let programs = contestants.iter_mut().enumerate().filter_map(|(number, contestant)| {
            let name = rules::printable(contestant.info.name().trim());
            contestant.bot_mut().map(|program| (number, name, program))
        });
        let host = ProgramHost::open(programs.collect(), &self.options, opening, &self.context)?;
        let limits = self.limits(&contestants, host.sandbox())?;
        let (interrupt, notes) = (self.context.interrupt.clone(), self.options.notes);
        Ok(ProgramMatches { interrupt, contestants, limits, notes, host })
    }
}

/// Matches between programs, built-in players and players of the calling program.
pub struct ProgramMatches {
    interrupt: Interrupt,
    contestants: Vec<Player2017>,
    limits: Vec<Option<Limits>>,
    notes: NotesLevel,
    host: ProgramHost,
}

impl MatchFactory for ProgramMatches {
    type Game = Entelect2017;

    fn shares_processors(&self) -> bool {
        true
    }

    fn limits(&self, contestant: usize) -> Option<Limits> {
        self.limits[contestant]
    }

    fn start_mode(&self, contestant: usize) -> Option<StartMode> {
        let launch = &self.contestants[contestant].bot()?.launch;
        match launch.stays() {
            true => Some(StartMode::Stays),
            false => self.host.is_warm(launch).then_some(StartMode::Warm),
        }
    }

    fn sandbox(&self) -> Option<String> {
        self.host.description()
    }

    fn game_folder(&self, game: &str) -> Result<Option<Arc<MatchFolder>>, ArenaError> {
        let root = self.host.root(game);
        root.map(|root| Ok(Arc::new(MatchFolder::create(&root.join("match"))?))).transpose()
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Players<Entelect2017>, ArenaError> {
        let files = self.files(seating);
        seating.players(&self.contestants, |bot, at, seat, seed| {
            let limits = self.limits[at];
            self.player(bot, limits, seat, seed, seating, &files)
        })
    }

    fn advice(&self, contestant: usize, run: &RunReport) -> Option<Advice> {
        self.contestants[contestant].bot().and_then(|bot| self.host.advice(bot, run))
    }

    fn side_files(&self, seating: &Seating<'_>, wanted: SideFileOptions) -> Box<dyn SideFiles<Entelect2017>> {
        let files = self.files(seating);
        let mut side_files = EntelectFiles::default().with_bundles(files.clone(), wanted.bundles);
        if wanted.rounds {
            let (seats, preamble) = (seating.contestants.len() as u8, self.preamble(seating, &files));
            side_files = side_files.with_rounds(RoundWriter::new(files, Clock::Running, seats, preamble));
        }
        Box::new(side_files)
    }

    fn clear(&self, game: &str) -> Result<(), ArenaError> {
        self.host.clear(game)
    }
}

impl ProgramMatches {
    fn files(&self, seating: &Seating<'_>) -> Files {
        Files::new(seating.contestants.iter().map(|&at| self.contestants[at].info.clone()).collect())
    }

    /// The player that a bot is in a seat.
    fn player(
        &self,
        program: &Program,
        limits: Option<Limits>,
        seat: Seat,
        seed: u64,
        seating: &Seating<'_>,
        files: &Files,
    ) -> Result<Box<dyn Player<Entelect2017>>, ArenaError> {
        let folder = Arc::clone(seating.folder.expect("bots that are programs get a folder"));
        let (own, kill) = (seat.to_string(), limits.map(Limits::kill));
        let launch = self.host.launch(program, seed, seating.game, &own, folder.path(), kill)?;
        let launch = if self.host.is_warm(&program.launch) { launch.with_warm_starts() } else { launch };
        let (leave_files, interrupt) = (!seating.hide_files, self.interrupt.clone());
        Ok(if launch.stays() {
            let transport = Staying::new(launch, folder, limits, leave_files, interrupt);
            Box::new(Bot::new(files.clone(), transport.with_notes(self.notes)))
        } else {
            let transport = PerRound::new(launch, folder, limits, leave_files, interrupt);
            Box::new(Bot::new(files.clone(), transport.with_notes(self.notes)))
        })
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
