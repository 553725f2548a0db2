//! The verdict on a version: it is unpacked, built in the sandbox, and plays games against a player of the engine.

use crate::contests::build_log::BuildLog;
use crate::contests::faults::keep_of_trials;
use crate::state::contests::contest_settings::ContestSettings;
use crate::state::contests::version::{Acceptance, JudgeStep, Rejection};
use archives::{ArchiveError, ArchiveLimits, unpack_upload};
use arena::{ArenaError, Interrupt};
use platform::wait::WaitSet;
use players::OverHttp;
use players::http::{AllowedHosts, Client};
use players::process::{BuildError, LaunchError};
use rules::Listed;
use rules::entelect_2017::Entelect2017;
use runner::{
    BotOptions, CheckedGame, Context, GameSetup, HttpBot, ProgramSetup, RunnerError, SandboxLevel, ServiceSetup,
    check_program, check_service, for_setup, with_causes,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The games in which a version is tried.
const GAMES: u64 = 3;

/// The folder of a version: `bot` has its files, `log.txt` tells of its build, `faults` has bundles of its trial games, and `games`
/// those games while it is tried.
#[derive(Debug, Clone)]
pub(crate) struct VersionFolder {
    path: PathBuf,
}

impl VersionFolder {
    pub(crate) fn at(path: PathBuf) -> VersionFolder {
        VersionFolder { path }
    }

    pub(crate) fn bot(&self) -> PathBuf {
        self.path.join("bot")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path.join("log.txt")
    }

    pub(crate) fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// The fault bundles of its trial games.
    pub(crate) fn faults(&self) -> PathBuf {
        self.path.join("faults")
    }
}

/// A version that waits for its verdict.
pub(crate) struct Submission<'a> {
    pub(crate) settings: &'a ContestSettings,
    /// The archive as it was handed in.
    pub(crate) archive: &'a Path,
    /// What an earlier attempt left there is removed.
    pub(crate) folder: &'a VersionFolder,
    /// The seed of its games.
    pub(crate) seed: u64,
    pub(crate) sandbox: SandboxLevel,
    /// Is told each step when it begins.
    pub(crate) at_step: &'a (dyn Fn(JudgeStep) + Sync),
}

/// The verdict on a version.
pub(crate) type Verdict = Result<Acceptance, Rejection>;

/// Gives a version its verdict.
///
/// # Errors
/// The server is ending, or the machine fails: there is no verdict.
pub(crate) fn judge(submission: &Submission<'_>, ending: &Interrupt) -> Result<Verdict, RunnerError> {
    let folder = submission.folder;
    let failed = |doing: &'static str| move |e| ArenaError::disk(doing, &folder.path, e);
    if folder.path.exists() {
        arena::folder::remove_folder(&folder.path).map_err(failed("remove the folder"))?;
    }
    fs::create_dir_all(folder.games()).map_err(failed("make the folder"))?;
    let log = Arc::new(BuildLog::new(&folder.log())?);
    (submission.at_step)(JudgeStep::Unpacking);
    log.add("the archive is unpacked");
    match unpack_upload(submission.archive, &folder.bot(), ArchiveLimits::UPLOAD) {
        Ok(()) => {}
        Err(ArchiveError::Refused(reason)) => {
            log.add(&format!("rejected: {reason}"));
            return Ok(Err(Rejection { step: JudgeStep::Unpacking, reason }));
        }
        Err(ArchiveError::Disk(error)) => return Err(error.into()),
    }
    let judging = Judging { submission, log, ending };
    let verdict = for_setup!(submission.settings.game,
        programs _G => judging.program(),
        services G => judging.service::<G>(),
        built_ins _G => Ok(judging.rejected(JudgeStep::Unpacking, "bots of this game cannot be handed in".to_owned())),
    )?;
    keep_of_trials(&folder.games(), &folder.faults()).map_err(failed("keep the fault bundles in"))?;
    Ok(verdict)
}

/// A version that gets its verdict.
struct Judging<'a> {
    submission: &'a Submission<'a>,
    log: Arc<BuildLog>,
    ending: &'a Interrupt,
}

