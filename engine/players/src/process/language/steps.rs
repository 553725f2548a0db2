//! Steps that both bots and tiny bots are built by.

use super::{Step, Steps, When};

/// A step that runs in the project's folder.
pub(super) const fn step(programs: &'static [&'static str], arguments: &'static [&'static str]) -> Step {
    Step { programs, arguments, folder: "", variables: &[], when: When::Always }
}

/// Sources without a project.
pub(super) const MCS: Steps = &[step(&["mcs"], &["-optimize", "-out:{run_file}", "{files}"])];

pub(super) const JAR: Step =
    step(&["jar"], &["--create", "--file", "{run_file}", "--main-class", "{main_class}", "-C", "build", "."]);

/// Sources without a project.
pub(super) const JAVA_PLAIN: Steps = &[step(&["javac"], &["-encoding", "UTF-8", "-d", "build", "{files}"]), JAR];
