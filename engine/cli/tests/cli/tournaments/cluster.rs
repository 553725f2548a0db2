//! Tournaments on a cluster: a real NATS server, and heads and workers that are processes.

use crate::nats_server::NatsServer;
use crate::table::{bots_left, broadside, signalled};
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use tempfile::TempDir;

/// The key of the heads of these tests.
fn head_key() -> String {
    let told = broadside().args(["cluster", "key"]).assert().success();
    String::from_utf8(told.get_output().stdout.clone()).unwrap().trim().to_owned()
}

/// A worker, which is killed when this is dropped.
pub(crate) struct WorkerProcess {
    process: Child,
    said: Lines<BufReader<ChildStderr>>,
}

impl WorkerProcess {
    pub(crate) fn start(url: &str, folder: &Path, name: &str) -> WorkerProcess {
        WorkerProcess::start_with(&[url, "--labels", name], folder, name)
    }

    /// Starts one with these arguments besides.
    fn start_with(arguments: &[&str], folder: &Path, name: &str) -> WorkerProcess {
        let mut worker = WorkerProcess::spawn(arguments, folder, name);
        worker.says("Labels: ");
        worker
    }

    /// The same without waiting until it is ready.
    fn spawn(arguments: &[&str], folder: &Path, name: &str) -> WorkerProcess {
        WorkerProcess::by(signalled(), arguments, folder, name)
    }

    /// The same by this command, whose last argument is the program.
    pub(crate) fn by(mut command: Command, arguments: &[&str], folder: &Path, name: &str) -> WorkerProcess {
        command.env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS").arg("worker").args(arguments);
        command.args(["-j", "2", "--name", name, "--head", &head_key(), "--cache"]).arg(folder.join("cache"));
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stderr.take().unwrap()).lines();
        WorkerProcess { process, said }
    }

    /// Waits for a line with these words.
    pub(crate) fn says(&mut self, words: &str) -> String {
        let line = self.said.by_ref().map(Result::unwrap).find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("it has ended without a word of {words}"))
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The lines of games in the journal of a tournament.
pub(crate) fn games(folder: &Path) -> Vec<Value> {
    let journal = fs::read_to_string(folder.join("games.jsonl")).unwrap_or_default();
    let lines = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["line"] == "game").collect()
}

/// The number of games in the journal of a tournament.
fn count_games(folder: &Path) -> usize {
    let journal = fs::read(folder.join("games.jsonl")).unwrap_or_default();
    journal.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"line\":\"game\"")).count()
}

/// The results of all games, without times and machines, with the number of lines of each.
fn results(folder: &Path) -> BTreeMap<String, u32> {
    let mut results = BTreeMap::new();
    for game in games(folder) {
        let result =
            format!("{} {} {} {} {}", game["first"], game["second"], game["number"], game["seed"], game["outcome"]);
        *results.entry(result).or_default() += 1;
    }
    results
}

/// The command line of a tournament of built-in players with this many games.
fn tournament(folder: &TempDir, games: usize, name: &str, more: &[&str]) -> Command {
    let mut command = signalled();
    command.current_dir(folder.path()).args(["tournament", "--seed", "5", "--dir", name]);
    command.args(["--games", &(games / 3).to_string()]);
    command.args(["-b", "builtin:hunter", "builtin:random", "other=builtin:random"]).args(more);
    command
}

