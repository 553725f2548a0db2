//! The process of a bot that stays: asked by lines, stopped between its turns.

use super::launch::Launch;
use super::output::Awaited;
use super::run::{RunRequest, unused};
use super::running::{RunningBot, Watch, WatchEnd};
use arena::{ArenaError, Interrupt, Limits, RunEnd, RunReport};
use platform::process::EndedProcess;
use rules::Seat;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

/// The process of a bot that stays. It is started when it is first asked, and again if it has ended since it was last asked.
/// Between its turns it is stopped with all that it started. It is killed when this value is dropped.
pub(super) struct StayingProcess {
    pub(super) launch: Launch,
    pub(super) limits: Option<Limits>,
    interrupt: Interrupt,
    bot: Option<StoppedBot>,
    /// The processor time that it has used between its turns so far, since it was last killed for that.
    rested: Duration,
}

/// A bot between its turns.
struct StoppedBot {
    running: RunningBot,
    /// The processor time that it had used when it was stopped, with that of its children.
    cpu: Duration,
    /// The processor time of its threads then, and of all that was stopped with it.
    clock: Duration,
}

/// The processor time that a stopped bot may seem to have used in a whole match: what the system did to stop it. Usually it is none, but a
/// virtual machine whose host takes its processors away can charge milliseconds. Who wakes for a little of every turn of its opponent
/// gains no more than that.
const LARGEST_REST: Duration = Duration::from_millis(20);

/// The result of asking a process once.
pub(super) struct Asked {
    pub(super) run: RunReport,
    /// The line that was awaited, if it has come.
    pub(super) line: Option<Vec<u8>>,
    /// False if it lost its turn, because it ran after the one before.
    pub(super) has_question: bool,
}

impl fmt::Debug for StayingProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StayingProcess")
            .field("launch", &self.launch)
            .field("runs", &self.bot.is_some())
            .finish_non_exhaustive()
    }
}

impl StayingProcess {
    /// A process that `launch` starts. Without limits a turn may last for ever.
    pub(super) fn new(launch: Launch, limits: Option<Limits>, interrupt: Interrupt) -> StayingProcess {
        StayingProcess { launch, limits, interrupt, bot: None, rested: Duration::ZERO }
    }

    /// Asks the bot once, by this line, with the files of its turn in `folder`. It has answered when it has written the line
    /// that is awaited. Afterwards it is stopped, or ended.
    ///
    /// # Errors
    /// The machine cannot start, watch or end processes, or the match was interrupted.
    pub(super) fn ask(
        &mut self,
        seat: Seat,
        folder: &Path,
        line: &str,
        awaited: Awaited<'_>,
    ) -> Result<Asked, ArenaError> {
        if let Some(run) = self.end_restless(seat, folder)? {
            return Ok(Asked { run, line: None, has_question: false });
        }
        let (run, line) = self.turn(seat, folder, line, awaited)?;
        Ok(Asked { run, line, has_question: true })
    }

    /// Ends the process. The bot is started again for its next turn.
    pub(super) fn end(&mut self) {
        self.bot = None;
    }

    /// Ends the bot if it has run since its last turn, and gives the report of the turn that it loses.
    fn end_restless(&mut self, seat: Seat, folder: &Path) -> Result<Option<RunReport>, ArenaError> {
        let Some(StoppedBot { running, clock, .. }) = self.bot.as_mut().filter(|bot| !bot.running.has_ended()) else {
            return Ok(None);
        };
        if let Some(now) = running.process.clock() {
            self.rested += now.saturating_sub(*clock);
            if self.rested <= LARGEST_REST {
                return Ok(None);
            }
        }
        self.rested = Duration::ZERO;
        running.end()?;
        let [stdout, stderr] = running.streams.each_mut().map(|stream| stream.take().0);
        self.bot = None;
        let (text, invocation) = self.launch.description(seat, folder);
        let run = unused(text, invocation, self.limits, RunEnd::Restless);
        Ok(Some(RunReport { has_started: false, stdout, stderr, ..run }))
    }

    /// Asks the bot once, by this line. It is started if it does not run. Afterwards it is stopped, or ended. Also gives
    /// the line that was awaited.
    fn turn(
        &mut self,
        seat: Seat,
        folder: &Path,
        line: &str,
        awaited: Awaited<'_>,
    ) -> Result<(RunReport, Option<Vec<u8>>), ArenaError> {
        let (text, invocation) = self.launch.description(seat, folder);
        let limits = self.limits;
        let report = |end| unused(text.clone(), invocation.clone(), limits, end);
        let (mut bot, before, has_started) = match self.bot.take() {
            Some(StoppedBot { running, cpu, .. }) if !running.has_ended() => (running, cpu, false),
            ended => {
                drop(ended);
                let RunRequest { command, memory, processes, stack_source, .. } =
                    self.launch.request(seat, folder, &[]);
                match RunningBot::start(command, &text, memory, processes, stack_source)? {
                    Ok(running) => (running, Duration::ZERO, true),
                    Err(end) => return Ok((report(end), None)),
                }
            }
        };
        // What it said before it was asked is no answer.
        bot.streams[0].drain();
        bot.streams[0].await_line(awaited);
        let since = if has_started { bot.started } else { Instant::now() };
        bot.ask(line)?;
        if !has_started {
            bot.process.go_on();
        }
        let (watched, delays) = bot.watch(Watch::new(since, limits, true), &self.interrupt)?;
        let wall = since.elapsed();
        let waited = delays.waited(wall, limits);
        let mut run =
            RunReport { has_started, wall: wall.saturating_sub(delays.stopped), waited, ..report(RunEnd::Answered) };
        let rests = matches!(watched, WatchEnd::Answered) && bot.stop()?;
        let has_ended = bot.has_ended();
        let given;
        match watched {
            WatchEnd::Interrupted => return Err(ArenaError::Interrupted),
            WatchEnd::Answered if rests && !has_ended => {
                let (cpu, peak_memory) = bot.process.used().unwrap_or_default();
                let clock = bot.process.clock().unwrap_or_default();
                run = RunReport { cpu: cpu.saturating_sub(before), peak_memory, ..run };
                given = take_output(&mut bot, &mut run);
                match bot.overuse_now_and_then() {
                    Some(excess) => run.end = RunEnd::Excessive(excess),
                    None => self.bot = Some(StoppedBot { running: bot, cpu, clock }),
                }
            }
            watched => {
                let ended = bot.end()?;
                run.end = match watched {
                    WatchEnd::ToKill(end) => end,
                    WatchEnd::Answered if !has_ended => RunEnd::Restless,
                    WatchEnd::Ended | WatchEnd::Answered | WatchEnd::Interrupted => bot.own_end(ended)?,
                };
                let EndedProcess { cpu, peak_memory, peak_is_bound, .. } = ended;
                given = take_output(&mut bot, &mut run);
                let stood = bot.stood.take();
                run = RunReport { cpu: cpu.saturating_sub(before), peak_memory, peak_is_bound, stood, ..run };
            }
        }
        Ok((run, given))
    }
}

/// Puts the output since the last turn into the report, and gives the line that was awaited.
fn take_output(bot: &mut RunningBot, run: &mut RunReport) -> Option<Vec<u8>> {
    let [(stdout, line), (stderr, _)] = bot.streams.each_mut().map(|stream| stream.take());
    (run.stdout, run.stderr) = (stdout, stderr);
    line
}
