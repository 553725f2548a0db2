//! The commands of Salvo: the server, a client, and the access list for an external broker.

use clap::Subcommand;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use players::BuiltIn;
use rules::salvo::Settings;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// The commands of `broadside salvo`.
#[derive(Debug, Subcommand)]
pub(crate) enum SalvoCommand {
    /// Run a game server: lobby, match and result, again and again
    #[command(after_help = SERVE_HELP)]
    Serve(SalvoServeArgs),
    /// Join a match, with a built-in bot or as a person
    #[command(after_help = JOIN_HELP)]
    Join(SalvoJoinArgs),
    /// Send a command to a running server: remove a team, begin or end a match, open the lobby
    #[command(after_help = ADMIN_HELP)]
    Admin(SalvoAdminArgs),
    /// Print the access list with which Mosquitto keeps private topics private
    #[command(after_help = ACL_HELP)]
    Acl(SalvoAclArgs),
}

/// The arguments of `broadside salvo serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoServeArgs {
    /// Use the broker at mqtt://HOST:PORT instead of the built-in one
    #[arg(long, value_name = "URL", conflicts_with = "listen")]
    pub(crate) broker: Option<String>,

    /// Log in to the broker with this user name
    #[arg(long, value_name = "NAME", requires = "broker", hide_short_help = true)]
    pub(crate) user: Option<String>,

    /// Log in to the broker with this password. Prefer the variable BROADSIDE_BROKER_PASSWORD: others on this machine can
    /// see the command line
    #[arg(long, value_name = "TEXT", requires = "user", hide_short_help = true)]
    pub(crate) password: Option<String>,

    /// Let the built-in broker listen on this address and port; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1883")]
    pub(crate) listen: SocketAddr,

    /// Use the built-in broker (the default)
    #[arg(long, conflicts_with = "broker", hide_short_help = true)]
    pub(crate) embedded: bool,

    /// Put all topics below /NAME
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) topic_prefix: Option<String>,

    /// Show lobby and matches in the browser, with what all players may see, on this port of this machine or this address
    /// and port [default without a value: a free port, which is printed]
    #[arg(
        long,
        value_name = "[ADDRESS:]PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        value_parser = live_address
    )]
    pub(crate) live: Option<SocketAddr>,

    /// Refuse requests to take part without this code, which you give to the teams
    #[arg(long, value_name = "CODE", hide_short_help = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) join_code: Option<String>,

    /// Let at most this many teams of one address take part, 1 to 16; only the built-in broker knows addresses [default: 8, so
    /// that one address cannot fill the lobby; 16 if the broker listens on this machine only]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    #[arg(conflicts_with = "broker", hide_short_help = true)]
    pub(crate) teams_per_address: Option<u8>,

    /// Give a team this time to place its ships, and begin a match this time after the latest team was ready, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) place_seconds: std::time::Duration,

    /// Give a team this time for a salvo, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, hide_short_help = true)]
    pub(crate) turn_seconds: std::time::Duration,

    /// Pass over a team that has lost this many salvos in a row, until it is back, and wait a fifth of a turn for each shot of one
    /// whose salvos have run out for the time of as many; 0 for never
    #[arg(long, value_name = "N", default_value_t = 2, hide_short_help = true)]
    pub(crate) pass_after: u32,

    /// Remove a team from the match that has lost this many salvos in a row, with those that were passed over; 0 for never
    #[arg(long, value_name = "N", default_value_t = 100, hide_short_help = true)]
    pub(crate) forfeit_after: u32,

    /// Give a team without a connection this time of its salvo to come back, in seconds; only the built-in broker knows
    /// connections
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, hide_short_help = true)]
    pub(crate) grace_seconds: std::time::Duration,

    /// Show a result for this time before the lobby opens again, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, hide_short_help = true)]
    pub(crate) lobby_after: std::time::Duration,

    /// Begin as soon as this many teams have placed their ships, 2 to 16 [default: when the time to place is over]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    pub(crate) players: Option<u8>,

    /// Stop after this many matches, soon after the last result [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) matches: Option<u32>,

    /// End a match after this many rounds in a row without a sinking
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=i64::from(Settings::MOST_ROUNDS)))]
    #[arg(hide_short_help = true)]
    pub(crate) rounds_without_sinking: u32,

    /// Derive the randomness of the first match from this number [default: a new one]
    #[arg(short, long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    /// Keep the journal and the records in this folder; a restarted server continues from it
    #[arg(long, value_name = "FOLDER", default_value = "salvo")]
    pub(crate) dir: PathBuf,
}

