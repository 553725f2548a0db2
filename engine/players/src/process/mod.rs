//! Bots as child processes: build, start, watch, end.

mod allowed_paths;
mod build;
mod build_sandbox;
mod calibration;
mod command_line;
mod earlier_rounds;
mod excess_files;
pub mod guardian;
mod language;
mod launch;
mod namespaces;
mod output;
mod per_round;
mod private_copy;
mod process_tree;
mod run;
mod sandbox;
mod spawn;
mod usage;
mod version;

pub(crate) use build::STAMP;
pub use build::{Build, BuildError, BuildLock, Freshness, last_lines};
pub use build_sandbox::BuildSandbox;
pub use calibration::{Calibration, Confine};
pub use language::{Interpreter, Language, Project, Recipe, Runner, Step, Steps, TinyBot, When};
pub use launch::{Launch, LaunchError};
pub use per_round::PerRound;
pub use private_copy::{copy_bot, size_of_copy};
pub use sandbox::{Abilities, Allowance, Sandbox, SandboxError};
pub use version::version;
