//! Bots as child processes: build, start, watch, end.

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
mod probe;
mod run;
mod running;
mod staying;
mod staying_process;
mod tool_check;
mod turn_files;
mod warm;

pub(crate) use build::STAMP;
pub use build::{Build, BuildError, BuildLack, BuildLock, Freshness, Refusal, log_excerpt};
pub use build_sandbox::BuildSandbox;
pub use calibration::{Calibration, Confine};
pub use language::{Interpreter, Language, Project, Recipe, Runner, Step, Steps, TinyBot, Tool, When};
pub use launch::{Launch, LaunchError};
pub use lines::Lines;
pub use per_round::PerRound;
pub use platform::sandbox::{Abilities, Allowance, Sandbox, SandboxError};
pub use private_copy::{copy_bot, size_of_copy};
pub use staying::Staying;
pub use tool_check::{MissingTool, Purpose, ToolCheck, ToolState};
