//! The command line: that of 2017, and what was added.

mod bots;
mod game;
mod matches;
mod records;
mod salvo;
mod serve;
mod tournaments;
mod values;

pub(crate) use bots::{BotArgs, CheckArgs, LanguagesArgs, NewArgs};
pub(crate) use game::{ChosenGame, HttpGameOptions};
pub(crate) use matches::MatchArgs;
pub(crate) use records::{ExpandArgs, ImportArgs, ReplayArgs, VerifyArgs};
pub(crate) use salvo::{SalvoAclArgs, SalvoCommand, SalvoJoinArgs, SalvoServeArgs, StrategyArg};
pub(crate) use serve::ServeArgs;
pub(crate) use tournaments::{CompareArgs, PlayArgs, SprtArgs, StandingsArgs, TournamentArgs};
pub(crate) use values::{MatchOutputArg, SandboxArg};

use crate::failure::Failure;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

/// The referee and arena for Battleship bots.
///
/// Plays a match between two players: of the Entelect Challenge 2017, where a bot is a folder with a bot.json, or of a game
/// whose bots are called over HTTP.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 110, after_help = AFTER_HELP, disable_help_flag = true)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// What to do instead of playing a match.
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    play: MatchArgs,

    /// Show this help
    #[arg(long, short = 'h', action = ArgAction::Help, global = true, help_heading = None)]
    help: Option<bool>,
}

impl Args {
    /// What the program was called with. Ends the program where that makes no sense at all.
    pub(crate) fn of_command_line() -> Result<Args, Failure> {
        let mut matches = Args::command().get_matches();
        game::check(&matches)?;
        Ok(Args::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit()))
    }

    /// What the program is to do.
    pub(crate) fn into_command(self) -> Command {
        self.command.unwrap_or_else(|| Command::Play(Box::new(self.play)))
    }
}

/// What the program does besides playing matches.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match, which is what the program does without a command as well
    #[command(after_help = matches::PLAY_HELP)]
    Play(Box<MatchArgs>),
    /// Make a folder with a bot that plays, to be made better
    #[command(after_help = bots::NEW_HELP)]
    New(NewArgs),
    /// Try a bot out: play against a built-in player, tell all that is not right
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
    /// Salvo, for 2 to 16 teams over MQTT: run its server, take part
    #[command(subcommand)]
    Salvo(SalvoCommand),
    /// Write the folder of 2017 that belongs to a record
    #[command(after_help = records::EXPAND_HELP)]
    Expand(ExpandArgs),
    /// Make a record of the folder of a match, also of one that the original engine left
    #[command(after_help = records::IMPORT_HELP)]
    Import(ImportArgs),
}

const AFTER_HELP: &str = "\
Examples:
  broadside --pretty -b my-bot bots/hunter      watch a bot of yours against the reference bot
  broadside -c 1 -b bots/hunter --size 1        play against it yourself on the small map
  broadside -b bots/hunter bots/random-python   just the result, and a replay folder
  broadside --live -b my-bot bots/hunter        the same in the browser
  broadside new python my-bot                   a bot of your own to start with
  broadside check my-bot                        what is wrong with it, if anything
  broadside languages                           what bots can be written in, what is missing
  broadside replay replays/MATCH                watch a match again; --html FILE: a page
  broadside verify replays                      whether recorded matches follow the rules
  broadside compare my-bot old-bot              which of two bots is stronger
  broadside tournament -b 'bots/*'              many bots against each other
  broadside --game sea-battle -b http://localhost:4000 builtin:hunter
                                                bots that are called over HTTP
  broadside serve                               tournaments of such bots, pages to watch

Settings: broadside.toml in the working directory, else in ~/.config/broadside ($XDG_CONFIG_HOME). Its section [tools] \
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn bots_may_follow_one_flag_or_have_one_each() {
        let parse = |line: &str| Args::try_parse_from(line.split(' ')).map(|args| args.play.bots.len());
        assert_eq!(parse("broadside --pretty -b one two").unwrap(), 2);
        assert_eq!(parse("broadside -b one -b two --clog").unwrap(), 2);
        assert_eq!(parse("broadside --bot one two -s 1").unwrap(), 2);
    }

    #[test]
    fn a_bot_may_have_the_name_of_a_command() {
        let args = Args::parse_from(["broadside", "-b", "one", "languages"]);
        assert_eq!(args.play.bots, [PathBuf::from("one"), PathBuf::from("languages")]);
        assert!(args.command.is_none());
        assert!(Args::parse_from(["broadside", "languages", "--json"]).command.is_some());
        assert!(Args::try_parse_from(["broadside", "--clog", "languages"]).is_err());
    }

    #[test]
    fn play_is_what_the_program_does_without_a_command() {
        for line in ["broadside --zstd -b one play", "broadside play --zstd -b one play"] {
            let Command::Play(play) = Args::parse_from(line.split(' ')).into_command() else { panic!("{line}") };
            assert!(play.zstd);
            assert_eq!(play.bots, [PathBuf::from("one"), PathBuf::from("play")]);
        }
    }

    #[test]
    fn the_flag_for_help_is_under_no_heading_of_others() {
        let mut command = Args::command();
        command.build();
        for command in std::iter::once(&command).chain(command.get_subcommands()) {
            let help = command.get_arguments().find(|argument| argument.get_id() == "help").unwrap();
            assert_eq!(help.get_help_heading(), None, "{}", command.get_name());
        }
    }

    #[test]
    fn flags_of_2017_are_known_in_both_spellings() {
        for flag in ["--forceRebuild", "--force-rebuild", "-f"] {
            assert!(Args::parse_from(["broadside", flag]).play.force_rebuild);
        }
        for flag in ["--tournamentMode", "--tournament-mode"] {
            assert!(Args::parse_from(["broadside", flag]).play.tournament_mode);
        }
        assert!(Args::parse_from(["broadside", "--nolimit"]).play.nolimit);
        assert!(Args::try_parse_from(["broadside", "-s", "4"]).is_err());
    }
}
