//! Players as the arena sees them.

use crate::{ArenaError, Limits, Notes};
use rules::{Answer, Fault, Game, Illegal, Listed, Part, Scene, Seat};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A player: a bot, a person, a built-in player.
pub trait Player<G: Game>: Send {
    /// Decides what to do in this turn. Failures on the player's side are a [`rules::Fault`] in the reply.
    ///
    /// # Errors
    /// The engine fails: a disk, a process that cannot be started. The match ends without a winner.
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError>;

    /// Hears that the match is over, and that the player won or lost; `None` is a draw.
    ///
    /// # Errors
    /// As [`Player::decide`].
    fn over(&mut self, _last: &Scene, _won: Option<bool>) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// A question to one player in one turn.
#[derive(Debug)]
pub struct Ask<'a, G: Game> {
    /// The seat that is asked.
    pub seat: Seat,
    /// The turn, counted from 0.
    pub turn: u32,
    game: &'a G,
}

impl<'a, G: Game> Ask<'a, G> {
    /// A question to `seat` in the present state of `game`.
    pub fn new(game: &'a G, seat: Seat, turn: u32) -> Ask<'a, G> {
        Ask { seat, turn, game }
    }

    /// The part of the state that the seat may know. The state does not change while players are asked.
    pub fn view(&self) -> G::View {
        self.game.view(self.seat)
    }

    /// Checks that the rules would obey this order now.
    ///
    /// # Errors
    /// The reason why the order would be refused.
    pub fn check(&self, order: &G::Order) -> Result<(), Illegal> {
        self.game.check(self.seat, order)
    }

    /// Reads the order in an answer, as [`Listed::read`].
    ///
    /// # Errors
    /// As [`Listed::read`].
    pub fn read(&self, parts: &[Part]) -> Answer<G::Order>
    where
        G: Listed,
    {
        self.game.read(parts)
    }

    /// The scene that the seat may see.
    pub fn scene(&self) -> Scene {
        self.game.scene(rules::Eye::Seat(self.seat))
    }
}

/// The reply of a player to a question.
#[derive(Debug, Clone)]
pub struct Reply<O> {
    /// The order, or why there is none.
    pub answer: Answer<O>,
    /// The parts of the answer as the player gave them.
    pub given: Vec<Part>,
    /// The time that the answer took, where it is measured.
    pub time: Option<TimeUsed>,
    /// The run of the bot's process, if the player is one.
    pub run: Option<RunReport>,
    /// The notes that the bot left beside its answer, for people.
    pub notes: Option<Box<Notes>>,
}

impl<O> Reply<O> {
    /// The fault in words, for the author of the bot; `None` if there is an order.
    pub fn fault(&self) -> Option<String> {
        let fault = self.answer.as_ref().err()?;
        let instead = self.run.as_ref().and_then(|run| run.instead.as_ref());
        match (fault, instead) {
            (Fault::NothingWritten, Some(instead)) => Some(format!("{fault}: {instead}")),
            _ => Some(fault.to_string()),
        }
    }

    /// The notes to show: those in the answer itself, else those beside it.
    pub fn notes_to_show(&self) -> Option<Notes> {
        let beside = self.notes.as_deref();
        match Notes::in_answer(&self.given) {
            Some(within) => {
                Notes::with_output(Some(within), beside.map_or_else(Vec::new, |notes| notes.output().to_owned()))
            }
            None => beside.cloned(),
        }
    }
}

/// The time that a player took for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeUsed {
    /// Wall time from the question to the answer.
    pub wall: Duration,
    /// Processor time, where it is known.
    pub cpu: Option<Duration>,
}

/// A run of a bot's process.
#[derive(Debug, Clone)]
pub struct RunReport {
    /// The command line, for people.
    pub command: String,
    /// The command line, for programs.
    pub invocation: Invocation,
    /// The limits of the run; `None` without limits.
    pub limits: Option<Limits>,
    /// True if the process was started for this turn; false if it stayed from an earlier one.
    pub has_started: bool,
    /// Wall time from the start, or from the question if the process stayed, to the end or the answer.
    pub wall: Duration,
    /// The time in which the process was ready but had no processor, or in which the engine itself was late.
    /// Known only of runs that took longer than they may.
    pub waited: Duration,
    /// Processor time of the process and of those of its children that it waited for.
    pub cpu: Duration,
    /// Peak memory of the process in bytes; at least that of the engine when it started the process.
    pub peak_memory: u64,
    /// True if the process may have used less memory, because the engine itself has had as much.
    pub peak_is_bound: bool,
    /// The end of the process.
    pub end: RunEnd,
    /// The place at which the program stood when its time was up, if that could be learned.
    pub stood: Option<Stood>,
    /// The standard output.
    pub stdout: Output,
    /// The standard error.
    pub stderr: Output,
    /// The size in bytes of the files that were removed because the bot left them beside its answer.
    pub removed: u64,
    /// True if the bot's files (those that it was shown, and its answer) are still in its folder of the match.
    pub files_left: bool,
    /// The reason why the bot's notes were dropped, if they were.
    pub bad_notes: Option<String>,
    /// The thing that a bot which gave no answer did instead, in words, if that is known.
    pub instead: Option<String>,
}

