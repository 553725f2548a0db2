//! The operating system, as the engine needs it: the only crate that calls Linux.
//!
//! Linux is the only system; on Windows the engine runs in WSL 2.
//!
//! ```
//! use platform::wait::{Flag, WaitSet};
//! use std::time::Duration;
//!
//! let flag = Flag::new()?;
//! flag.raise();
//! assert!(flag.is_raised());
//! let mut set = WaitSet::new().readable(&flag);
//! set.wait(Some(Duration::from_secs(1)))?;
//! assert!(set.is_ready(0));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod files;
pub mod locks;
pub mod process;
pub mod sandbox;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod wait;

#[cfg(not(target_os = "linux"))]
compile_error!("Broadside runs on Linux only; on Windows, build it in WSL 2");

use rustix::io::Errno;
use std::io;

/// True for an error that says what the machine lacks, and nothing of the program that was to be started or of the other side
/// of a connection.
pub fn is_shortage(error: &io::Error) -> bool {
    let errors = [Errno::AGAIN, Errno::NOMEM, Errno::NOBUFS, Errno::MFILE, Errno::NFILE, Errno::INTR];
    errors.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// Lets all other threads of this machine go first from now on, as far as they have work: for work in the background. Linux has a priority for
/// each thread. Where the system refuses, the thread works on as before.
pub fn lower_priority_of_this_thread() {
    const NICE: i32 = 10;
    let _ = rustix::process::setpriority_process(None, NICE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_not_what_the_other_side_does() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM] {
            assert!(is_shortage(&errno.into()), "{errno}");
        }
        for errno in [Errno::CONNREFUSED, Errno::CONNRESET, Errno::HOSTUNREACH, Errno::PROTO] {
            assert!(!is_shortage(&errno.into()), "{errno}");
        }
    }
}
