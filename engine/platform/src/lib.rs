//! The operating system, as the engine needs it: the only crate that calls Linux.
//!
//! There are two sides with the same functions and types. `src/linux/` works. `src/other/` is for all other systems: a
//! function there does the same with the standard library where that is simple, and otherwise fails with
//! [`std::io::ErrorKind::Unsupported`] and a message that names what is missing and the file where it belongs. A port is a third
//! folder beside these two, chosen below.
//!
//! Only Linux has been tried. `--features platform/other` chooses the other side on Linux as well, so that its types are
//! checked; it was compiled for no other system.
//!
//! ```
//! use platform::wait::{Flag, WaitSet};
//! use std::time::Duration;
//!
//! let flag = Flag::new()?;
//! flag.raise();
//! assert!(flag.is_raised());
//! # #[cfg(all(target_os = "linux", not(feature = "other")))]
//! # {
//! let mut set = WaitSet::new().readable(&flag);
//! set.wait(Some(Duration::from_secs(1)))?;
//! assert!(set.is_ready(0));
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod files;
pub mod process;
pub mod sandbox;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod wait;

#[cfg(all(target_os = "linux", not(feature = "other")))]
#[path = "linux/mod.rs"]
mod side;

#[cfg(not(all(target_os = "linux", not(feature = "other"))))]
#[path = "other/mod.rs"]
mod side;
