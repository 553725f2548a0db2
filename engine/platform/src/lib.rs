//! The operating system, as the engine needs it: the only crate that calls Linux.
//!
//! The files here list what other crates use; `src/linux/` has the code. Linux is the only system; on Windows the engine runs
//! in WSL 2.
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
pub mod process;
pub mod sandbox;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod wait;

mod linux;

#[cfg(not(target_os = "linux"))]
compile_error!("Broadside runs on Linux only; on Windows, build it in WSL 2");
