//! Bots as child processes.

mod allowed;
mod answer_files;
mod build;
mod calibration;
pub mod guardian;
mod language;
mod launch;
mod lineage;
mod output;
mod per_round;
mod run;
mod sandbox;
mod usage;

pub use build::{BuildError, build};
pub use calibration::Calibration;
pub use language::{Language, Runner};
pub use launch::{Launch, LaunchError};
pub use per_round::PerRound;
pub use sandbox::{Abilities, Allowance, Sandbox, SandboxError};
