//! The command line: the flags of 2017 and those that Broadside adds.

mod bots;
mod bridge;
mod cluster;
mod completions;
mod game;
mod grade;
mod matches;
mod records;
mod rules;
mod salvo;
mod serve;
mod shape;
mod submit;
mod tournaments;
mod values;

pub(crate) use bots::{CheckArgs, DevArgs, DocsArgs, DoctorArgs, LanguagesArgs, NewArgs, ProgramArgs};
pub(crate) use bridge::BridgeArgs;
pub(crate) use cluster::{ClusterArgs, WorkerArgs};
#[cfg(feature = "full")]
pub(crate) use cluster::{ClusterCommand, LoginArgs, OnClusterArgs};
pub(crate) use completions::{CompletionsArgs, ManArgs};
pub(crate) use game::{HttpFromFlags, SettingsFromFlags};
pub(crate) use grade::GradeArgs;
pub(crate) use matches::MatchArgs;
pub(crate) use records::{AnalyseArgs, ExpandArgs, ImportArgs, MatchesArgs, ProfileArgs, ReplayArgs, VerifyArgs};
pub(crate) use rules::{RulesCheckArgs, RulesCommand, RulesListArgs, RulesShowArgs};
pub(crate) use salvo::SalvoCommand;
#[cfg(feature = "full")]
pub(crate) use salvo::{SalvoAclArgs, SalvoAdminArgs, SalvoAdminCommand, SalvoJoinArgs, SalvoServeArgs, StrategyArg};
pub(crate) use serve::ServeArgs;
pub(crate) use submit::SubmitArgs;
pub(crate) use tournaments::{CompareArgs, PlayArgs, SoloArgs, SprtArgs, StandingsArgs, TestArgs, TournamentArgs};

use crate::failure::Failure;
use crate::show;
use clap::{ArgAction, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{self, Write as _};

/// The referee and arena for Battleship bots.
///
/// Plays a match between two players. In the Entelect Challenge 2017 a bot is a folder with a bot.json; in other games
/// the engine calls bots over HTTP.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 110, after_help = AFTER_HELP, disable_help_flag = true, disable_version_flag = true)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(override_usage = "broadside [OPTIONS] PLAYER PLAYER | COMMAND")]
pub(crate) struct Args {
    /// The command; without one the program plays a match.
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    play: MatchArgs,

    /// Write results and errors only, nothing of what is being done
    #[arg(long, short, global = true, help_heading = None, hide_short_help = true)]
    pub(crate) quiet: bool,

    /// Colour what is shown: auto (on terminals, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", global = true, help_heading = None, default_value = "auto", hide_possible_values = true, hide_short_help = true)]
    pub(crate) color: ColorChoice,

    /// Show this help; --help shows all of it
    #[arg(long, short = 'h', action = ArgAction::Help, global = true, help_heading = None)]
    help: Option<bool>,

    /// Print version
    #[arg(long, short = 'V', action = ArgAction::Version, help_heading = None, hide_short_help = true)]
    version: Option<bool>,
}

/// The command line as clap knows it, before help texts are shortened.
pub(crate) fn command() -> clap::Command {
    Args::command()
}

impl Args {
    /// Reads the command line. Ends the program with a message and exit code 2 if clap cannot read it, and with 0 after `--help` and
    /// `--version`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a flag that is not for the chosen game, with a hint. Standard output cannot be written.
    pub(crate) fn of_command_line() -> Result<Args, Failure> {
        let shaped = shape::shaped(command(), shape::named_game(std::env::args_os()));
        let mut matches = match shaped.try_get_matches() {
            Ok(matches) => matches,
            Err(text) if text.use_stderr() => text.exit(),
            Err(text) => {
                if text.print().and_then(|()| io::stdout().flush()).is_err() {
                    // This tells the error, unless nobody reads any more.
                    show::print(&text.render().to_string())?;
                }
                std::process::exit(text.exit_code())
            }
        };
        game::check(&matches)?;
        Ok(Args::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit()))
    }

    /// The command to run: the one that was named, else `play`.
    pub(crate) fn into_command(self) -> Command {
        self.command.unwrap_or_else(|| Command::Play(Box::new(self.play)))
    }
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match (the default without a command)
    #[command(after_help = matches::PLAY_HELP)]
    Play(Box<MatchArgs>),
    /// Create a folder with a small bot that plays, to start from
    #[command(after_help = bots::NEW_HELP)]
    New(NewArgs),
    /// Test a bot, and report every fault
    #[command(after_help = bots::CHECK_HELP)]
    Check(CheckArgs),
    /// Build a bot after every change, play it, and show the score
    #[command(after_help = bots::DEV_HELP)]
    Dev(DevArgs),
    /// List the languages of bots and the tools installed for them
    Languages(LanguagesArgs),
    /// Examine this machine: languages, sandbox, what makes times vary
    #[command(after_help = bots::DOCTOR_HELP)]
    Doctor(DoctorArgs),
    /// Print a page of the documentation, or list the pages
    #[command(after_help = bots::DOCS_HELP)]
    Docs(DocsArgs),
    /// List, print and check files of rules for any Battleship
    #[command(subcommand, after_help = rules::RULES_HELP)]
    Rules(RulesCommand),
    /// Verify recorded matches: play their answers again and compare
    #[command(after_help = records::VERIFY_HELP)]
    Verify(VerifyArgs),
    /// Watch a recorded match again, the latest if none is named
    #[command(after_help = records::REPLAY_HELP)]
    Replay(ReplayArgs),
    /// Say what a recorded match owes to skill and luck
    #[command(after_help = records::ANALYSE_HELP)]
    Analyse(AnalyseArgs),
    /// Say how a bot plays over many games, and where it can be beaten
    #[command(after_help = records::PROFILE_HELP)]
    Profile(ProfileArgs),
    /// List the matches that were played here; --clean removes old ones
    #[command(after_help = records::MATCHES_HELP)]
    Matches(MatchesArgs),
    /// Play a tournament of many bots
    #[command(after_help = tournaments::TOURNAMENT_HELP)]
    Tournament(TournamentArgs),
    /// Find out which of two bots is stronger, in few games
    #[command(after_help = tournaments::COMPARE_HELP)]
    Compare(CompareArgs),
    /// Count the shots that a bot takes to sink the same fleets as others
    #[command(after_help = tournaments::SOLO_HELP)]
    Solo(SoloArgs),
    /// Show the standings of a tournament
    #[command(after_help = tournaments::STANDINGS_HELP)]
    Standings(StandingsArgs),
    /// Test which of two bots of a tournament is stronger
    #[command(after_help = tournaments::SPRT_HELP)]
    Sprt(SprtArgs),
    /// Give marks to the bots of a class by a plan
    #[command(after_help = grade::GRADE_HELP)]
    Grade(GradeArgs),
    /// Serve a bot in a folder over HTTP, for games with such bots
    #[command(after_help = bridge::BRIDGE_HELP)]
    Bridge(BridgeArgs),
    /// Run a tournament server that calls Sea Battle bots over HTTP
    #[command(after_help = serve::SERVE_HELP)]
    Serve(ServeArgs),
    /// Hand in the folder of a bot to a contest on a server
    #[command(after_help = submit::SUBMIT_HELP)]
    Submit(SubmitArgs),
    /// Run a server of Salvo (2 to 16 teams over MQTT), or join a match
    #[command(subcommand)]
    Salvo(SalvoCommand),
    /// Play games of tournaments that run on other machines
    #[command(after_help = cluster::WORKER_HELP)]
    Worker(WorkerArgs),
    /// Show the workers and the jobs of a cluster
    #[command(after_help = cluster::CLUSTER_HELP)]
    Cluster(ClusterArgs),
    /// Write the match folder of 2017 from a record
    #[command(after_help = records::EXPAND_HELP)]
    Expand(ExpandArgs),
    /// Make a record from a match folder, also of the original engine
    #[command(after_help = records::IMPORT_HELP)]
    Import(ImportArgs),
    /// Print completions for bash, zsh, fish, elvish or powershell
    #[command(after_help = completions::COMPLETIONS_HELP)]
    Completions(CompletionsArgs),
    /// Write the man pages of all commands
    #[command(hide = true)]
    Man(ManArgs),
}

