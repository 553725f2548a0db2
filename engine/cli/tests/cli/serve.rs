//! A tournament server as its operator sees it: started, killed at any moment, and started again.

use crate::arena::{ADMIN, PASSWORD, Site, TestBot};
use crate::table::signalled;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

/// A running program, and its output before it was ready.
pub struct Running {
    engine: Child,
    said: Vec<String>,
    /// Reads the rest of the output, so that the pipe never gets full.
    rest: Option<JoinHandle<String>>,
    pub site: Site,
}

impl Running {
    pub fn start(folder: &Path, arguments: &[&str]) -> Running {
        Running::start_at("127.0.0.1:0", folder, arguments)
    }

    /// Starts the program at an address, such as that of one that was killed.
    pub fn start_at(address: &str, folder: &Path, arguments: &[&str]) -> Running {
        let mut engine = signalled();
        engine.args(["serve", "--listen", address, "--dir"]).arg(folder).args(arguments);
        engine.env("BROADSIDE_ADMIN_PASSWORD", ADMIN);
        let mut engine = engine.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(engine.stderr.take().unwrap());
        let mut said = Vec::new();
        let site = loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).unwrap() > 0, "{said:?}");
            if let Some(address) = line.trim().strip_prefix("Serving: http://") {
                break Site(address.trim_end_matches('/').parse().unwrap());
            }
            said.push(line);
        };
        let rest = thread::spawn(move || {
            let mut text = String::new();
            output.read_to_string(&mut text).unwrap();
            text
        });
        Running { engine, said, rest: Some(rest), site }
    }

    /// Interrupts the program as Ctrl-C does. Returns its output after it was ready.
    fn interrupt(mut self) -> String {
        let pid = rustix::process::Pid::from_child(&self.engine);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        assert_eq!(self.engine.wait().unwrap().code(), Some(130));
        self.rest.take().unwrap().join().unwrap()
    }

    /// Kills the program, as the kernel does when memory is short.
    pub fn kill(self) {}

    pub fn all_matches(&self) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        loop {
            let before = all.last().map(|last| format!("&before={}", last["id"])).unwrap_or_default();
            let more = self.site.get(&format!("/api/matches?most=200{before}")).json();
            let more = more.as_array().unwrap();
            if more.is_empty() {
                return all;
            }
            all.extend(more.iter().cloned());
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// Checks that each match has its own number, and that in each tournament every two bots meet once.
fn check(matches: &[Value]) {
    let ids: BTreeSet<u64> = matches.iter().map(|played| played["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), matches.len(), "a number stands for one match");
    let mut met = BTreeMap::<(u64, [String; 2]), u32>::new();
    for played in matches {
        let mut names = [0, 1].map(|at| played["names"][at].as_str().unwrap().to_owned());
        names.sort();
        *met.entry((played["tournament"].as_u64().unwrap(), names)).or_default() += 1;
    }
    assert!(met.values().all(|count| *count == 1), "{met:?}");
    let last = matches.iter().map(|played| played["tournament"].as_u64().unwrap()).max().unwrap_or(0);
    for tournament in 1..last {
        assert_eq!(
            met.keys().filter(|(number, _)| *number == tournament).count(),
            6,
            "tournament {tournament} is whole"
        );
    }
}

#[test]
fn a_server_that_is_killed_at_any_moment_loses_nothing_and_counts_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let bots: Vec<TestBot> = (0..4).map(|_| TestBot::plays()).collect();
    let arguments = ["--pause-match", "0", "--pause-tournament", "0", "--max-moves", "20"];
    let mut known: Vec<Value> = Vec::new();
    for (life, events) in
        [40, 1, 7, 23, 64, 3, 110, 31, 2, 90, 55, 13, 5, 77, 19, 4, 140, 9, 28, 61].into_iter().enumerate()
    {
        let running = Running::start(folder.path(), &arguments);
        for (at, bot) in bots.iter().enumerate().filter(|_| life == 0) {
            running.site.register(&format!("bot {at}"));
            assert_eq!(running.site.set_url(&format!("bot {at}"), &bot.url).status, 200);
        }
        if life == 0 {
            running.site.admin("POST", "tournament/start");
        }
        let matches = running.all_matches();
        let there: BTreeMap<u64, &Value> =
            matches.iter().map(|played| (played["id"].as_u64().unwrap(), played)).collect();
        assert!(known.iter().all(|before| there[&before["id"].as_u64().unwrap()] == before), "life {life}");
        check(&matches);
        let mut heard = running.site.events(None);
        (0..events).for_each(|_| drop(heard.next().unwrap()));
        known = running.all_matches();
        running.kill();
    }
    let running = Running::start(folder.path(), &arguments);
    running.site.admin("POST", "tournament/pause");
    let mut heard = running.site.events(None);
    heard.until_state(|now| now["tournament"]["now"] == json!([]) && now["tournament"]["paused"] == true);
    let matches = running.all_matches();
    assert!(matches.len() > 10);
    check(&matches);
    let boards = running.site.get("/api/leaderboard").json();
    let sum = |what: &str| boards["all"].as_array().unwrap().iter().map(|row| row[what].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("wins") + sum("draws") + sum("losses"), 2 * matches.len() as u64);
    // Every match has its record, and there is no other record.
    assert_eq!(fs::read_dir(folder.path().join("records")).unwrap().count(), matches.len());
    running.kill();
    let verified = signalled().arg("verify").arg(folder.path().join("records")).output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}

/// A running sample bot of the repository.
struct SampleBot {
    bot: Child,
    url: String,
}

impl SampleBot {
    fn start(python: &Path) -> SampleBot {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/sea-battle-python/bot.py");
        let mut bot =
            Command::new(python).args([file, "0"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(bot.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        SampleBot { bot, url }
    }
}

impl Drop for SampleBot {
    fn drop(&mut self) {
        let _ = self.bot.kill();
        let _ = self.bot.wait();
    }
}

#[test]
fn a_killed_server_goes_on_with_the_sample_bots() {
    let Some(python) = test_tools::required("python3") else { return };
    let folder = tempfile::tempdir().unwrap();
    let bots: Vec<SampleBot> = (0..4).map(|_| SampleBot::start(&python)).collect();
    let arguments = ["--pause-match", "0", "--pause-tournament", "0"];
    let mut known: Vec<Value> = Vec::new();
    // Kills the server before the first match, in the middle of one, while results are written, and after some.
    for (life, (kind, times)) in
        [("tournament", 1), ("turn", 30), ("match-over", 1), ("leaderboard", 2), ("turn", 170)].into_iter().enumerate()
    {
        let running = Running::start(folder.path(), &arguments);
        for (at, bot) in bots.iter().enumerate().filter(|_| life == 0) {
            running.site.register(&format!("bot {at}"));
            assert_eq!(running.site.set_url(&format!("bot {at}"), &bot.url).status, 200);
        }
        let listed = running.site.get("/api/bots").json();
        assert!(listed.as_array().unwrap().len() == 4 && listed[3]["name"] == "bot 3" && listed[3]["hasUrl"] == true);
        let matches = running.all_matches();
        check(&matches);
        assert!(known.iter().all(|before| matches.contains(before)), "life {life}");
        let mut heard = running.site.events(None);
        if life == 0 {
            running.site.admin("POST", "tournament/start");
        }
        (0..times).for_each(|_| drop(heard.one(kind)));
        known = running.all_matches();
        running.kill();
    }
    let running = Running::start(folder.path(), &arguments);
    let mut heard = running.site.events(None);
    running.site.admin("POST", "tournament/pause");
    heard.until_state(|now| now["tournament"]["now"] == json!([]) && now["tournament"]["paused"] == true);
    let matches = running.all_matches();
    check(&matches);
    assert!(matches.iter().all(|played| played["faults"] == json!([null, null])), "nobody is blamed for the kills");
    assert_eq!(fs::read_dir(folder.path().join("records")).unwrap().count(), matches.len());
    running.kill();
    let verified = signalled().arg("verify").arg(folder.path().join("records")).output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}

#[test]
fn a_last_line_that_was_cut_off_is_taken_away_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::start(folder.path(), &[]);
    running.site.register("Ann");
    running.kill();
    let journal = folder.path().join("arena.jsonl");
    let mut text = fs::read(&journal).unwrap();
    let whole = text.len();
    text.extend_from_slice(b"{\"line\":\"registered\",\"bot\":2,\"na");
    fs::write(&journal, &text).unwrap();
    let running = Running::start(folder.path(), &[]);
    assert!(
        running.said.iter().any(|line| line.contains("the last line was cut off and is taken away (32 bytes)")),
        "{:?}",
        running.said
    );
    assert_eq!(running.site.get("/api/bots").json().as_array().unwrap().len(), 1);
    running.kill();
    assert_eq!(fs::read(&journal).unwrap().len(), whole);
}

#[test]
fn passwords_are_nowhere_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::start(folder.path(), &[]);
    running.site.register("Ann");
    running.kill();
    for entry in fs::read_dir(folder.path()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        let text = String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned();
        assert!(!text.contains(PASSWORD) && !text.contains(ADMIN), "{:?}", entry.path());
    }
    assert!(fs::read_to_string(folder.path().join("arena.jsonl")).unwrap().contains("$argon2id$"));
}

#[test]
fn ctrl_c_ends_it_at_once_and_in_good_order() {
    let folder = tempfile::tempdir().unwrap();
    let hangs = TestBot::start(crate::arena::Way::Hangs);
    let running = Running::start(folder.path(), &["--start", "--limit", "60000"]);
    for name in ["Ann", "Bob"] {
        running.site.register(name);
        running.site.set_url(name, &hangs.url);
    }
    let mut heard = running.site.events(None);
    heard.until_state(|now| now["tournament"]["now"] != json!([]));
    let said = running.interrupt();
    assert!(said.contains("Stopped; the same command continues"), "{said}");
}

#[test]
fn the_operator_reads_where_the_pages_are_and_what_happens() {
    let folder = tempfile::tempdir().unwrap();
    let running =
        Running::start(folder.path(), &["--pause-match", "0", "--pause-tournament", "0", "--max-moves", "20"]);
    let port = running.site.0.port();
    let bots = [TestBot::plays(), TestBot::plays()];
    for (name, url) in [("Ann", &bots[0].url), ("Bob", &bots[1].url), ("Eve", &TestBot::nobody())] {
        running.site.register(name);
        running.site.set_url(name, url);
    }
    let mut heard = running.site.events(None);
    running.site.admin("POST", "tournament/start");
    // Eve is parked in the second tournament at the latest, so the third one is over after one match.
    heard.until("tournament", |told| told["number"].as_u64() >= Some(3) && told["over"] == true);
    let said = running.interrupt();
    for path in ["/", "/view", "/overlay", "/admin"] {
        assert!(said.lines().take(4).any(|line| line.ends_with(&format!(": http://localhost:{port}{path}"))), "{said}");
    }
    for line in [
        " Ann has joined\n",
        " Eve has set its URL\n",
        " Tournament 1 begins: 3 bots, 3 matches\n",
        " Tournament 1 · match 3 of 3: ",
        " Tournament 1 is over: ",
        " Eve is parked: was unreachable: ",
        "; 2 matches were left out\n",
        "Stopped; ",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn a_quiet_server_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut engine = signalled();
    engine.args(["serve", "--quiet", "--listen", &free.to_string(), "--dir"]).arg(folder.path());
    engine.env("BROADSIDE_ADMIN_PASSWORD", ADMIN).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut engine = engine.spawn().unwrap();
    let mut output = engine.stderr.take().unwrap();
    let rest = thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text
    });
    let mut quiet = Running { engine, said: Vec::new(), rest: Some(rest), site: Site(free) };
    while TcpStream::connect(free).is_err() {
        assert_eq!(quiet.engine.try_wait().unwrap(), None, "it serves");
        thread::yield_now();
    }
    quiet.site.register("Ann");
    assert_eq!(quiet.interrupt(), "");
}

#[test]
fn what_makes_no_server_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |arguments: &[&str]| {
        let mut engine = signalled();
        engine.arg("serve").arg("--dir").arg(folder.path()).args(arguments).env_remove("BROADSIDE_ADMIN_PASSWORD");
        assert_cmd::Command::from_std(engine).assert()
    };
    serve(&["--listen", "0.0.0.0:0"])
        .code(2)
        .stderr(contains("the administrator has no password").and(contains("BROADSIDE_ADMIN_PASSWORD")));
    serve(&["--listen", "127.0.0.1:0", "--max-moves", "0"])
        .code(2)
        .stderr(contains("a number from 1 to 5000, or one of 120, older-107"));
    serve(&["--allow-hosts", "every where"]).code(2).stderr(contains("--allow-hosts"));
    let running = Running::start(folder.path(), &[]);
    serve(&["--listen", "127.0.0.1:0"]).code(5).stderr(contains("broadside serve (process "));
    let taken = running.site.0.to_string();
    let other = tempfile::tempdir().unwrap();
    let mut engine = signalled();
    engine.args(["serve", "--listen", &taken, "--dir"]).arg(other.path());
    assert_cmd::Command::from_std(engine).assert().code(1).stderr(contains("cannot listen on"));
    running.kill();
    fs::write(folder.path().join("arena.jsonl"), "something else\n").unwrap();
    serve(&["--listen", "127.0.0.1:0"]).code(5).stderr(contains("this is not a journal of a tournament server"));
    assert_eq!(fs::read_to_string(folder.path().join("arena.jsonl")).unwrap(), "something else\n");
}
