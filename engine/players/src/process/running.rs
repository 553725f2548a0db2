//! A process of a bot that runs: started, watched, ended.

mod stood;

use super::guardian;
use super::output::{Awaited, Stream};
use arena::{ArenaError, Excess, Interrupt, Limits, RunEnd, Stood};
use platform::process::{self, BotProcess, CommandLine, EndedProcess, StartedBot};
use platform::sandbox::Namespaces;
use platform::wait::{self, Handle, WaitSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
pub(super) use stood::StackSource;

/// A program that runs, with its streams. It is killed when this value is dropped.
pub(super) struct RunningBot {
    pub(super) process: BotProcess,
    /// The engine's end of its standard input, if it has one and has not closed it.
    stdin: Option<Handle>,
    /// The part of the question that the pipe of its standard input had no room for yet.
    unsent: Vec<u8>,
    /// Its standard output and error.
    pub(super) streams: [Stream; 2],
    /// The socket by which it answers, if it does not answer on its standard output.
    answers: Option<Stream>,
    /// The time at which it was looked at for what it uses too much of.
    looked_at: Instant,
    /// The time of its start.
    pub(super) started: Instant,
    /// The command line for messages.
    text: String,
    namespaces: Option<Arc<Namespaces>>,
    memory: Option<u64>,
    processes: Option<usize>,
    /// The way to learn where it stands; `None` if nobody wants to know.
    stack_source: Option<StackSource>,
    /// The place at which it stood when its time was up.
    pub(super) stood: Option<Stood>,
}

/// The part of a run that is watched.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    /// The time from which on it counts.
    since: Instant,
    /// The time at which an answer is late, if there are limits.
    answer: Option<Instant>,
    /// The time at which the process is killed, if there are limits.
    kill: Option<Instant>,
    /// True if it ends with the line that the standard output awaits, and not only with the process.
    awaits_line: bool,
}

impl Watch {
    /// A watch from this time on, under these limits.
    pub(super) fn new(since: Instant, limits: Option<Limits>, awaits_line: bool) -> Watch {
        let (answer, kill) = limits.map(|limits| (since + limits.answer(), since + limits.kill())).unzip();
        Watch { since, answer, kill, awaits_line }
    }
}

impl RunningBot {
    /// Starts a program. Gives the reason if the program cannot be executed.
    ///
    /// # Errors
    /// The machine cannot start or watch processes.
    pub(super) fn start(
        command: CommandLine,
        text: &str,
        memory: Option<u64>,
        processes: Option<usize>,
        stack_source: Option<StackSource>,
    ) -> Result<Result<RunningBot, RunEnd>, ArenaError> {
        let failed = |doing: &'static str, e: io::Error| ArenaError::process(doing, text, e);
        let namespaces = command.namespaces().cloned();
        guardian::ensure()?;
        process::adopt().map_err(|e| failed("adopt the orphans of", e))?;
        let StartedBot { process, stdin, stdout, stderr, at: started } = match process::start_bot(command) {
            Ok(started) => started,
            Err(e) if is_engine_failure(&e) => return Err(failed("start", e)),
            Err(e) => return Ok(Err(RunEnd::NotStarted(e.to_string()))),
        };
        let listen = |pipe| Stream::new(pipe).map_err(|e| failed("listen to", e));
        let streams = [listen(stdout)?, listen(stderr)?];
        Ok(Ok(RunningBot {
            process,
            stdin,
            unsent: Vec::new(),
            streams,
            answers: None,
            looked_at: started,
            started,
            text: text.to_owned(),
            namespaces,
            memory,
            processes,
            stack_source,
            stood: None,
        }))
    }

    /// Drains the streams, and sends what is left of the question, until the process ends, has given the line that is awaited after
    /// the whole question was sent, or its time is up. A child of the bot that
    /// holds a stream open does not matter: only the end of the bot itself counts. Also returns the time for which the engine was
    /// stopped meanwhile (Ctrl-Z, a suspended machine), which is not the bot's time.
    ///
    /// # Errors
    /// The machine cannot wait.
    pub(super) fn watch(&mut self, watch: Watch, interrupt: &Interrupt) -> Result<(WatchEnd, Delays), ArenaError> {
        let watched = self.watch_streams(watch, interrupt);
        if let Ok((WatchEnd::ToKill(RunEnd::Killed), _)) = watched {
            self.stood = self.stood();
        }
        watched.map_err(|e| ArenaError::process("watch", self.text.clone(), e))
    }

