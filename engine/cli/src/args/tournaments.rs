//! Commands about tournaments.

use super::bots::BotArgs;
use super::game::GameArgs;
use super::values::{KeepArg, SandboxArg, calibration, milliseconds, size};
use crate::show::StandingsFormat;
use clap::ValueEnum;
use rules::entelect_2017::MapSize;
use runner::{TimeLimit, TournamentOptions};
use std::path::PathBuf;
use std::time::Duration;
use tournament::{EloModel, Format, Sprt};

/// The most games of a meeting and the most rounds: the games of two are counted in 32 bits, also if they meet in every
/// round.
const MOST_GAMES: i64 = 1_000_000;
const MOST_ROUNDS: i64 = 1_000;
/// The most games at the same time. Each has a thread and some files of its own.
const MOST_AT_ONCE: i64 = 1_000;

/// What tournament is played.
#[derive(Debug, clap::Args)]
pub(crate) struct TournamentArgs {
    /// Folders of bots, patterns such as 'bots/*', in games over HTTP URLs of bots, or NAME=URL; and builtin:random,
    /// builtin:hunter
    #[arg(short, long = "bot", value_name = "BOT", num_args = 1.., required = true)]
    pub(crate) bots: Vec<String>,

    /// Who meets whom: round-robin, gauntlet (the first bot against all others), swiss or knockout; and jsonl for a
    /// stream of events on standard output
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    pub(crate) format: Vec<FormatArg>,

    /// Games of each meeting, made even: two games with seats swapped on one seed are a pair
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    pub(crate) games: u32,

    /// Rounds of the Swiss format [default: two more than a knockout would take]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_ROUNDS))]
    pub(crate) rounds: Option<u32>,

    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

impl TournamentArgs {
    /// Who meets whom.
    pub(crate) fn plan(&self) -> Format {
        let plan = self.format.iter().rev().find_map(|format| match format {
            FormatArg::RoundRobin => Some(Format::RoundRobin),
            FormatArg::Gauntlet => Some(Format::Gauntlet),
            FormatArg::Swiss => Some(Format::Swiss),
            FormatArg::Knockout => Some(Format::Knockout),
            FormatArg::Jsonl => None,
        });
        plan.unwrap_or(Format::RoundRobin)
    }

    /// Whether events are streamed.
    pub(crate) fn streams(&self) -> bool {
        self.format.contains(&FormatArg::Jsonl)
    }
}

/// A format of a tournament, or of what is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    Jsonl,
}

/// How the games of a tournament are played.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// Games at the same time [default: as many as there are processors; 1 for bots over HTTP, which have to serve several
    /// connections at a time for more]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_AT_ONCE))]
    pub(crate) concurrency: Option<u16>,

    /// Size of the maps: 1 = small (7 x 7), 2 = medium (10 x 10), 3 = large (14 x 14)
    #[arg(short, long, value_name = "SIZE", default_value = "2", value_parser = size)]
    pub(crate) size: MapSize,

    /// Number from which the seeds of all games are derived [default: a new one]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Folder of the tournament [default: one in tournaments/ that the same command finds again]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,

    /// Games of which record and bundles are kept: all, those with faults, or none
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = KeepArg::Faults, hide_possible_values = true)]
    pub(crate) keep: KeepArg,

    /// Whether a game is played again whose time-outs may be the machine's fault
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub(crate) replay_suspect: bool,

    /// Processor time that an answer may take, in milliseconds, beside the limit of 2 s [default: no limit]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) limit_cpu: Option<Duration>,

    /// No time limit for bots
    #[arg(long)]
    pub(crate) nolimit: bool,

    /// BotArgs time for the start of a bot's language: auto, off or a number of milliseconds
    #[arg(long, value_name = "TIME", default_value = "auto", value_parser = calibration)]
    pub(crate) calibration: TimeLimit,

    /// Keep bots from what is not theirs: off, on (as far as the kernel can) or strict
    #[arg(long, value_name = "MODE", value_enum, default_value_t = SandboxArg::On, hide_possible_values = true)]
    pub(crate) sandbox: SandboxArg,

    /// Memory that a bot in the sandbox can use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) memory: u64,

    /// Run both bots of a game at the same time
    #[arg(long)]
    pub(crate) together: bool,

    /// Build the bots first, also those that are built already
    #[arg(short, long = "forceRebuild", alias = "force-rebuild")]
    pub(crate) force_rebuild: bool,

    #[command(flatten)]
    pub(crate) game: GameArgs,
}

impl PlayArgs {
    /// The options of the bots.
    pub(crate) fn bot_args(&self) -> BotArgs {
        let time = if self.nolimit { TimeLimit::Unlimited } else { self.calibration };
        let PlayArgs { limit_cpu, sandbox, memory, force_rebuild, .. } = *self;
        BotArgs { time, cpu: limit_cpu, sandbox, memory, rebuild: force_rebuild }
    }

    /// The options of the tournament; format and games are the usual ones.
    pub(crate) fn options(&self) -> TournamentOptions {
        TournamentOptions {
            seed: self.seed,
            folder: self.dir.clone(),
            keep: self.keep.into(),
            concurrency: self.concurrency.map(usize::from),
            together: self.together,
            replay_suspect: self.replay_suspect,
            ..TournamentOptions::default()
        }
    }
}

