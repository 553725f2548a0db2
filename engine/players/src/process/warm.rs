//! Warm starts: the runs of a bot are forks of an interpreter that is started once a match, and has loaded its library.

use super::launch::Launch;
use super::output::Awaited;
use super::run::{RunRequest, unused};
use super::running::{Delays, RunningBot, Watch, WatchEnd};
use arena::{ArenaError, Interrupt, Limits, RunEnd, RunReport};
use rules::Seat;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The program for Python. Its first lines say what it is asked and answers.
pub(super) const PYTHON: &str = include_str!("warm/warm.py");

/// The longest answer of such a program, in bytes.
const MOST_OF_ANSWER: usize = 100;

/// The interpreter of one bot in one match. It is started when it is first asked, and again if it has ended since it was last asked.
pub(super) struct WarmStarts {
    limits: Option<Limits>,
    interrupt: Interrupt,
    interpreter: Option<RunningBot>,
    /// False once it cannot be used for this bot.
    is_possible: bool,
}

impl fmt::Debug for WarmStarts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WarmStarts").field("is_possible", &self.is_possible).finish_non_exhaustive()
    }
}

/// What an interpreter says of a run.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    end: RunEnd,
    cpu: Duration,
    /// In bytes.
    peak_memory: u64,
}

impl Answer {
    /// Reads a line with the exit status or the negative number of a signal, the processor time in microseconds and the memory in
    /// KiB.
    fn read(line: &[u8]) -> Option<Answer> {
        let mut numbers = std::str::from_utf8(line).ok()?.split(' ');
        let status: i32 = numbers.next()?.parse().ok()?;
        let mut next = || numbers.next()?.parse::<u64>().ok();
        let (cpu, memory) = (next()?, next()?);
        let end = if status < 0 { RunEnd::Signalled(status.checked_neg()?) } else { RunEnd::Exited(status) };
        Some(Answer { end, cpu: Duration::from_micros(cpu), peak_memory: memory.saturating_mul(1024) })
    }
}

impl WarmStarts {
    /// For a bot that [has warm starts](Launch::has_warm_starts). Without limits a run may last for ever.
    pub(super) fn new(limits: Option<Limits>, interrupt: Interrupt) -> WarmStarts {
        WarmStarts { limits, interrupt, interpreter: None, is_possible: true }
    }

    /// Runs the bot once in this folder of a turn; in a sandbox it can also write to its folders of `earlier` turns. `None` if it has
    /// to be started in the usual way, now and from now on: its interpreter is too old, or files of the bot have names of modules
    /// of its library.
    ///
    /// # Errors
    /// The machine cannot start, watch or end processes, or the match was interrupted.
    pub(super) fn run(
        &mut self,
        launch: &Launch,
        seat: Seat,
        folder: &Path,
        earlier: &[PathBuf],
    ) -> Result<Option<RunReport>, ArenaError> {
        // Until it has run, so that every way out below that has no report is the last one.
        if !std::mem::replace(&mut self.is_possible, false) {
            return Ok(None);
        }
        let (mut interpreter, is_new) = match self.interpreter.take().filter(|running| !running.has_ended()) {
            Some(running) => (running, false),
            None => {
                let Some(RunRequest { command, text, memory, processes, stack_source, .. }) =
                    launch.warm_request(seat, folder)
                else {
                    return Ok(None);
                };
                match RunningBot::start(command, &text, memory, processes, stack_source)? {
                    Ok(started) => (started, true),
                    Err(_) => return Ok(None),
                }
            }
        };
        let since = if is_new { interpreter.started } else { Instant::now() };
        let watch = Watch::new(since, self.limits, true);
        interpreter.await_answer(Awaited::Next(MOST_OF_ANSWER))?;
        let (mut watched, mut delays) = (WatchEnd::Answered, Delays::default());
        if is_new {
            (watched, delays) = interpreter.watch(watch, &self.interrupt)?;
            let is_ready = interpreter.answer().is_some_and(|line| line == b"ready");
            // Nothing of the bot has run yet.
            if matches!(watched, WatchEnd::Ended | WatchEnd::Answered) && !is_ready {
                return Ok(None);
            }
            interpreter.await_answer(Awaited::Next(MOST_OF_ANSWER))?;
        }
        if matches!(watched, WatchEnd::Answered) {
            let folders: Vec<String> =
                [folder].into_iter().chain(earlier.iter().map(PathBuf::as_path)).map(hexadecimal).collect();
            interpreter.ask(&folders.join(" "))?;
            let more;
            (watched, more) = interpreter.watch(watch, &self.interrupt)?;
            delays = delays.with(more);
        }
        let wall = since.elapsed();
        let waited = delays.waited(wall, self.limits);
        let (text, invocation) = launch.description(seat, folder);
        let report = |end| RunReport {
            wall: wall.saturating_sub(delays.stopped),
            waited,
            ..unused(text, invocation, self.limits, end)
        };
        let answer = interpreter.answer();
        let mut run = match (watched, answer.as_deref().map(Answer::read)) {
            (WatchEnd::Interrupted, _) => return Err(ArenaError::Interrupted),
            (WatchEnd::Answered, Some(Some(Answer { end, cpu, peak_memory }))) => {
                // In a sandbox nothing can be left.
                if !launch.is_confined() && !interpreter.process.end_others() {
                    interpreter.end()?;
                }
                RunReport { cpu, peak_memory, ..report(end) }
            }
            // It has said that the bot has to be started in the usual way.
            (WatchEnd::Answered, _) => return Ok(None),
            (watched, _) => {
                let fork = interpreter.process.child_used();
                let ended = interpreter.end()?;
                let end = match watched {
                    WatchEnd::ToKill(end) => end,
                    // The bot has ended the interpreter, and so itself.
                    _ => interpreter.own_end(ended)?,
                };
                // Nobody has waited for the fork.
                let (cpu, peak_memory) = fork.unwrap_or((ended.cpu, ended.peak_memory));
                let stood = interpreter.stood.take();
                let run = RunReport { cpu, peak_memory, stood, ..report(end) };
                self.is_possible = true;
                return Ok(Some(with_output(run, &mut interpreter)));
            }
        };
        run = with_output(run, &mut interpreter);
        self.interpreter = Some(interpreter);
        self.is_possible = true;
        Ok(Some(run))
    }
}

fn with_output(run: RunReport, from: &mut RunningBot) -> RunReport {
    let [stdout, stderr] = from.streams.each_mut().map(|stream| stream.take().0);
    RunReport { stdout, stderr, ..run }
}

/// The bytes of a path as hexadecimal numbers: a path may have a line feed in it.
fn hexadecimal(path: &Path) -> String {
    arena::hex(path.as_os_str().as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_status_a_time_and_a_size() {
        let read = |line: &str| Answer::read(line.as_bytes());
        let answer =
            |end, cpu, memory: u64| Some(Answer { end, cpu: Duration::from_micros(cpu), peak_memory: memory << 10 });
        assert_eq!(read("0 1500 9000"), answer(RunEnd::Exited(0), 1500, 9000));
        assert_eq!(read("3 0 1"), answer(RunEnd::Exited(3), 0, 1));
        assert_eq!(read("-11 2 3"), answer(RunEnd::Signalled(11), 2, 3));
        for line in ["cold", "", "0 1", "0 1 x", "0 -1 1", "99999999999 1 1", "-2147483648 1 1"] {
            assert_eq!(read(line), None, "{line:?}");
        }
    }
}