impl Judging<'_> {
    fn rejected(&self, step: JudgeStep, reason: String) -> Verdict {
        self.log.add(&format!("rejected: {reason}"));
        Err(Rejection { step, reason })
    }

    fn context(&self) -> Result<Context, RunnerError> {
        let interrupt = Interrupt::new().map_err(|e| ArenaError::process("make a pipe for", "a submission", e))?;
        Ok(Context { interrupt, reporter: Arc::clone(&self.log) as _ })
    }

    /// What a team has built on its own machine is built again, and packages are fetched if builds may do that.
    fn options(&self) -> BotOptions {
        BotOptions { rebuild: true, ..bot_options(self.submission.settings, self.submission.sandbox) }
    }

    fn rules<G: Listed>(&self) -> Result<G::Settings, RunnerError> {
        self.submission.settings.rules::<G>().map_err(RunnerError::Settings)
    }

    /// A bot that is a program which is started for every turn, or stays.
    fn program(&self) -> Result<Verdict, RunnerError> {
        let context = self.context()?;
        let settings = self.rules::<Entelect2017>()?;
        let setup = ProgramSetup::new(settings, self.options(), context.clone());
        let bot = match self.built(&context, || setup.find_one(&self.named()))? {
            Ok(bot) => bot,
            Err(rejection) => return Ok(Err(rejection)),
        };
        let seeds = (0..GAMES).map(|game| self.submission.seed.wrapping_add(game));
        let games = self.watched(&context, None, || {
            let mut games = Vec::new();
            for (number, seed) in (1..).zip(seeds) {
                let folder = self.submission.folder.games().join(number.to_string());
                let size = [setup.settings.size];
                games.extend(check_program(&setup, &bot, &size, &folder, seed, &mut |_, _| Box::new(()))?.0);
            }
            Ok(games)
        });
        let language = bot.bot().map(|program| program.language.name);
        Ok(self.verdict(language, bot.info.author.clone(), bot.content.clone(), &games.0?))
    }

    /// A bot that is asked by lines.
    fn service<G: OverHttp>(&self) -> Result<Verdict, RunnerError> {
        let context = self.context()?;
        let settings = self.rules::<G>()?;
        let client = Arc::new(Client::new(AllowedHosts::none()));
        let setup = || {
            let limit = Some(G::usual_limit(&settings));
            let (settings, client) = (settings.clone(), Arc::clone(&client));
            ServiceSetup::<G>::new(settings, G::Speech::default(), limit, client, context.clone())
                .with_programs(self.options())
        };
        let bot = match self.built(&context, || setup().find_one(&self.named()))? {
            Ok(bot) => bot,
            Err(rejection) => return Ok(Err(rejection)),
        };
        let folder = self.submission.folder.games();
        let seed = self.submission.seed;
        let games =
            self.watched(&context, None, || check_service(setup, &bot, &folder, seed, &mut |_, _| Box::new(())));
        let language = bot.bot().and_then(HttpBot::as_program).map(|program| program.language.name);
        Ok(self.verdict(language, bot.info.author.clone(), bot.content.clone(), &games.0?))
    }

    fn named(&self) -> String {
        self.submission.folder.bot().display().to_string()
    }

    /// What `build` finds and builds, or the reason why the version is rejected.
    fn built<T>(
        &self,
        context: &Context,
        build: impl FnOnce() -> Result<T, RunnerError>,
    ) -> Result<Result<T, Rejection>, RunnerError> {
        (self.submission.at_step)(JudgeStep::Building);
        let limit = self.submission.settings.build_time();
        let (found, is_late) = self.watched(context, Some(limit), build);
        let error = match found {
            Ok(found) => {
                (self.submission.at_step)(JudgeStep::Probing);
                self.log.add("it plays three games against a player of the engine");
                return Ok(Ok(found));
            }
            Err(error) => error,
        };
        if self.ending.is_raised() {
            return Err(ArenaError::Interrupted.into());
        }
        let reason = match &error {
            _ if is_late => format!("the build took longer than {} s", limit.as_secs()),
            RunnerError::Arena(_) | RunnerError::Sandbox(_) => return Err(error),
            RunnerError::Launch { source, .. }
                if matches!(&**source, LaunchError::Build(BuildError::NotRun { .. })) =>
            {
                return Err(error);
            }
            error => self.without_paths(&with_causes(error)),
        };
        Ok(self.rejected(JudgeStep::Building, reason).map(|_| unreachable!("it is a rejection")))
    }

    /// Does some work, whose context is interrupted when the server ends, or after this time; tells if it was.
    fn watched<T>(
        &self,
        context: &Context,
        limit: Option<Duration>,
        work: impl FnOnce() -> Result<T, RunnerError>,
    ) -> (Result<T, RunnerError>, bool) {
        let done = match self.context() {
            Ok(Context { interrupt, .. }) => interrupt,
            Err(error) => return (Err(error), false),
        };
        thread::scope(|scope| {
            let watch = || {
                let mut set = WaitSet::new().readable(self.ending).readable(&done);
                let is_late = matches!(set.wait(limit), Ok(0));
                if !done.is_raised() {
                    context.interrupt.raise();
                }
                is_late
            };
            let watch = thread::Builder::new().name("submission".to_owned()).spawn_scoped(scope, watch);
            let watch = match watch {
                Ok(watch) => watch,
                Err(e) => {
                    let error = ArenaError::process("start a thread for", "a submission", e);
                    return (Err(error.into()), false);
                }
            };
            let worked = work();
            done.raise();
            (worked, watch.join().unwrap_or_default())
        })
    }

    /// A text without the path of the version's folder, which is the server's own.
    fn without_paths(&self, text: &str) -> String {
        let bot = self.submission.folder.bot();
        let real = bot.canonicalize().unwrap_or_else(|_| bot.clone());
        // The longer one may have the other in it.
        [real, bot].iter().map(|path| path.display().to_string()).fold(text.to_owned(), |text, path| {
            text.replace(&format!("bot {path}: "), "").replace(&format!("{path}/"), "").replace(&path, ".")
        })
    }

    fn verdict(
        &self,
        language: Option<&'static str>,
        author: Option<String>,
        content: Option<String>,
        games: &[CheckedGame],
    ) -> Verdict {
        for game in games {
            let (turns, lost) = (game.turns.asked + game.turns.not_asked, game.turns.lost());
            if lost * 2 >= turns.max(1) {
                let first = game.turns.faults.first();
                let why = first.map(|fault| format!(", the first for this reason: {}", fault.why)).unwrap_or_default();
                let reason = format!("it lost {lost} of {turns} turns of a game{why}");
                return self.rejected(JudgeStep::Probing, self.without_paths(&reason));
            }
        }
        let slowest = games.iter().flat_map(|game| &game.turns.times).max();
        let limit = games.iter().find_map(|game| game.limit);
        let slowest = slowest.zip(limit).map(|(slowest, limit)| [*slowest, limit].map(|time| time.as_millis() as u64));
        self.log.add("accepted");
        Ok(Acceptance { language: language.unwrap_or_default().to_owned(), author, content, slowest })
    }
}

