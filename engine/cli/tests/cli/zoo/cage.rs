//! One match with a bad bot: the engine is run and watched.

use super::case::{Case, Expected, Program};
use super::cases::BUSY;
use crate::disk::mounting;
use crate::table::{bots_left, broadside};
use fake_bot::{BotFolder, PROGRAM};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Plain,
    /// In a strict sandbox, on a machine that refuses namespaces.
    Filtered,
    Sandboxed,
    /// The bad bot stays from turn to turn, without a sandbox.
    Staying,
    /// The same in a strict sandbox.
    StayingSandboxed,
    /// The bad bot is a fork of a Python interpreter, which becomes the program, in a strict sandbox.
    Warm,
}

impl Mode {
    /// True if the bad bot stays from turn to turn.
    pub fn stays(self) -> bool {
        matches!(self, Mode::Staying | Mode::StayingSandboxed)
    }

    /// True if there is a sandbox.
    pub fn is_sandboxed(self) -> bool {
        !matches!(self, Mode::Plain | Mode::Staying)
    }

    /// True if the sandbox has namespaces.
    pub fn has_namespaces(self) -> bool {
        matches!(self, Mode::Sandboxed | Mode::StayingSandboxed | Mode::Warm)
    }
}

/// The bots and the folders of a case.
pub struct Cage<'a> {
    pub case: &'a Case,
    /// Bots that only ask, whose steps the same bot takes in the rounds after the third, one in each.
    pub others: &'a [Case],
    pub mode: Mode,
    pub bots: [BotFolder; 2],
    /// Holds the folder of the match, the home of the user and a canary.
    pub beside: TempDir,
}

/// The content of each file that nobody may touch.
pub const CANARY: &str = "tweet";
/// Ships where the fake bot fires first.
const PLACES: &str = r"1: write place.txt Carrier 1 0 east\nBattleship 0 1 east\nCruiser 4 1 east\nSubmarine 0 2 east\nDestroyer 3 2 east\n";
/// The longest time of a match.
const PATIENCE: Duration = Duration::from_secs(300);

/// The end of a match and what it left.
pub struct Played {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    /// Peak memory of the engine, in KiB.
    pub peak: u64,
    pub left: Vec<String>,
}

/// The program of all bots as it was before any of them ran: their folders hold links to it.
pub static PROGRAM_BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| fs::read(fake_bot::program()).unwrap());

/// True if there can be a strict sandbox.
pub fn has_sandbox() -> bool {
    let bots = [BotFolder::new("Alpha", ""), BotFolder::new("Bravo", "")];
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["--sandbox", "strict", "-l", "out", "-b"]);
    command.args(bots.each_ref().map(BotFolder::path)).output().unwrap().status.success()
}

/// The beginning of a script that lets nobody make namespaces from then on.
const REFUSE: &str = "echo 0 >/proc/sys/user/max_user_namespaces &&";

/// A shell script in which nobody can make namespaces.
pub fn refusing_namespaces(script: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-c", &format!("{REFUSE} {script}")]);
    command
}

