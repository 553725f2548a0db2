//! The command that gives marks to a class.

use super::cluster::OnClusterArgs;
use super::values::named;
use runner::SandboxLevel;
use std::path::PathBuf;

/// The arguments of `broadside grade`.
#[derive(Debug, clap::Args)]
pub(crate) struct GradeArgs {
    /// Folder or zip of what was handed in, as Moodle, Canvas, Gradescope or GitHub Classroom give it, or with a folder or an archive for
    /// each student; or the folder of one bot
    pub(crate) submissions: PathBuf,

    /// Grade by this plan: baselines, criteria and points
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,

    /// Write the results into this folder, and go on from what is there [default: marks, beside the plan]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,

    /// Read the names of submissions as this system writes them: moodle, canvas, gradescope, github-classroom or plain
    /// [default: found out]
    #[arg(long, value_name = "SYSTEM", value_parser = LAYOUTS, hide_possible_values = true, hide_short_help = true)]
    pub(crate) layout: Option<String>,

    /// Judge and play this many at the same time [default: the number of processors]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) concurrency: Option<u16>,

    /// Also write the sources into this new folder, as JPlag and Dolos read them
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub(crate) sources: Option<PathBuf>,

    /// Name sources by pseudonyms, whose key is beside their folder
    #[arg(long, requires = "sources", hide_short_help = true)]
    pub(crate) pseudonyms: bool,

    /// Print the marks as JSON, as in marks.json
    #[arg(long)]
    pub(crate) json: bool,

    /// Run bots in a sandbox: on (as far as the kernel can) or strict (all of it, or fail)
    #[arg(long, value_name = "MODE", default_value = "strict", value_parser = named(&SANDBOXES), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) sandbox: SandboxLevel,

    /// Read the places of tools from this file [default: $BROADSIDE_SETTINGS, else broadside/broadside.toml in
    /// $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) settings: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) on_cluster: OnClusterArgs,
}

/// The systems that hand out what was handed in.
const LAYOUTS: [&str; 5] = ["moodle", "canvas", "gradescope", "github-classroom", "plain"];
/// The sandbox levels of what strangers hand in.
const SANDBOXES: [(&str, SandboxLevel); 2] = [("on", SandboxLevel::On), ("strict", SandboxLevel::Strict)];

pub(super) const GRADE_HELP: &str = "\
Unpacks and builds what each student has handed in, lets it play against the baselines of the plan until tests have decided on its \
criteria, and writes marks.csv, marks.json, index.html, a page for each student, and results for Gradescope and GitHub Classroom. Run the \
same command again after a change: only what has changed is built and played. broadside docs grading explains the plan.

Examples:
  broadside grade handed-in --plan plan.toml
  broadside grade moodle.zip --plan plan.toml --dir results -j 8
  broadside grade my-bot --plan plan.toml

Exit status:
  0    all students have their marks
  1    the engine failed, or this machine lacks a tool that a submission needs:
       some marks are open
  2    wrong usage, a mistake in the plan, no submissions, or the folder has
       other results
  3    a baseline could not be built or started
  5    the journal is damaged, or another program is grading into this folder
  130  stopped by Ctrl-C or a signal; the same command continues it";
