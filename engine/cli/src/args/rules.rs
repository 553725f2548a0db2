//! The commands about files of rules.

use clap::Subcommand;

/// The commands of `broadside rules`.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the rules that come with the program
    List(RulesListArgs),
    /// Print the file of such rules, to start one's own from
    #[command(after_help = SHOW_HELP)]
    Show(RulesShowArgs),
    /// Check a file of rules, and say in words what is played
    #[command(after_help = CHECK_HELP)]
    Check(RulesCheckArgs),
}

/// The arguments of `broadside rules list`.
#[derive(Debug, clap::Args)]
pub(crate) struct RulesListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `broadside rules show`.
#[derive(Debug, clap::Args)]
pub(crate) struct RulesShowArgs {
    /// The name of the rules, as in broadside rules list
    pub(crate) name: String,
}

/// The arguments of `broadside rules check`.
#[derive(Debug, clap::Args)]
pub(crate) struct RulesCheckArgs {
    /// The file, or the name of rules that come with the program
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(super) const RULES_HELP: &str = "\
Examples:
  broadside rules list
  broadside rules show russian > my-rules.toml
  broadside rules check my-rules.toml
  broadside play --rules my-rules.toml builtin:hunter builtin:random";

const SHOW_HELP: &str = "\
Examples:
  broadside rules show classic
  broadside rules show russian > my-rules.toml";

const CHECK_HELP: &str = "\
The number of fleets is counted where it is small, and estimated otherwise. docs/rules.schema.json describes the file for editors, \
docs/results.schema.json the JSON.

Examples:
  broadside rules check my-rules.toml
  broadside rules check my-rules.toml --json | jq .fleets

Exit status:
  0    the rules can be played
  2    the file cannot be read, or has a mistake";
