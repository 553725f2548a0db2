//! Players as the arena sees them.

use crate::{ArenaError, Limits};
use rules::{Answer, Game, Illegal, Part, Scene, Seat};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Whoever sits in a seat.
pub trait Player<G: Game>: Send {
    /// Decides what to do in this turn. Whatever goes wrong on the player's side is a [`rules::Fault`] in the reply.
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError>;

    /// Hears that the match is over.
    fn over(&mut self, _last: &Scene, _won: bool) -> Result<(), ArenaError> {
        Ok(())
    }
}

/// A question to one player: what will you do?
#[derive(Debug)]
pub struct Ask<'a, G: Game> {
    /// Who is asked.
    pub seat: Seat,
    /// In which turn, counted from 0.
    pub turn: u32,
    game: &'a G,
}

impl<'a, G: Game> Ask<'a, G> {
    /// Asks `seat` in the present state of `game`.
    pub fn new(game: &'a G, seat: Seat, turn: u32) -> Ask<'a, G> {
        Ask { seat, turn, game }
    }

    /// What the seat may know. It is the same for as long as players are being asked: nobody can change the state then.
    pub fn view(&self) -> G::View {
        self.game.view(self.seat)
    }

    /// Whether this order would be obeyed now.
    pub fn check(&self, order: &G::Order) -> Result<(), Illegal> {
        self.game.check(self.seat, order)
    }

    /// What the seat may see.
    pub fn scene(&self) -> Scene {
        self.game.scene(rules::Eye::Seat(self.seat))
    }
}

/// What came back from a player.
#[derive(Debug, Clone)]
pub struct Reply<O> {
    /// The order, or why there is none.
    pub answer: Answer<O>,
    /// The text it gave, part by part.
    pub given: Vec<Part>,
    /// How long it took, where that is measured.
    pub time: Option<TimeUsed>,
    /// How its process ran, if it is one.
    pub run: Option<RunReport>,
}

/// How long a player took for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeUsed {
    /// From the question to the answer.
    pub wall: Duration,
    /// Of the processor, where it can be known.
    pub cpu: Option<Duration>,
}

/// How one run of a bot went.
#[derive(Debug, Clone)]
pub struct RunReport {
    /// The command line it was started with, for people.
    pub command: String,
    /// The same for machines.
    pub invocation: Invocation,
    /// What it was allowed to take; `None` without limit.
    pub limits: Option<Limits>,
    /// Time from start to end.
    pub wall: Duration,
    /// Time in which it could have run but had to wait for a processor, or in which the engine was late itself. Known
    /// only of runs that took longer than they may.
    pub waited: Duration,
    /// Processor time of its process, and of those of its children that it waited for.
    pub cpu: Duration,
    /// Peak memory of its process in bytes, not below what the engine itself used when it started it.
    pub peak_memory: u64,
    /// How it ended.
    pub end: RunEnd,
    /// What it wrote to standard output.
    pub stdout: Output,
    /// What it wrote to standard error.
    pub stderr: Output,
    /// What was removed of the files that it left besides its answer, in bytes.
    pub removed: u64,
}

/// What it takes to run a process again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments.
    pub arguments: Vec<OsString>,
    /// The working directory.
    pub folder: PathBuf,
    /// The variables that were set for it, beside those it inherited.
    pub environment: Vec<(String, String)>,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// By the engine, because its time was up.
    Killed,
    /// By the engine, because it used too much.
    Excessive(Excess),
    /// It never ran, for this reason.
    NotStarted(String),
}

/// What a process used too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// Memory.
    Memory,
    /// Threads.
    Threads,
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Excess::Memory => "much memory",
            Excess::Threads => "many threads",
        })
    }
}

impl std::fmt::Display for RunEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunEnd::Exited(status) => write!(f, "ended with exit status {status}"),
            RunEnd::Signalled(signal) => write!(f, "ended by signal {signal}"),
            RunEnd::Killed => f.write_str("killed when its time was up"),
            RunEnd::Excessive(excess) => write!(f, "killed when it used too {excess}"),
            RunEnd::NotStarted(why) => write!(f, "could not be started: {why}"),
        }
    }
}

/// What a process wrote to one of its streams, up to a cap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// The beginning of it.
    pub bytes: Vec<u8>,
    /// How many bytes after that were thrown away.
    pub dropped: u64,
    /// The last of those that were thrown away.
    pub end: Vec<u8>,
}

impl Output {
    /// The lines, with notes where some are left out: a log has an entry for each, and a bot may write empty ones only.
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

    /// The last lines, at most so many.
    pub fn last_lines(&self, most: usize) -> Vec<String> {
        let bytes = if self.end.is_empty() { &self.bytes } else { &self.end };
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(most)..].iter().map(|line| (*line).to_owned()).collect()
    }

    /// How many bytes were written in all.
    pub fn total(&self) -> u64 {
        self.bytes.len() as u64 + self.dropped
    }
}
