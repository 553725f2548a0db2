//! The commands `tournament`, `compare`, `solo`, `standings` and `sprt`.

use super::bots::ProgramArgs;
use super::cluster::OnClusterArgs;
use super::game::GameArgs;
use super::values::{KEPT_GAMES, cpu_limit, named, seed, size};
use crate::show::StandingsFormat;
use players::BuiltIn;
use rules::entelect_2017::MapSize;
use runner::{CpuLimit, KeptGames, TournamentOptions};
use std::path::PathBuf;
use tournament::{EloModel, Format, Sprt, day_of};

/// The most games of a meeting and the most rounds. The games of two bots are counted in 32 bits, even if the bots meet
/// in every round.
const MOST_GAMES: i64 = 1_000_000;
const MOST_ROUNDS: i64 = 1_000;
/// The most games at the same time. Each game has a thread and some open files of its own.
const MOST_AT_ONCE: i64 = 1_000;

/// The arguments of `broadside tournament`.
#[derive(Debug, clap::Args)]
pub(crate) struct TournamentArgs {
    #[arg(short, long = "bot", value_name = "BOT", num_args = 1.., required = true, help = format!(
        "Enter these bots: folders or patterns such as 'bots/*'; in games over HTTP URLs; and {}. Write NAME=FOLDER, NAME=URL \
         or NAME=builtin:hunter to give a bot another name",
        BuiltIn::listed("and"),
    ))]
    pub(crate) bots: Vec<String>,

    /// Pair bots by round-robin (the default), gauntlet (the first against all others), swiss, knockout or ladder; jsonl
    /// streams events to standard output, and can be given beside another format
    #[arg(long, value_name = "FORMAT", value_parser = named(&FORMATS), hide_possible_values = true)]
    pub(crate) format: Vec<Option<Format>>,

    /// Play this many games in each meeting, rounded up to an even number: two games on one seed with seats swapped are a
    /// pair; a ladder has so many for each bot
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    pub(crate) games: u32,

    /// Play this many rounds of the Swiss format [default: two more than a knockout takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_ROUNDS), hide_short_help = true)]
    pub(crate) rounds: Option<u32>,

    /// Play no games if one of the bots cannot be built or started, instead of leaving it out, or if one that has entered is
    /// not named
    #[arg(long, hide_short_help = true)]
    pub(crate) strict: bool,

    /// End the games of this entrant of a tournament that goes on; those that it has played count
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) retire: Vec<String>,

    /// End the games of an entrant, and enter the bot in this folder, its new version, beside it
    #[arg(long, value_name = "NAME=FOLDER", hide_short_help = true)]
    pub(crate) replace: Vec<String>,

    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

impl TournamentArgs {
    /// The tournament's format; the last one that was named counts.
    pub(crate) fn plan(&self) -> Format {
        self.format.iter().flatten().last().copied().unwrap_or(Format::RoundRobin)
    }

    /// True if events are streamed.
    pub(crate) fn streams(&self) -> bool {
        self.format.contains(&None)
    }
}

/// The formats of a tournament; `None` streams events.
const FORMATS: [(&str, Option<Format>); 6] = [
    ("round-robin", Some(Format::RoundRobin)),
    ("gauntlet", Some(Format::Gauntlet)),
    ("swiss", Some(Format::Swiss)),
    ("knockout", Some(Format::Knockout)),
    ("ladder", Some(Format::Ladder)),
    ("jsonl", None),
];

/// The flags for the games of a tournament or a comparison.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// Play this many games at the same time [default: the number of processors; 1 for bots over HTTP, which for more must
    /// serve several connections at a time]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_AT_ONCE))]
    pub(crate) concurrency: Option<u16>,

    /// Set the size of the maps: 1 = small (7 x 7), 2 = medium (10 x 10), 3 = large (14 x 14)
    #[arg(short, long, value_name = "SIZE", default_value = "2", value_parser = size)]
    pub(crate) size: MapSize,

    /// Derive the seeds of all games from this number [default: a new one]
    #[arg(long, value_name = "NUMBER", value_parser = seed, hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    /// Keep the tournament in this folder [default: one in tournaments/ for these bots as they are]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,

    /// Keep record and bundles of these games: all, faults (those with faults, the final of a knockout, and three that the
    /// first bot of a comparison has lost) or none
    #[arg(long, value_name = "WHICH", default_value = "faults", value_parser = named(&KEPT_GAMES), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub(crate) keep: KeptGames,

    /// Play a game again if its time-outs may be the machine's fault: true or false
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set, hide_short_help = true)]
    pub(crate) replay_suspect: bool,

    /// Go on with bots whose folders have changed since they entered, instead of with the copies of what they were then
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_changed: bool,

    /// Limit the processor time of an answer: milliseconds, or off [default: as much as the time limit]
    #[arg(long, value_name = "MS", value_parser = cpu_limit, hide_short_help = true)]
    pub(crate) limit_cpu: Option<CpuLimit>,

    /// Give bots unlimited time
    #[arg(long, hide_short_help = true)]
    pub(crate) nolimit: bool,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    /// Run both bots of a game at the same time
    #[arg(long, hide_short_help = true)]
    pub(crate) together: bool,

    /// Build the bots first, even if they are built already
    #[arg(id = "forceRebuild", short, long, alias = "force-rebuild", hide_short_help = true)]
    pub(crate) force_rebuild: bool,

    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) on_cluster: OnClusterArgs,
}