/// The numbers of workers, games and kills, and the seed of the moments. By default a small run; `BROADSIDE_KILLS=8,1998,20,3`
/// asks for another.
fn wanted_kills() -> [usize; 4] {
    let wanted = std::env::var("BROADSIDE_KILLS").unwrap_or_else(|_| "2,1200,8,1".to_owned());
    let numbers: Vec<usize> = wanted.split(',').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn every_game_counts_once_whoever_is_killed_meanwhile() {
    let Some(mut server) = NatsServer::start() else { return };
    let [workers, all, kills, seed] = wanted_kills();
    let folder = tempfile::tempdir().unwrap();
    assert!(tournament(&folder, all, "threads", &[]).output().unwrap().status.success());
    let expected = results(&folder.path().join("threads"));
    assert_eq!(expected.len(), all);

    let url = server.url();
    let head = || {
        let mut command = tournament(&folder, all, "cluster", &["--cluster", &url, "--lost-after", "3"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let worker = |number: usize| WorkerProcess::start(&url, folder.path(), &format!("worker-{number}"));
    let mut workers: Vec<_> = (0..workers).map(worker).collect();
    let mut running = head();
    let journal = folder.path().join("cluster");
    let wait_for_games = |running: &mut Child, games: usize| {
        while count_games(&journal) < games && running.try_wait().unwrap().is_none() {
            test_tools::pause();
        }
    };
    // Moments and victims are drawn, but all kinds of death have their turn.
    let mut state = seed as u64;
    let mut drawn = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut died = 0;
    for kill in 0..kills {
        let before = count_games(&journal);
        wait_for_games(&mut running, before + 1 + drawn((all / kills / 6).max(1)));
        if running.try_wait().unwrap().is_some() {
            break;
        }
        died += 1;
        let victim = drawn(workers.len());
        match kill % 4 {
            0 => {
                // Games go on while the next one starts, which takes as long as some hundred of them.
                workers[victim].signal(Signal::KILL);
                let name = format!("worker-{}", workers.len() + kill);
                workers[victim] = WorkerProcess::spawn(&[&url], folder.path(), &name);
            }
            1 => {
                running.kill().unwrap();
                running.wait().unwrap();
                running = head();
                // A head that begins needs the server.
                let before = count_games(&journal);
                wait_for_games(&mut running, before + 1);
            }
            2 => server.restart(),
            // It falls silent, and wakes up when others have played its games.
            _ => {
                workers[victim].signal(Signal::STOP);
                let others = if workers.len() > 1 { 10 } else { 0 };
                let before = count_games(&journal);
                wait_for_games(&mut running, before + others);
                workers[victim].signal(Signal::CONT);
            }
        }
    }
    assert!(died >= kills.min(4), "the tournament was over after {died} of {kills} kills");
    eprintln!("{died} of {kills} kills");
    let ended = running.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(results(&journal), expected);
    assert!(results(&journal).values().all(|lines| *lines == 1));
    let standings = |name: &str| {
        let told = broadside().current_dir(folder.path()).args(["standings", name]).output().unwrap();
        String::from_utf8(told.stdout).unwrap()
    };
    assert_eq!(standings("cluster"), standings("threads"));
}

#[test]
fn a_file_of_rules_is_played_on_a_worker_as_on_threads() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"
        shots = "ships-afloat"
        fleet = [{ name = "bent", count = 2, shape = ['##.', '.##'] }, { name = "boat", size = 2 }]
        specials = [{ name = "radar", kind = "radar", area = ['###', '###', '###'] }]
    "#;
    fs::write(folder.path().join("club.toml"), rules).unwrap();
    let by_rules = ["--rules", "club.toml", "--cluster", &server.url()];
    assert!(tournament(&folder, 60, "threads", &by_rules[..2]).output().unwrap().status.success());
    let _worker = WorkerProcess::start(&server.url(), folder.path(), "one");
    let ended = tournament(&folder, 60, "cluster", &by_rules).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let [threads, cluster] = ["threads", "cluster"].map(|name| results(&folder.path().join(name)));
    assert_eq!((threads.len(), &cluster), (60, &threads));
    assert!(games(&folder.path().join("cluster")).iter().all(|game| game["machine"] == "one"));
}

#[test]
fn bots_play_on_workers_that_have_what_they_need() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let url = server.url();
    let [mut one, two] = ["one", "two"].map(|name| WorkerProcess::start(&url, folder.path(), name));
    let mut command = broadside();
    command.current_dir(folder.path()).args([
        "tournament",
        "--games",
        "4",
        "--dir",
        "t",
        "--size",
        "1",
        "--keep",
        "all",
    ]);
    command.args(["--calibration", "20000", "--cluster", &url, "--require", "two", "-b"]);
    command.args(bots.each_ref().map(BotFolder::path)).assert().success().stderr(contains("1 worker can play"));
    let played = games(&folder.path().join("t"));
    assert_eq!(played.len(), 4);
    for game in played {
        assert_eq!(game["machine"], "two");
        let record = folder.path().join("t").join(game["record"].as_str().unwrap());
        broadside().arg("verify").arg(record).assert().success();
    }
    let told = broadside().args(["cluster", &url, "--json"]).assert().success();
    let told: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    assert_eq!(told["workers"][1]["name"], "two");
    assert_eq!(told["workers"][1]["games"], 4);
    broadside().args(["cluster", &url]).assert().success().stdout(contains("worker  games/s").and(contains("two ")));

    // One is asked from outside to end, the other by a signal.
    broadside().args(["cluster", "drain", &url, "one"]).assert().success();
    one.says("Stopped after 0 games");
    assert_eq!(one.process.wait().unwrap().code(), Some(0));
    let mut two = two;
    two.signal(Signal::TERM);
    two.says("Stopped after 4 games");
    assert_eq!(two.process.wait().unwrap().code(), Some(0));
    assert_eq!(bots_left(two.process.id()), Vec::<String>::new());
}

/// The command line of a tournament between two bots that play on workers with these flags.
fn on_workers(folder: &Path, games: &str, bots: &[BotFolder; 2], more: &[&str]) -> Command {
    let mut command = signalled();
    command.env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS").current_dir(folder);
    command.args(["tournament", "--games", games, "--dir", "t", "--size", "1", "--calibration", "20000"]);
    command.args(more).arg("-b").args(bots.each_ref().map(BotFolder::path));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

#[test]
fn workers_that_are_drained_while_they_play_finish_their_jobs() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let (url, journal) = (server.url(), folder.path().join("t"));
    let start = |name: &str| WorkerProcess::start(&url, folder.path(), name);
    let head = on_workers(folder.path(), "40", &bots, &["--cluster", &url]).spawn().unwrap();
    let wait_for_games = |games: usize| {
        while count_games(&journal) < games {
            test_tools::pause();
        }
    };
    for (games, is_asked) in [(1, false), (12, true)] {
        let mut worker = start(if is_asked { "asked" } else { "signalled" });
        wait_for_games(games);
        if is_asked {
            broadside().args(["cluster", "drain", &url, "asked"]).assert().success();
        } else {
            worker.signal(Signal::TERM);
        }
        let told = worker.says("Stopped after ");
        assert!(!told.contains("after 0 games"), "{told}");
        assert_eq!(worker.process.wait().unwrap().code(), Some(0));
        assert_eq!(bots_left(worker.process.id()), Vec::<String>::new());
    }
    let _last = start("last");
    let ended = head.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    let results = results(&journal);
    assert!(results.len() == 40 && results.values().all(|lines| *lines == 1), "{results:?}");
}

#[test]
fn settings_name_the_server_and_labels_may_be_long() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("broadside.toml");
    fs::write(&settings, format!("[cluster]\nserver = '{}'\n", server.url())).unwrap();
    let (bots, settings) =
        ([BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)], settings.to_str().unwrap());
    let [one, two, three] = ["ONE", "two", "three"].map(|name| format!("{name} {}", "of the long labels ".repeat(4)));
    let labels = [one.as_str(), &two, &three].join(",");
    let arguments = ["--settings", settings, "--labels", &labels];
    let mut worker = WorkerProcess::start_with(&arguments, folder.path(), "long");
    let _poor = WorkerProcess::start_with(&["--settings", settings, "--labels", &one], folder.path(), "poor");
    let required = labels.to_lowercase();
    let head = on_workers(folder.path(), "2", &bots, &["--cluster", "--settings", settings, "--require", &required]);
    let ended = { head }.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(games(&folder.path().join("t")).iter().all(|game| game["machine"] == "long"));

    let asked = |arguments: &[&str]| broadside().env("BROADSIDE_SETTINGS", settings).args(arguments).assert();
    asked(&["cluster"]).success().stdout(contains("long").and(contains("poor")));
    asked(&["cluster", "drain", "lung"]).code(1).stderr(contains("there is no worker lung: there are long, poor"));
    asked(&["cluster", "drain", "long"]).success();
    worker.says("Stopped after 2 games");
}