/// The strategies of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StrategyArg {
    /// A built-in player.
    BuiltIn(BuiltIn),
    /// A person at the keyboard.
    Person,
}

fn strategy() -> impl TypedValueParser<Value = StrategyArg> {
    let names = PossibleValuesParser::new(BuiltIn::ALL.map(BuiltIn::name).into_iter().chain(["person"]));
    names.map(|name| BuiltIn::from_name(&name).map_or(StrategyArg::Person, StrategyArg::BuiltIn))
}

/// The arguments of `broadside salvo join`.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoJoinArgs {
    /// Join under this name of the team
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Let this player decide: a built-in player, or a person at the keyboard
    #[arg(long, value_name = "WHO", default_value = "hunter", value_parser = strategy())]
    pub(crate) with: StrategyArg,

    /// Ask to take part with this code, if the server wants one
    #[arg(long, value_name = "CODE", hide_short_help = true)]
    pub(crate) join_code: Option<String>,

    /// Connect to this broker, mqtt://HOST:PORT
    #[arg(long, value_name = "URL", default_value = "mqtt://127.0.0.1:1883")]
    pub(crate) broker: String,

    /// Use topics below /NAME, as the server does
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) topic_prefix: Option<String>,

    /// Derive the bot's decisions from this number [default: a new one]
    #[arg(short, long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,
}

/// The commands of an administrator.
#[derive(Debug, Subcommand)]
pub(crate) enum SalvoAdminCommand {
    /// Remove a team from the lobby, or from the match at its next salvo; it stays out until the next lobby
    Kick {
        /// Remove this team
        #[arg(value_name = "TEAM")]
        team: String,
    },
    /// Begin a match with the teams that have placed their ships
    Start,
    /// Open the lobby now, instead of showing the result any longer
    Open,
    /// End the match that is being played, without a winner
    End,
}

/// The arguments of `broadside salvo admin`.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoAdminArgs {
    /// Do this
    #[command(subcommand)]
    pub(crate) command: SalvoAdminCommand,

    /// Command the server with this folder
    #[arg(long, value_name = "FOLDER", default_value = "salvo", global = true)]
    pub(crate) dir: PathBuf,

    /// Connect to the broker at mqtt://HOST:PORT [default: as the server has it]
    #[arg(long, value_name = "URL", global = true, hide_short_help = true)]
    pub(crate) broker: Option<String>,

    /// Log in to another broker than the built-in one with this user name, and the password in the variable
    /// BROADSIDE_BROKER_PASSWORD
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    pub(crate) user: Option<String>,
}

/// The arguments of `broadside salvo acl`.
#[derive(Debug, clap::Args)]
pub(crate) struct SalvoAclArgs {
    /// Names of the teams, which are their user names
    #[arg(value_name = "TEAM")]
    pub(crate) teams: Vec<String>,

    /// Grant the server's rights to this user name
    #[arg(long, value_name = "NAME", default_value = "broadside", hide_short_help = true)]
    pub(crate) user: String,

    /// Use topics below /NAME, as the server does
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) topic_prefix: Option<String>,
}

fn live_address(text: &str) -> Result<SocketAddr, String> {
    let of_this_machine = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    of_this_machine
        .or_else(|_| text.parse())
        .map_err(|_| "expected a port, such as 8080, or an address and a port, such as 0.0.0.0:8080".to_owned())
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
    let bounded = seconds.filter(|time| !time.is_zero() && *time <= std::time::Duration::from_secs(86_400));
    bounded.ok_or_else(|| "expected a number of seconds, such as 30 or 0.5, more than 0 and at most 86400".to_owned())
}

