//! `broadside grade`: marks for a class.

use super::embedded::SAMPLES;
use super::setup;
use crate::args::GradeArgs;
use crate::commands::servers::{OnCluster, play_on_cluster};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, WorkerCount};
use crate::{settings, signals};
use arena::folder::remove_folder;
use arena::{ArenaError, Interrupt};
use grading::{
    Class, ClassFolder, Graded, Grading, GradingError, Ignored, Judged, JudgedSoFar, Plan, SourceFolder, Submitted,
    export_sources, lock_results, marks_json, submissions_in, write_results,
};
use platform::locks::lock;
use players::shell_word;
use runner::{BotOptions, CpuLimit, MatchFactory, PlayedTournament, PreparedTournament};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tournament::{SchedulerEvent, ScoreTable, StopReason};

/// The folder of results, beside the plan, if no other is named.
const MARKS: &str = "marks";
/// The folder, in that of the results, into which the zip of a class is unpacked.
const UNPACKED: &str = "unpacked";
/// The file that makes a folder that of one bot.
const MANIFEST: &str = "bot.json";
/// The time between two updates of the progress on a terminal, and elsewhere.
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(10);

/// Grades the class that the command line names.
///
/// # Errors
/// The plan has a mistake, a baseline cannot play, or the machine failed.
pub(crate) fn grade(args: &GradeArgs) -> Result<Exit, Failure> {
    let context = setup::context()?;
    signals::raise(&context.interrupt)?;
    let plan = Plan::read(&args.plan)?;
    let to = args.dir.clone().unwrap_or_else(|| plan.folder.join(MARKS));
    let bots = BotOptions {
        cpu: CpuLimit::AsTime,
        sandbox: args.sandbox,
        warm: true,
        tools: settings::tools(args.settings.as_deref())?,
        ..BotOptions::default()
    };
    let of_plan = BotOptions { memory: plan.limits.memory, ..bots.clone() };
    let cluster = args.on_cluster.cluster.is_some();
    let cluster = cluster.then(|| OnCluster::new(&args.on_cluster, &of_plan, args.settings.as_deref())).transpose()?;
    let _lock = lock_results(&to)?;
    let found = found(args, &to, &plan)?;
    let class = Class {
        to: to.clone(),
        bots,
        concurrency: args.concurrency.map(usize::from),
        command: format!("broadside grade BOT --plan {}", shell_word(&args.plan)),
        plan,
    };
    let grading = OnTerminal { cluster, progress: Mutex::default(), is_terminal: io::stderr().is_terminal() };
    // Nobody waits for builds before a mistake in a baseline is told.
    class.grade(&[], &[], &context, &grading)?;
    let judged = class.judge(&found.submissions, &found.folder, &context, &|so_far| grading.judged(so_far))?;
    let graded = class.grade(&found.submissions, &judged, &context, &grading)?;
    if let Some(to) = &args.sources {
        export(args, to, &found, &judged, &graded)?;
    }
    if grading.is_terminal {
        show::status("");
    }
    finish(args, &to, &graded, &context.interrupt)
}

/// Writes the sources of all bots for programs that compare code.
fn export(args: &GradeArgs, to: &Path, found: &ClassFolder, judged: &[Judged], graded: &Graded) -> Result<(), Failure> {
    let pseudonym = |student: &str| {
        let marks = graded.marks.students.iter().find(|one| one.student == student);
        marks.map(|one| one.pseudonym.clone()).unwrap_or_default()
    };
    let bot = |(submitted, judged): (&Submitted, &Judged)| SourceFolder {
        student: submitted.student.clone(),
        pseudonym: pseudonym(&submitted.student),
        // One that was rejected is where it was handed in.
        folder: match (&judged.verdict, &judged.folder) {
            (Ok(_), Some(folder)) => folder.bot(),
            _ => found.folder.join(&submitted.path),
        },
        submitted: submitted.submitted,
        label: String::new(),
    };
    let bots: Vec<SourceFolder> = found.submissions.iter().zip(judged).map(bot).collect();
    let exported = export_sources(&bots, SAMPLES, args.pseudonyms, to)?;
    for (student, why) in &exported.left_out {
        show::say(&format!("sources left out: {student}: {why}"));
    }
    let languages: Vec<String> =
        exported.languages.iter().map(|(language, count)| format!("{count} in {language}")).collect();
    show::tell(&format!("Sources in {}: {}", to.display(), languages.join(", ")));
    if let Some(key) = &exported.key {
        show::tell(&format!("The key of the pseudonyms is {}", key.display()));
    }
    Ok(())
}

