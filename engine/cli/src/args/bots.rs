//! The commands `new`, `check` and `languages`, and the options of bots that are programs.

use super::game::GameArgs;
use super::values::{NOTES, SANDBOXES, SWITCH, calibration, named, size, variable};
use arena::NotesLevel;
use players::BuiltIn;
use rules::entelect_2017::MapSize;
use runner::{SandboxLevel, TimeLimit};
use std::path::PathBuf;

/// The options of bots that are programs, the same for matches, checks and tournaments.
#[derive(Debug, clap::Args)]
pub(crate) struct ProgramArgs {
    /// Grant extra time for the start of a bot's language: auto (measure it), off or a number of milliseconds
    #[arg(long, value_name = "TIME", default_value = "auto", value_parser = calibration, hide_short_help = true)]
    pub(crate) calibration: TimeLimit,

    /// Run bots in a sandbox: off, on (as far as the kernel can) or strict (all of it, or fail) [default: on]
    #[arg(long, value_name = "MODE", value_parser = named(&SANDBOXES), hide_possible_values = true, hide_short_help = true)]
    pub(crate) sandbox: Option<SandboxLevel>,

    /// Start Python bots by forks of an interpreter that is started once a match: on or off [default: on in
    /// compare, dev and tournament, else off]
    #[arg(long, value_name = "WHEN", value_parser = named(&SWITCH), hide_possible_values = true, hide_short_help = true)]
    pub(crate) warm: Option<bool>,

    /// Keep the notes of bots (notes.json): off, on or output (also the last lines of their output)
    #[arg(long, value_name = "LEVEL", default_value = "on", value_parser = named(&NOTES), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) notes: NotesLevel,

    /// Limit the memory of a bot in the sandbox, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    #[arg(hide_short_help = true)]
    pub(crate) memory: u64,

    /// Give bots a variable of this environment, or this value of it; a bot has few others, in a sandbox and without one (may be
    /// given more than once; broadside docs sandbox)
    #[arg(long = "env", value_name = "NAME[=VALUE]", value_parser = variable, hide_short_help = true)]
    pub(crate) variables: Vec<(String, String)>,

    /// Let builds in the sandbox use networks, to fetch packages
    #[arg(long, hide_short_help = true)]
    pub(crate) build_network: bool,

    /// Read the places of tools from this file [default: $BROADSIDE_SETTINGS, else broadside/broadside.toml in
    /// $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) settings: Option<PathBuf>,
}

/// The arguments of `broadside new`.
#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Language of the bot, e.g. python, java, c++ (all: broadside languages); or for another game:
    /// battleship-python, battleship-javascript, battleship-rust, battleship-cpp, sea-battle-python, sea-battle-node,
    /// sea-battle-rust, bots-arena-python; or a client: salvo-python, salvo-rust
    pub(crate) language: String,

    /// Folder to create; an existing one must be empty
    pub(crate) folder: PathBuf,

    /// Name the bot [default: the name of the folder]
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// Make a bot for Battleship by these rules: a name of broadside rules list, or a file
    #[arg(long, conflicts_with = "per_round")]
    pub(crate) rules: Option<String>,

    /// Let the engine start the bot for every turn, as in 2017, and not once a match
    #[arg(long)]
    pub(crate) per_round: bool,
}

pub(super) const NEW_HELP: &str = "\
Examples:
  broadside new python my-bot
  broadside check my-bot
  broadside --pretty my-bot builtin:hunter

  broadside new java old-style --per-round

  broadside new python my-russian --rules russian
  broadside play --rules russian -b my-russian builtin:random

  broadside new sea-battle-python my-other
  broadside play --game sea-battle my-other builtin:random
  python3 my-other/bot.py
  broadside play --game sea-battle http://127.0.0.1:4000 builtin:random

  broadside new salvo-rust my-client
  broadside salvo serve --players 2
  cargo run --release --manifest-path my-client/Cargo.toml -- my-client
  broadside salvo join Hunter";

/// The arguments of `broadside check`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("calibration", |arg| arg.help(CALIBRATION)), mut_arg("sandbox", |arg| arg.help(SANDBOX)))]
pub(crate) struct CheckArgs {
    /// The bots: folders, or patterns such as 'students/*'; in games over HTTP also URLs. Write NAME=FOLDER or NAME=URL to give a bot
    /// another name
    #[arg(required = true, value_name = "BOT")]
    pub(crate) bots: Vec<PathBuf>,

    /// Try the map of this size only: 1 = small (7 x 7), 2 = medium (10 x 10), 3 = large (14 x 14) [default: all three]
    #[arg(short, long, value_name = "SIZE", value_parser = size)]
    pub(crate) size: Option<MapSize>,

    /// Print the report as JSON: an object, or an array of objects for several bots
    #[arg(long)]
    pub(crate) json: bool,

