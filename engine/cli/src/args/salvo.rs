//! The commands of Salvo: its server, a client, and what another broker has to be told.

use clap::{Subcommand, ValueEnum};
use rules::salvo::Settings;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum SalvoCommand {
    /// Run a game server: lobby, match, result, and the lobby again
    #[command(after_help = SERVE_HELP)]
    Serve(SalvoServeArgs),
    /// Take part in a match, with a bot of ours or as a person
    #[command(after_help = JOIN_HELP)]
    Join(SalvoJoinArgs),
    /// Print what Mosquitto has to be told so that private topics are private
    #[command(after_help = ACL_HELP)]
    Acl(SalvoAclArgs),
}

/// How a server is run.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoServeArgs {
    /// Use this broker, as mqtt://HOST:PORT, instead of one of our own
    #[arg(long, value_name = "URL", conflicts_with = "listen")]
    pub(crate) broker: Option<String>,

    /// User name at that broker
    #[arg(long, value_name = "NAME", requires = "broker")]
    pub(crate) user: Option<String>,

    /// Password at that broker; better in the variable BROADSIDE_BROKER_PASSWORD, for others on this machine can see the command
    /// line
    #[arg(long, value_name = "TEXT", requires = "user")]
    pub(crate) password: Option<String>,

    /// Address and port that the broker of our own listens on; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1883")]
    pub(crate) listen: SocketAddr,

    /// Use the broker of our own, which is done anyway without --broker
    #[arg(long, conflicts_with = "broker")]
    pub(crate) embedded: bool,

    /// Put all topics below /NAME
    #[arg(long, value_name = "NAME")]
    pub(crate) topic_prefix: Option<String>,

    /// Show lobby and matches in the browser, as all players may see them: at the address that is printed, or on this port of
    /// this machine, or at this address and port
    #[arg(
        long,
        value_name = "[ADDRESS:]PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        value_parser = live_address
    )]
    pub(crate) live: Option<SocketAddr>,

    /// Time to place the ships, counted from when the last team came, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) place_seconds: std::time::Duration,

    /// Time for a salvo, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub(crate) turn_seconds: std::time::Duration,

    /// Time that a result stands before the lobby opens again, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub(crate) lobby_after: std::time::Duration,

    /// Begin as soon as so many teams have placed their ships, 2 to 16, not only when the time is up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    pub(crate) players: Option<u8>,

    /// End after so many matches, soon after the result of the last [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) matches: Option<u32>,

    /// After how many rounds without a sinking a match is over
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=i64::from(Settings::MOST_ROUNDS)))]
    pub(crate) rounds_without_sinking: u32,

    /// Number from which the randomness of the first match is derived [default: a new one]
    #[arg(short, long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Folder for the journal and the records; a server that is started again goes on where it was
    #[arg(long, value_name = "FOLDER", default_value = "salvo")]
    pub(crate) dir: PathBuf,
}

/// Who decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyArg {
    /// A bot that fires where ships are likely.
    Hunter,
    /// A bot that fires anywhere.
    Random,
    /// Whoever sits at the keyboard.
    Person,
}

/// Who takes part.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoJoinArgs {
    /// Name of the team
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Who decides: hunter, random or person
    #[arg(long, value_name = "WHO", default_value = "hunter")]
    pub(crate) with: StrategyArg,

    /// The broker
    #[arg(long, value_name = "URL", default_value = "mqtt://127.0.0.1:1883")]
    pub(crate) broker: String,

    /// All topics are below /NAME
    #[arg(long, value_name = "NAME")]
    pub(crate) topic_prefix: Option<String>,

    /// Number from which the bot's decisions are derived [default: a new one]
    #[arg(short, long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

/// Who is to have which rights.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoAclArgs {
    /// Names of the teams
    #[arg(value_name = "TEAM")]
    pub(crate) teams: Vec<String>,

    /// User name of the server
    #[arg(long, value_name = "NAME", default_value = "broadside")]
    pub(crate) user: String,

    /// All topics are below /NAME
    #[arg(long, value_name = "NAME")]
    pub(crate) topic_prefix: Option<String>,
}

fn live_address(text: &str) -> Result<SocketAddr, String> {
    let of_this_machine = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    of_this_machine
        .or_else(|_| text.parse())
        .map_err(|_| "a port is needed, such as 8080, or an address and a port, such as 0.0.0.0:8080".to_owned())
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
    let bounded = seconds.filter(|time| !time.is_zero() && *time <= std::time::Duration::from_secs(86_400));
    bounded.ok_or_else(|| "a number of seconds is needed, such as 30 or 0.5, more than 0 and at most 86400".to_owned())
}

const SERVE_HELP: &str = "\
Teams connect to the broker with their name and secret as user name and password, or without; then they ask to take part with \
both, place their ships and fire in turn. docs/protocols/salvo.md has all topics and messages, with examples. Messages are \
encrypted; the connection is not: the broker listens on this machine only, unless --listen says more.

With --live, a page shows who is in the lobby, and of a match what everyone may know: salvos, hits, sinkings, and no cells, so \
that it can hang on the wall among the teams. When the match is over the boards are uncovered. On an address of the network \
everyone there can see it.

FOLDER has the journal salvo.jsonl, with the teams' secrets in it, and records/, which `broadside verify` and `broadside replay` \
read.

Examples:
  broadside salvo serve                              clients: mqtt://127.0.0.1:1883
  broadside salvo serve --listen 0.0.0.0:1883 --players 4
                                                     for everyone in the network
  BROADSIDE_BROKER_PASSWORD=... broadside salvo serve --broker mqtt://localhost:1883 --user broadside
                                                     by a Mosquitto, see broadside salvo acl
  broadside salvo serve --live=8080                  a page for the wall, http://127.0.0.1:8080
  broadside salvo serve --players 2 --matches 1 & broadside salvo join A & broadside salvo join B
                                                     two bots of ours

Exit status:
  1    the address is taken, the broker cannot be reached, or the disk failed
  2    wrong usage
  5    the journal or a record is damaged, or another server is at work in the folder
  130  stopped by Ctrl-C or a signal; the same command goes on with the match";

const JOIN_HELP: &str = "\
The secret of the team is in the variable BROADSIDE_SALVO_SECRET; without it a new one is made up. The same name with the same \
secret comes back into a match after its connection was lost.

Examples:
  broadside salvo join Henkiebunch                   a bot of ours, at the broker of this machine
  broadside salvo join Henkiebunch --with person     you fire: B 3 4 is column 3, row 4 of B's board
  BROADSIDE_SALVO_SECRET=... broadside salvo join Henkiebunch --broker mqtt://192.168.1.7

Exit status:
  0    the match was played to its end, whoever won
  1    the broker cannot be reached
  2    wrong usage, or the server does not take the team
  130  stopped by Ctrl-C";

const ACL_HELP: &str = "\
Standard output has the access list for acl_file in mosquitto.conf, standard error the commands that make the users. Each team \
comes with its name as user name. Mosquitto needs `allow_anonymous true` only if people without a user name are to watch.

Examples:
  broadside salvo acl Henkiebunch 'Deep Water' > acl
  mosquitto -c mosquitto.conf                        listener 1883, acl_file acl, password_file passwords,
                                                     set_tcp_nodelay true";
