//! The configuration that another broker needs: an access list of Mosquitto, derived from the [`Readers`] of each topic, and the
//! commands that make its users.

use crate::admin::{ADMIN_USER, answer_topic, command_topic};
use rules::salvo::{Readers, Topics};

/// An `acl_file` of Mosquitto: `server` is the user name of the server, teams come with their name as user name.
pub fn access_list(topics: &Topics, server: &str) -> String {
    let [mut public, private, to_server] =
        [Readers::Everyone, Readers::Player("%u"), Readers::Server].map(|readers| topics.filters(readers));
    // The other names of topics come last, the shorter one first.
    let other_names = topics.below_root("/player/");
    public.sort_by_key(|filter| if filter.starts_with(&other_names) { filter.len() } else { 0 });
    let rules = |rule: &str, filters: &[String]| -> String {
        filters.iter().map(|filter| format!("{rule} {filter}\n")).collect()
    };
    [
        "# Salvo: who may read and write what. For acl_file in mosquitto.conf.\n",
        "\n# Everyone, also without a user name\n",
        &rules("topic read", &public),
        &rules("topic write", &to_server),
        "\n# Each player by its user name\n",
        &rules("pattern read", &private),
        &rules("pattern read", &public),
        &rules("pattern write", &to_server),
        &format!(
            "\n# The administrator\nuser {ADMIN_USER}\ntopic write {}\ntopic read {}\n",
            command_topic(topics),
            answer_topic(topics)
        ),
        &format!("\n# The server\nuser {server}\ntopic readwrite {}\n", topics.below_root("/#")),
    ]
    .concat()
}

/// The commands that create a password file with these users; each command asks for a password.
pub fn password_commands(server: &str, teams: &[String]) -> String {
    let quoted = |name: &str| format!("'{}'", name.replace('\'', r"'\''"));
    let of_teams = teams.iter().map(|team| format!("mosquitto_passwd passwords {}\n", quoted(team)));
    let of_server = [("-c ", server), ("", ADMIN_USER)];
    let of_server =
        of_server.into_iter().map(|(flag, user)| format!("mosquitto_passwd {flag}passwords {}\n", quoted(user)));
    of_server.chain(of_teams).collect()
}