const SERVE_HELP: &str = "\
Teams connect to the broker, with or without their name and secret as user name and password. They then ask to join with \
both, place their ships and fire in turn. docs/protocols/salvo.md describes all topics and messages, with examples. Messages \
are encrypted, the connection is not. The broker listens on this machine only, unless --listen names another address.

A salvo without a shot is lost. A team that loses two in a row is passed over until it sends a message or connects again; \
with another broker, it is tried again after 4, 10, 22, ... lost salvos. A team that loses 100 in a row is out. Of a team that fires \
some of its shots only, the server waits for the rest until two turns are used up; from then on it has a fifth of a turn for each \
shot, until it fires whole salvos. All this holds only while another team is there.

With --live, a page shows the lobby, and of a match what everyone may know: salvos, hits and sinkings, but no cells. So it \
can be on a screen that all teams see. The boards are uncovered when the match is over. On an address of the network \
everyone there can see the page.

FOLDER holds the journal salvo.jsonl, which contains the teams' secrets, admin.json for `broadside salvo admin`, and records/, which `broadside verify` and \
`broadside replay` read.

Examples:
  broadside salvo serve                       clients: mqtt://127.0.0.1:1883
  broadside salvo serve --listen 0.0.0.0:1883 --players 4
                                              for everyone in the network
  broadside salvo serve --live=8080           with a page, http://127.0.0.1:8080
  broadside salvo serve --listen 0.0.0.0:1883 --join-code kraken \\
    --teams-per-address 2                     strangers stay out
  BROADSIDE_BROKER_PASSWORD=... broadside salvo serve \\
    --broker mqtt://localhost:1883 --user broadside
                                              Mosquitto: broadside salvo acl
  broadside salvo serve --players 2 --matches 1 & \\
    broadside salvo join A & broadside salvo join B
                                              a match of two built-in bots

Exit status:
  1    the address is taken, the broker cannot be reached, or the disk failed
  2    wrong usage
  5    the journal or a record is damaged, or another server is running in the
       folder
  130  stopped by Ctrl-C or a signal; the same command continues the match";

const JOIN_HELP: &str = "\
The variable BROADSIDE_SALVO_SECRET holds the secret of the team; without it the program makes a new one. A client with the \
same name and secret rejoins a match after it lost its connection.

Examples:
  broadside salvo join Henkiebunch                a bot, this machine's broker
  broadside salvo join Henkiebunch --with person  you play; type help there
  BROADSIDE_SALVO_SECRET=... broadside salvo join Henkiebunch \\
    --broker mqtt://192.168.1.7 --join-code kraken

Exit status:
  0    the match was played to its end, whoever won
  1    the broker refuses the client, or could not be reached in 60 attempts,
       one a second
  2    wrong usage, or the server refuses the team
  130  stopped by Ctrl-C, or by Ctrl-D of a person";

const ADMIN_HELP: &str = "\
The server makes a new secret at each start and writes it to admin.json in its folder, which only its user can read. A copy of \
that file in a folder of another machine commands the server from there, with --broker.

Examples:
  broadside salvo admin start                 begin with the ready teams
  broadside salvo admin kick 'Deep Water' --dir evening
  BROADSIDE_BROKER_PASSWORD=... broadside salvo admin end \\
    --user '$admin'                           by Mosquitto: broadside salvo acl

Exit status:
  0    the server has done it
  1    the broker refuses the client, or no server answers within 10 s
  2    wrong usage, or the server refuses the command";

const ACL_HELP: &str = "\
Prints the access list for acl_file in mosquitto.conf to standard output, and the commands that create the users to standard \
error. Each team's user name is its name. Mosquitto needs `allow_anonymous true` only if people without a user name may watch.

Examples:
  broadside salvo acl Henkiebunch 'Deep Water' > acl
  mosquitto -c mosquitto.conf         listener 1883, acl_file acl,
                                      password_file passwords,
                                      set_tcp_nodelay true";