    fn watch_streams(&mut self, watch: Watch, interrupt: &Interrupt) -> io::Result<(WatchEnd, Delays)> {
        let started = watch.since;
        let mut delays = Delays::default();
        // Only looked at in long runs, because it takes a thirtieth of the time of a short one.
        let mut waited = None;
        let mut asked: Option<Instant> = None;
        // A bot that stays has waited in earlier turns, too.
        let mut earlier = None;
        let stream_delay = if watch.awaits_line { Duration::ZERO } else { STREAM_DELAY };
        loop {
            let before = Instant::now();
            if before - started > STEP {
                waited = Some(waited_here());
                earlier.get_or_insert_with(|| if started > self.started { self.waited() } else { Duration::ZERO });
            }
            let until = |at: Instant| (at + delays.stopped).saturating_duration_since(before);
            // Who waits for a processor is killed later, so that a loop without end is known by the processor time that it has used.
            let left = watch.kill.map(|kill| until(kill + delays.queued.min(kill - started)));
            let in_time = watch.answer.map(until);
            let delay = stream_delay.saturating_sub(before - started);
            let step = left.map_or(STEP, |left| left.min(STEP));
            let step = in_time.filter(|left| !left.is_zero()).map_or(step, |left| left.min(step));
            let step = if delay.is_zero() { step } else { step.min(delay) };
            let mut set = WaitSet::new().readable(&self.process).readable(interrupt);
            if delay.is_zero() {
                let pipes = self.streams.iter().chain(&self.answers).filter_map(|stream| stream.pipe.as_ref());
                set = pipes.fold(set, |set, pipe| set.readable(pipe));
            }
            if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.unsent.is_empty()) {
                set = set.writable(stdin);
            }
            set.wait(Some(step))?;
            let (ended, interrupted) = (set.is_ready(0), set.is_ready(1));
            drop(set);
            let excess = before.elapsed().saturating_sub(step);
            if excess > STOP_THRESHOLD {
                // The bot itself can make the engine wait for a processor: that is no reason to give it more time.
                let queued = waited.map_or(Duration::ZERO, |before| waited_here().saturating_sub(before)).min(excess);
                delays.stopped += excess - queued;
                delays.late += queued;
            } else {
                delays.late += excess;
            }
            self.streams.iter_mut().chain(&mut self.answers).for_each(Stream::drain);
            self.send()?;
            if interrupted {
                return Ok((WatchEnd::Interrupted, delays));
            }
            if self.answers.as_ref().unwrap_or(&self.streams[0]).has_awaited() && self.unsent.is_empty() {
                return Ok((WatchEnd::Answered, delays));
            }
            if ended {
                return Ok((WatchEnd::Ended, delays));
            }
            // Not each time that the bot writes something.
            let is_due = asked.is_none_or(|asked| asked.elapsed() >= STEP / 2) || left == Some(Duration::ZERO);
            if is_due && in_time.is_some_and(|left| left <= BEFORE_LATE) {
                let queued = self.waited().saturating_sub(earlier.unwrap_or_default());
                delays.queued = delays.queued.max(queued);
                asked = Some(Instant::now());
            }
            if let Some(excess) = self.overuse() {
                return Ok((WatchEnd::ToKill(RunEnd::Excessive(excess)), delays));
            }
            // Only after a check that found the process running.
            if left == Some(Duration::ZERO) {
                return Ok((WatchEnd::ToKill(RunEnd::Killed), delays));
            }
        }
    }

    /// The time for which the process, or the fork that answers now, was ready and had no processor because of others.
    fn waited(&self) -> Duration {
        let forks = self.answers.is_some();
        if forks { self.process.child_waited_for_processor() } else { self.process.waited_for_processor() }
    }

    /// As [`RunningBot::overuse`], but only if the last look was longer ago than [`STEP`].
    pub(super) fn overuse_now_and_then(&mut self) -> Option<Excess> {
        if self.looked_at.elapsed() < STEP {
            return None;
        }
        self.looked_at = Instant::now();
        self.overuse()
    }

    /// The resource that it uses too much of: resident memory and that of its sockets, which resource limits do not count where
    /// it is shared; processes; or threads, which no limit counts for root.
    pub(super) fn overuse(&self) -> Option<Excess> {
        let most = self.memory?;
        if let (Some(processes), Some(namespaces)) = (self.processes, &self.namespaces) {
            return match process::memory_of_all(&self.process, namespaces, processes) {
                Some(held) => (held > most).then_some(Excess::Memory),
                None => Some(Excess::Processes),
            };
        }
        if self.answers.is_some() {
            // The interpreter itself runs nothing of the bot.
            let (memory, threads) = self.process.child_memory_and_threads()?;
            let excess = (threads > MOST_THREADS).then_some(Excess::Threads);
            return excess.or((memory > most).then_some(Excess::Memory));
        }
        if self.process.threads()? > MOST_THREADS {
            return Some(Excess::Threads);
        }
        (self.process.memory()? > most).then_some(Excess::Memory)
    }

    /// Asks it by a line on its standard input. What there is no room for is sent while it is watched.
    ///
    /// # Errors
    /// The machine cannot write.
    pub(super) fn ask(&mut self, line: &str) -> Result<(), ArenaError> {
        self.unsent = format!("{line}\n").into_bytes();
        self.send().map_err(|e| ArenaError::process("ask", self.text.clone(), e))
    }

    /// Awaits an answer by the socket that is its standard input. What was written there before does not count.
    ///
    /// # Errors
    /// The machine has no descriptor for it.
    pub(super) fn await_answer(&mut self, line: Awaited<'_>) -> Result<(), ArenaError> {
        if self.answers.is_none() {
            let socket = self.stdin.as_ref().map(Handle::try_clone).transpose();
            let stream = socket.and_then(|socket| socket.map(Stream::new).transpose());
            self.answers = stream.map_err(|e| ArenaError::process("listen to", self.text.clone(), e))?;
        }
        if let Some(answers) = &mut self.answers {
            answers.await_line(line);
        }
        Ok(())
    }

    /// The answer that came by its socket.
    pub(super) fn answer(&mut self) -> Option<Vec<u8>> {
        self.answers.as_mut()?.take().1
    }

    /// Sends what the pipe has room for. Nothing is sent to a process that has closed its standard input: if it does not answer
    /// all the same, it is late.
    fn send(&mut self) -> io::Result<()> {
        while let Some(stdin) = self.stdin.as_ref().filter(|_| !self.unsent.is_empty()) {
            match wait::write(stdin, &self.unsent) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => break,
                Err(e) if matches!(e.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) => {
                    self.unsent.clear();
                    self.stdin = None;
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// True if it has ended.
    pub(super) fn has_ended(&self) -> bool {
        let mut set = WaitSet::new().readable(&self.process);
        set.wait(Some(Duration::ZERO)).is_ok_and(|ready| ready > 0)
    }

    /// Stops it with all that it started. Tells whether all of that stands still.
    ///
    /// # Errors
    /// The system refuses to look at it.
    pub(super) fn stop(&mut self) -> Result<bool, ArenaError> {
        self.process.stop().map_err(|e| ArenaError::process("stop", self.text.clone(), e))
    }

    /// Ends it with all that it started.
    ///
    /// # Errors
    /// The process does not end within ten seconds after it was killed.
    pub(super) fn end(&mut self) -> Result<EndedProcess, ArenaError> {
        self.process.end().map_err(|e| ArenaError::process("wait for", self.text.clone(), e))
    }

    /// The end of a process that ended before anybody ended it.
    ///
    /// # Errors
    /// Somebody ended its namespaces.
    pub(super) fn own_end(&self, ended: EndedProcess) -> Result<RunEnd, ArenaError> {
        match ended.signal {
            Some(_) if self.namespaces.as_ref().is_some_and(|namespaces| !namespaces.is_alive()) => {
                let why = io::Error::other("somebody ended its namespaces");
                Err(ArenaError::process("watch", self.text.clone(), why))
            }
            Some(signal) => Ok(RunEnd::Signalled(signal)),
            None => Ok(RunEnd::Exited(ended.status.unwrap_or_default())),
        }
    }
}

/// True if a process could not be started because of the engine or the machine, not because of the bot.
fn is_engine_failure(e: &io::Error) -> bool {
    // An error without a number is one of ours.
    e.kind() == io::ErrorKind::Other || platform::is_shortage(e)
}

/// The reason why watching a process ended.
pub(super) enum WatchEnd {
    /// The process has given the line that was awaited.
    Answered,
    /// The process ended.
    Ended,
    /// The process has reached a limit: it has to be killed, and ends so.
    ToKill(RunEnd),
    /// The match was interrupted.
    Interrupted,
}

/// Times for which the engine itself was held up.
#[derive(Default)]
pub(super) struct Delays {
    /// Total time for which the engine was stopped.
    pub(super) stopped: Duration,
    /// Total time by which the engine woke up later than planned.
    late: Duration,
    /// The time for which the process waited for a processor because of others, as far as that was seen.
    queued: Duration,
}

impl Delays {
    /// Those of two watches, one after the other.
    pub(super) fn with(self, more: Delays) -> Delays {
        Delays {
            stopped: self.stopped + more.stopped,
            late: self.late + more.late,
            queued: self.queued.max(more.queued),
        }
    }

    /// The time that may be the machine's fault, of a run of `wall` time under these limits; zero if it was in time.
    pub(super) fn waited(&self, wall: Duration, limits: Option<Limits>) -> Duration {
        let is_late = limits.is_some_and(|limits| wall >= limits.answer());
        if is_late { self.queued.max(self.late) } else { Duration::ZERO }
    }
}

/// The longest wait before the next check.
const STEP: Duration = Duration::from_millis(100);
/// Time after the start in which only the end of the process is waited for, not its output (a pipe holds 64 KiB):
/// waking up when a quick bot closes its streams, and again when it ends, would cost a tenth of its time.
const STREAM_DELAY: Duration = Duration::from_millis(5);
/// From so long before its answer is late, it is looked at how long the process has waited for a processor: once it has ended
/// only its first thread can be asked, and in many runtimes that is not the one which works.
const BEFORE_LATE: Duration = Duration::from_millis(200);
/// A wait that takes longer than planned by this time means that the engine itself was stopped, or waited for a processor.
const STOP_THRESHOLD: Duration = Duration::from_millis(500);

/// The time for which this thread was ready to run and had no processor; zero if the kernel does not count it.
fn waited_here() -> Duration {
    process::this_thread_waited().unwrap_or_default()
}

/// The allowed number of threads: more than any runtime starts by itself.
const MOST_THREADS: u64 = 1000;