const AFTER_HELP: &str = "\
Examples:
  broadside new python my-bot               create a bot to start from
  broadside check my-bot                    test it and report its faults
  broadside dev my-bot                      play again after every change
  broadside --pretty my-bot builtin:hunter  watch it play a built-in player
  broadside compare my-bot old-bot          find out which is stronger
  broadside -c 1 --size 1                   play yourself on the small map
  broadside --live my-bot builtin:hunter    watch the match in the browser
  broadside languages                       list languages and missing tools
  broadside replay replays/MATCH            watch a match again (--html: a page)
  broadside verify replays                  check that matches follow the rules
  broadside tournament -b 'bots/*'          play many bots against each other
  broadside --game sea-battle http://localhost:4000 builtin:hunter
                                            play a bot that is called over HTTP
  broadside --rules russian my-bot builtin:hunter
                                            play by other rules
  broadside serve                           run tournaments of such bots

Settings: --settings FILE, else $BROADSIDE_SETTINGS, else broadside/broadside.toml in $XDG_CONFIG_HOME or \
~/.config. Its section [tools] names programs that are not on the PATH: python3 = \"/opt/python/bin/python3\"; \
its section [cluster] names a NATS server.

Exit status:
  0    the match was played to its end, whoever won
  1    the engine failed (a full disk, say); there is no winner
  2    wrong usage, or wrong settings
  3    a bot could not be found, built or started, or has files outside its
       folder
  4    broadside check: a bot has faults
  5    what is to be read is missing or damaged: a record, a journal, a folder
       of matches; or a record is against the rules or (broadside verify)
       unfinished; or a journal is in use
  10   --verdict: the first bot is not stronger
  11   --verdict: more games are needed to tell
  130  stopped by Ctrl-C or a signal; there is no winner
docs/exit-codes.md has them for all commands.";

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
        let args = Args::parse_from(["broadside", "--clog", "languages"]);
        assert_eq!(args.play.players, [PathBuf::from("languages")], "a command comes first");
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
        let others = command.get_subcommands().filter(|command| command.get_name() != "help");
        for command in std::iter::once(&command).chain(others) {
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
