//! Processes, by clone(2), pidfds and `/proc`.

mod bot_process;
mod guardian;
mod process_tree;
mod spawn;
mod start;
mod stopping;
mod usage;

pub use bot_process::BotProcess;
pub use guardian::{PROCESSES, become_guardian, end_marked, start_guardian};
pub(crate) use process_tree::open;
pub use process_tree::{
    adopt, may_have_left_orphans, output_of_other, run_mark, start_bot, start_other, without_spawning,
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
