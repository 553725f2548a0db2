//! `broadside salvo admin`.

use super::server::{ClientProcess, ServerProcess};
use crate::table::broadside;
use predicates::str::contains;

#[test]
fn the_administrator_begins_and_ends_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start(folder.path(), &["--listen", "127.0.0.1:0", "--join-code", "kraken"]);
    let admin = |arguments: &[&str]| {
        broadside().args(["salvo", "admin"]).args(arguments).arg("--dir").arg(folder.path()).assert()
    };
    admin(&["start"]).code(2).stderr(contains("a match needs two teams that have placed their ships; there are 0"));
    let url = server.url();
    let mut stranger = broadside();
    stranger.args(["salvo", "join", "Stranger", "--broker", &url]);
    stranger.assert().code(2).stderr(contains("the join code is missing or wrong"));
    let _clients = ["A", "B", "C"].map(|name| ClientProcess::ours(name, &url, &["--join-code", "kraken"]));
    (0..3).for_each(|_| drop(server.says("has placed all ships")));
    admin(&["kick", "c"]).success().stdout("C is removed, and kept out until the next lobby\n");
    server.says("C is out: the administrator has removed you");
    admin(&["start"]).success().stdout("a match of 2 teams begins\n");
    server.says("The match begins: ");
}

#[test]
fn nobody_commands_a_server_without_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut admin = broadside();
    admin.args(["salvo", "admin", "end", "--dir"]).arg(folder.path());
    admin.assert().code(2).stderr(contains("admin.json")).stderr(contains("--dir"));
}
