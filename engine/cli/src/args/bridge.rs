//! The command that serves a bot in a folder over HTTP.

use super::bots::ProgramArgs;
use super::game::GameArgs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// The arguments of `broadside bridge`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("game", |arg| arg.default_value("sea-battle").hide_default_value(false).help(GAME)))]
#[command(mut_arg("calibration", |arg| arg.hide(true)), mut_arg("warm", |arg| arg.hide(true)))]
#[command(mut_arg("notes", |arg| arg.hide(true)))]
pub(crate) struct BridgeArgs {
    /// Folder of the bot
    pub(crate) bot: PathBuf,

    /// Listen on this address and port; :4000 listens on all addresses of this machine, and port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4000", value_parser = address)]
    pub(crate) listen: SocketAddr,

    /// Build the bot first, even if it is built already
    #[arg(id = "forceRebuild", short, long, alias = "force-rebuild", hide_short_help = true)]
    pub(crate) force_rebuild: bool,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    #[command(flatten)]
    pub(crate) game: GameArgs,
}

const GAME: &str = "Serve a bot of this game: battleship, sea-battle or bots-arena";

pub(super) const BRIDGE_HELP: &str = "\
Starts a process of the bot for each match, which match names in Battleship, gameId in Sea Battle, and game-id with player-index in botsArena, \
and ends it when the match is not heard of for 5 minutes. Of more than 64 matches the oldest is ended. Requests have to be in \
JSON. Standard error has a line for the beginning and the end of each match, and for each answer that is missing.

Examples:
  broadside new sea-battle-python my-bot
  broadside bridge my-bot
  broadside play --game sea-battle http://127.0.0.1:4000 builtin:random
  broadside bridge my-bot --listen :4000

Exit status:
  130  ended by Ctrl-C or a signal
  others as for matches: broadside --help";

/// An address with a port; without an address, all addresses of this machine.
fn address(text: &str) -> Result<SocketAddr, String> {
    let any = |port: &str| Some(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port.parse().ok()?)));
    let found = text.strip_prefix(':').and_then(any).or_else(|| text.parse().ok());
    found.ok_or_else(|| "expected an address and a port, as in 127.0.0.1:4000, or a port, as in :4000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_port_alone_is_that_of_all_addresses() {
        let read = |text: &str| address(text).map(|address| address.to_string()).unwrap_or_default();
        assert_eq!([":4000", "127.0.0.1:0", "[::1]:9"].map(read), ["0.0.0.0:4000", "127.0.0.1:0", "[::1]:9"]);
        assert_eq!(["4000", "localhost:4000", ":", ":x"].map(read), [""; 4]);
    }
}
