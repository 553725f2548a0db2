//! Sample bots as processes of their own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// A sample that listens at a free port. The process ends when this is dropped, also when a test fails.
pub(super) struct Server {
    child: Child,
    pub(super) url: String,
    pub(super) name: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// A sample in Python; `None` where there is no Python.
    pub(super) fn python(name: &str) -> Option<Server> {
        Server::script(name, "python3", "bot.py")
    }

    /// A sample in JavaScript; `None` where there is no Node.js.
    pub(super) fn node(name: &str) -> Option<Server> {
        Server::script(name, "node", "bot.js")
    }

    fn script(name: &str, interpreter: &str, file: &str) -> Option<Server> {
        let program = test_tools::required(interpreter)?;
        let script = bots().join(name).join(file);
        // Python would leave compiled files beside the script.
        Some(Server::start(name, Command::new(program).arg(script).env("PYTHONDONTWRITEBYTECODE", "1")))
    }

    /// The sample in Rust.
    pub(super) fn rust() -> Server {
        Server::start("sea-battle-rust", &mut Command::new(sea_battle_rust()))
    }

    /// Starts it and waits for the line that says where it listens.
    fn start(name: &str, command: &mut Command) -> Server {
        let command = command.arg("0").env("BROADSIDE_SEED", "7").stdin(Stdio::null()).stdout(Stdio::piped());
        let mut server = Server { child: command.spawn().unwrap(), url: String::new(), name: name.to_owned() };
        let mut line = String::new();
        BufReader::new(server.child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim_end().strip_prefix("listening on ");
        server.url = url.unwrap_or_else(|| panic!("{name} said {line:?}")).to_owned();
        assert!(server.url.starts_with("http://127.0.0.1:"), "{line}");
        server
    }
}

/// A server of each language that is installed.
pub(super) fn every_sea_battle_sample() -> Vec<Server> {
    let scripts = [Server::python("sea-battle-python"), Server::node("sea-battle-node")];
    scripts.into_iter().flatten().chain([Server::rust()]).collect()
}

pub(super) fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots")
}

/// The program of the sample in Rust.
fn sea_battle_rust() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| rust_program("sea-battle-rust"))
}

/// The program of a sample in Rust, built where this test was.
pub(super) fn rust_program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    // target/debug/deps/test-0123 -> target/debug
    let folder = test.ancestors().nth(2).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", name, "--manifest-path"]).arg(bots().join(name).join("Cargo.toml"));
    build.args(if folder.ends_with("release") { &["--release"][..] } else { &[] });
    assert!(build.arg("--target-dir").arg(folder.parent().unwrap()).status().unwrap().success());
    folder.join(name)
}
