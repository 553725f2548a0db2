//! Salvo as its users meet it: a server, clients in several languages, and a server that is killed.

use crate::live::asked;
use crate::table::{broadside, signalled};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

/// The program as a server.
struct Running {
    engine: Child,
    said: Lines<BufReader<ChildStderr>>,
    /// The address and port of its broker.
    address: String,
}

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Running {
        let mut engine = signalled();
        engine.args(["salvo", "serve", "--lobby-after", "1", "--dir"]).arg(folder).args(arguments);
        let mut engine = engine.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(engine.stderr.take().unwrap()).lines();
        let mut running = Running { engine, said, address: String::new() };
        let line = running.says("Clients connect to mqtt://");
        running.address = line.rsplit_once('/').unwrap().1.to_owned();
        running
    }

    /// Waits until it says something with these words.
    fn says(&mut self, words: &str) -> String {
        let mut before = Vec::new();
        loop {
            let line = self.said.next().unwrap_or_else(|| panic!("{words}; it said {before:?}")).unwrap();
            if line.contains(words) {
                return line;
            }
            before.push(line);
        }
    }

    fn url(&self) -> String {
        format!("mqtt://{}", self.address)
    }

    fn port(&self) -> &str {
        self.address.rsplit_once(':').unwrap().1
    }

    /// As the kernel does when memory is short.
    fn kill(mut self) {
        self.engine.kill().unwrap();
    }

    fn ends_well(mut self) {
        assert!(self.engine.wait().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// A client that plays.
struct Joined(Child);

impl Joined {
    fn ours(name: &str, url: &str, arguments: &[&str]) -> Joined {
        let mut client = signalled();
        client.args(["salvo", "join", name, "--broker", url]).args(arguments);
        client.env("BROADSIDE_SALVO_SECRET", format!("secret of {name}"));
        Joined(client.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// What it prints when it has ended well.
    fn ended(self) -> String {
        let output = self.0.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The record of the only match verifies.
fn verified(folder: &Path) {
    broadside().arg("verify").arg(folder.join("records/0001")).assert().success().stdout(contains("ok     "));
}

#[test]
fn two_bots_of_ours_play() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let mut server = Running::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1"]);
    let url = server.url();
    let hunter = Joined::ours("Hunter", &url, &["--seed", "1"]);
    let random = Joined::ours("Random", &url, &["--with", "random", "--seed", "2"]);
    server.says("Hunter has placed all ships");
    let wins = server.says(" wins: ");
    let winner = wins.split(" wins: ").next().unwrap();
    for (client, name) in [(hunter, "Hunter"), (random, "Random")] {
        let own = if name == winner { " (this one)" } else { "" };
        assert_eq!(client.ended(), format!("Winner: {winner}{own}\n"));
    }
    server.ends_well();
    verified(&dir);
    let journal = fs::read_to_string(dir.join("salvo.jsonl")).unwrap();
    assert!(journal.ends_with("{\"what\":\"over\"}\n"), "{journal}");
}

#[test]
fn a_server_that_is_killed_goes_on_with_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("salvo");
    let mut server = Running::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1"]);
    let (url, address) = (server.url(), server.address.clone());
    let clients = ["A", "B"].map(|name| Joined::ours(name, &url, &[]));
    server.says("The match begins");
    let two_salvos = ["-p", server.port(), "-t", "/game/hits", "-C", "2"];
    assert!(Command::new("mosquitto_sub").args(two_salvos).output().unwrap().status.success());
    server.kill();
    let mut server = Running::start(&dir, &["--listen", &address, "--players", "2", "--matches", "1"]);
    server.says("The match goes on after");
    server.says(" wins: ");
    clients.into_iter().for_each(|client| drop(client.ended()));
    server.ends_well();
    verified(&dir);
}

#[test]
fn a_page_shows_the_lobby_and_all_boards() {
    let folder = tempfile::tempdir().unwrap();
    let once = ["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1", "--live"];
    let mut server = Running::start(&folder.path().join("salvo"), &once);
    let live = server.says("Live: http://");
    let address = live["Live: http://".len()..].trim_end_matches('/');
    assert!(asked(address, "/").contains(r#""more":true"#));
    let page = TcpStream::connect(address).unwrap();
    write!(&page, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut told = BufReader::new(page).lines().map(Result::unwrap);
    let mut data = |about: &str| told.find(|line| line.starts_with("data: ") && line.contains(about)).unwrap();
    let place = format!("Teams come by MQTT, at {}.", server.url());
    assert_eq!(data("teams"), format!(r#"data: {{"teams":[],"how":"{place}"}}"#));
    let clients = ["A", "B"].map(|name| Joined::ours(name, &server.url(), &[]));
    assert!(data(r#""ready":true"#).contains(r#"{"name":"A","ready":"#));
    assert!(data("format").contains(r#""eyes":["everyone"]"#));
    // The boards are uncovered when the match is over.
    assert!(data(r#""eyes":["referee"]"#).contains(r#""names":["#));
    assert!(data("winner").contains("finished"));
    clients.into_iter().for_each(|client| drop(client.ended()));
    server.ends_well();
}

/// Python with what the sample client needs, in an environment of its own.
fn python(folder: &Path) -> PathBuf {
    let venv = folder.join("venv");
    let made = Command::new("python3").args(["-m", "venv"]).arg(&venv).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let requirements = sample().join("requirements.txt");
    let installed =
        Command::new(venv.join("bin/pip")).args(["install", "-q", "-r"]).arg(requirements).output().unwrap();
    assert!(installed.status.success(), "{installed:?}");
    venv.join("bin/python")
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/salvo-python")
}

#[test]
fn the_python_client_plays_and_reads_what_we_encrypt() {
    let folder = tempfile::tempdir().unwrap();
    let python = python(folder.path());
    let dir = folder.path().join("salvo");
    let mut server = Running::start(&dir, &["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1"]);
    let client = Command::new(&python)
        .arg("-B")
        .arg(sample().join("bot.py"))
        .args(["Python", "--port", server.port()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hunter = Joined::ours("Hunter", &server.url(), &[]);
    let wins = server.says(" wins: ");
    let winner = wins.split(" wins: ").next().unwrap();
    assert_eq!(Joined(client).ended(), format!("Python: the winner is {winner}\n"));
    hunter.ended();
    server.ends_well();
    verified(&dir);

    // libsodium reads ours; that we read libsodium's is what the match was.
    let sealed = salvo::Cipher::new().seal("Ahoi \u{2693}", "cockadoodledoo");
    let code =
        "import sys; sys.path.insert(0, sys.argv[1]); import bot; print(bot.decrypt(sys.argv[2], 'cockadoodledoo'))";
    let read = Command::new(&python).args(["-B", "-c", code]).arg(sample()).arg(sealed).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&read.stdout), "Ahoi \u{2693}\n");
}

#[test]
fn mistakes_are_told() {
    let wrong = |arguments: &[&str], words: &str, code: i32| {
        broadside().arg("salvo").args(arguments).assert().code(code).stderr(contains(words));
    };
    wrong(&["serve", "--broker", "localhost"], "localhost is no broker", 2);
    wrong(&["serve", "--topic-prefix", "a/b"], "--topic-prefix: \"a/b\" cannot be part of a topic", 2);
    wrong(&["serve", "--players", "17"], "17 is not in 2..=16", 2);
    wrong(&["serve", "--turn-seconds", "soon"], "a number of seconds is needed", 2);
    wrong(&["serve", "--live=here"], "a port is needed, such as 8080, or an address and a port", 2);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    wrong(&["serve", "--broker", &format!("mqtt://{free}"), "--dir", "/dev/null/x"], "/dev/null/x", 1);
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    wrong(&["serve", "--broker", &format!("mqtt://{free}"), "--dir", dir], &format!("mqtt://{free}"), 1);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let live = format!("--live={}", taken.local_addr().unwrap());
    wrong(&["serve", "--listen", "127.0.0.1:0", "--dir", dir, &live], "cannot show the match at 127.0.0.1:", 1);
    fs::write(folder.path().join("salvo.jsonl"), "{}\n").unwrap();
    wrong(&["serve", "--listen", "127.0.0.1:0", "--dir", dir], "salvo.jsonl, line 1", 5);
}

#[test]
fn the_access_list_has_the_topics_below_the_prefix() {
    let list = broadside().args(["salvo", "acl", "A", "O'Neil", "--topic-prefix", "monday"]).assert().success();
    let list =
        list.stdout(contains("topic read /monday/game/state\n").and(contains("pattern read /monday/players/%u/hit\n")));
    list.stderr(contains(r"mosquitto_passwd passwords 'O'\''Neil'"));
}
