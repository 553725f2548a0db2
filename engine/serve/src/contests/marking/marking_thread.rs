//! The thread that marks the versions of a contest: it has the games of the plan played, of the versions that count.

use crate::contests::ladders::ladder::Ladder;
use crate::contests::marking::contest_marks::{ContestMarks, Counted};
use crate::contests::marking::wire::MarksEvent;
use crate::matches::host::MatchHost;
use crate::state::request_error::RequestError;
use arena::folder::replace_file;
use arena::hex;
use grading::{Alike, Class, Grading, GradingError, Marks, Plan, marks_json};
use platform::locks::lock;
use runner::{Context, MatchFactory, PlayedTournament, PreparedTournament, SandboxLevel, Silent, with_causes};
use sha2::{Digest, Sha256};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tournament::{SchedulerEvent, ScoreTable, StopReason};

/// The time until the next try if the machine fails.
const AGAIN: Duration = Duration::from_secs(30);
/// The time between two looks at the marks while games are played, if no more teams have theirs.
const OFTEN: Duration = Duration::from_secs(1);
/// The command in the files for students.
const COMMAND: &str = "broadside grade BOT --plan plan.toml";

/// The thread of the marks of a contest. Without a plan it waits for one.
pub(crate) struct MarkingThread {
    host: Arc<MatchHost>,
    ladder: Arc<Ladder>,
    sandbox: SandboxLevel,
}

impl MarkingThread {
    pub(crate) fn new(host: Arc<MatchHost>, ladder: Arc<Ladder>, sandbox: SandboxLevel) -> MarkingThread {
        MarkingThread { host, ladder, sandbox }
    }

    /// Marks until the server ends.
    pub(crate) fn run(self) {
        let mut done = None;
        loop {
            let seen = self.ladder.changed.changes();
            if self.host.ending.is_raised() {
                return;
            }
            let counted = self.counted();
            if counted == done {
                self.ladder.changed.wait(seen, None);
                continue;
            }
            let marked = match &counted {
                Some(counted) => self.mark(counted, seen),
                None => {
                    *lock(&self.ladder.marks) = None;
                    Ok(true)
                }
            };
            match marked {
                Ok(true) => done = counted,
                Ok(false) => {}
                Err(_) if self.host.ending.is_raised() => return,
                Err(why) => {
                    self.host.report_trouble(&RequestError::internal(format!("marks of {}: {why}", self.ladder.name)));
                    self.ladder.changed.wait(seen, Some(AGAIN));
                }
            }
        }
    }

    fn counted(&self) -> Option<Counted> {
        self.host.store.look(|state| Counted::of(&self.ladder.name, state))
    }

    /// Has the games played that the marks need. Returns false if other versions count meanwhile.
    fn mark(&self, counted: &Counted, seen: u64) -> Result<bool, String> {
        let to = self.ladder.folder.marks(&name_of_games(&counted.plan));
        let class = Class {
            plan: counted.plan.clone(),
            to: to.clone(),
            bots: counted.settings.bot_options(self.sandbox),
            concurrency: Some(counted.settings.parallel as usize),
            command: COMMAND.to_owned(),
        };
        let context = Context { interrupt: self.host.ending.clone(), reporter: Arc::new(Silent) };
        let (submitted, judged) = counted.judged(&self.ladder.folder);
        let progress = Progress {
            thread: self,
            counted,
            folder: to.clone(),
            seen: Cell::new(seen),
            looked: Cell::new(None),
            marked: Cell::new(0),
            failure: RefCell::default(),
        };
        let graded =
            class.grade(&submitted, &judged, &context, &progress).map_err(|error: GradingError| with_causes(&error))?;
        let is_whole = graded.is_whole();
        progress.show(graded.marks, graded.alike);
        match graded.stopped {
            Some(StopReason::Enough | StopReason::Interrupted) => return Ok(false),
            _ if !is_whole => {
                return Err(progress.failure.take().unwrap_or_else(|| "some bots cannot play".to_owned()));
            }
            _ => {}
        }
        let named = lock(&self.ladder.marks).clone().map(|marks| self.host.store.look(|state| marks.named(state).0));
        if let Some(marks) = named {
            replace_file(&to.join("marks.json"), marks_json(&marks).as_bytes()).map_err(|error| with_causes(&error))?;
        }
        Ok(true)
    }
}

/// The name of the folder of games: plans with other games have another one.
fn name_of_games(plan: &Plan) -> String {
    let baselines: Vec<_> = plan.baselines.iter().map(|one| (&one.name, &one.bot, one.hidden)).collect();
    hex(&Sha256::digest(format!("{} {:?} {baselines:?}", plan.seed, plan.limits.answer))[..4])
}

/// Marks that are being made.
struct Progress<'a> {
    thread: &'a MarkingThread,
    counted: &'a Counted,
    folder: PathBuf,
    /// The changes of the contest that were looked at.
    seen: Cell<u64>,
    /// The time of the last look at the marks.
    looked: Cell<Option<Instant>>,
    /// The number of teams whose games were played, now and at that time.
    marked: Cell<usize>,
    /// The reason why a game was not played.
    failure: RefCell<Option<String>>,
}

impl Progress<'_> {
    /// Shows the marks to their teams, and tells how many have theirs.
    fn show(&self, marks: Marks, alike: Alike) {
        let of = marks.students.len();
        let marks = ContestMarks { folder: self.folder.clone(), versions: self.counted.by_student(), marks, alike };
        let event = MarksEvent { marked: marks.marked(), of };
        *lock(&self.thread.ladder.marks) = Some(Arc::new(marks));
        self.thread.ladder.tell("marks", &event);
    }
}

impl Grading for Progress<'_> {
    type Error = GradingError;

    fn play<F: MatchFactory>(
        &self,
        prepared: PreparedTournament<F>,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<PlayedTournament, GradingError> {
        let changed = &self.thread.ladder.changed;
        let mut watch = |event: SchedulerEvent<'_>, table: &ScoreTable| {
            let flow = watch(event, table);
            let changes = changed.changes();
            // Most changes of a contest are none of the versions that count.
            if self.seen.replace(changes) != changes && self.thread.counted().as_ref() != Some(self.counted) {
                return ControlFlow::Break(());
            }
            flow
        };
        Ok(prepared.play(&mut watch)?)
    }

    fn marked(&self, event: &SchedulerEvent<'_>, _: &ScoreTable, marked: usize, _: usize) {
        if let SchedulerEvent::Failed { error, .. } = event {
            *self.failure.borrow_mut() = Some(with_causes(*error));
        }
        if self.marked.replace(marked) != marked {
            self.looked.set(None);
        }
    }

    fn so_far(&self, marks: &dyn Fn() -> Result<Marks, GradingError>) {
        if self.looked.get().is_some_and(|at| at.elapsed() < OFTEN) {
            return;
        }
        self.looked.set(Some(Instant::now()));
        // What fails now fails at the end as well, and is told then.
        if let Ok(marks) = marks() {
            self.show(marks, Alike::default());
        }
    }
}