impl PlayArgs {
    /// The options of the tournament, with the default format and number of games.
    pub(crate) fn options(&self) -> TournamentOptions {
        TournamentOptions {
            seed: self.seed,
            folder: self.dir.clone(),
            keep: self.keep,
            concurrency: self.concurrency.map(usize::from),
            together: self.together,
            replay_suspect: self.replay_suspect,
            allow_changed: self.allow_changed,
            ..TournamentOptions::default()
        }
    }
}

pub(super) const TOURNAMENT_HELP: &str = "\
Run the same command again to continue a tournament that was stopped, or to show one that is complete. More --games \
continue it as well, and with --dir so do more bots; a knockout takes neither. A bot whose folder was changed, moved or broken meanwhile plays on as it was \
when it entered; --retire and --replace end its games. The file games.jsonl in its folder holds the whole tournament. docs/journal.schema.json describes \
the lines of that file, docs/events.schema.json the lines of --format jsonl.

Examples:
  broadside tournament -b 'bots/*' builtin:hunter --games 20
  broadside tournament -b my-bot 'old/*' --format gauntlet --dir night
  broadside tournament -b 'bots/*' --format swiss --format jsonl >events.jsonl
  broadside tournament --game sea-battle --dir sea \\
    -b new=http://localhost:4000 old=http://localhost:5000/api
  broadside tournament -b 'bots/*' --format knockout --dir cup
  broadside tournament -b 'bots/*' --dir night --cluster nats://10.0.0.1
  broadside standings night

Exit status:
  0    all games were played, now or before
  1    the engine failed; games that it could not play do not count
  2    wrong usage, or the folder belongs to another tournament
  3    a bot that has not entered yet could not be found; or with --strict, or
       with fewer than two bots left, one could not be built or started, or has
       files outside its folder or too many
  5    the journal is damaged, or another program is playing this tournament
  130  stopped by Ctrl-C or a signal; the same command continues it";

/// The arguments of `broadside compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// The bot that may be stronger: its folder, URL or builtin:NAME; or NAME= and one of these
    pub(crate) first: String,

    /// The bot to compare it with, named in the same ways
    pub(crate) second: String,

    /// Play at most this many games
    #[arg(short, long, value_name = "MAX", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    pub(crate) games: u32,

    #[command(flatten)]
    pub(crate) test: TestArgs,

    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

/// The flags of a sequential test.
#[derive(Debug, clap::Args)]
pub(crate) struct TestArgs {
    /// Stop when the test accepts that the first bot is stronger by ELO1, or only by ELO0; two more numbers are the rates of
    /// wrong answers
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,30,0.05,0.05", allow_hyphen_values = true)]
    sprt: Sprt,

    /// Measure ELO0 and ELO1 as normalized Elo (in standard deviations of a game, so that the number of games depends less on
    /// draws) or as logistic Elo
    #[arg(long, value_name = "MODEL", default_value = "normalized", value_parser = named(&MODELS), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    model: EloModel,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Exit with 0 if the first bot is stronger, 10 if it is not, 11 if more games are needed
    #[arg(long)]
    pub(crate) verdict: bool,
}

impl TestArgs {
    /// The test on the chosen scale.
    pub(crate) fn sprt(&self) -> Sprt {
        self.sprt.with_model(self.model)
    }
}

/// The scales of Elo in a test.
const MODELS: [(&str, EloModel); 2] = [("normalized", EloModel::Normalized), ("logistic", EloModel::Logistic)];

pub(super) const COMPARE_HELP: &str = "\
Run the same command again to continue a comparison that was stopped. While it plays, a line shows the games \
that the first bot has won and lost, and the sequential test, which ends at the number after \"of\". The records of three games that it has lost are \
kept. The file games.jsonl in its folder holds the games; docs/journal.schema.json describes its lines, docs/results.schema.json the JSON of \
--json, docs/statistics.md explains the result.

Examples:
  broadside compare my-bot old-bot
  broadside compare my-bot old-bot --sprt 0,50 --games 400
  broadside compare my-bot old-bot --verdict && git commit -a
  broadside compare --game sea-battle http://localhost:4000 builtin:hunter

Exit status:
  0    the games were played; with --verdict: the first is stronger
  10   with --verdict: the first is not stronger
  11   with --verdict: more games are needed to tell
  others as for tournaments: broadside tournament --help";