/// The options of all bots of a contest.
pub(crate) fn bot_options(settings: &ContestSettings, sandbox: SandboxLevel) -> BotOptions {
    let ContestSettings { memory, build_network, .. } = *settings;
    BotOptions { sandbox, memory, build_network, ..BotOptions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::contests::version::JudgeStep;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::json;
    use std::fs::File;
    use tempfile::TempDir;

    /// A folder for a submission.
    struct Desk {
        folder: TempDir,
        settings: ContestSettings,
        ending: Interrupt,
    }

    impl Desk {
        fn new() -> Desk {
            let settings =
                json!({"title": "Test", "game": "entelect-2017", "settings": {"size": "small"}, "buildTime": 1000});
            let settings = serde_json::from_value(settings).unwrap();
            Desk { folder: tempfile::tempdir().unwrap(), settings, ending: Interrupt::new().unwrap() }
        }

        /// The verdict on the bot in a folder, and its log.
        fn judge(&self, bot: &Path) -> (Result<Verdict, RunnerError>, String) {
            let archive = self.folder.path().join("archive");
            let file = GzEncoder::new(File::create(&archive).unwrap(), Compression::fast());
            let mut builder = tar::Builder::new(file);
            builder.append_dir_all("bot", bot).unwrap();
            builder.into_inner().unwrap().finish().unwrap();
            let folder = VersionFolder::at(self.folder.path().join("1-1"));
            let submission = Submission {
                settings: &self.settings,
                archive: &archive,
                folder: &folder,
                seed: 1,
                sandbox: SandboxLevel::On,
                at_step: &|_| {},
            };
            let judged = judge(&submission, &self.ending);
            (judged, fs::read_to_string(folder.log()).unwrap())
        }

        fn rejection(&self, bot: &Path) -> (Rejection, String) {
            let (judged, log) = self.judge(bot);
            (judged.unwrap().unwrap_err(), log)
        }
    }

    /// A bot whose RunFile is made by a makefile with this rule.
    fn built_by(rule: &str) -> TempDir {
        let bot = tempfile::tempdir().unwrap();
        let manifest = json!({"Author": "A", "Email": "", "NickName": "Made", "BotType": "CPlusPlus", "ProjectLocation": "",
            "RunFile": "bot"});
        fs::write(bot.path().join("bot.json"), manifest.to_string()).unwrap();
        fs::write(bot.path().join("Makefile"), format!("bot:\n\t{rule}\n")).unwrap();
        bot
    }

    #[test]
    fn a_bot_that_plays_is_accepted() {
        let (bots, desk) = (runner::doctest::bots(1), Desk::new());
        let (judged, log) = desk.judge(&bots.path().join("0"));
        let accepted = judged.unwrap().unwrap();
        assert_eq!((&*accepted.language, accepted.author.as_deref()), ("Executable", Some("A")));
        assert!(accepted.slowest.is_some_and(|[slowest, limit]| slowest < limit), "{accepted:?}");
        assert!(log.ends_with("accepted\n"), "{log}");
    }

    #[test]
    fn a_bot_that_loses_its_turns_is_rejected_with_the_reason() {
        let (bots, desk) = (runner::doctest::bots(1), Desk::new());
        let bot = bots.path().join("0");
        fs::write(bot.join("bot.sh"), "#!/bin/sh\nexit 3\n").unwrap();
        let (rejection, log) = desk.rejection(&bot);
        assert_eq!(rejection.step, JudgeStep::Probing);
        assert!(
            rejection.reason.starts_with("it lost 5 of 5 turns of a game, the first for this reason: "),
            "{rejection:?}"
        );
        assert!(rejection.reason.contains("ended with exit status 3") && log.contains("rejected: it lost"), "{log}");
        fs::remove_file(bot.join("bot.json")).unwrap();
        let (rejection, _) = desk.rejection(&bot);
        assert_eq!(rejection.step, JudgeStep::Building);
        assert!(!rejection.reason.contains(desk.folder.path().to_str().unwrap()), "{rejection:?}");
    }

    #[test]
    fn a_build_that_fails_or_never_ends_is_told_with_what_it_said() {
        if test_tools::required("make").is_none() {
            return;
        }
        let desk = Desk::new();
        let failing = built_by("@echo bot.cpp:7: no semicolon; exit 2");
        let (rejection, log) = desk.rejection(failing.path());
        assert_eq!(rejection.step, JudgeStep::Building);
        assert!(log.contains("$ make") && log.contains("bot.cpp:7: no semicolon"), "{log}");
        let endless = built_by("while :; do :; done");
        let (rejection, _) = desk.rejection(endless.path());
        assert_eq!(rejection.reason, "the build took longer than 1 s");
    }

    #[test]
    fn there_is_no_verdict_when_the_server_ends() {
        let (bots, desk) = (runner::doctest::bots(1), Desk::new());
        desk.ending.raise();
        let (judged, _) = desk.judge(&bots.path().join("0"));
        assert!(matches!(judged, Err(RunnerError::Arena(ArenaError::Interrupted))), "{judged:?}");
    }
}
