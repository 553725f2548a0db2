//! The command line: that of 2017, and what was added.

mod bots;
mod records;
mod serve;
mod tournaments;

pub(crate) use bots::{CheckArgs, LanguagesArgs, NewArgs};
pub(crate) use records::{ExpandArgs, ImportArgs, ReplayArgs, VerifyArgs};
pub(crate) use serve::ServeArgs;
pub(crate) use tournaments::{CompareArgs, PlayArgs, SprtArgs, StandingsArgs, TournamentArgs};

use arena::record::Keep;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use rules::entelect_2017::MapSize;
use std::path::PathBuf;
use std::time::Duration;

/// The referee and arena for Battleship bots.
///
/// Plays a match of the Entelect Challenge 2017 between two players. A bot is a folder with a bot.json.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 110, after_help = AFTER_HELP, disable_help_flag = true)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// What to do instead of playing a match.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Folder of a bot; several after one flag or with one flag each
    #[arg(short, long = "bot", value_name = "FOLDER", num_args = 1..)]
    pub(crate) bots: Vec<PathBuf>,

    /// How many people play at this console
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    pub(crate) console: u8,

    /// Show the boards while the match is played
    #[arg(long)]
    pub(crate) pretty: bool,

    /// Time each round is shown for with --pretty, in milliseconds [default: 150 on a terminal, else 0]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) pace: Option<Duration>,

    /// Show the match in the browser while it is played, at the address that is printed; on a port if one is named
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    pub(crate) live: Option<u16>,

    /// Show the engine's log (on standard error)
    #[arg(long)]
    pub(crate) clog: bool,

    /// Folder for the match [default: replays/DATE TIME]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) log: Option<PathBuf>,

    /// Size of the maps: 1 = small (7 x 7), 2 = medium (10 x 10), 3 = large (14 x 14)
    #[arg(short, long, value_name = "SIZE", default_value = "2", value_parser = size)]
    pub(crate) size: MapSize,

    /// No time limit for bots
    #[arg(long, alias = "no-limit", alias = "noLimit")]
    pub(crate) nolimit: bool,

    /// Extra time for the start of a bot's language: auto measures it, else a number of milliseconds, or off
    #[arg(long, value_name = "TIME", default_value = "auto", value_parser = calibration)]
    pub(crate) calibration: Extra,

    /// Halt whenever a bot writes to standard error, and show what it wrote
    #[arg(long)]
    pub(crate) debug: bool,

    /// Build the bots before the match, also those that are built already
    #[arg(short, long = "forceRebuild", alias = "force-rebuild")]
    pub(crate) force_rebuild: bool,

    /// Take each player's files away when its turn is over; they come back at the end of the match
    #[arg(long = "tournamentMode", alias = "tournament-mode")]
    pub(crate) tournament_mode: bool,

    /// What to leave of the match: folder (files and record), compact (only the record, match.jsonl) or none
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Recording::Folder, hide_possible_values = true)]
    pub(crate) record: Recording,

    /// Compress the record (match.jsonl.zst)
    #[arg(long)]
    pub(crate) zstd: bool,

    /// Turns to keep in the match's folder as bundles that can be run again by hand: none, faults or all
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Kept::Faults, hide_possible_values = true)]
    pub(crate) bundles: Kept,

    /// Keep bots from files that are not theirs, networks and child processes: off, on (as far as the kernel can) or
    /// strict (only if it can all of it) [default: on in tournament mode, else off]
    #[arg(long, value_name = "MODE", value_enum, hide_possible_values = true)]
    sandbox: Option<Seclusion>,

    /// Memory that a bot in the sandbox can use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) memory: u64,

    /// Run both bots of a round at the same time [default where there are two processors, but in tournament mode]
    #[arg(long, conflicts_with_all = ["in_turn", "tournament_mode"])]
    pub(crate) together: bool,

    /// Run the bots of a round one after the other
    #[arg(long = "in-turn", alias = "inTurn")]
    pub(crate) in_turn: bool,

    /// Number from which each bot's BROADSIDE_SEED is derived [default: a new one, shown at the end]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Show this help
    #[arg(long, short = 'h', action = ArgAction::Help, global = true)]
    help: Option<bool>,
}

impl Args {
    /// How bots are kept in.
    pub(crate) fn sandbox(&self) -> Seclusion {
        self.sandbox.unwrap_or(if self.tournament_mode { Seclusion::On } else { Seclusion::Off })
    }
}

/// Which turns are kept as bundles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kept {
    /// No turn.
    None,
    /// Turns without an order that was obeyed.
    Faults,
    /// Every turn.
    All,
}

impl From<Kept> for Keep {
    fn from(kept: Kept) -> Keep {
        match kept {
            Kept::None => Keep::Nothing,
            Kept::Faults => Keep::Faults,
            Kept::All => Keep::Everything,
        }
    }
}

/// What is left of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Recording {
    /// The folder of 2017 with the record in it.
    Folder,
    /// The record.
    Compact,
    /// Nothing.
    None,
}

/// How much is done to keep bots in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seclusion {
    /// Nothing.
    Off,
    /// As much as the kernel can.
    On,
    /// Everything, or there is no match.
    Strict,
}

