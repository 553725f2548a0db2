//! The programs of a Salvo server and its clients.

use crate::table::{broadside, signalled};
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{BufRead, BufReader, Lines};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

/// A server process.
pub struct ServerProcess {
    engine: Child,
    said: Lines<BufReader<ChildStderr>>,
    /// The address and port of its broker.
    pub address: String,
}

impl ServerProcess {
    pub fn start(folder: &Path, arguments: &[&str]) -> ServerProcess {
        let mut running = ServerProcess::spawn(signalled().args(["salvo", "serve"]).args(arguments), folder);
        let line = running.says("Clients connect to mqtt://");
        running.address = line.rsplit_once('/').unwrap().1.to_owned();
        running
    }

    /// Starts a server with an external broker, as the user `broadside`.
    pub fn by_broker(folder: &Path, url: &str, password: &str, arguments: &[&str]) -> ServerProcess {
        let mut engine = signalled();
        engine.args(["salvo", "serve"]).env("BROADSIDE_BROKER_PASSWORD", password);
        let mut running =
            ServerProcess::spawn(engine.args(arguments).args(["--broker", url, "--user", "broadside"]), folder);
        running.says("Connected to ");
        running
    }

    fn spawn(engine: &mut Command, folder: &Path) -> ServerProcess {
        engine.args(["--lobby-after", "1", "--dir"]).arg(folder);
        let mut engine = engine.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(engine.stderr.take().unwrap()).lines();
        ServerProcess { engine, said, address: String::new() }
    }

    /// Waits for a line with these words on standard error.
    pub fn says(&mut self, words: &str) -> String {
        let mut before = Vec::new();
        loop {
            let line = self.said.next().unwrap_or_else(|| panic!("{words}; it said {before:?}")).unwrap();
            if line.contains(words) {
                return line;
            }
            before.push(line);
        }
    }

    /// The address of the live page.
    pub fn live(&mut self) -> String {
        self.says("Live: http://")["Live: http://".len()..].trim_end_matches('/').to_owned()
    }

    /// Waits until the match is over, and gives the winner's name.
    pub fn winner(&mut self) -> String {
        self.says(" wins: ").split_once(" wins: ").unwrap().0.to_owned()
    }

    pub fn url(&self) -> String {
        format!("mqtt://{}", self.address)
    }

    pub fn port(&self) -> &str {
        self.address.rsplit_once(':').unwrap().1
    }

    /// Kills the process, as the kernel does when memory is short.
    pub fn kill(mut self) {
        self.engine.kill().unwrap();
    }

    pub fn ends_well(mut self) {
        assert!(self.engine.wait().unwrap().success());
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// A client process. It ends when this is dropped, also when a test fails.
pub struct ClientProcess(Option<Child>);

impl ClientProcess {
    pub fn ours(name: &str, url: &str, arguments: &[&str]) -> ClientProcess {
        let mut client = signalled();
        client.args(["salvo", "join", name, "--broker", url]).args(arguments);
        client.env("BROADSIDE_SALVO_SECRET", format!("secret of {name}"));
        ClientProcess::start(client.stderr(Stdio::null()))
    }

    /// Starts any client.
    pub fn start(client: &mut Command) -> ClientProcess {
        ClientProcess(Some(client.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0).spawn().unwrap()))
    }

    /// Waits for a successful end, and gives standard output.
    pub fn ended(mut self) -> String {
        let output = self.0.take().unwrap().wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for ClientProcess {
    fn drop(&mut self) {
        if let Some(mut client) = self.0.take() {
            // The whole group, because a shell has child processes. It may have ended.
            let _ = kill_process_group(Pid::from_child(&client), Signal::KILL);
            let _ = client.wait();
        }
    }
}

/// Verifies the record of the only match.
pub fn verified(folder: &Path) {
    broadside().arg("verify").arg(folder.join("records/0001")).assert().success().stdout(contains("ok     "));
}
