//! Processes, by clone(2), pidfds and `/proc`.

mod bot_process;
mod guardian;
mod guardian_table;
mod marks;
mod process_tree;
mod spawn;
mod start;
mod stopping;
mod usage;

pub use bot_process::BotProcess;
pub use guardian::{become_guardian, end_bots_of, start_guardian};
pub use guardian_table::GuardianNote;
pub(crate) use process_tree::open;
pub use process_tree::{
    PROCESSES, adopt, end_missed_orphans, output_of_other, run_mark, start_bot, start_other, without_spawning,
};
use rustix::io::Errno;
use std::io;
pub use usage::{memory_of_all, this_thread_waited};

/// True for an error that says what the machine lacks, and nothing of the program that was to be started or called.
pub fn is_shortage(error: &io::Error) -> bool {
    let errors = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE, Errno::INTR];
    errors.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// The name of this machine in its network; empty if it has none.
pub fn machine_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
