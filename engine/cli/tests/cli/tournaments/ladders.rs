//! The ladder of a contest on a cluster: a real server, a real NATS server, and workers that are processes.

use super::cluster::{WorkerProcess, games};
use crate::arena::contest::{Entry, PLAYS};
use crate::nats_server::NatsServer;
use crate::serve::Running;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const CONTEST: &str = r#"
    name = "autumn"
    title = "Autumn"
    game = "entelect-2017"
    baselines = ["builtin:random"]
    games = 60
    [settings]
    size = "small"
"#;

#[test]
fn workers_play_the_games_of_a_ladder_and_get_versions_that_come_later() {
    let Some(broker) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (contest, arena, url) = (folder.path().join("autumn.toml"), folder.path().join("arena"), broker.url());
    fs::write(&contest, CONTEST).unwrap();
    let flags = ["--sandbox", "on", "--lost-after", "3", "--cluster", &url, "--contest", contest.to_str().unwrap()];
    let server = Running::start(&arena, &flags);
    let version = |number: u32| format!("{PLAYS}# version {number}\n");
    let mut ann = Entry::register(server.site, "Ann");
    ann.submit(&[("bot.sh", &version(1))]);
    ann.comes_back("Ann v1");
    // Nobody plays its games, and the ladder takes another one all the same.
    ann.submit(&[("bot.sh", &version(2))]);
    ann.comes_back("Ann v2");
    let worker = WorkerProcess::start(&url, folder.path(), "one");
    let first = ann.plays("Ann v2", 2);
    drop(worker);
    ann.submit(&[("bot.sh", &version(3))]);
    ann.comes_back("Ann v3");
    let _other = WorkerProcess::start(&url, folder.path(), "two");
    ann.plays("Ann v3", 2);

    // A version that cannot be sent is in nobody's way.
    let mut bob = Entry::register(server.site, "Bob");
    bob.submit(&[("bot.sh", PLAYS)]);
    bob.comes_back("Bob v1");
    fs::remove_dir_all(arena.join("contests/autumn/versions/2-1/bot")).unwrap();
    ann.submit(&[("bot.sh", &version(4))]);
    bob.is_parked("Bob v1");
    ann.plays("Ann v4", 1);

    let events = format!("/c/autumn/games/{}/events", first["id"].as_str().unwrap());
    assert_eq!(server.site.events_at(&events).one("over")["finished"], true);
    drop(server);
    let journal = games(&arena.join("contests/autumn"));
    let fixture = |game: &Value| format!("{} {} {}", game["first"], game["second"], game["number"]);
    assert_eq!(journal.iter().map(fixture).collect::<BTreeSet<_>>().len(), journal.len());
    // The baseline has the number 0.
    let machines = |version: u64| -> BTreeSet<&str> {
        let of_version = journal.iter().filter(|game| game["second"] == version || game["first"] == version);
        of_version.map(|game| game["machine"].as_str().unwrap()).collect()
    };
    assert_eq!((machines(2), machines(3)), (BTreeSet::from(["one"]), BTreeSet::from(["two"])));
}
