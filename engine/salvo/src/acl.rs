//! What another broker has to be told so that private topics are private: an access list of Mosquitto, and the commands that
//! make its users.

use crate::access::OF_ONE_PLAYER;
use rules::salvo::Topics;
use std::fmt::Write;

/// What everyone may read.
const PUBLIC: [&str; 10] = [
    "/game/state",
    "/game/current",
    "/game/hits",
    "/game/winner",
    "/game/refused",
    "/game/stats/+",
    "/players/count",
    "/players/list",
    "/players/+/ships/+/approved",
    "/players/+/ships/+/sunk",
];
/// What everyone may read as well, under the other name of players.
const PUBLIC_PLAYERS: [&str; 3] = ["/players/+/defeated", "/player/+/defeated", "/player/+/ships/+/sunk"];
/// What everyone may write: it proves by itself whose it is.
const TO_SERVER: [&str; 4] =
    ["/game/request_participation", "/game/request", "/players/+/ships/+/place", "/players/+/fire"];

/// The filters of all that everyone may read.
pub(crate) fn public() -> impl Iterator<Item = &'static str> {
    PUBLIC.into_iter().chain(PUBLIC_PLAYERS)
}

/// An `acl_file` of Mosquitto: `server` is the user name of the server, teams come with their name as user name.
pub fn access_list(topics: &Topics, server: &str) -> String {
    let mut list = String::from("# Salvo: who may read and write what. For acl_file in mosquitto.conf.\n");
    let mut rules = |what: &str, paths: &[&str]| {
        for path in paths {
            let _ = writeln!(list, "{what} {}", topics.below_root(path));
        }
    };
    rules("\n# Everyone, also without a user name\ntopic read", &PUBLIC[..1]);
    rules("topic read", &PUBLIC[1..]);
    rules("topic read", &PUBLIC_PLAYERS);
    rules("topic write", &TO_SERVER);
    rules("\n# Each player by its user name\npattern read", &OF_ONE_PLAYER[..1]);
    rules("pattern read", &OF_ONE_PLAYER[1..]);
    for path in public() {
        let _ = writeln!(list, "pattern read {}", topics.below_root(path));
    }
    for path in TO_SERVER {
        let _ = writeln!(list, "pattern write {}", topics.below_root(path));
    }
    let _ = writeln!(list, "\n# The server\nuser {server}\ntopic readwrite {}", topics.below_root("/#"));
    list
}

/// The commands that make the users of these names in a password file, each of which asks for the password.
pub fn password_commands(server: &str, teams: &[String]) -> String {
    let quoted = |name: &str| format!("'{}'", name.replace('\'', r"'\''"));
    let mut commands = format!("mosquitto_passwd -c passwords {}\n", quoted(server));
    for team in teams {
        let _ = writeln!(commands, "mosquitto_passwd passwords {}", quoted(team));
    }
    commands
}
