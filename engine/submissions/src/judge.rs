//! The judgement of a submission: it is unpacked, built in the sandbox, and plays games against a player of the engine.

use crate::build_log::BuildLog;
use crate::submission_folder::{SubmissionFolder, bytes_in};
use crate::time_limit::{Exceeded, within};
use crate::verdict::{Acceptance, JudgeStep, Rejection, Verdict};
use archives::{ArchiveError, ArchiveLimits, copy_upload, unpack_upload};
use arena::folder::remove_folder;
use arena::{ArenaError, Interrupt};
use players::OverHttp;
use players::http::Client;
use players::process::{BuildError, LaunchError, SandboxError, build_cache, remove_build_cache};
use rules::entelect_2017::Entelect2017;
use rules::{Game, GameKind, Listed, printable_prefix};
use runner::{
    BotOptions, CheckedGame, ContestantOf, Context, GameSetup, HttpBot, ProgramSetup, RunnerError, ServiceSetup,
    check_program, check_service, for_setup, with_causes,
};
use serde_json::Value;
use std::convert::identity;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The games in which a version is tried.
const GAMES: u64 = 3;
/// The time after which no other of them begins.
const ENOUGH: Duration = Duration::from_secs(60);
/// The longest time for all of them: a game of the slowest bot that keeps its limit is shorter.
const LONGEST_TRIAL: Duration = Duration::from_secs(600);
/// The number of times that it plays if its time-outs may be the machine's fault.
const TRIES: u32 = 3;
/// The file that tells of a bot.
const MANIFEST: &str = "bot.json";
/// The longest reason, in characters.
const LONGEST_REASON: usize = 600;
/// The most bytes of the folder of a version with all that was built: four times those of an archive.
const MOST_OF_FOLDER: u64 = 800 << 20;

/// The terms of a judgement: a game, and limits.
#[derive(Debug, Clone)]
pub struct JudgeSettings {
    /// The game.
    pub game: GameKind,
    /// The settings of the game that are not the usual ones, as records have them.
    pub settings: Value,
    /// The options of bots: limits, the sandbox, and whether builds may use networks.
    pub bots: BotOptions,
    /// The longest time for a build.
    pub build_time: Duration,
    /// The time of an answer of a bot that is asked by lines, or over HTTP; `None` for the usual one of the game.
    pub answer: Option<Duration>,
}

/// A bot that waits for its verdict.
pub struct Submission<'a> {
    /// The terms.
    pub settings: &'a JudgeSettings,
    /// The form in which it was handed in.
    pub source: Handed<'a>,
    /// The folder that is made for it. An earlier attempt may have left one there, which is removed.
    pub folder: &'a SubmissionFolder,
    /// The seed of its games.
    pub seed: u64,
    /// The client that calls web services.
    pub client: &'a Arc<Client>,
    /// Told each step when it begins.
    pub at_step: &'a (dyn Fn(JudgeStep) + Sync),
}

/// The form in which a bot was handed in.
#[derive(Debug, Clone)]
pub enum Handed<'a> {
    /// An archive, by its path.
    Archive(PathBuf),
    /// A folder, which is copied.
    Folder(PathBuf),
    /// A web service, by its URL.
    Url(&'a str),
}

/// Gives a submission its verdict.
///
/// # Errors
/// The program is `ending`, or the machine fails: there is no verdict.
pub fn judge(submission: &Submission<'_>, ending: &Interrupt) -> Result<Verdict, RunnerError> {
    let folder = submission.folder;
    let failed = |doing: &'static str| move |e| ArenaError::disk(doing, folder.path(), e);
    if folder.path().exists() {
        remove_folder(folder.path()).map_err(failed("remove the folder"))?;
    }
    fs::create_dir_all(folder.games()).map_err(failed("make the folder"))?;
    let log = Arc::new(BuildLog::new(&folder.log(), &folder.bot())?);
    let judging = Judging { submission, log, ending };
    let verdict = match judging.unpack()? {
        Err(rejection) => Err(rejection),
        Ok(()) => for_setup!(submission.settings.game,
            programs _G => judging.program(),
            services G => judging.service::<G>(),
            built_ins G => Ok(Err(judging.rejected(JudgeStep::Unpacking, &format!("{} has no ladder", G::KIND.title())))),
        )?,
    };
    // Nobody builds in this folder again.
    remove_build_cache(&folder.bot());
    if verdict.is_err() {
        remove_folder(&folder.bot()).map_err(failed("remove the bot in"))?;
    }
    folder.keep_faults().map_err(failed("keep the fault bundles in"))?;
    Ok(verdict)
}

