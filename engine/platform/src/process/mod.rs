//! Processes of bots, by clone(2), pidfds and `/proc`: their start, the resources that they use, and the end of all that they
//! started.
//!
//! # How it works
//!
//! - **Start.** A bot is started as posix_spawn does it: the new process shares our memory until it runs its program, so the
//!   cost does not grow with the engine's memory, as fork's does. It gets a process group of its own, no input, and pipes for
//!   its streams. Bots are started every round, so this is code of our own (`platform/src/process/start.rs`,
//!   `spawn.rs`): `std::process::Command` collects the environment at every start, and the C library maps a stack. With
//!   `Command` and `pidfd_open`, a tournament of 40 games with `bots/hunter` takes 3.2 % more processor time (user and
//!   system, all processes, median of 60 paired runs; 4.3 % in another 25 pairs, 0.9 % in the sandbox). `Command` cannot set
//!   a bot's limit (see Marks) before the bot runs, except in `pre_exec`, for which it forks: then it is 20 % (20 pairs).
//! - **Watch.** One `poll` waits for the process (a pidfd), both streams, the deadline and the interrupt. Nothing sleeps, and
//!   no thread is needed for a bot. Streams are always drained and kept up to 64 KiB each.
//! - **End.** When the process has ended or its time is up, its group is killed before it is reaped by `wait4`, so its number
//!   cannot have another owner; and so is the process itself, which may have gone to another group. Then whatever left the
//!   group is ended too (`platform/src/process/process_tree.rs`): the engine adopts orphans (`PR_SET_CHILD_SUBREAPER`),
//!   and whichever of them has a bot's mark is killed, unless that bot still runs.
//! - **Marks.** A bot and all that it starts inherit two: a variable (`BROADSIDE_RUN`), and a number as their resource limit
//!   `RLIMIT_LOCKS`, which Linux applies to nothing. An environment can be wiped, a limit can be raised again by root only. A
//!   child without either mark belongs to the program that embeds the engine and is left alone, whether it was started before
//!   the match or during it. The kernel itself does not tell adopted children from others. An adopting process between the
//!   engine and its bots would, but every start, end and measurement of a bot would have to go through it.
//! - **Limits of the marks.** Without the sandbox (whose filter refuses child processes) a process is not ended that wipes
//!   its environment, changes this limit and leaves its process group; nor one of another user (a setuid program). Of a bot
//!   that is an engine itself, the bots may be left if both engines and the inner guardian are killed at once. The embedding
//!   program also adopts the orphans of its own children, as process number 1 of a container does: the engine does not end
//!   them, and they stay zombies unless the program reaps them.
//! - **If the engine dies.** The guardian is a second process of the same program in a group of its own and under another
//!   name. Its input is a pipe that closes when the engine is gone, however it went; then it ends the process groups in the
//!   table of running bots, a file in memory that both have (`guardian_table.rs`), and all processes with one of the engine's
//!   marks. An engine that ends in good order kills its guardian first: a message could be lost on a guardian that a bot has
//!   stopped. A new process enters its own group in the table before it executes its program, and has the engine's end of the
//!   pipe until then (in namespaces, which end with the engine, the engine enters it). So the guardian never reads a table in
//!   which a bot is missing. A number in it may belong to another process by then: one that has no mark and whose limit was
//!   never lowered is left alone. This was chosen over `PR_SET_PDEATHSIG`, which needs fork, is lost by a change of user, and
//!   does not reach grandchildren. In the sandbox a bot has that, too, and cannot undo it.
//! - **Patience has ends.** What a bot left behind is looked for until nothing is found, for two seconds at most; then the
//!   match goes on, and at its end the engine looks through all processes once more. A process that does not die within ten
//!   seconds after it was killed (a hung disk, say) is an error of the engine. Time in which the engine itself was stopped is
//!   not counted against a bot.

mod bot_process;
pub(crate) mod command_line;
mod guardian;
mod guardian_table;
mod marks;
mod position;
mod process_tree;
mod spawn;
mod start;
mod stopping;
mod usage;

pub use bot_process::{BotProcess, EndedProcess};
pub use command_line::CommandLine;
pub use guardian::{become_guardian, end_bots_of, start_guardian};
pub use guardian_table::GuardianNote;
pub use position::Position;
pub(crate) use process_tree::open;
pub use process_tree::{
    PROCESSES, adopt, end_missed_orphans, output_of_other, run_mark, start_bot, start_other, without_spawning,
};
pub use spawn::forget_parent;
pub use start::StartedBot;
pub use usage::{memory_of_all, this_thread_waited};

/// The name of this machine in its network; empty if it has none.
pub fn machine_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
