//! Bots as child processes: build, start, watch, end.
//!
//! # How it works
//!
//! - **Bots that stay** (`players/src/process/staying.rs`, `staying_process.rs`) are one process a match. A line on a pipe
//!   asks them, the same line on another pipe is the answer; the files are those of every bot. Between its turns a bot is
//!   stopped (`platform/src/process/stopping.rs`): SIGSTOP to its group, then to whatever else descends from it, until
//!   all of it stands still, for a second at most. The kernel's freezer for control groups would do the same without a gap,
//!   but needs rights that an ordinary user does not have. A timer of the bot's own can send SIGCONT, so its processor clock
//!   is compared before each turn: who has used more than a millisecond since its last turn is killed and loses this one. The
//!   files of `/proc` that are read in each turn stay open, and memory is looked at every 100 ms, as in the runs of other
//!   bots.
//! - **Warm starts** (`players/src/process/warm.rs`, `warm/warm.py`) fork the runs of a Python bot from an interpreter that is
//!   started once a match. The program that it runs, given by `-c`, loads modules of Python's own library, of a fixed list
//!   because it has rights that the bot has not, and answers requests on a socket that is its standard input; a fork closes
//!   that, and executes the bot's script as `__main__`. The end of the fork does what the interpreter does at its end and
//!   leaves out only the taking apart of what is shared, whose copied pages would cost twice the time of the whole run. In
//!   the sandbox the interpreter has the filter of bots with three additions: plain forks, signals within its namespaces, and
//!   Landlock (`F` of the sandbox helper). It may write to the folder of the match in memory. A fork gives all of that up
//!   before it executes anything of the bot, by a layer of Landlock for its own folders and a second filter; else it could
//!   hide its processor time by ending the interpreter, or leave the engine no room for the next question. A bot with threads
//!   that run on ends as Python ends, since nothing else stops them. The interpreter's home folder is `/` until then, because
//!   `.pth` files of the bot's own would be executed when it starts. A script given by `-c` was chosen over a file on
//!   `PYTHONPATH`: there is no file that a bot could change or a killed engine leave.
//! - `wait4` counts children that the bot itself waited for, too; and it reports peak memory not below what the engine itself had when it started the bot (5 to 30 MB). Where the engine has had as much, `check` and the reports of faults say that the figure is only a bound.

mod build;
mod build_sandbox;
mod calibration;
mod earlier_rounds;
pub mod guardian;
mod language;
mod launch;
mod lines;
mod output;
mod per_round;
mod private_copy;
mod run;
mod running;
mod start_failure;
mod staying;
mod staying_process;
mod tool_check;
mod turn_files;
mod warm;

pub(crate) use build::STAMP;
pub use build::{Build, BuildError, BuildLack, BuildLock, Freshness, Refusal, log_excerpt};
pub use build_sandbox::{BuildSandbox, build_cache, remove_build_cache};
pub use calibration::{Calibration, Confine};
pub use language::{Interpreter, Language, Project, Recipe, Runner, Step, Steps, TinyBot, Tool, When};
pub use launch::{Launch, LaunchError, ProgramError, ProgramFault};
pub use lines::Lines;
pub use output::LineListener;
pub use per_round::PerRound;
pub use platform::sandbox::{Abilities, Allowance, Sandbox, SandboxError};
pub use private_copy::{copy_bot, copy_hash};
pub use staying::Staying;
pub use tool_check::{MissingTool, Purpose, ToolCheck, ToolState};
