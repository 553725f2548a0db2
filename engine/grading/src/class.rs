//! Grades a class: judges what was handed in, plays the games that the plan needs, and gives marks.

mod students;

use crate::judging::{Judged, JudgedSoFar, Judging, judge_all};
use crate::submitted::Submitted;
use crate::{Alike, Grader, GradingError, Judgement, Marks, Plan};
use arena::{ArenaError, GAMES_JSONL, lock_folder};
use platform::files::LockFile;
use players::http::{AllowedHosts, Client};
use players::{BuiltIn, OverHttp};
use rules::entelect_2017::Entelect2017;
use rules::{Game, PlayerInfo};
use runner::{
    BotOptions, Contestants, Context, GameSetup, KeptGames, MatchFactory, PlayedTournament, PreparedTournament,
    ProgramSetup, RunnerError, ServiceSetup, TournamentOptions, for_setup,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use submissions::JudgeSettings;
use tournament::{Format, JournalLine, SchedulerEvent, ScoreTable, StopReason};

/// The folder, in that of the results, with what was handed in as it was built.
const SUBMISSIONS: &str = "submissions";

/// A class that is graded.
pub struct Class {
    /// The plan.
    pub plan: Plan,
    /// The folder of the results, with a journal: what it has is not done again.
    pub to: PathBuf,
    /// The options of bots, besides those of the plan.
    pub bots: BotOptions,
    /// The number of games, and of submissions that are judged, at the same time; `None` for that of processors.
    pub concurrency: Option<usize>,
    /// The command that repeats the games of a student, for reports; `BOT` stands for its folder.
    pub command: String,
}

/// The surroundings of grading: plays the games, and is told how far they are.
pub trait Grading {
    /// The error of playing, and of all grading.
    type Error: From<GradingError>;

    /// Plays the games of a class, on threads or elsewhere.
    ///
    /// # Errors
    /// As for [`PreparedTournament::play`].
    fn play<F: MatchFactory>(
        &self,
        prepared: PreparedTournament<F>,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<PlayedTournament, Self::Error>;

    /// Takes the state after an event: how many students have their marks.
    fn marked(&self, event: &SchedulerEvent<'_>, table: &ScoreTable, marked: usize, of: usize);

    /// Takes the marks so far before the first game and after each event. They are made when they are asked for, which takes a while.
    fn so_far(&self, _marks: &dyn Fn() -> Result<Marks, GradingError>) {}
}

/// The number of the entrant that each student is, with the details of the bot, by the names of students.
pub(crate) type Entrants = BTreeMap<String, (usize, PlayerInfo)>;

/// The name under which the bot of each student enters, with its details, by the names of students.
type NamedBots = BTreeMap<String, (String, PlayerInfo)>;

/// A class with its marks.
#[derive(Debug)]
pub struct Graded {
    /// The marks.
    pub marks: Marks,
    /// The reason why no more games were played; `None` if no bot plays.
    pub stopped: Option<StopReason>,
    /// The tools that this machine lacks, in words, each with the number of submissions that need it.
    pub lacking: BTreeMap<String, u32>,
    /// The bots compared by their answers on the same boards.
    pub alike: Alike,
}

impl Graded {
    /// True if no mark is open.
    pub fn is_whole(&self) -> bool {
        let marks = self.marks.students.iter().flat_map(|one| &one.marks);
        marks.into_iter().all(|mark| mark.judgement != Judgement::Open)
    }
}

impl Class {
    /// The options of bots.
    fn bots(&self) -> BotOptions {
        let limits = self.plan.limits;
        BotOptions { memory: limits.memory, build_network: limits.build_network, ..self.bots.clone() }
    }

    fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// Judges what was handed in, whose paths begin in the folder `from`: it is unpacked, built and tried, several at once. What was judged
    /// before by the same terms is not judged again, unless this machine lacked a tool.
    ///
    /// # Errors
    /// The machine failed, or somebody asked to stop.
    pub fn judge(
        &self,
        submitted: &[Submitted],
        from: &Path,
        context: &Context,
        tell: &(dyn Fn(JudgedSoFar<'_>) + Sync),
    ) -> Result<Vec<Judged>, GradingError> {
        let terms = JudgeSettings {
            game: self.plan.game(),
            settings: self.plan.settings.clone(),
            bots: self.bots(),
            build_time: self.plan.build_time(),
            answer: self.plan.limits.answer.map(Duration::from_millis),
        };
        let judging = Judging {
            to: &self.to.join(SUBMISSIONS),
            settings: &terms,
            seed: self.plan.seed,
            interrupt: &context.interrupt,
            client: Arc::new(Client::new(AllowedHosts::none())),
        };
        judge_all(submitted, from, &judging, self.concurrency(), tell)
    }

    /// Plays the games that are needed of those whose bots were accepted, and gives marks to all. `judged` are the verdicts on what was
    /// `submitted`.
    ///
    /// # Errors
    /// The plan cannot be played, or the machine failed.
    pub fn grade<P: Grading>(
        &self,
        submitted: &[Submitted],
        judged: &[Judged],
        context: &Context,
        grading: &P,
    ) -> Result<Graded, P::Error> {
        let (bots, all) = (self.bots(), (submitted, judged));
        let (plan, context) = (self.plan.clone(), context.clone());
        for_setup!(plan.game(),
            programs _G => {
                let settings = rules::settings_with::<Entelect2017>(&plan.settings).map_err(wrong_settings)?;
                self.grade_by(ProgramSetup::new(settings, bots, context.clone()), all, grading)
            },
            services G => self.grade_by(self.service_setup::<G>(bots, &context)?, all, grading),
            built_ins G => Err(wrong_settings(format!("{} is not graded", G::KIND.title())).into()),
        )
    }

    /// The setup of a game whose bots are asked by lines.
    fn service_setup<G: OverHttp>(&self, bots: BotOptions, context: &Context) -> Result<ServiceSetup<G>, GradingError> {
        let settings = rules::settings_with::<G>(&self.plan.settings).map_err(wrong_settings)?;
        let limit = self.plan.limits.answer.map_or_else(|| G::usual_limit(&settings), Duration::from_millis);
        let client = Arc::new(Client::new(AllowedHosts::none()));
        let setup = ServiceSetup::new(settings, G::Speech::default(), Some(limit), client, context.clone());
        Ok(setup.with_programs(bots))
    }

    fn grade_by<S: GameSetup, P: Grading>(
        &self,
        setup: S,
        (submitted, judged): (&[Submitted], &[Judged]),
        grading: &P,
    ) -> Result<Graded, P::Error> {
        let (contestants, names) = self.contestants(&setup, submitted, judged)?;
        let grader = Rc::new(RefCell::new(Grader::new(self.plan.clone(), submitted.len())));
        let mut entrants = BTreeMap::new();
        let mut stopped = None;
        if !names.is_empty() {
            let prepared = self.prepare(setup, contestants, &grader)?;
            let number = |name: &String| prepared.table.entrants().iter().position(|entrant| entrant.name == *name);
            let entrant = |(student, (name, info)): (String, (String, _))| Some((student, (number(&name)?, info)));
            entrants = names.into_iter().filter_map(entrant).collect();
            let numbers: Vec<usize> = entrants.values().map(|(number, _)| *number).collect();
            let so_far = |grader: &Grader| grading.so_far(&|| self.marks(grader, (submitted, judged), &entrants));
            so_far(&grader.borrow());
            let mut watch = |event: SchedulerEvent<'_>, table: &ScoreTable| {
                if let SchedulerEvent::Finished(line) = &event {
                    grader.borrow_mut().add(line);
                }
                let grader = grader.borrow();
                let marked = numbers.iter().filter(|number| grader.is_marked(**number)).count();
                grading.marked(&event, table, marked, numbers.len());
                so_far(&grader);
                ControlFlow::Continue(())
            };
            stopped = Some(grading.play(prepared, &mut watch)?.stopped);
        }
        let grader = grader.borrow();
        let mut lacking = BTreeMap::new();
        for rejection in judged.iter().filter_map(|judged| judged.verdict.as_ref().err()) {
            if rejection.lacks_tool {
                *lacking.entry(rejection.reason.clone()).or_default() += 1;
            }
        }
        let marks = self.marks(&grader, (submitted, judged), &entrants)?;
        let alike = self.alike(&entrants);
        Ok(Graded { marks, stopped, lacking, alike })
    }

    /// The baselines, and the bots that were accepted, with the names under which these enter, by their students.
    fn contestants<S: GameSetup>(
        &self,
        setup: &S,
        submitted: &[Submitted],
        judged: &[Judged],
    ) -> Result<(Contestants<S>, NamedBots), GradingError> {
        let (mut all, mut names): (Contestants<S>, _) = (Vec::new(), BTreeMap::new());
        for (number, baseline) in self.plan.baselines.iter().enumerate() {
            let bot = match baseline.bot.strip_prefix(BuiltIn::PREFIX) {
                Some(_) => baseline.bot.clone(),
                None => self.plan.folder.join(&baseline.bot).display().to_string(),
            };
            // Opponents and records are told the name.
            let name = if baseline.hidden { format!("hidden {}", number + 1) } else { baseline.name.clone() };
            all.push(called(setup.find_one(&bot)?, &name));
        }
        for (submitted, judged) in submitted.iter().zip(judged) {
            if let (Ok(_), Some(folder)) = (&judged.verdict, &judged.folder) {
                let name = format!("{} ({})", rules::printable(&submitted.student), judged.content);
                let found = setup.find_built(&folder.bot())?;
                names.insert(submitted.student.clone(), (name.clone(), found.info.clone()));
                all.push(called(found, &name));
            }
        }
        Ok((all, names))
    }

    /// Opens the journal, whose games the grader takes.
    fn prepare<S: GameSetup>(
        &self,
        setup: S,
        contestants: Contestants<S>,
        grader: &Rc<RefCell<Grader>>,
    ) -> Result<PreparedTournament<S::Factory>, GradingError> {
        let count = self.plan.baselines.len();
        let journal = self.to.join(GAMES_JSONL);
        if journal.exists() {
            let table = ScoreTable::read_with(&journal, |line| {
                if let JournalLine::Game(line) = line {
                    grader.borrow_mut().add(line);
                }
            })?;
            // A folder may have another path by now. One that has changed plays as it entered, which is told.
            let mut baselines = table.entrants().iter().take(count).zip(&contestants);
            let other = baselines.find(|(entrant, baseline)| {
                let is_built_in = [&entrant.bot, &baseline.source].iter().any(|bot| bot.starts_with(BuiltIn::PREFIX));
                entrant.name != baseline.info.name() || is_built_in && entrant.bot != baseline.source
            });
            if let Some((entrant, baseline)) = other {
                let (name, source) = (baseline.info.name(), &baseline.source);
                let what = format!("its baseline {} ({}) is not {name} ({source})", entrant.name, entrant.bot);
                return Err(RunnerError::OtherTournament(journal, what).into());
            }
        }
        let options = TournamentOptions {
            format: Format::Grading,
            baselines: Some(count),
            games: self.plan.games.at_most,
            seed: Some(self.plan.seed),
            folder: Some(self.to.clone()),
            keep: KeptGames::First,
            concurrency: self.concurrency,
            only_named: true,
            ..TournamentOptions::default()
        };
        let prepared = PreparedTournament::new(setup, contestants, options)?;
        let needed = Rc::clone(grader);
        Ok(prepared.needing(Box::new(move |fixture| needed.borrow().is_needed(fixture))))
    }
}

/// Locks a folder of results for this program, until the result is dropped: another one would remove what this one builds.
///
/// ```
/// let results = tempfile::tempdir()?;
/// let _lock = grading::lock_results(results.path())?;
/// assert!(grading::lock_results(results.path()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Another program is grading into the folder, or the disk fails.
pub fn lock_results(to: &Path) -> Result<LockFile, GradingError> {
    let folder = to.join(SUBMISSIONS);
    fs::create_dir_all(&folder).map_err(|e| ArenaError::disk("make the folder", &folder, e))?;
    Ok(lock_folder(&folder)?)
}

/// A contestant that goes by a name alone, so that nothing tells whose it is.
fn called<G: Game, B>(found: runner::Contestant<G, B>, name: &str) -> runner::Contestant<G, B> {
    runner::Contestant { info: rules::PlayerInfo::named(name), ..found }
}

fn wrong_settings(why: String) -> GradingError {
    RunnerError::Settings(why).into()
}