#[test]
fn two_versions_of_a_bot_are_compared_on_a_cluster() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let _worker = WorkerProcess::start(&server.url(), folder.path(), "one");
    let mut command = broadside();
    command.current_dir(folder.path()).arg("compare").args(bots.each_ref().map(BotFolder::path));
    command.args(["-s", "1", "-g", "4", "--dir", "t", "--calibration", "20000", "--cluster", &server.url()]);
    command.assert().stderr(contains("1 worker can play"));
    let played = games(&folder.path().join("t"));
    assert!(played.len() == 4 && played.iter().all(|game| game["machine"] == "one"), "{played:?}");
}

#[test]
fn a_worker_that_can_open_no_more_files_leaves_its_games_to_others() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let url = server.url();
    let mut bad = WorkerProcess::start(&url, folder.path(), "bad");
    let mut command = signalled();
    command.current_dir(folder.path()).args(["tournament", "--games", "40", "--dir", "t", "--size", "1"]);
    command.args(["--calibration", "20000", "--cluster", &url, "-b"]).args(bots.each_ref().map(BotFolder::path));
    let head = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while count_games(&journal) == 0 {
        test_tools::pause();
    }
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    prlimit(Some(Pid::from_child(&bad.process)), Resource::Nofile, none).unwrap();
    bad.says("Fault: ");
    let _good = WorkerProcess::start(&url, folder.path(), "good");
    let ended = head.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    assert!(said.contains("The worker bad could not play games, which wait for another"), "{said}");
    let results = results(&journal);
    assert!(results.len() == 40 && results.values().all(|lines| *lines == 1), "{results:?}");
}