/// A version that gets its verdict.
struct Judging<'a> {
    submission: &'a Submission<'a>,
    log: Arc<BuildLog>,
    ending: &'a Interrupt,
}

impl Judging<'_> {
    fn rejected(&self, step: JudgeStep, reason: &str) -> Rejection {
        let reason = printable_prefix(&self.log.without_paths(reason), LONGEST_REASON);
        self.log.add(&format!("rejected: {reason}"));
        Rejection { step, reason, lacks_tool: false }
    }

    /// Unpacks an archive, or copies a folder. A web service has none.
    fn unpack(&self) -> Result<Result<(), Rejection>, RunnerError> {
        let to = self.submission.folder.bot();
        (self.submission.at_step)(JudgeStep::Unpacking);
        let unpacked = match &self.submission.source {
            Handed::Url(_) => return Ok(Ok(())),
            Handed::Archive(archive) => {
                self.log.add("the archive is unpacked");
                unpack_upload(archive, &to, ArchiveLimits::UPLOAD)
            }
            Handed::Folder(folder) => {
                self.log.add("the folder is copied");
                copy_upload(folder, &to, ArchiveLimits::UPLOAD)
            }
        };
        match unpacked {
            Err(ArchiveError::Refused(reason)) => Ok(Err(self.rejected(JudgeStep::Unpacking, &reason))),
            Err(ArchiveError::Disk(error)) => Err(error.into()),
            Ok(()) => Ok(Ok(())),
        }
    }

    fn context(&self) -> Result<Context, RunnerError> {
        let interrupt = Interrupt::new().map_err(|e| ArenaError::process("make a pipe for", "a submission", e))?;
        Ok(Context { interrupt, reporter: Arc::clone(&self.log) as _ })
    }

    /// The options of its build: what a team has built on its own machine is built again, and packages are fetched if builds may do
    /// that.
    fn options(&self) -> BotOptions {
        BotOptions { rebuild: true, ..self.submission.settings.bots.clone() }
    }

    fn rules<G: Listed>(&self) -> Result<G::Settings, RunnerError> {
        rules::settings_with::<G>(&self.submission.settings.settings).map_err(RunnerError::Settings)
    }

    /// A bot that is a program which is started for every turn, or stays.
    fn program(&self) -> Result<Verdict, RunnerError> {
        let settings = self.rules::<Entelect2017>()?;
        let make = |context: &Context| ProgramSetup::new(settings, self.options(), context.clone());
        let play = |bot: &ContestantOf<ProgramSetup>, context: &Context| {
            let (setup, began, mut games) = (make(context), Instant::now(), Vec::new());
            for (number, seed) in (1..).zip((0..GAMES).map(|game| self.submission.seed.wrapping_add(game))) {
                let folder = self.submission.folder.games().join(number.to_string());
                games.extend(check_program(&setup, bot, &[settings.size], &folder, seed, &mut |_, _| Box::new(()))?.0);
                // A slow bot may take its time; this is known of it then.
                if began.elapsed() > ENOUGH || games.iter().any(loses_half) {
                    break;
                }
            }
            Ok(games)
        };
        self.verdict(&make, play, |bot| bot.bot().map(|program| program.language.name))
    }

    /// A bot that is asked by lines, or a web service.
    fn service<G: OverHttp>(&self) -> Result<Verdict, RunnerError> {
        let settings = self.rules::<G>()?;
        let make = |context: &Context| {
            let limit = self.submission.settings.answer.or_else(|| Some(G::usual_limit(&settings)));
            let (settings, client) = (settings.clone(), Arc::clone(self.submission.client));
            let setup = ServiceSetup::<G>::new(settings, G::Speech::default(), limit, client, context.clone());
            setup.with_programs(self.options())
        };
        let play = |bot: &ContestantOf<ServiceSetup<G>>, context: &Context| {
            let folder = self.submission.folder.games().join("1");
            check_service(|| make(context), bot, &folder, self.submission.seed, &mut |_, _| Box::new(()))
        };
        self.verdict(&make, play, |bot| bot.bot().and_then(HttpBot::as_program).map(|program| program.language.name))
    }

    /// Builds a bot that came as code, lets it play, and looks at both.
    fn verdict<S: GameSetup>(
        &self,
        make: &impl Fn(&Context) -> S,
        play: impl Fn(&ContestantOf<S>, &Context) -> Result<Vec<CheckedGame>, RunnerError>,
        language: impl FnOnce(&ContestantOf<S>) -> Option<&'static str>,
    ) -> Result<Verdict, RunnerError>
    where
        S::Bot: Clone,
    {
        let found = match &self.submission.source {
            Handed::Url(url) => self.done(JudgeStep::Probing, LONGEST_TRIAL, |context| {
                make(context).find_one(&format!("bot={url}")).map(Ok)
            }),
            Handed::Archive(_) | Handed::Folder(_) => {
                self.done(JudgeStep::Building, self.submission.settings.build_time, |context| {
                    let setup = make(context);
                    // It is built by being found.
                    setup.find_one(&self.submission.folder.bot().display().to_string())?;
                    self.usable(&setup, JudgeStep::Building)
                })
            }
        };
        let bot = match found?.and_then(identity) {
            Ok(bot) => bot,
            Err(rejection) => return Ok(Err(rejection)),
        };
        self.log.add("it plays games against a player of the engine");
        let tried = self.done(JudgeStep::Probing, LONGEST_TRIAL, |context| {
            let mut games = play(&bot, context)?;
            for _ in 1..TRIES {
                if !games.iter().any(|game| loses_half(game) && !game.turns.suspect.is_empty()) {
                    break;
                }
                self.log.add("its time-outs may be the machine's fault: it plays again");
                self.remove_games()?;
                games = play(&bot, context)?;
            }
            // A bot can write to its folder.
            let usable = match &self.submission.source {
                Handed::Url(_) => Ok(bot.clone()),
                _ => self.usable(&make(context), JudgeStep::Probing)?,
            };
            Ok(usable.map(|bot| (bot, games)))
        })?;
        let (bot, games) = match tried.and_then(identity) {
            Ok(tried) => tried,
            Err(rejection) => return Ok(Err(rejection)),
        };
        if let Some(game) = games.iter().find(|game| loses_half(game)) {
            return Ok(Err(self.failed_in(game)));
        }
        let slowest = games.iter().flat_map(|game| &game.turns.times).max();
        let limit = games.iter().find_map(|game| game.limit);
        let slowest = slowest.zip(limit).map(|(slowest, limit)| [*slowest, limit].map(|time| time.as_millis() as u64));
        self.log.add("accepted");
        let language = language(&bot).unwrap_or_default().to_owned();
        let folder = self.submission.folder.bot();
        let folder_bytes = folder.exists().then(|| bytes_in(&folder));
        Ok(Ok(Acceptance { language, author: bot.info.author, content: bot.content, folder_bytes, slowest }))
    }

    /// Does a step within this time.
    fn done<T>(
        &self,
        step: JudgeStep,
        limit: Duration,
        work: impl FnOnce(&Context) -> Result<T, RunnerError>,
    ) -> Result<Result<T, Rejection>, RunnerError> {
        (self.submission.at_step)(step);
        let context = self.context()?;
        let (done, exceeded) = within(limit, &context.interrupt, self.ending, || self.excess(), || work(&context))?;
        if self.ending.is_raised() {
            return Err(ArenaError::Interrupted.into());
        }
        let what = if step == JudgeStep::Building { "the build" } else { "the trial" };
        match (exceeded, done) {
            (Some(Exceeded::Time), _) => {
                Ok(Err(self.rejected(step, &format!("{what} took longer than {} s", limit.as_secs()))))
            }
            (Some(Exceeded::Bytes(bytes)), _) => Ok(Err(self.rejected(step, &too_large(bytes)))),
            (None, Ok(done)) => Ok(Ok(done)),
            (None, Err(error)) if is_of_machine(&error) => Err(error),
            (None, Err(error)) => {
                let rejection = self.rejected(step, &with_causes(&error));
                Ok(Err(Rejection { lacks_tool: lacks_tool(&error), ..rejection }))
            }
        }
    }

    /// Removes the files of trial games that do not count.
    fn remove_games(&self) -> Result<(), RunnerError> {
        let games = self.submission.folder.games();
        remove_folder(&games).map_err(|e| ArenaError::disk("remove the folder", &games, e))?;
        Ok(fs::create_dir_all(&games).map_err(|e| ArenaError::disk("make the folder", &games, e))?)
    }

    /// The bot as games of the ladder will find it: what was built, and what it has left of itself.
    fn usable<S: GameSetup>(
        &self,
        setup: &S,
        step: JudgeStep,
    ) -> Result<Result<ContestantOf<S>, Rejection>, RunnerError> {
        let folder = self.submission.folder.bot();
        let manifest = folder.join(MANIFEST);
        if !fs::symlink_metadata(&manifest).is_ok_and(|meta| meta.is_file()) {
            let reason = format!("{MANIFEST} is not there any more, or is no file");
            return Ok(Err(self.rejected(step, &reason)));
        }
        if let Some(bytes) = self.excess() {
            return Ok(Err(self.rejected(step, &too_large(bytes))));
        }
        setup.find_built(&folder).map(Ok)
    }

    /// The bytes of the bot's folder and of what its build has fetched, if those are too many.
    fn excess(&self) -> Option<u64> {
        let bot = self.submission.folder.bot();
        let bytes = bytes_in(&bot) + build_cache(&bot).map_or(0, |cache| bytes_in(&cache));
        Some(bytes).filter(|bytes| *bytes > MOST_OF_FOLDER)
    }

    /// The rejection of a bot that lost half of its turns in a game. What it said goes to the log.
    fn failed_in(&self, game: &CheckedGame) -> Rejection {
        let (turns, lost) = (game.turns.asked + game.turns.not_asked, game.turns.lost());
        let first = game.turns.faults.first();
        if let Some(fault) = first.filter(|fault| !fault.said.is_empty()) {
            self.log.add("it said in the first of these turns, to standard error:");
            fault.said.iter().for_each(|line| self.log.add(&format!("  {line}")));
        }
        let last = first.and_then(|fault| fault.said.iter().rev().find(|line| !line.trim().is_empty()));
        let said =
            last.map(|line| format!("; it said last: {}", line.trim().replace('\t', "    "))).unwrap_or_default();
        let why = first.map(|fault| format!(", the first for this reason: {}{said}", fault.why)).unwrap_or_default();
        self.rejected(JudgeStep::Probing, &format!("it lost {lost} of {turns} turns of a game{why}"))
    }
}

fn too_large(bytes: u64) -> String {
    format!("its folder has {} MB, of {} MB that it may have", bytes >> 20, MOST_OF_FOLDER >> 20)
}

fn loses_half(game: &CheckedGame) -> bool {
    game.turns.lost() * 2 >= (game.turns.asked + game.turns.not_asked).max(1)
}

/// True if this says nothing about the bot.
fn is_of_machine(error: &RunnerError) -> bool {
    match error {
        RunnerError::Arena(_) => true,
        RunnerError::Sandbox(error) => !matches!(error, SandboxError::Outside { .. } | SandboxError::Closed { .. }),
        RunnerError::Launch { source, .. } => matches!(&**source, LaunchError::Build(BuildError::NotRun { .. })),
        _ => false,
    }
}

/// True if a tool that builds or runs the bot is missing on this machine.
fn lacks_tool(error: &RunnerError) -> bool {
    let RunnerError::Launch { source, .. } = error else { return false };
    match &**source {
        LaunchError::NoInterpreter { .. } | LaunchError::Build(BuildError::NoTool { .. }) => true,
        LaunchError::Build(BuildError::Failed { lack, .. }) => !lack.tools.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