/// The submissions, after it was told what they are and what of the folder is none.
fn found(args: &GradeArgs, to: &Path, plan: &Plan) -> Result<ClassFolder, Failure> {
    if args.submissions.join(MANIFEST).is_file() {
        return Ok(ClassFolder::of_one(&args.submissions));
    }
    let work = to.join(UNPACKED);
    if work.exists() {
        remove_folder(&work).map_err(|e| ArenaError::disk("remove the folder", &work, e))?;
    }
    let deadline = plan.deadline.map(Into::into);
    // clap knows the names.
    let layout = args.layout.as_deref().and_then(|name| name.parse().ok());
    let found = submissions_in(&args.submissions, &work, layout, deadline).map_err(GradingError::from)?;
    let count = rules::counted(found.submissions.len() as u32, "submission");
    show::tell(&format!("{count} in {}: {}", found.folder.display(), found.recognised));
    for Ignored { path, reason } in &found.ignored {
        show::say(&format!("left out: {}: {reason}", path.display()));
    }
    if found.submissions.is_empty() {
        let what = format!("there are no submissions in {}", args.submissions.display());
        return Err(Failure::Usage { what, hint: "name the folder or the zip with all submissions".to_owned() });
    }
    Ok(found)
}

/// Grading as it is shown on the terminal.
struct OnTerminal {
    cluster: Option<OnCluster>,
    progress: Mutex<Shown>,
    is_terminal: bool,
}

/// The progress that was shown last.
#[derive(Default)]
struct Shown {
    at: Option<Instant>,
    /// The games before the first event, and when that came.
    began: Option<(u64, Instant)>,
}

impl OnTerminal {
    /// Shows how far the work is, if that was not shown a short time ago.
    fn show(&self, is_over: bool, text: impl FnOnce() -> String) {
        let mut shown = lock(&self.progress);
        let pause = if self.is_terminal { OFTEN } else { SELDOM };
        if !is_over && shown.at.is_some_and(|at| at.elapsed() < pause) {
            return;
        }
        shown.at = Some(Instant::now());
        if self.is_terminal { show::status(&text()) } else { show::tell(&text()) }
    }

    fn judged(&self, JudgedSoFar { judged, of, student }: JudgedSoFar<'_>) {
        self.show(judged == of, || format!("{judged} of {of} built and tried, {student} the last"));
    }
}

impl Grading for OnTerminal {
    type Error = Failure;

    fn play<F: MatchFactory>(
        &self,
        prepared: PreparedTournament<F>,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<PlayedTournament, Failure> {
        match &self.cluster {
            None => Ok(prepared.play(watch)?),
            Some(cluster) => play_on_cluster(prepared, cluster, &WorkerCount::default(), watch),
        }
    }

    fn marked(&self, event: &SchedulerEvent<'_>, table: &ScoreTable, marked: usize, of: usize) {
        if let SchedulerEvent::Failed { error, for_good: true, .. } = event {
            show::say(&format!("a game could not be played: {}", runner::with_causes(*error)));
        }
        let games = table.results().games();
        let (before, began) = *lock(&self.progress).began.get_or_insert_with(|| (games, Instant::now()));
        self.show(false, || {
            let rate = (games - before) as f64 / began.elapsed().as_secs_f64().max(0.1);
            format!("{marked} of {of} have their marks, {games} games, {rate:.1} games/s")
        });
    }
}

/// Writes the results, and tells them.
fn finish(args: &GradeArgs, to: &Path, graded: &Graded, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let marks = &graded.marks;
    write_results(to, marks, &graded.alike)?;
    if args.json {
        show::print(&marks_json(marks))?;
    } else {
        show::print(&show::marks_table(marks))?;
    }
    for (reason, count) in &graded.lacking {
        let need = rules::counted(*count, "submission");
        show::say(&format!("{need} cannot be judged on this machine: {reason}"));
    }
    show::tell(&format!(
        "The page for the teacher, and the files for students and systems: {}",
        to.join("index.html").display()
    ));
    Ok(match graded.stopped {
        _ if interrupt.is_raised() => {
            show::say("Stopped; the same command continues");
            Exit::Interrupted
        }
        Some(StopReason::Failing) => Exit::EngineError,
        _ if graded.lacking.is_empty() && graded.is_whole() => Exit::Success,
        _ => Exit::EngineError,
    })
}