/// True if this machine lets us play where namespaces are refused.
pub fn can_refuse_namespaces() -> bool {
    refusing_namespaces("! unshare --user true").stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

impl Cage<'_> {
    pub fn new(cases: &[Case], mode: Mode) -> Cage<'_> {
        let (case, others) = cases.split_first().unwrap();
        let beside = tempfile::Builder::new().prefix("zoo ").tempdir().unwrap();
        for folder in ["home", "state", "small"] {
            fs::create_dir(beside.path().join(folder)).unwrap();
        }
        for canary in ["canary", "home/canary"] {
            fs::write(beside.path().join(canary), CANARY).unwrap();
        }
        let steps = |steps: &[&str]| -> String {
            let line = |step: &&str| if step.contains(": ") { format!("{step}\n") } else { format!("r3: {step}\n") };
            format!("{PLACES}\n{}2: fire", steps.iter().map(line).collect::<String>())
        };
        let other = BotFolder::new("Bravo", &steps(case.opponent));
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let asked: String = (4..).zip(others).map(|(round, case)| format!("r{round}: {}\n", case.steps[0])).collect();
        let script = (asked + &steps(case.steps))
            .replace("{other}", &text(other.path()))
            .replace("{home}", &text(&beside.path().join("home")))
            .replace("{state}", &text(&beside.path().join("state")))
            .replace("{beside}", &text(beside.path()))
            .replace("{MIB}", if mode.is_sandboxed() { "1000000" } else { "300" });
        let fake = if mode.stays() { BotFolder::staying } else { BotFolder::new };
        let bad = case.program.map_or_else(|| fake("Alpha", &script), |program| program.folder(mode.stays()));
        if mode == Mode::Warm && case.program.is_none() {
            let manifest =
                r#"{"NickName": "Alpha", "BotType": "Python3", "ProjectLocation": "", "RunFile": "become.py"}"#;
            fs::write(bad.path().join("bot.json"), manifest).unwrap();
            let python = format!("import os, sys\nos.execv('{PROGRAM}', ['{PROGRAM}', *sys.argv[1:]])\n");
            fs::write(bad.path().join("become.py"), python).unwrap();
        }
        Cage { case, others, mode, bots: [bad, other], beside }
    }

    pub fn expected(&self) -> &Expected {
        self.expected_of(self.case)
    }

    pub fn expected_of<'b>(&self, case: &'b Case) -> &'b Expected {
        match self.mode {
            Mode::Plain => &case.plain,
            Mode::Filtered => case.filtered.as_ref().unwrap_or(&case.sandboxed),
            Mode::Sandboxed => &case.sandboxed,
            Mode::Warm => case.warm.as_ref().unwrap_or(&case.sandboxed),
            Mode::Staying => case.staying.as_ref().unwrap_or(&case.plain),
            Mode::StayingSandboxed => case.staying_sandboxed.as_ref().unwrap_or(&case.sandboxed),
        }
    }

    pub fn out(&self) -> PathBuf {
        self.beside.path().join("out")
    }

    /// Runs the engine to its end; None where this system does not let us.
    pub fn play(&self) -> Option<Played> {
        let mut command = if self.case.small_disk { self.on_a_small_disk()? } else { self.engine("out") };
        let file = |name: &str| File::create(self.beside.path().join(name)).unwrap();
        command.stdin(Stdio::null()).stdout(file("stdout")).stderr(file("stderr"));
        let mut process = command.spawn().unwrap();
        let (pid, peak, status) = self.watch(&mut process);
        // After the engine was killed, its guardian still has work to do.
        let until = Instant::now() + PATIENCE;
        while status.code().is_none() && !bots_left(pid).is_empty() && Instant::now() < until {
            test_tools::pause();
        }
        let text = |name: &str| {
            let path = self.beside.path().join(name);
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            fs::remove_file(path).unwrap();
            text
        };
        Some(Played { status, stdout: text("stdout"), stderr: text("stderr"), peak, left: bots_left(pid) })
    }

    fn engine(&self, log: &str) -> Command {
        let program = assert_cmd::cargo::cargo_bin!("broadside");
        let mut command = match self.mode {
            Mode::Filtered if !self.case.small_disk => refusing_namespaces("exec \"$0\" \"$@\""),
            _ => Command::new(program),
        };
        if command.get_program() != program {
            command.arg(program);
        }
        command.current_dir(self.beside.path());
        command.args(["-s", "1", "-l", log, "-b"]).args(self.bots.each_ref().map(BotFolder::path));
        command.args(["--sandbox", if self.mode.is_sandboxed() { "strict" } else { "off" }]);
        if self.mode == Mode::Warm {
            command.args(["--warm", "on"]);
        }
        // The start of an interpreter takes a busy machine more than the two seconds of bots that keep a processor busy.
        let flags = if self.mode == Mode::Warm && self.case.flags == BUSY { &[] } else { self.case.flags };
        command.args(flags);
        if !flags.contains(&"--calibration") {
            // So that a busy machine makes nobody late. Where the bad bot is to be late, its time is waited for.
            let is_late = self.expected().nothing.iter().any(|(_, why)| why.contains("timed out"));
            command.args(["--calibration", if is_late { "8000" } else { "58000" }]);
        }
        if !["--together", "--tournamentMode"].iter().any(|flag| self.case.flags.contains(flag)) {
            // In a sandbox nothing can be done to another bot that runs at the same time.
            let at_once = self.mode.is_sandboxed() && !self.case.small_disk;
            command.arg(if at_once { "--together" } else { "--in-turn" });
        }
        command.env("HOME", self.beside.path().join("home")).env("XDG_STATE_HOME", self.beside.path().join("state"));
        command.env("ZOO_SECRET", "hunter2").env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS");
        command
    }

    /// A shell that runs the engine on a file system of its own, and copies what is there when it has ended.
    fn on_a_small_disk(&self) -> Option<Command> {
        let program = mounting()?;
        let unshare = |script: &str| {
            let mut command = Command::new(&program);
            command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).current_dir(self.beside.path());
            command
        };
        let possible = unshare("mount -t tmpfs tmpfs small").status().is_ok_and(|status| status.success());
        let engine = self.engine("small/out");
        let quoted = |text: &std::ffi::OsStr| format!("'{}' ", text.to_str().unwrap());
        let line: String = std::iter::once(engine.get_program()).chain(engine.get_args()).map(quoted).collect();
        let refuse = if self.mode == Mode::Filtered { REFUSE } else { "" };
        let mut command = unshare(&format!(
            "mount -t tmpfs -o size=48m tmpfs small && {refuse} {line} & echo $! >pid; wait $!; status=$?; cp -r small/out out; exit $status"
        ));
        command.envs(engine.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if !possible {
            test_tools::not_allowed(&format!("the file system of '{}'", self.case.name));
        }
        possible.then_some(command)
    }

    /// Waits for the end of the process. Tells the engine's number and its peak memory, which the kernel knows only while
    /// it lives, so that it is asked for again and again. Until it has run its program for a moment, the memory that the kernel
    /// tells is that of the process which started it: this test.
    fn watch(&self, process: &mut Child) -> (u32, u64, ExitStatus) {
        let handle = pidfd_open(Pid::from_child(process), PidfdFlags::empty()).unwrap();
        let step = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
        let until = Instant::now() + PATIENCE;
        let mut peak = 0;
        let mut has_begun = false;
        let mut pid = if self.case.small_disk { None } else { Some(process.id()) };
        loop {
            pid = pid.or_else(|| fs::read_to_string(self.beside.path().join("pid")).ok()?.trim().parse().ok());
            let status = pid.and_then(|pid| fs::read_to_string(format!("/proc/{pid}/status")).ok());
            if has_begun {
                peak = peak.max(status.as_deref().and_then(peak_of).unwrap_or_default());
            }
            has_begun = status.is_some_and(|status| status.starts_with("Name:\tbroadside\n"));
            let mut ended = [PollFd::new(&handle, PollFlags::IN)];
            if retry_on_intr(|| poll(&mut ended, Some(&step))).unwrap() > 0 {
                return (pid.unwrap(), peak, process.wait().unwrap());
            }
            if Instant::now() > until {
                process.kill().unwrap();
            }
        }
    }
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

impl Program {
    fn folder(self, stays: bool) -> BotFolder {
        let manifest = serde_json::json!({
            "NickName": "Alpha", "BotType": "Rust", "ProjectLocation": "", "RunFile": "program", "Stay": stays,
        });
        let folder = BotFolder::with_manifest(&manifest.to_string(), "");
        let content = match self {
            Program::NotExecutable => b"#!/bin/sh\n".to_vec(),
            // 64 bits, and the number of a machine that nobody has.
            Program::ForeignMachine => [&b"\x7fELF\x02\x01\x01"[..], &[0; 9], &[2, 0, 0xfe, 0xca], &[0; 100]].concat(),
            Program::NoInterpreter => b"#!/no/such/interpreter\n".to_vec(),
        };
        let path = folder.path().join("program");
        fs::write(&path, content).unwrap();
        let mode = if matches!(self, Program::NotExecutable) { 0o644 } else { 0o755 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        folder
    }
}