#[test]
fn the_configuration_that_is_printed_gives_heads_and_workers_the_rights_that_they_need() {
    let told = broadside().args(["cluster", "config"]).assert().success();
    let configuration = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    let Some(server) = NatsServer::configured(&configuration) else { return };
    let folder = tempfile::tempdir().unwrap();
    let login = |name: &str| {
        let (_, after) = configuration.split_once(&format!("user: \"{name}\", password: \"")).unwrap();
        server.url_for(&format!("{name}:{}@", after.split_once('"').unwrap().0))
    };
    let _worker = WorkerProcess::start(&login("worker"), folder.path(), "one");
    let head = login("head");
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let mut command = broadside();
    command.current_dir(folder.path()).args([
        "tournament",
        "--games",
        "2",
        "--dir",
        "t",
        "--size",
        "1",
        "--keep",
        "all",
    ]);
    command.args(["--calibration", "20000", "--cluster", &head, "-b"]).args(bots.each_ref().map(BotFolder::path));
    command.assert().success();
    assert!(games(&folder.path().join("t")).iter().all(|game| game["record"].is_string()));
    broadside().args(["cluster", &head]).assert().success().stdout(contains("one"));
    let wrong = server.url_for("head:wrong-secret@");
    let refused =
        broadside().args(["cluster", &wrong]).assert().code(1).stderr(contains("check the name and password"));
    refused.stderr(contains("wrong-secret").not());
}

#[test]
fn games_are_audited_and_those_of_one_worker_are_left_out_or_played_again() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (url, journal) = (server.url(), folder.path().join("t"));
    let play = |folder: &TempDir, audit: &str| {
        let ended = tournament(folder, 120, "t", &["--cluster", &url, "--audit", audit]).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.success(), "{said}");
        said
    };
    let machine = |name: &str| games(&journal).iter().filter(|game| game["machine"] == name).count();
    // Each of two workers has games that the other has checked.
    let worker = |name: &str| {
        let cache = folder.path().join(name);
        fs::create_dir(&cache).unwrap();
        WorkerProcess::start(&url, &cache, name)
    };
    let [_one, two] = ["one", "two"].map(worker);
    let said = play(&folder, "100%");
    assert!(said.contains("games were played by two workers or more: no result differed"), "{said}");
    drop(two);
    let (expected, [of_one, of_two]) = (results(&journal), ["one", "two"].map(machine));
    assert_eq!(of_one + of_two, 120);
    let [(gone, of_gone), (_, left)] =
        if of_two > 0 { [("two", of_two), ("one", of_one)] } else { [("one", of_one), ("two", of_two)] };

    let standings = |more: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(["standings", "t", "--format", "json"]).args(more);
        command.assert()
    };
    let told = standings(&["--without-machine", gone]).success();
    let told: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    let rows = told["standings"].as_array().unwrap();
    let of_all: u64 = rows
        .iter()
        .map(|row| ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap()).iter().sum::<u64>())
        .sum();
    assert_eq!(of_all, 2 * left as u64, "{told}");
    standings(&["--without-machine", "three"]).code(2).stderr(contains("its machines are "));

    let forget = |name: &str| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(["cluster", "forget", name, "t"]);
        command.assert()
    };
    forget("three").code(1).stderr(contains("its workers are "));
    forget(gone).success().stderr(contains(format!("{of_gone} games of {gone} removed")));
    assert_eq!((count_games(&journal), machine(gone)), (left, 0));
    play(&folder, "0");
    assert_eq!((results(&journal), count_games(&journal)), (expected, 120));
}

