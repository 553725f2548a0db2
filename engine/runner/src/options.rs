//! Options that are the same for single matches, checks and tournaments.

use crate::SandboxLevel;
use arena::{Limits, NotesLevel};
use players::Tools;
use std::time::Duration;

/// The way bots that are programs are built, started and limited.
#[derive(Debug, Clone)]
pub struct BotOptions {
    /// The time limit.
    pub time: TimeLimit,
    /// The limit on the processor time of an answer.
    pub cpu: CpuLimit,
    /// The sandbox level.
    pub sandbox: SandboxLevel,
    /// The memory of a bot in the sandbox, in MiB.
    pub memory: u64,
    /// Environment variables, with their values, that bots have in addition to those that all bots have (docs/sandbox.md).
    pub variables: Vec<(String, String)>,
    /// True to start bots that do not stay by forks of an interpreter that is started once a match, in languages that have such a
    /// way.
    pub warm: bool,
    /// The parts of what bots with files leave in a turn that are kept for people.
    pub notes: NotesLevel,
    /// True to build bots that are built already.
    pub rebuild: bool,
    /// True if builds may use networks in the sandbox.
    pub build_network: bool,
    /// The programs that build and run bots.
    pub tools: Tools,
}

impl Default for BotOptions {
    /// Time limits of the rules, no limit on processor time, the sandbox as far as the kernel offers it, 1024 MiB of memory, a start for every turn, and tools on the PATH.
    fn default() -> BotOptions {
        BotOptions {
            time: TimeLimit::Measured,
            cpu: CpuLimit::Unlimited,
            sandbox: SandboxLevel::On,
            memory: 1024,
            variables: Vec::new(),
            warm: false,
            notes: NotesLevel::On,
            rebuild: false,
            build_network: false,
            tools: Tools::on_path(),
        }
    }
}

/// The time limit of bots that are programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// No limit.
    Unlimited,
    /// 2 s, and the time that a tiny bot of the same language takes to start (Player Rules 5).
    Measured,
    /// 2 s and this time.
    Extra(Duration),
}

/// The limit on the processor time of an answer of a bot that is a program, in addition to its [`TimeLimit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CpuLimit {
    /// No limit: a bot may use all processors until its time is over.
    #[default]
    Unlimited,
    /// As much as the time limit: a bot on several threads has no more than one on a single thread.
    AsTime,
    /// This time.
    Exactly(Duration),
}

impl CpuLimit {
    /// These limits with this one.
    pub(crate) fn added_to(self, limits: Limits) -> Limits {
        limits.with_cpu(match self {
            CpuLimit::Unlimited => None,
            CpuLimit::AsTime => Some(limits.answer()),
            CpuLimit::Exactly(time) => Some(time),
        })
    }
}
