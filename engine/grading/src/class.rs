//! Grades a class: judges what was handed in, plays the games that the plan needs, and gives marks.

use crate::alike::{alike, answers_of_record};
use crate::judging::{Judged, JudgedSoFar, Judging, judge_all};
use crate::submitted::Submitted;
use crate::{
    Alike, Answers, CriterionMark, Failing, Grader, GradingError, Judgement, Marks, Plan, StudentMarks, pseudonym,
};
use arena::{ArenaError, GAMES_JSONL, lock_folder};
use platform::files::{LockFile, open_private};
use players::http::{AllowedHosts, Client};
use players::{BuiltIn, OverHttp};
use rules::entelect_2017::Entelect2017;
use rules::{Game, PlayerInfo};
use runner::{
    BotOptions, Contestants, Context, FIRST_KEPT, GameSetup, KeptGames, MatchFactory, PlayedTournament,
    PreparedTournament, ProgramSetup, RunnerError, ServiceSetup, TournamentOptions, for_setup, fresh_seed, kept_record,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use submissions::JudgeSettings;
use tournament::{Fixture, Format, JournalLine, SchedulerEvent, ScoreTable, StopReason};

/// The folder, in that of the results, with what was handed in as it was built.
const SUBMISSIONS: &str = "submissions";
/// The file, in that folder, with the secret from which pseudonyms are made.
const PSEUDONYM_KEY: &str = "pseudonyms.key";
/// The number of games in which bots are compared.
const COMPARED: usize = 20;
/// The share of equal answers from which on two bots are to be looked at.
const ALIKE: f64 = 0.75;
/// The last lines of a log that a teacher is shown.
const LOG_LINES: usize = 30;

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

    fn marks(
        &self,
        grader: &Grader,
        (submitted, judged): (&[Submitted], &[Judged]),
        entrants: &Entrants,
    ) -> Result<Marks, GradingError> {
        let plan = &self.plan;
        let key = pseudonym_key(&self.to.join(PSEUDONYM_KEY))?;
        let student = |(submitted, judged): (&Submitted, &Judged)| {
            let marks = self.student(grader, submitted, judged, entrants.get(&submitted.student));
            StudentMarks { pseudonym: pseudonym(key, &submitted.student), ..marks }
        };
        let mut students: Vec<StudentMarks> = submitted.iter().zip(judged).map(student).collect();
        students.sort_by(|one, other| one.student.cmp(&other.student));
        Ok(Marks {
            title: plan.title.clone(),
            game: plan.game(),
            seed: plan.seed,
            confidence: plan.confidence,
            criteria: grader.heads(),
            students,
        })
    }

    /// The students' bots, compared by their answers in the games whose records are kept of all, against the baselines that move alike
    /// for alike bots. A record that cannot be read is left out.
    fn alike(&self, entrants: &Entrants) -> Alike {
        let answers = |entrant: usize| {
            let mut answers = Answers::default();
            let baselines = self.plan.baselines.len();
            let games = (0..FIRST_KEPT).flat_map(|number| (0..baselines).map(move |second| (second, number)));
            for (second, number) in games.take(COMPARED) {
                let fixture = Fixture { first: entrant, second, number };
                if let Some(path) = kept_record(&self.to, fixture)
                    && let Ok(given) = answers_of_record(&path, fixture.seat_of_first())
                {
                    answers.add(second as u32, number, given);
                }
            }
            answers
        };
        let bots: Vec<(String, Answers)> =
            entrants.iter().map(|(student, (number, _))| (student.clone(), answers(*number))).collect();
        alike(&bots, ALIKE)
    }

    fn student(
        &self,
        grader: &Grader,
        submitted: &Submitted,
        judged: &Judged,
        entrant: Option<&(usize, PlayerInfo)>,
    ) -> StudentMarks {
        let plan = &self.plan;
        let told = |path: &Path| rules::printable(&path.display().to_string());
        let failing = judged.verdict.as_ref().err().map(|rejection| Failing {
            step: rejection.step.name().to_owned(),
            reason: rejection.reason.clone(),
            log: judged.folder.as_ref().map(|folder| log_of(&folder.log())).unwrap_or_default(),
        });
        let marks = (0..plan.criteria.len()).map(|criterion| match entrant {
            Some((entrant, _)) => self.mark(grader, *entrant, criterion, submitted.is_late),
            None => CriterionMark {
                judgement: if lacks_tool(judged) { Judgement::Open } else { Judgement::NotMet },
                points: 0.0,
                reason: "the bot does not play".to_owned(),
                measured: None,
                command: None,
                lost: None,
            },
        });
        let (number, info) = (entrant.map(|(number, _)| *number), entrant.map(|(_, info)| info));
        StudentMarks {
            student: submitted.student.clone(),
            pseudonym: String::new(),
            submission: told(&submitted.path),
            author: info.and_then(|info| info.author.clone()).unwrap_or_default(),
            bot: info.map(|info| info.name().to_owned()).unwrap_or_default(),
            submitted: submitted.submitted.map(|time| time.to_rfc3339()),
            is_late: submitted.is_late,
            earlier: submitted.earlier.iter().map(|path| told(path)).collect(),
            failing,
            marks: marks.collect(),
            games: number.map_or(0, |number| grader.games(number)),
            faults: number.map(|number| grader.faults(number)).unwrap_or_default(),
        }
    }

    fn mark(&self, grader: &Grader, entrant: usize, criterion: usize, is_late: bool) -> CriterionMark {
        let wanted = &self.plan.criteria[criterion];
        let is_hidden = wanted.baselines(&self.plan).iter().any(|number| self.plan.baselines[*number].hidden);
        let mut mark = grader.mark(entrant, criterion);
        if is_late {
            mark.points *= self.plan.late_share;
        }
        if !is_hidden {
            mark.command = Some(self.command.clone());
            let kept = |fixture| kept_record(&self.to, fixture);
            let record = grader.lost(entrant, criterion).find_map(kept);
            mark.lost = record.and_then(|path| Some(path.strip_prefix(&self.to).ok()?.to_owned()));
        }
        mark
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

fn lacks_tool(judged: &Judged) -> bool {
    judged.verdict.as_ref().is_err_and(|rejection| rejection.lacks_tool)
}

/// A contestant that goes by a name alone, so that nothing tells whose it is.
fn called<G: Game, B>(found: runner::Contestant<G, B>, name: &str) -> runner::Contestant<G, B> {
    runner::Contestant { info: rules::PlayerInfo::named(name), ..found }
}

/// The key of the pseudonyms, which is made when it is needed first: who knows it can tell the students.
fn pseudonym_key(path: &Path) -> Result<u64, GradingError> {
    let failed = |doing| move |e| ArenaError::disk(doing, path, e);
    if let Some(key) = fs::read_to_string(path).ok().and_then(|text| u64::from_str_radix(text.trim(), 16).ok()) {
        return Ok(key);
    }
    let key = fresh_seed();
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed("make the folder of"))?;
    let mut file = open_private(File::options().write(true).create_new(true), path).map_err(failed("write"))?;
    writeln!(file, "{key:016x}").map_err(failed("write"))?;
    Ok(key)
}

fn wrong_settings(why: String) -> GradingError {
    RunnerError::Settings(why).into()
}

/// The last lines of a log.
fn log_of(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].iter().map(|line| (*line).to_owned()).collect()
}