/// The place at which a program stood when its time was up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stood {
    /// The place in words, as they follow "it was": `at bot.py:42`, or `in choose, called by main`.
    pub place: String,
    /// The stack, the latest call first, as the runtime tells it; or the names of functions.
    pub lines: Vec<String>,
}

/// A command that runs the same process again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments.
    pub arguments: Vec<OsString>,
    /// The working directory.
    pub folder: PathBuf,
    /// The environment variables that were set for it, beside those it inherited.
    pub environment: Vec<(String, String)>,
    /// The argument that is the folder of the turn.
    pub turn_folder: PathBuf,
    /// The line that it was given on its standard input, if it has one.
    pub input: Option<String>,
}

/// The end of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// The process gave its answer and stays for the next turn.
    Answered,
    /// Exited with this status.
    Exited(i32),
    /// Ended by this signal.
    Signalled(i32),
    /// Killed by the engine because its time was up.
    Killed,
    /// Killed by the engine because it used too much.
    Excessive(Excess),
    /// Killed by the engine because it did not rest between its turns.
    Restless,
    /// Not started, for this reason.
    NotStarted(String),
}

impl RunEnd {
    /// True if the process did what it had to: it exited with status 0, or gave its answer and stays.
    pub fn is_success(&self) -> bool {
        matches!(self, RunEnd::Exited(0) | RunEnd::Answered)
    }
}

/// A resource of which a process used too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// Memory.
    Memory,
    /// Threads.
    Threads,
    /// Processes.
    Processes,
}

impl std::fmt::Display for RunEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunEnd::Answered => f.write_str("answered and stays"),
            RunEnd::Exited(status) => write!(f, "ended with exit status {status}"),
            RunEnd::Signalled(signal) => write!(f, "ended by signal {signal}"),
            RunEnd::Killed => f.write_str("killed when its time was up"),
            RunEnd::Excessive(Excess::Memory) => f.write_str("killed when it used too much memory"),
            RunEnd::Excessive(Excess::Threads) => f.write_str("killed when it used too many threads"),
            RunEnd::Excessive(Excess::Processes) => f.write_str("killed when it used too many processes"),
            RunEnd::Restless => f.write_str("killed because it did not rest between its turns"),
            RunEnd::NotStarted(why) => write!(f, "could not be started: {why}"),
        }
    }
}

/// The beginning and the end of what a process wrote to a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// The beginning, up to a cap.
    pub bytes: Vec<u8>,
    /// The number of bytes after the beginning that were not kept in it.
    pub dropped: u64,
    /// The last of those bytes.
    pub end: Vec<u8>,
}

impl Output {
    /// The lines: at most 1000, with notes where some are left out.
    pub fn lines(&self) -> Vec<String> {
        const MOST: usize = 1000;
        let text = String::from_utf8_lossy(&self.bytes);
        let mut lines: Vec<String> = text.lines().take(MOST).map(str::to_owned).collect();
        let left_out = text.lines().skip(MOST).count();
        if left_out > 0 {
            lines.push(format!("[{left_out} more lines are left out]"));
        }
        if self.dropped > 0 {
            lines.push(format!("[{} more bytes were thrown away]", self.dropped));
        }
        lines
    }

    /// The last lines, at most `most` of them. Longer ones than 500 characters are cut.
    pub fn last_lines(&self, most: usize) -> Vec<String> {
        let bytes = if self.end.is_empty() { &self.bytes } else { &self.end };
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(most)..].iter().map(|line| cut(line)).collect()
    }

    /// The first and the last lines with text, at most `most` of each, and a line of three dots between them if some are left
    /// out. Some languages tell at the beginning of a report why a program crashed, others at the end. Longer lines than 500
    /// characters are cut.
    ///
    /// ```
    /// let output = |text: &str| arena::Output { bytes: text.into(), ..Default::default() };
    /// assert_eq!(output("1\n\n2\n3\n").both_ends(2), ["1", "2", "3"]);
    /// assert_eq!(output("1\n2\n3\n4\n5\n").both_ends(2), ["1", "2", "...", "4", "5"]);
    /// let cut = arena::Output { end: b"end\n".to_vec(), dropped: 900, ..output("1\n2\n") };
    /// assert_eq!(cut.both_ends(2), ["1", "2", "...", "end"]);
    /// assert_eq!(output(&"x".repeat(501)).both_ends(2), ["x".repeat(500) + "…"]);
    /// ```
    pub fn both_ends(&self, most: usize) -> Vec<String> {
        let texts = [&self.bytes, &self.end].map(|bytes| String::from_utf8_lossy(bytes));
        let [first, last] = texts.each_ref().map(|text| text.lines().filter(|line| !line.trim().is_empty()));
        let is_whole = self.dropped == self.end.len() as u64;
        let first: Vec<&str> = first.collect();
        let last: Vec<&str> = if self.end.is_empty() { first.clone() } else { last.collect() };
        if self.end.is_empty() && is_whole && first.len() <= 2 * most {
            return first.into_iter().map(cut).collect();
        }
        let (head, tail) = (first.iter().take(most), &last[last.len().saturating_sub(most)..]);
        head.chain(&["..."]).chain(tail).map(|line| cut(line)).collect()
    }

    /// The number of bytes that were written in all.
    pub fn total(&self) -> u64 {
        self.bytes.len() as u64 + self.dropped
    }
}

/// A line for people: at most 500 characters of it.
fn cut(line: &str) -> String {
    const MOST: usize = 500;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
