//! Bots of Sea Battle that were written from the team guide alone, each in the style of its language, by somebody who had
//! seen neither the server nor our pages. They play whole matches.

use crate::http::matches::empty_folder;
use crate::table::broadside;
use arena::record::Record;
use rules::{Ending, Seat};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time in which a bot has to listen. Go and Java are compiled first.
const PATIENCE: Duration = Duration::from_secs(120);

/// A bot that runs.
struct Bot {
    child: Child,
    url: String,
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text-clients/sea-battle").join(name)
}

/// A port that was free a moment ago: these bots take a number and tell nothing.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Starts a bot, and waits until it listens.
fn start(command: &mut Command, address: SocketAddr) -> Bot {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut bot = Bot { child, url: format!("http://{address}") };
    let until = Instant::now() + PATIENCE;
    while TcpStream::connect(address).is_err() {
        assert_eq!(bot.child.try_wait().unwrap(), None, "{command:?} ended");
        assert!(Instant::now() < until, "{command:?} does not listen");
        test_tools::pause();
    }
    bot
}

/// The bot of a script that an interpreter runs with the port as its argument.
fn scripted(interpreter: Option<PathBuf>, name: &str) -> Option<Bot> {
    let address = free_address();
    let mut command = Command::new(interpreter?);
    Some(start(command.arg(script(name)).arg(address.port().to_string()).env("NODE_PATH", NODE_MODULES), address))
}

/// Where Debian has the modules of Node.js.
const NODE_MODULES: &str = "/usr/share/nodejs";

/// The bot plays both seats against the built-in hunter, and is at fault in no match.
fn plays(name: &str, bot: Option<Bot>) {
    let Some(bot) = bot else { return };
    let dir = empty_folder();
    let named = format!("{name}={}", bot.url);
    for (seat, bots) in [(Seat::A, [&*named, "builtin:hunter"]), (Seat::B, ["builtin:hunter", &*named])] {
        let out = format!("seat {seat}");
        let mut command = broadside();
        command.current_dir(dir.path()).args(["play", "--game", "sea-battle", "--limit", "20000", "-l", &out, "-b"]);
        command.args(bots).assert().code(0);
        let record = Record::read(&dir.path().join(&out).join("match.jsonl")).unwrap();
        let outcome = &record.end().unwrap().outcome;
        assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{name} in seat {seat}: {:?}", outcome.ending);
    }
}

#[test]
fn a_bot_in_flask_plays() {
    plays("flask", scripted(test_tools::required("python3:flask"), "flask_bot.py"));
}

#[test]
fn a_bot_in_fastapi_plays() {
    let python = test_tools::required("python3:fastapi").filter(|_| test_tools::required("python3:uvicorn").is_some());
    plays("fastapi", scripted(python, "fastapi_bot.py"));
}

#[test]
fn a_bot_in_express_plays() {
    let express = test_tools::required("node:express");
    plays("express", scripted(express, "express.js"));
}

#[test]
fn a_bot_in_ruby_plays() {
    plays("webrick", scripted(test_tools::required("ruby"), "webrick.rb"));
}

#[test]
fn a_bot_in_php_plays() {
    let Some(php) = test_tools::required("php") else { return };
    let address = free_address();
    plays("php", Some(start(Command::new(php).arg("-S").arg(address.to_string()).arg(script("index.php")), address)));
}

#[test]
fn a_bot_in_java_plays() {
    plays("java", scripted(test_tools::required("java"), "Bot.java"));
}

#[test]
fn a_bot_in_go_plays() {
    let Some(go) = test_tools::required("go") else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("bot");
    let mut build = Command::new(go);
    let built = build.args(["build", "-o"]).arg(&program).arg(script("main.go")).env("GOCACHE", folder.path()).status();
    assert!(built.unwrap().success());
    let address = free_address();
    plays("go", Some(start(Command::new(program).arg(address.port().to_string()), address)));
}
