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
pub(super) const JAVA_PLAIN: Steps =
    &[step(&["javac"], &[QUICK_JVM, ONE_THREAD, "-encoding", "UTF-8", "-d", "build", "{files}"]), JAR];
/// The quick compiler of the JVM: a build of a bot is over before the thorough one pays (scalac 7.7 against 3.5 s of processor
/// time for the sample, kotlinc 6.0 against 3.1, javac 1.1 against 0.7).
pub(super) const QUICK_JVM: &str = "-J-XX:TieredStopAtLevel=1";
/// The collector that starts quickest.
pub(super) const ONE_THREAD: &str = "-J-XX:+UseSerialGC";