#[test]
fn only_results_of_workers_whose_keys_are_listed_count() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let url = server.url();
    let mut worker = WorkerProcess::spawn(&[&url], folder.path(), "one");
    let key = worker.says("Key: ").trim_start_matches("Key: ").to_owned();
    worker.says("Labels: ");
    let play = |key: &str| {
        let mut command = tournament(&folder, 12, "t", &["--cluster", &url, "--worker-keys", key]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut refused = play(&head_key());
    let mut said = BufReader::new(refused.stderr.take().unwrap()).lines().map(Result::unwrap);
    let words = format!("The worker one gets no games: --worker-keys does not list its key {key}");
    assert!(said.any(|line| line.contains(&words)));
    worker.says(&format!("--worker-keys does not list the key {key}"));
    kill_process(Pid::from_child(&refused), Signal::INT).unwrap();
    assert_eq!((refused.wait().unwrap().code(), count_games(&folder.path().join("t"))), (Some(130), 0));
    let played = play(&key).wait_with_output().unwrap();
    assert!(played.status.success() && count_games(&folder.path().join("t")) == 12);
}

#[test]
fn bots_of_games_over_http_play_on_workers_if_they_have_folders() {
    let Some(server) = NatsServer::start() else { return };
    if test_tools::required("python3").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let url = server.url();
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, format!("[cluster]\nserver = '{url}'\n")).unwrap();
    let _worker = WorkerProcess::start(&url, folder.path(), "one");
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/sea-battle-python");
    let played = |name: &str, more: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(["tournament", "--game", "sea-battle", "--games", "2", "--dir", name]);
        command.args(["--seed", "3", "--limit", "60000", "-b"]).arg(&bot).arg("builtin:random").args(more);
        command.assert().success();
        results(&folder.path().join(name))
    };
    let on_cluster = played("cluster", &["--cluster", "--settings", settings.to_str().unwrap()]);
    assert_eq!(on_cluster, played("threads", &[]));
    assert!(games(&folder.path().join("cluster")).iter().all(|game| game["machine"] == "one"));

    let mut command = broadside();
    command.current_dir(folder.path()).args(["tournament", "--game", "sea-battle", "--games", "2", "--dir", "urls"]);
    command.args(["--cluster", &url, "-b", "http://127.0.0.1:9", "builtin:random"]);
    command.assert().failure().stderr(contains("a cluster plays bots in folders"));
}

#[test]
fn what_cannot_be_is_told() {
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let players = ["builtin:hunter", "builtin:random"];
        let folder = tempfile::tempdir().unwrap();
        let mut command = broadside();
        command.current_dir(folder.path()).args(["tournament", "--games", "2", "--dir", "t"]).args(arguments);
        command.arg("-b").args(players).assert().code(code).stderr(contains(words));
    };
    refused(&["--cluster", "http://host"], 2, "is not the address of a NATS server");
    refused(&["--cluster", "nats://127.0.0.1:1"], 1, "start one there with `nats-server`");
    refused(&["--cluster", "nats://127.0.0.1:1", "--sandbox", "off"], 2, "in the strict sandbox only");
    refused(&["--require", "fast"], 2, "--cluster");
    // The rights of another use of the server.
    let poor =
        "authorization: { users: [ { user: u, password: p, permissions: { publish: other, subscribe: other } } ] }\n";
    if let Some(server) = NatsServer::configured(poor) {
        let url = server.url_for("u:p@");
        let told = broadside().args(["cluster", &url]).assert().code(1).stderr(contains("Permissions Violation"));
        told.stderr(contains("broadside cluster config"));
        refused(&["--cluster", &url], 1, "Permissions Violation");
    }
    let worker = ["worker", "nats://127.0.0.1:1"];
    broadside().args(worker).assert().code(2).stderr(contains("broadside cluster key"));
    broadside().args(worker).args(["--head", "x"]).assert().code(2).stderr(contains("x is not a key"));
    broadside().args(worker).args(["--head", &head_key()]).assert().code(1).stderr(contains("cannot connect"));
    refused(&["--cluster"], 2, "no NATS server is named");
    broadside().args(["cluster"]).assert().code(2).stderr(contains("no NATS server is named"));
}
