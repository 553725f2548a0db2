//! The command that runs a tournament server.

use super::values::milliseconds;
use clap::ArgAction;
use players::http::AllowedHosts;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How a tournament server is run.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on; port 0 takes any that is free. An address that others can reach needs a password
    /// for the administrator
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    pub(crate) listen: SocketAddr,

    /// Folder for registrations, results and records; a server that is started again goes on where it was
    #[arg(long, value_name = "FOLDER", default_value = "arena")]
    pub(crate) dir: PathBuf,

    /// Begin with tournaments at once, without an administrator starting them
    #[arg(long)]
    pub(crate) start: bool,

    /// Matches at the same time [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) parallel: Option<u32>,

    /// Time from the end of a match to the next one, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) pause_match: Option<Duration>,

    /// Time from the end of a tournament to the next one, in milliseconds [default: 10000]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) pause_tournament: Option<Duration>,

    /// Moves of a match, of both bots together; then hits are compared [default: 120]
    #[arg(long, value_name = "N")]
    pub(crate) max_moves: Option<u32>,

    /// Time that a bot has for an answer, in milliseconds [default: 2000]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) limit: Option<Duration>,

    /// Time that the big screen shows a move, in milliseconds; matches do not wait for it [default: 300]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) pace: Option<Duration>,

    /// Show everyone where ships lie while a match is played: yes or no. Bots could look it up, too [default: no]
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no, action = ArgAction::Set)]
    pub(crate) reveal_fleets: Option<bool>,

    /// Where bots may be: private (this machine and private networks), any, or a list of private, names, addresses and
    /// networks, with commas between them. The addresses of clouds' metadata are never called
    #[arg(long, value_name = "HOSTS", default_value = "private")]
    pub(crate) allow_hosts: AllowedHosts,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("it is yes or no".to_owned()),
    }
}

pub(super) const SERVE_HELP: &str = "\
Teams register their bots in the lobby and set the URL under which each one is called (Sea Battle over HTTP). All bots with a \
URL play each other once, in random order, and then again, without end. /view shows the matches, /admin starts and pauses. \
Settings of the command line count from now on; without them those that were set last do.

The password of the administrator is in the variable BROADSIDE_ADMIN_PASSWORD. Without it, a server for this machine makes \
one up and tells it. FOLDER has the journal arena.jsonl, from which everything else can be made again, the database \
arena.sqlite for look-ups, and records/, which `broadside verify` and `broadside replay` read.

Examples:
  broadside serve                              on this machine: http://127.0.0.1:3000/
  broadside serve --start --pause-match 0      play at once, and without pauses
  BROADSIDE_ADMIN_PASSWORD=... broadside serve --listen 0.0.0.0:3000 --dir event
                                               for everyone in the network
  broadside serve --allow-hosts private,my-bot.azurewebsites.net
                                               one bot is somewhere else
  curl -H 'X-Admin-Password: ...' -X POST http://127.0.0.1:3000/api/admin/tournament/start
                                               begin without the page for it

Exit status:
  1    the address is taken, or the disk failed
  2    wrong usage, settings out of their bounds, or no password for an address that
       others can reach
  5    the journal is damaged, or another server is at work in the folder
  130  stopped by Ctrl-C or a signal; nothing is lost but matches that were being
       played";
