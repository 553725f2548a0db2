//! The sandbox: limits the files, system calls and resources of a bot.
//!
//! # How it works
//!
//! - **Sandbox.** What a bot can reach and use is set by a helper of a few kilobytes that limits itself (Landlock, a filter
//!   of system calls, resource limits, no capabilities) and then becomes the bot. The engine starts it from a file in memory
//!   that nobody can change. `pre_exec` would make the engine fork, whose cost grows with its memory; the same helper as an
//!   ordinary Rust program would take a millisecond for every run only to start. It has no allocator, no C library and no
//!   panics; what it is told is a list of arguments. `docs/sandbox.md` tells what is kept from whom.
//! - **Namespaces.** Where the kernel lets it, each bot of a match has namespaces of its own (`namespaces.rs`), made by the
//!   same helper. A process cannot change its own PID namespace, so a run takes two steps: the engine clones a process that
//!   shares its memory, which enters the namespaces (`setns` by the pidfd of their first process) and clones another one as a
//!   child of the engine (`CLONE_PARENT`); that one becomes the helper, and then the bot. Making namespaces for every run
//!   would take three times as long. The bot's folder is an overlay whose upper half is in memory. Its folders of the rounds
//!   are in memory, too: the engine writes questions and reads answers by an open folder of the bot's root
//!   (`/proc/PID/root/…`), and copies to the match's folder what is to stay. A tournament needs no copies of bots' folders
//!   for each game there: games share the first copy, which nobody can change.
//! - **Builds** run in the same kind of sandbox with another filter, which allows child processes (`build_sandbox.rs`).
//! - **Bots run as the user who runs the engine,** so there are things that only the sandbox (docs/sandbox.md) keeps from
//!   them: to delete the match's folder (an error of the engine), to kill the engine, to read what the user can read, to
//!   change the settings of the user's terminal, to use so many processes, so much memory or processor time that others get
//!   none.

pub use crate::linux::sandbox::{Namespaces, Sandbox, SandboxPolicy};
use std::env;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Features of this kernel for sandboxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// The version of Landlock, which restricts access to files; 0 if the kernel has none.
    pub landlock: u8,
    /// True if system calls can be filtered.
    pub filter: bool,
    /// True if bots can have a root folder, processes and IPC objects of their own.
    pub namespaces: bool,
}

/// Resource limits of one run of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Memory in bytes.
    pub memory: u64,
    /// The largest size of a file that it writes, in bytes.
    pub file_size: u64,
    /// The largest number of open files.
    pub open_files: u64,
}

impl Allowance {
    /// Enough for any runtime: 1 GiB of memory, files of 64 MiB, 1024 open files.
    pub const DEFAULT: Allowance = Allowance { memory: 1 << 30, file_size: 64 << 20, open_files: 1024 };
}

/// The reason why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The helper cannot be started.
    #[error("the sandbox's helper cannot be started")]
    NoHelper(#[source] io::Error),
    /// The kernel lacks features.
    #[error("the kernel has no {}", .0.join(" and no "))]
    Lacking(Vec<&'static str>),
    /// A file that bot.json chooses is outside the bot's folder.
    #[error(
        "the bot in {} may not play in a sandbox: {}{} is outside its folder",
        bot.display(), file.display(), leads.as_ref().map(|to| format!(" leads to {}, which", to.display())).unwrap_or_default()
    )]
    Outside {
        /// The bot's folder.
        bot: PathBuf,
        /// The run file, or the bot's own interpreter.
        file: PathBuf,
        /// The file that it leads to, if it is a link.
        leads: Option<PathBuf>,
    },
    /// The rules for a bot cannot be applied.
    #[error("the sandbox for {} cannot be set up: {why}", bot.display())]
    NotSetUp {
        /// The bot's folder.
        bot: PathBuf,
        /// The message of the helper.
        why: String,
    },
}

/// The version of Landlock that restricts everything that the sandbox relies on: files, truncation, devices, the
/// network.
const FULL_LANDLOCK: u8 = 5;

impl Abilities {
    /// True if runs of a bot may be forks of a program of the engine's: namespaces hold their processes together, and Landlock keeps
    /// them from each other's memory.
    pub fn can_hold_forks(&self) -> bool {
        self.namespaces && self.landlock > 0
    }

    /// The missing features without which the sandbox is not complete, for messages.
    pub fn lacking(&self) -> Vec<&'static str> {
        let mut lacking = Vec::new();
        if self.landlock < FULL_LANDLOCK {
            lacking.push(if self.landlock == 0 { "Landlock" } else { "Landlock of version 5" });
        }
        if !self.filter {
            lacking.push("filter for system calls");
        }
        lacking
    }
}

impl fmt::Display for Abilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock {
            0 => f.write_str("no Landlock")?,
            version => write!(f, "Landlock {version}")?,
        }
        f.write_str(if self.filter { ", system calls filtered" } else { ", system calls not filtered" })?;
        f.write_str(if self.namespaces { ", namespaces" } else { ", no namespaces" })
    }
}

/// The largest number of processes of a build.
pub const MAX_PROCESSES: usize = 1000;

/// The folder of a variable, or this one in the user's home.
pub(crate) fn home_folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(usual)))
}

/// The folder of Rust's toolchains, in which cargo's own program looks for the others.
pub fn toolchains() -> Option<PathBuf> {
    home_folder("RUSTUP_HOME", ".rustup").filter(|path| path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_lacks_is_named() {
        let lacking = |landlock, filter| Abilities { landlock, filter, namespaces: true }.lacking();
        assert_eq!(lacking(FULL_LANDLOCK, true), [""; 0]);
        assert_eq!(lacking(FULL_LANDLOCK - 1, true), ["Landlock of version 5"]);
        assert_eq!(lacking(0, false), ["Landlock", "filter for system calls"]);
    }
}
