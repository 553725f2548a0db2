//! A shell in an empty folder, which runs the commands of a page in their order.

use super::changes::{self, PORTS, SERVERS};
use super::page::top;
use crate::sample_server::rust_program;
use crate::table::broadside;
use rustix::process::{Pid, Signal, kill_process_group};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use tempfile::TempDir;

/// The longest time of a command, in seconds.
const PATIENCE: &str = "300";

pub struct Shell {
    folder: TempDir,
    /// The `cd` and `export` commands so far.
    before: Vec<String>,
    servers: Vec<Server>,
    /// A free port for each port that pages name.
    ports: Vec<(&'static str, u16)>,
    /// The output of the latest commands, standard error last.
    pub output: String,
}

/// A command that runs until it is ended.
struct Server {
    process: Child,
    /// The words by which the command is known as a server.
    command: &'static str,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = Pid::from_raw(self.process.id() as i32).map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.process.wait();
    }
}

impl Shell {
    pub fn new() -> Shell {
        let folder = tempfile::Builder::new().prefix("page-").tempdir().unwrap();
        for name in ["work", "home", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let ports = PORTS.map(|port| (port, free_port())).into();
        Shell { folder, before: Vec::new(), servers: Vec::new(), ports, output: String::new() }
    }

    /// The folder in which commands run.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The output, as if the folder were that of the user on pages.
    pub fn output_of_me(&self) -> String {
        self.output.replace(self.work().to_str().unwrap(), "/home/me")
    }

    /// Runs shell commands, one after the other.
    ///
    /// # Errors
    /// The first command that fails, with its output.
    pub fn run(&mut self, text: &str) -> Result<(), String> {
        self.output.clear();
        commands(text).iter().try_for_each(|command| self.run_one(command))
    }

    fn run_one(&mut self, command: &str) -> Result<(), String> {
        let changed = changes::as_tested(command, &self.ports);
        if command.starts_with("cd ") || command.starts_with("export ") {
            self.before.push(changed);
            return Ok(());
        }
        if let Some((words, ready)) = SERVERS.iter().find(|(words, _)| command.contains(words)) {
            // The port is that of the earlier one.
            self.servers.retain(|server| !(server.command == *words && words.ends_with("serve")));
            return self.start(&changed, words, ready);
        }
        let done = self.bash(&changed).stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        self.output.push_str(&told);
        match done.status.success() {
            true => Ok(()),
            false => Err(format!("{command}\n{changed}\n{}: {told}", done.status)),
        }
    }

    /// Starts a server, and waits until it prints these words.
    fn start(&mut self, changed: &str, words: &'static str, ready: &str) -> Result<(), String> {
        let mut command = self.bash(&format!("exec 2>&1\n{changed}"));
        command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap());
        self.servers.push(Server { process, command: words });
        while !self.output.contains(ready) {
            if said.read_line(&mut self.output).unwrap() == 0 {
                return Err(format!("{changed}\nended without {ready:?}: {}", self.output));
            }
        }
        // Else it would wait for a reader.
        thread::spawn(move || said.read_to_end(&mut Vec::new()));
        Ok(())
    }

    fn bash(&self, script: &str) -> Command {
        let program = PathBuf::from(broadside().get_program());
        let folders = [program.parent().unwrap().to_owned(), self.folder.path().join("bin")];
        let path = env::join_paths(folders.into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
        let mut command = Command::new("timeout");
        command.args(["--foreground", PATIENCE, "bash", "-ec"]);
        command.arg(self.before.iter().map(|line| format!("{line}\n")).collect::<String>() + script);
        if script.contains("$CLIENT") {
            command.env("CLIENT", rust_program("salvo-rust"));
        }
        command.current_dir(self.work()).env("PATH", path).env("CHECKOUT", top());
        // Settings, caches and keys of the one who runs the tests are not read and not written.
        for (variable, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let usual = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(folder).into();
            command.env(variable, env::var_os(variable).unwrap_or_else(usual));
        }
        for variable in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "RUST_LOG", "BROADSIDE_SETTINGS"] {
            command.env_remove(variable);
        }
        command.env("HOME", self.folder.path().join("home")).env("NO_COLOR", "1").env("PYTHONDONTWRITEBYTECODE", "1");
        // What a killed server leaves goes with the folder.
        command.env("TMPDIR", self.folder.path().join("tmp"));
        // Samples listen there without an argument.
        command.env("PORT", self.ports.iter().find(|(port, _)| *port == "4000").unwrap().1.to_string());
        command
    }
}

/// The commands of a block: its lines without comments; a line that ends with a backslash goes on in the next one.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", "");
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// A free port below those that the system gives to other tests, so that it stays free until a server takes it.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 10_000 + (std::process::id() % 200) as u16 * 100;
    let ports = std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed));
    ports.take(1000).find(|port| TcpListener::bind(("0.0.0.0", *port)).is_ok()).unwrap()
}