/// What the program does besides playing matches.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a folder with a bot that plays, to be made better
    #[command(after_help = bots::NEW_HELP)]
    New(NewArgs),
    /// Try a bot out: build it, play against a built-in player on all three maps, tell all that is not right
    #[command(after_help = bots::CHECK_HELP)]
    Check(CheckArgs),
    /// List the languages of bots, and what is installed to run them
    Languages(LanguagesArgs),
    /// Play recorded matches again and compare them with what the rules make of their answers
    #[command(after_help = records::VERIFY_HELP)]
    Verify(VerifyArgs),
    /// Watch a recorded match again
    #[command(after_help = records::REPLAY_HELP)]
    Replay(ReplayArgs),
    /// Let many bots play against each other
    #[command(after_help = tournaments::TOURNAMENT_HELP)]
    Tournament(TournamentArgs),
    /// Find out which of two bots is stronger, with as few games as that takes
    #[command(after_help = tournaments::COMPARE_HELP)]
    Compare(CompareArgs),
    /// Show the standings of a tournament
    #[command(after_help = tournaments::STANDINGS_HELP)]
    Standings(StandingsArgs),
    /// Test which of two bots of a tournament is stronger, by the games that were played
    #[command(after_help = tournaments::SPRT_HELP)]
    Sprt(SprtArgs),
    /// Run a tournament server for Sea Battle bots that are called over HTTP
    #[command(after_help = serve::SERVE_HELP)]
    Serve(ServeArgs),
    /// Write the folder of 2017 that belongs to a record
    #[command(after_help = records::EXPAND_HELP)]
    Expand(ExpandArgs),
    /// Make a record of the folder of a match, also of one that the original engine left
    #[command(after_help = records::IMPORT_HELP)]
    Import(ImportArgs),
}

/// Extra time for the start of a bot's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extra {
    /// As long as a tiny bot takes.
    Measured,
    /// So much for all.
    Fixed(Duration),
}

const AFTER_HELP: &str = "\
Examples:
  broadside --pretty -b my-bot bots/hunter      watch a bot of yours against the reference bot
  broadside -c 1 -b bots/hunter --size 1        play against it yourself on the small map
  broadside -b bots/hunter bots/random-python   just the result, and a replay folder
  broadside --live -b my-bot bots/hunter        the same in the browser
  broadside new python my-bot                   a bot of your own to start with
  broadside check my-bot                        what is wrong with it, if anything
  broadside languages                           what bots can be written in, and what is missing for it
  broadside replay replays/MATCH                watch a match again; --html FILE makes a page of it
  broadside verify replays                      whether recorded matches are what the rules make of them
  broadside compare my-bot old-bot              which of two bots is stronger
  broadside tournament -b 'bots/*'              many bots against each other
  broadside serve                               tournaments of bots over HTTP, with pages to join and watch

Settings: broadside.toml in the working directory, else in ~/.config/broadside ($XDG_CONFIG_HOME). Its section [tools]
tells where programs are that are not on the PATH: python3 = \"/opt/python/bin/python3\"

Exit status:
  0    the match was played to its end, whoever won
  1    the engine failed (a full disk, say); there is no winner
  2    wrong usage, or wrong settings
  3    a bot could not be found, built or started
  4    broadside check: the bot has faults
  5    a record is missing, damaged, not what the rules make of it, or (broadside verify)
       unfinished; or a journal is damaged or in use
  10   --verdict: the first bot is not stronger
  11   --verdict: more games are needed to tell
  130  stopped by Ctrl-C or a signal; there is no winner";

fn size(text: &str) -> Result<MapSize, String> {
    MapSize::ALL
        .into_iter()
        .find(|size| text == size.number().to_string())
        .ok_or_else(|| "the sizes are 1 (7 x 7), 2 (10 x 10) and 3 (14 x 14)".to_owned())
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "a whole number of milliseconds is needed".to_owned())
}

fn calibration(text: &str) -> Result<Extra, String> {
    match text {
        "auto" => Ok(Extra::Measured),
        "off" => Ok(Extra::Fixed(Duration::ZERO)),
        number => milliseconds(number).map(Extra::Fixed).map_err(|_| "it is auto, off or milliseconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn bots_may_follow_one_flag_or_have_one_each() {
        let parse = |line: &str| Args::try_parse_from(line.split(' ')).map(|args| args.bots.len());
        assert_eq!(parse("broadside --pretty -b one two").unwrap(), 2);
        assert_eq!(parse("broadside -b one -b two --clog").unwrap(), 2);
        assert_eq!(parse("broadside --bot one two -s 1").unwrap(), 2);
    }

    #[test]
    fn a_bot_may_have_the_name_of_a_command() {
        let args = Args::parse_from(["broadside", "-b", "one", "languages"]);
        assert_eq!(args.bots, [PathBuf::from("one"), PathBuf::from("languages")]);
        assert!(args.command.is_none());
        assert!(Args::parse_from(["broadside", "languages", "--json"]).command.is_some());
        assert!(Args::try_parse_from(["broadside", "--clog", "languages"]).is_err());
    }

    #[test]
    fn flags_of_2017_are_known_in_both_spellings() {
        for flag in ["--forceRebuild", "--force-rebuild", "-f"] {
            assert!(Args::parse_from(["broadside", flag]).force_rebuild);
        }
        for flag in ["--tournamentMode", "--tournament-mode"] {
            assert!(Args::parse_from(["broadside", flag]).tournament_mode);
        }
        assert!(Args::parse_from(["broadside", "--nolimit"]).nolimit);
        assert!(Args::try_parse_from(["broadside", "-s", "4"]).is_err());
    }
}