/// The arguments of `broadside solo`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("seed", |arg| arg.value_name("SEED").help(SOLO_SEED).hide_short_help(false)))]
pub(crate) struct SoloArgs {
    /// The bot, or two to be compared: folders, URLs or builtin:NAME; or NAME= and one of these
    #[arg(value_name = "BOT", num_args = 1..=2, required = true)]
    pub(crate) bots: Vec<String>,

    /// Play this many boards [default: 200; 1 with --seed daily]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    boards: Option<u32>,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

impl SoloArgs {
    /// The number of boards.
    pub(crate) fn boards(&self) -> u32 {
        let is_of_day = self.play.seed.is_some_and(|seed| day_of(seed).is_some());
        self.boards.unwrap_or(if is_of_day { 1 } else { 200 })
    }
}

const SOLO_SEED: &str = "Play the boards from this number on: a number, daily for the board of today (UTC), which is the same for everybody, \
     or a date such as 2026-11-28 for that of another day [default: a new one]";

pub(super) const SOLO_HELP: &str = "\
The bots play at the fleets of builtin:passive, which places its ships by the number of the board and does no harm, and so do the built-in players, \
at the same fleets. Battleship by rules is played in solo. A shot with a special weapon counts once, whatever the number of its cells. \
Run the same command again to continue, with more --boards too. --keep all keeps records: broadside verify says their scores. \
docs/statistics.md explains the result, docs/results.schema.json describes the JSON.

Examples:
  broadside solo my-bot
  broadside solo my-bot old-bot --boards 500
  broadside solo --seed daily my-bot
  broadside play -c 1 --seed daily            play the board of the day yourself
  broadside solo --game sea-battle --keep all --dir alone http://localhost:4000
  broadside solo --rules russian builtin:hunter
  broadside standings alone --format html >alone/report.html

Exit status: as for tournaments: broadside tournament --help";

/// The arguments of `broadside standings`.
#[derive(Debug, clap::Args)]
pub(crate) struct StandingsArgs {
    /// Journal of a tournament (games.jsonl), or its folder [default: the latest tournament in tournaments/ or in this folder]
    pub(crate) journal: Option<PathBuf>,

    /// Write the standings as table, json, csv, markdown, html (one page with plots that needs no network; its links to
    /// records work in the journal's folder) or junit (for build servers: a test for each bot against each opponent fails if
    /// the bot had faults, but not if it lost; suspect time-outs are listed only)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = StandingsFormat::Table, hide_possible_values = true)]
    pub(crate) format: StandingsFormat,

    /// Write a site into this folder instead: the page of --format html, and a page for each match whose record was kept,
    /// linked to each other; index.html opens from the disk, without a server. ?spoilers=0 behind the address of a page
    /// hides results
    #[arg(long, value_name = "DIR", conflicts_with = "format")]
    pub(crate) site: Option<PathBuf>,

    /// Leave out the games that these machines of a cluster have played
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',', conflicts_with = "site", hide_short_help = true)]
    pub(crate) without_machine: Vec<String>,

    /// Make all ratings relative to this bot with this rating [default: the mean of all ratings is 0]
    #[arg(long, value_name = "NAME=ELO")]
    pub(crate) anchor: Option<String>,
}

pub(super) const STANDINGS_HELP: &str = "\
docs/events.schema.json describes the JSON, docs/statistics.md explains the ratings.

Examples:
  broadside standings night
  broadside standings
  broadside standings night --anchor Hunter=1500
  broadside standings night --without-machine big-machine-4711
  broadside standings night --format html >night/report.html
  broadside standings night --site night/site
  broadside standings night --format junit >night.xml
  broadside standings night --format json | jq '.standings[0].name'

Exit status:
  0    the standings were shown
  1    the journal could not be read, or the site not written
  2    wrong usage, or the anchor is not in the journal
  5    the file is missing, damaged or not a journal (docs/journal.schema.json
       describes its lines); with --site: records are missing or damaged, the
       rest was written";

/// The arguments of `broadside sprt`.
#[derive(Debug, clap::Args)]
pub(crate) struct SprtArgs {
    /// Journal of a tournament (games.jsonl), or its folder
    pub(crate) journal: PathBuf,

    /// Two bots of the journal; needed if it has more than two
    #[arg(value_name = "BOT", num_args = 2)]
    pub(crate) bots: Vec<String>,

    #[command(flatten)]
    pub(crate) test: TestArgs,
}

pub(super) const SPRT_HELP: &str = "\
Reads the games of both bots in their order, pair by pair, up to the pair that decides. docs/statistics.md explains the test.

Examples:
  broadside sprt night
  broadside sprt night Hunter builtin:random --sprt 0,50
  broadside sprt night Hunter builtin:random --verdict && echo stronger

Exit status:
  0    the result was shown; with --verdict: the first is stronger
  1    the journal could not be read
  2    wrong usage, or a bot is not in the journal
  5    the file is missing, damaged or not a journal (docs/journal.schema.json
       describes its lines)
  10   with --verdict: the first is not stronger
  11   with --verdict: more games are needed to tell";
