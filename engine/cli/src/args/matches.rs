//! The command that plays a match.

use super::bots::ProgramArgs;
use super::game::GameArgs;
use super::values::{KEPT_TURNS, OUTPUTS, milliseconds, named, seed, size, web_address};
use match_folder::Keep;
use players::BuiltIn;
use rules::entelect_2017::MapSize;
use runner::MatchOutput;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tournament::day_of;

/// The arguments of `broadside play`.
#[derive(Debug, clap::Args)]
#[command(next_display_order = 0)]
#[command(mut_arg("calibration", |arg| arg.display_order(CALIBRATION)), mut_arg("sandbox", |arg| arg.help(SANDBOX)))]
pub(crate) struct MatchArgs {
    #[arg(value_name = "PLAYER", help = format!(
        "The players: folders of bots; in games over HTTP also URLs; or {}. NAME=PLAYER gives one another name",
        BuiltIn::listed("or"),
    ))]
    pub(crate) players: Vec<PathBuf>,

    /// Add these players to those named without a flag. Takes several players, and may be repeated
    #[arg(short, long = "bot", value_name = "PLAYER", num_args = 1..)]
    pub(crate) bots: Vec<PathBuf>,

    /// Seat this many people at the console behind the other players, 0 to 2; type help there
    ///
    /// One who names no opponent plays builtin:checkerboard, and with --seed daily at the fleet of the day.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) console: u8,

    /// Show the boards while the match is played
    ///
    /// broadside replay --help explains their signs.
    #[arg(long)]
    pub(crate) pretty: bool,

    /// Print the result as JSON
    #[arg(long, conflicts_with = "pretty")]
    pub(crate) json: bool,

    /// Show each round for this time with --pretty or --live, in milliseconds [default: 150; with --pretty, 0 if standard output
    /// is not a terminal]
    #[arg(long, value_name = "MS", value_parser = milliseconds, hide_short_help = true)]
    pub(crate) pace: Option<Duration>,

    /// Show the match in the browser, on this port of this machine; it begins when the page is open [default without
    /// PORT: a free port, which is printed]
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub(crate) live: Option<u16>,

    /// Let people play in the browser, in the seats that are left, with a link for each [default without ADDRESS: a free port
    /// of this machine; 0.0.0.0 is for other devices]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    #[arg(value_parser = web_address, conflicts_with_all = ["console", "live", "pretty"])]
    pub(crate) web: Option<SocketAddr>,

    /// Seat this many people with --web, 1 to 16 [default: as many as two seats need]. One who names no opponent plays
    /// builtin:checkerboard
    #[arg(long, value_name = "N", requires = "web", value_parser = clap::value_parser!(u8).range(1..=16))]
    #[arg(hide_short_help = true)]
    pub(crate) people: Option<u8>,

    /// Print the engine's log to standard error
    #[arg(long, hide_short_help = true)]
    pub(crate) clog: bool,

    /// Write the match to this folder [default: a new folder in replays/, named by date and time]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) log: Option<PathBuf>,

    /// Set the size of the maps: 1 = small (7 x 7), 2 = medium (10 x 10), 3 = large (14 x 14)
    #[arg(short, long, value_name = "SIZE", default_value = "2", value_parser = size)]
    pub(crate) size: MapSize,

    /// Give bots unlimited time
    #[arg(long, alias = "no-limit", alias = "noLimit", hide_short_help = true)]
    pub(crate) nolimit: bool,

    /// Halt when a bot writes to standard error, and show the text
    #[arg(long, hide_short_help = true)]
    pub(crate) debug: bool,

    /// Build the bots before the match, even if they are built already
    #[arg(id = "forceRebuild", short, long, alias = "force-rebuild", hide_short_help = true)]
    pub(crate) force_rebuild: bool,

    /// Remove each player's files after its turn, and restore all files at the end of the match
    #[arg(id = "tournamentMode", long, alias = "tournament-mode", hide_short_help = true)]
    pub(crate) tournament_mode: bool,

    /// Keep these files of the match: folder (files and record), compact (only the record, match.jsonl) or none
    #[arg(long, value_name = "WHAT", default_value = "folder", value_parser = named(&OUTPUTS), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) record: MatchOutput,

    /// Compress the record (match.jsonl.zst)
    #[arg(long, hide_short_help = true)]
    pub(crate) zstd: bool,

    /// Keep these turns in the match's folder as bundles that run again by hand: none, faults or all
    #[arg(long, value_name = "WHICH", default_value = "faults", value_parser = named(&KEPT_TURNS), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) bundles: Keep,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    /// Run both bots of a round at the same time [default with two processors or more, except in tournament mode; for bots
    /// over HTTP, unless one service plays both seats]
    #[arg(long, conflicts_with_all = ["in_turn", "tournamentMode"], hide_short_help = true)]
    pub(crate) together: bool,

    /// Run the bots of a round one after the other
    #[arg(long = "in-turn", alias = "inTurn", hide_short_help = true)]
    pub(crate) in_turn: bool,

    /// Derive each bot's BROADSIDE_SEED and the fleet of builtin:passive from this number; daily or a date such as 2026-11-28 is the board
    /// of that day, as in broadside solo [default: a new one, shown at the end]
    #[arg(long, value_name = "SEED", value_parser = seed, hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) game: GameArgs,
}

impl MatchArgs {
    /// True if the match is on the board of a day, at which people and bots are measured alone.
    pub(crate) fn is_on_board_of_day(&self) -> bool {
        self.seed.is_some_and(|seed| day_of(seed).is_some())
    }

    /// All players that are named, in the order of their seats; the usual opponent of one person who has named none.
    pub(crate) fn named(&self) -> impl Iterator<Item = &Path> {
        let named = self.players.iter().chain(&self.bots);
        let is_alone = named.clone().next().is_none() && (self.console == 1 || self.people == Some(1));
        let opponent = if self.is_on_board_of_day() { "builtin:passive" } else { OPPONENT };
        named.map(PathBuf::as_path).chain(is_alone.then(|| Path::new(opponent)))
    }
}

/// The opponent of one person who has named none, but on the board of a day.
const OPPONENT: &str = "builtin:checkerboard";
const SANDBOX: &str = "Run bots in a sandbox without other files, networks and child processes: off, on (as far as \
     the kernel can) or strict (all of it, or fail) [default: on; off in the game of 2017 without --tournamentMode]";
/// The place of `--calibration` in the help: behind `--nolimit`.
const CALIBRATION: usize = 11;

pub(super) const PLAY_HELP: &str = "\
Examples:
  broadside play --pretty my-bot builtin:hunter
  broadside play -c 1 --size 1
  broadside play --game sea-battle -c 1 builtin:hunter
  broadside play -c 1 --seed daily
  broadside play --web --game sea-battle builtin:checkerboard
  broadside play --live --record none my-bot old=versions/7
  broadside play --game sea-battle http://localhost:4000 builtin:hunter
  broadside play --game salvo --pretty builtin:hunter builtin:random
  broadside play --game bots-arena --width 10 --height 10 --ships 0,1,2,1,1,0 \\
                 http://localhost:4000 builtin:random
  broadside play --game bots-arena --dialect json \\
                 --allow-hosts private,my-bot.example.org \\
                 http://localhost:4000 https://my-bot.example.org/play

Start bots over HTTP first: the engine does not start them. Their matches leave only the record, match.jsonl in the \
match's folder.

docs/results.schema.json describes the JSON of --json. Exit status: see broadside --help. A bot over HTTP that cannot be reached loses; that is not an \
error.";