pub(super) const TOURNAMENT_HELP: &str = "\
The same command again continues a tournament that was stopped, and shows one that is complete. More --games or more bots \
continue it as well. All that is known of it is in games.jsonl in its folder. docs/journal.schema.json describes its lines, \
docs/events.schema.json those of --format jsonl.

Examples:
  broadside tournament -b 'bots/*' builtin:hunter --games 20
  broadside tournament -b my-bot old-bot builtin:hunter --format gauntlet --games 100 --dir night
  broadside tournament -b 'bots/*' --format swiss --format jsonl >events.jsonl
  broadside tournament --game sea-battle -b new=http://localhost:4000 old=http://localhost:5000/api --dir sea
  broadside standings night

Exit status:
  0    all games were played, now or before
  1    the engine failed; games that it could not play count for nobody
  2    wrong usage, or the folder is of another tournament
  3    a bot could not be found, built or started
  5    the journal is damaged, or another tournament is being played in it
  130  stopped by Ctrl-C or a signal; the same command continues it";

/// What two bots are compared.
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// Folder of the bot that may be stronger, its URL or NAME=URL, or builtin:NAME
    pub(crate) first: String,

    /// The other, in the same ways
    pub(crate) second: String,

    /// The most games that are played
    #[arg(short, long, value_name = "MAX", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    pub(crate) games: u32,

    #[command(flatten)]
    pub(crate) test: TestArgs,

    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

/// When a test has its answer.
#[derive(Debug, clap::Args)]
pub(crate) struct TestArgs {
    /// Stop when it is certain whether the first is stronger by elo1 or only by elo0; alpha and beta are the shares of
    /// wrong answers
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", default_value = "0,30,0.05,0.05", allow_hyphen_values = true)]
    pub(crate) sprt: Sprt,

    /// What elo0 and elo1 are: normalized (in deviations of a game, which needs equally many games everywhere) or logistic
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = ModelArg::Normalized, hide_possible_values = true)]
    pub(crate) model: ModelArg,

    /// End with 0 if the first is stronger, 10 if it is not, 11 if that is not certain
    #[arg(long)]
    pub(crate) verdict: bool,
}

/// What Elo means in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelArg {
    Normalized,
    Logistic,
}

impl From<ModelArg> for EloModel {
    fn from(model: ModelArg) -> EloModel {
        match model {
            ModelArg::Normalized => EloModel::Normalized,
            ModelArg::Logistic => EloModel::Logistic,
        }
    }
}

pub(super) const COMPARE_HELP: &str = "\
The same command again continues a comparison that was stopped. Its games are in games.jsonl in its folder, of which \
docs/journal.schema.json describes the lines; docs/statistics.md explains the result.

Examples:
  broadside compare my-bot old-bot
  broadside compare my-bot old-bot --sprt 0,50 --games 400
  broadside compare my-bot old-bot --verdict && git commit -a
  broadside compare --game bots-arena --dialect json http://localhost:4000 http://localhost:5000

Exit status:
  0    the games were played; with --verdict: the first is stronger
  10   with --verdict: the first is not stronger
  11   with --verdict: more games are needed to tell
  others as for tournaments: broadside tournament --help";

/// Which standings are shown.
#[derive(Debug, clap::Args)]
pub(crate) struct StandingsArgs {
    /// Journal of a tournament (games.jsonl), or its folder
    pub(crate) journal: PathBuf,

    /// table, json, csv, markdown, html (one page with plots, which needs no network; put it in the journal's folder and its
    /// links to records work) or junit (for build servers: each bot has a test against each opponent, which fails if the
    /// bot had faults; losing is no failure, suspect time-outs are only told)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = StandingsFormat::Table, hide_possible_values = true)]
    pub(crate) format: StandingsFormat,

    /// The bot that all ratings are relative to, and its rating [default: the mean of all is 0]
    #[arg(long, value_name = "NAME=ELO")]
    pub(crate) anchor: Option<String>,
}

pub(super) const STANDINGS_HELP: &str = "\
docs/events.schema.json describes the JSON, docs/statistics.md explains the ratings.

Examples:
  broadside standings night
  broadside standings night --anchor Hunter=1500
  broadside standings night --format html >night/report.html
  broadside standings night --format junit >night.xml
  broadside standings night --format json | jq '.standings[0].name'

Exit status:
  0    the standings were shown
  1    the journal could not be read
  2    wrong usage, or the anchor is nobody in the journal
  5    the journal is damaged, or is none (docs/journal.schema.json describes its lines)";

/// Which test is made of a journal.
#[derive(Debug, clap::Args)]
pub(crate) struct SprtArgs {
    /// Journal of a tournament (games.jsonl), or its folder
    pub(crate) journal: PathBuf,

    /// Two of its bots, if there are more
    #[arg(value_name = "BOT", num_args = 2)]
    pub(crate) bots: Vec<String>,

    #[command(flatten)]
    pub(crate) test: TestArgs,
}

pub(super) const SPRT_HELP: &str = "\
The games of both bots are taken in their order, pair by pair, up to the one that decides. docs/statistics.md explains the \
test.

Examples:
  broadside sprt night
  broadside sprt night Hunter builtin:random --sprt 0,50
  broadside sprt night Hunter builtin:random --verdict && echo stronger

Exit status:
  0    the result was shown; with --verdict: the first is stronger
  1    the journal could not be read
  2    wrong usage, or a bot is not in the journal
  5    the journal is damaged, or is none (docs/journal.schema.json describes its lines)
  10   with --verdict: the first is not stronger
  11   with --verdict: more games are needed to tell";
