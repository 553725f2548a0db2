//! The command that runs a tournament server.

use super::cluster::OnClusterArgs;
use super::game::{moves, profile};
use super::values::milliseconds;
use clap::ArgAction;
use clap::builder::{NonEmptyStringValueParser, RangedU64ValueParser};
use players::http::AllowedHosts;
use rules::sea_battle::Profile;
use runner::SandboxLevel;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of `broadside serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Listen on this address and port; port 0 takes any free port. An address that others can reach needs a password for
    /// the administrator
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    pub(crate) listen: SocketAddr,

    /// Keep registrations, results and records in this folder; a restarted server continues from it
    #[arg(long, value_name = "FOLDER", default_value = "arena")]
    pub(crate) dir: PathBuf,

    /// Start tournaments at once, without the administrator
    #[arg(long)]
    pub(crate) start: bool,

    /// Ask teams for this code when they join
    #[arg(long, value_name = "CODE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) join_code: Option<String>,

    /// Hold a contest in which teams hand their bots in, and these play on a ladder (see docs/hosting.md). Repeat the flag for
    /// several; those that the folder has go on without it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) contest: Vec<PathBuf>,

    /// Take no bots without all of the sandbox (strict), or with what the kernel has of it (on)
    #[arg(long, value_name = "LEVEL", value_parser = sandbox, default_value = "strict", hide_short_help = true)]
    pub(crate) sandbox: SandboxLevel,

    /// Build and try this many bots that are handed in at the same time, at most one for each processor; other bots have less of the
    /// machine meanwhile
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=64))]
    #[arg(hide_short_help = true)]
    pub(crate) builds: usize,

    #[command(flatten)]
    pub(crate) on_cluster: OnClusterArgs,

    /// Play this many matches at the same time [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) parallel: Option<u32>,

    /// Pause this long between matches, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", value_parser = milliseconds, hide_short_help = true)]
    pub(crate) pause_match: Option<Duration>,

    /// Pause this long between tournaments, in milliseconds [default: 10000]
    #[arg(long, value_name = "MS", value_parser = milliseconds, hide_short_help = true)]
    pub(crate) pause_tournament: Option<Duration>,

    /// Play by the rules of text or public-server, the server of earlier events (see docs/protocols/sea-battle.md) [default:
    /// text]
    #[arg(long, value_name = "PROFILE", value_parser = profile, hide_short_help = true)]
    pub(crate) profile: Option<Profile>,

    /// End a match after this many moves of each bot, or at a named limit (older-107, older-200), and compare hits [default:
    /// 120, or 107 with --profile public-server]
    #[arg(long, value_name = "N", value_parser = moves)]
    pub(crate) max_moves: Option<u32>,

    /// Give a bot this time for an answer, in milliseconds [default: 2000, or 30000 with --profile public-server]
    #[arg(long, value_name = "MS", value_parser = milliseconds, hide_short_help = true)]
    pub(crate) limit: Option<Duration>,

    /// Give a bot this time for all its answers in a match, in milliseconds [default: 60000, or 900000 with --profile
    /// public-server]
    #[arg(long, value_name = "MS", value_parser = milliseconds, hide_short_help = true)]
    pub(crate) budget: Option<Duration>,

    /// Show each move on the big screen for this time, in milliseconds; matches do not wait for the screen [default: 300]
    #[arg(long, value_name = "MS", value_parser = milliseconds, hide_short_help = true)]
    pub(crate) pace: Option<Duration>,

    /// Show the ships to everyone during a match: yes or no. With yes, a bot can look up where to fire [default: no]
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no, action = ArgAction::Set, hide_short_help = true)]
    pub(crate) reveal_fleets: Option<bool>,

    /// Let everyone play against the house bot in the browser, at /play: yes or no [default: no]
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no, action = ArgAction::Set)]
    pub(crate) play: Option<bool>,

    /// Call bots on these hosts only: private (this machine and private networks), any, or a comma-separated list of
    /// private, names, addresses and networks. Metadata addresses of clouds are never called
    #[arg(long, value_name = "HOSTS", default_value = "private", hide_short_help = true)]
    pub(crate) allow_hosts: AllowedHosts,

    /// Allow one address this many open connections, of 1024 for all; three quarters may be event streams. Use 1024 behind a
    /// reverse proxy, whose address all clients have
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = RangedU64ValueParser::<usize>::new().range(4..=1024))]
    #[arg(hide_short_help = true)]
    pub(crate) connections_per_address: usize,

    /// Answer to this name as well while listening on a loopback address: that of a reverse proxy or tunnel in front of the
    /// server. Repeat the flag for several names
    #[arg(long, value_name = "NAME", value_parser = host_name, hide_short_help = true)]
    pub(crate) public_host: Vec<String>,

    /// Let every team test bots on these hosts, in the form of --allow-hosts, which must allow them as well. A team can
    /// always test a bot on its own machine
    #[arg(long, value_name = "HOSTS", hide_short_help = true)]
    pub(crate) test_hosts: Option<AllowedHosts>,
}

fn sandbox(text: &str) -> Result<SandboxLevel, String> {
    match text {
        "on" => Ok(SandboxLevel::On),
        "strict" => Ok(SandboxLevel::Strict),
        _ => Err("expected strict or on: bots of strangers do not run without a sandbox".to_owned()),
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".to_owned()),
    }
}

pub(super) const SERVE_HELP: &str = "\
Teams register their bots in the lobby and set the URL at which the server calls each bot (Sea Battle over HTTP). All bots \
with a URL play each other once in random order, and then again, without end. /view shows the matches, /admin starts and \
pauses them. Settings on the command line replace the settings that were set last.

The variable BROADSIDE_ADMIN_PASSWORD holds the administrator's password. Without it, a server for this machine makes a \
password and prints it. FOLDER holds the journal arena.jsonl, from which everything else can be rebuilt, the database \
arena.sqlite for look-ups, and records/, which `broadside verify` and `broadside replay` read.

Examples:
  broadside serve                              here: http://127.0.0.1:3000/
  broadside serve --start --pause-match 0      start at once, without pauses
  broadside serve --contest autumn.toml        with a contest of bots that are
                                               handed in, at /c/NAME
  BROADSIDE_ADMIN_PASSWORD=... broadside serve --listen 0.0.0.0:3000 --dir event
                                               for everyone in the network
  broadside serve --allow-hosts private,my-bot.azurewebsites.net
                                               with one bot on another host
  broadside serve --test-hosts 192.168.0.0/24
                                               with teams whose bots
                                               and browsers are on two machines
  curl -H 'X-Admin-Password: ...' -X POST \\
    http://127.0.0.1:3000/api/admin/tournament/start
                                               start without the page

Exit status:
  1    the address is taken, or the disk failed
  2    wrong usage, settings out of range, or no password for an address that
       others can reach
  5    the journal is damaged, or another server is running in the folder
  130  stopped by Ctrl-C or a signal; only matches in progress are lost";

/// A name of a host as a browser sends it, without its port.
fn host_name(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && !text.contains(['/', ':', '@', '?', '#']) && !text.contains(char::is_whitespace);
    if is_name { Ok(text.to_owned()) } else { Err("give the name of the host only, such as arena.example".to_owned()) }
}