    /// Build the bot first, even if it is built already
    #[arg(id = "forceRebuild", short, long, alias = "force-rebuild", hide_short_help = true)]
    pub(crate) force_rebuild: bool,

    /// Keep the matches in this folder, of several bots in a folder for each [default: keep only matches with faults, in a temporary
    /// folder: those of the last ten bots, and 100 MB in all]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) log: Option<PathBuf>,

    /// Derive all randomness from this number [default: a new one]
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    #[command(flatten)]
    pub(crate) game: GameArgs,
}

const CALIBRATION: &str =
    "Grant extra time for the start of the bot's language: auto (measure it), off or a number of milliseconds";
const SANDBOX: &str =
    "Run the bot in a sandbox: off, on (as far as the kernel can) or strict (all of it, or fail) [default: on]";

pub(super) const CHECK_HELP: &str = "\
Builds a bot that is a folder, and plays it on all three maps. In games over HTTP it plays in both seats, as a folder or by its URL. Several bots are built \
and played one after the other. docs/results.schema.json describes the JSON, which also has bots that cannot be built, with the reason.

Examples:
  broadside check my-bot
  broadside check 'students/*' --json | jq -r '.[] | select(.ready | not).bot'
  broadside check --game sea-battle my-bot
  broadside check --game sea-battle http://localhost:4000
  broadside check --game bots-arena --dialect json http://localhost:4000/play

Exit status:
  0    the bots have no faults
  3    a bot could not be found, built or started, also if others have faults
  4    a turn had no order, or one that was refused
  others as for matches: broadside --help";

/// The arguments of `broadside dev`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("calibration", |arg| arg.help(CALIBRATION)))]
pub(crate) struct DevArgs {
    /// Folder of the bot
    pub(crate) bot: PathBuf,

    #[arg(short, long, value_name = "PLAYER", default_value = "builtin:hunt-and-target", help = format!(
        "Play against this bot: {}, or a folder", BuiltIn::listed("or"),
    ))]
    pub(crate) against: String,

    /// Play this many games after a change against each opponent, rounded up to an even number
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) games: u32,

    /// Play this many games at the same time [default: the number of processors]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) concurrency: Option<u16>,

    /// Set the size of the maps: 1 = small (7 x 7), 2 = medium (10 x 10), 3 = large (14 x 14)
    #[arg(short, long, value_name = "SIZE", default_value = "1", value_parser = size)]
    pub(crate) size: MapSize,

    /// Derive the seeds of all games from this number [default: a new one]
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

pub(super) const DEV_HELP: &str = "\
Watches the folder of a bot. After every change it builds the bot, plays it against the opponent and against the version \
before, and shows the score, faults, the board of the last game and the command that shows a lost one until the next change; where the \
bot has won all games or none, the mean points as well. All versions play the same games, so that the scores of \
two versions can be compared. Ctrl-C ends it. The version before is the last one that played all its games and lost no turn. \
After a game in which the bot lost every turn, no further games of that version begin.

Examples:
  broadside dev my-bot
  broadside dev my-bot --against builtin:hunter --size 2
  broadside dev my-bot --against bots/hunter --games 40

Ten games tell little about a small change: broadside compare shows whether a bot is stronger.

Exit status:
  130  ended by Ctrl-C or a signal
  others as for matches: broadside --help";

/// The arguments of `broadside languages`.
#[derive(Debug, clap::Args)]
pub(crate) struct LanguagesArgs {
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,

    /// Measure the start-up time of each language
    #[arg(long)]
    pub(crate) measure: bool,

    /// Print the table of docs/languages.md
    #[arg(long)]
    pub(crate) markdown: bool,

    /// Read the places of tools from this file [default: $BROADSIDE_SETTINGS, else broadside/broadside.toml in
    /// $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) settings: Option<PathBuf>,
}

/// The arguments of `broadside doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Read the places of tools from this file [default: $BROADSIDE_SETTINGS, else broadside/broadside.toml in
    /// $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) settings: Option<PathBuf>,
}

pub(super) const DOCTOR_HELP: &str = "\
Keeps all processors busy for a second, to see whether other programs use them. docs/results.schema.json describes the JSON.

Examples:
  broadside doctor
  broadside doctor --json | jq '.[] | select(.state == \"problem\")'

Exit status:
  0    nothing is missing that matches rely on
  1    something is (LACK): a layer of the sandbox, or room for files";

/// The arguments of `broadside docs`.
#[derive(Debug, clap::Args)]
pub(crate) struct DocsArgs {
    /// The name of a page, or a word of its title [default: list all pages]
    pub(crate) topic: Option<String>,
}

pub(super) const DOCS_HELP: &str = "\
The pages are in Markdown.

Examples:
  broadside docs
  broadside docs sea-battle
  broadside docs first-bot | less";
