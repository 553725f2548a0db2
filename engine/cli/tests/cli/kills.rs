//! Engines that are killed at random moments of all that they do with processes. None of these may be left.
//!
//! Each test kills a few engines; `BROADSIDE_ENGINE_KILLS=1000` asks for more, and `BROADSIDE_ENGINE_SEED=7` for other moments.

use crate::nats_server::NatsServer;
use crate::table::USUAL_SIGNALS;
use crate::zoo::cage;
use fake_bot::BotFolder;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longer than an engine needs on a busy machine for anything here.
const PATIENCE: Duration = Duration::from_secs(120);

/// Numbers that look random, the same ones for the same seed.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most.max(1)
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().unwrap())
}

/// The folder of a test, and the processes that belong to it: those of the engine's session, and those of other sessions whose
/// program or folder lies in it, or that sleep for a time of its own.
struct KilledEngines {
    folder: TempDir,
    /// The argument of every `sleep`.
    seconds: String,
}

impl KilledEngines {
    fn new() -> KilledEngines {
        let folder = tempfile::Builder::new().prefix("killed").tempdir().unwrap();
        // Nobody else sleeps for so long.
        let unique = folder
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .bytes()
            .fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        KilledEngines { folder, seconds: format!("{}.{unique}", 1_000_000 + std::process::id()) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A bot in this folder, with this `bot.json` and file.
    fn bot(&self, name: &str, manifest: serde_json::Value, (file, text): (&str, &str)) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("bot.json"), manifest.to_string()).unwrap();
        fs::write(folder.join(file), text).unwrap();
        folder
    }

    /// A file of settings in which this tool is a shell script.
    fn tool(&self, name: &str, script: &str) -> PathBuf {
        let program = self.path(name);
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let settings = self.path("settings.toml");
        fs::write(&settings, format!("[tools]\n{name} = {:?}\n", program.to_str().unwrap())).unwrap();
        settings
    }

    /// The engine as the first process of a session, in this folder.
    fn engine(&self, namespaces: bool) -> Command {
        let mut command = Command::new("setsid");
        let program = assert_cmd::cargo::cargo_bin!("broadside");
        if namespaces {
            command.arg("env").arg(USUAL_SIGNALS).arg(program);
        } else {
            let refusing = cage::refusing_namespaces(r#"exec "$0" "$@""#);
            command.arg(refusing.get_program()).args(refusing.get_args()).arg(program);
        }
        command.current_dir(self.folder.path()).env("HOME", self.folder.path()).env("XDG_CONFIG_HOME", "/nowhere");
        command.env_remove("BROADSIDE_SETTINGS").env_remove("XDG_CACHE_HOME");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The processes of these engines that have not ended, by their numbers and command lines.
    fn left(&self, session: u32) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let process = entry.path();
            let stat = fs::read_to_string(process.join("stat")).ok()?;
            // The name before may have any characters in it.
            let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
            // The state is that of the first thread, which may end before others.
            let (has_ended, of) = (matches!(fields[0], "Z" | "X") && fields[17] == "1", fields[3].parse());
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let is_within =
                |link: &str| fs::read_link(process.join(link)).is_ok_and(|path| path.starts_with(self.folder.path()));
            let is_ours = of == Ok(session) || line.contains(&self.seconds) || is_within("exe") || is_within("cwd");
            // Where another test has made this program adopt orphans, nobody else reaps them.
            if has_ended && of == Ok(session) && fields[1].parse() == Ok(std::process::id()) {
                let _ = waitpid(
                    entry.file_name().to_str().and_then(|pid| Pid::from_raw(pid.parse().ok()?)),
                    WaitOptions::NOHANG,
                );
            }
            (is_ours && !has_ended).then(|| format!("{} {line}", entry.file_name().display()))
        });
        processes.collect()
    }

    /// Waits until a process other than those of the engine is there.
    fn wait_for_a_bot(&self, engine: &mut Child) {
        let is_bot = |line: &String| !line.contains("broadside");
        let until = Instant::now() + PATIENCE;
        // No session has this number, so these are known by their program, folder or time.
        while !self.left(u32::MAX).iter().any(is_bot) {
            assert_eq!(engine.try_wait().unwrap(), None, "the engine runs until it is killed");
            assert!(Instant::now() < until, "the engine starts bots");
            test_tools::pause();
        }
    }

    /// Kills engines that `start` starts: the first one when there is a bot, then half of them after a random time, half when they
    /// have started a random number of processes.
    fn kill_engines(&self, mut start: impl FnMut(&KilledEngines, u64) -> Child) {
        let mut random = RandomNumbers(number("BROADSIDE_ENGINE_SEED", 1));
        // The time until the first one has begun what the others are killed in.
        let mut span = 0;
        for kill in 0..number("BROADSIDE_ENGINE_KILLS", 6) {
            let began = Instant::now();
            let mut engine = start(self, kill);
            let handle = pidfd_open(Pid::from_child(&engine), PidfdFlags::empty()).unwrap();
            if kill == 0 {
                self.wait_for_a_bot(&mut engine);
                span = 2 * began.elapsed().as_micros() as u64;
            } else if kill % 2 == 1 {
                let moment = Duration::from_micros(random.below(span));
                let wait = Timespec::try_from(moment).unwrap();
                // A signal to this process ends a call of poll.
                retry_on_intr(|| poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&wait))).unwrap();
            } else {
                wait_for_children(&mut engine, 1 + random.below(6));
                span = span.max(2 * began.elapsed().as_micros() as u64);
            }
            engine.kill().unwrap();
            engine.wait().unwrap();
            let until = Instant::now() + PATIENCE;
            loop {
                let left = self.left(engine.id());
                if left.is_empty() {
                    break;
                }
                assert!(Instant::now() < until, "after kill {kill}: {left:#?}");
                test_tools::pause();
            }
        }
    }
}

/// Waits until a process has had so many children, or has as many as it ever has, or ends.
fn wait_for_children(engine: &mut Child, count: u64) {
    let tasks = format!("/proc/{}/task", engine.id());
    let mut seen = std::collections::BTreeSet::new();
    let mut changed = Instant::now();
    while (seen.len() as u64) < count && engine.try_wait().unwrap().is_none() {
        let before = seen.len();
        for task in fs::read_dir(&tasks).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            seen.extend(children.split_whitespace().map(str::to_owned));
        }
        if seen.len() > before {
            changed = Instant::now();
        } else if !seen.is_empty() && changed.elapsed() > Duration::from_millis(500) {
            break;
        }
        std::thread::yield_now();
    }
}

fn is_possible() -> bool {
    test_tools::required("setsid").is_some()
}

/// The arguments of a match without end of this bot with this sandbox.
fn endless(command: &mut Command, bot: &Path, sandbox: &str) -> Child {
    command.args(["-s", "1", "--nolimit", "--sandbox", sandbox, "-l", "out", "-b"]).arg(bot).arg("builtin:random");
    command.spawn().unwrap()
}

/// The levels of the sandbox, and whether there are namespaces.
const WAYS: [(&str, bool); 3] = [("strict", false), ("off", true), ("strict", true)];

fn way(kill: u64) -> (&'static str, bool) {
    WAYS[(kill / 2) as usize % WAYS.len()]
}

fn ways_are_possible() -> bool {
    let possible = is_possible() && cage::has_sandbox() && cage::can_refuse_namespaces();
    if is_possible() && !possible {
        test_tools::not_allowed("a strict sandbox with and without namespaces");
    }
    possible
}

/// The script of a bot that leaves what is hardest to find, in a round or at once: an orphan in a session of its own, and a
/// program that a second thread executes. Neither has the mark in its environment, and the program has none in its limit.
fn hard_to_find(seconds: &str, round: u64) -> String {
    format!("1: place\n2: fire\nr{round}: try bare-daemon\nr{round}: lock-limit 0\nr{round}: behind sleep {seconds}\n")
}

#[test]
fn a_killed_engine_leaves_no_bot_that_it_starts() {
    if !ways_are_possible() {
        return;
    }
    let engines = KilledEngines::new();
    engines.kill_engines(|engines, kill| {
        let bot = BotFolder::new("Bot", &hard_to_find(&engines.seconds, kill % 4));
        let (sandbox, namespaces) = way(kill);
        let target = engines.path(&format!("bot {kill}"));
        fs::rename(bot.path(), &target).unwrap();
        endless(&mut engines.engine(namespaces), &target, sandbox)
    });
}

#[test]
fn a_killed_engine_leaves_no_bot_that_stays() {
    if !ways_are_possible() {
        return;
    }
    let engines = KilledEngines::new();
    engines.kill_engines(|engines, kill| {
        let bot = BotFolder::staying("Bot", &hard_to_find(&engines.seconds, kill % 4));
        let (sandbox, namespaces) = way(kill);
        let target = engines.path(&format!("bot {kill}"));
        fs::rename(bot.path(), &target).unwrap();
        endless(&mut engines.engine(namespaces), &target, sandbox)
    });
}

/// A command that leaves an orphan in a session of its own, and never ends.
fn endless_command(seconds: &str) -> String {
    format!("/bin/sleep {seconds} &\nenv -i setsid /bin/sleep {seconds} &\nexec env -i /bin/sleep {seconds}")
}

#[test]
fn a_killed_engine_leaves_no_build() {
    if !ways_are_possible() {
        return;
    }
    let engines = KilledEngines::new();
    let settings = engines.tool("make", &endless_command(&engines.seconds));
    let manifest = serde_json::json!({ "BotType": "C", "ProjectLocation": "", "RunFile": "run" });
    let bot = engines.bot("bot", manifest, ("Makefile", "all:\n"));
    engines.kill_engines(|engines, kill| {
        let sandbox = ["on", "off"][(kill / 2 % 2) as usize];
        endless(engines.engine(true).env("BROADSIDE_SETTINGS", &settings), &bot, sandbox)
    });
}

#[test]
fn a_killed_engine_leaves_no_calibration() {
    if !ways_are_possible() {
        return;
    }
    let engines = KilledEngines::new();
    let settings = engines.tool("python3", &endless_command(&engines.seconds));
    let manifest = serde_json::json!({ "BotType": "Python3", "ProjectLocation": "", "RunFile": "bot.py" });
    let bot = engines.bot("bot", manifest, ("bot.py", ""));
    engines.kill_engines(|engines, kill| {
        let (sandbox, namespaces) = way(kill);
        let mut engine = engines.engine(namespaces);
        engine.env("BROADSIDE_SETTINGS", &settings).args(["-s", "1", "--sandbox", sandbox, "-l", "out", "-b"]);
        engine.arg(&bot).arg("builtin:random").spawn().unwrap()
    });
}

#[test]
fn a_killed_engine_leaves_no_interpreter_and_no_fork_of_it() {
    if test_tools::required("python3").is_none() || !ways_are_possible() {
        return;
    }
    let engines = KilledEngines::new();
    let manifest = serde_json::json!({ "BotType": "Python3", "ProjectLocation": "", "RunFile": "bot.py" });
    let text = format!(
        "import os, time\ntry:\n    if not os.fork():\n        os.setsid()\n        os.execve('/bin/sleep', ['/bin/sleep', '{}'], {{}})\nexcept OSError:\n    pass\ntime.sleep(1000000)\n",
        engines.seconds
    );
    let bot = engines.bot("bot", manifest, ("bot.py", &text));
    engines.kill_engines(|engines, kill| {
        // Without namespaces there are no warm starts in a sandbox.
        let sandbox = ["strict", "off"][(kill / 2 % 2) as usize];
        endless(engines.engine(true).args(["play", "--warm", "on"]), &bot, sandbox)
    });
}

#[test]
fn a_killed_bridge_leaves_no_bot() {
    if !ways_are_possible() {
        return;
    }
    let engines = KilledEngines::new();
    let script = format!("try bare-daemon\nbehind sleep {}\n", engines.seconds);
    let bot = engines.path("bot");
    fs::rename(BotFolder::staying("Bot", &script).path(), &bot).unwrap();
    engines.kill_engines(|engines, kill| {
        let (sandbox, namespaces) = way(kill);
        let mut engine = engines.engine(namespaces);
        engine.arg("bridge").arg(&bot).args(["--listen", "127.0.0.1:0", "--sandbox", sandbox]);
        let mut engine = engine.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(engine.stderr.take().unwrap()).lines().map(Result::unwrap);
        let serving = said.find(|line| line.contains("http://")).expect("it serves");
        let address = serving.split_once("http://").unwrap().1.split(['/', ' ', ',']).next().unwrap().to_owned();
        for seat in 0..4 {
            let address = address.clone();
            // A bot that gives no answer is ended, and the next game asks for another one, until the engine is killed.
            std::thread::spawn(move || (0..).try_for_each(|game| ask(&address, &format!("{kill}-{seat}-{game}"))));
        }
        engine
    });
}

/// Asks for the first move of a game, and waits for the end of the answer.
fn ask(address: &str, game: &str) -> io::Result<()> {
    let body = format!(r#"{{"gameId": "{game}"}}"#);
    let head = format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut asked = TcpStream::connect(address)?;
    asked.write_all((head + &body).as_bytes())?;
    asked.read_to_end(&mut Vec::new())?;
    Ok(())
}

#[test]
fn a_killed_worker_leaves_no_bot() {
    if !ways_are_possible() {
        return;
    }
    let Some(server) = NatsServer::start() else { return };
    let engines = KilledEngines::new();
    let bots = ["Alpha", "Bravo"].map(|name| {
        let bot = engines.path(name);
        fs::rename(BotFolder::new(name, &hard_to_find(&engines.seconds, 1)).path(), &bot).unwrap();
        bot
    });
    let url = server.url();
    let elsewhere = tempfile::tempdir().unwrap();
    let head = |nth: u64| {
        let mut head = engines.engine(true);
        let event = elsewhere.path().join(nth.to_string());
        // Not in the folder of the engines: it is not to be gone.
        head.current_dir(elsewhere.path()).args(["tournament", "--games", "1000", "--nolimit", "--cluster", &url]);
        head.arg("--dir").arg(event).arg("-b");
        Head(head.args(&bots).spawn().unwrap())
    };
    let key = engines.engine(true).args(["cluster", "key"]).stdout(Stdio::piped()).output().unwrap();
    let key = String::from_utf8(key.stdout).unwrap();
    let mut heads = Vec::new();
    engines.kill_engines(|engines, kill| {
        // A game whose workers are killed again and again is given up.
        if kill % 20 == 0 {
            heads = vec![head(kill)];
        }
        let mut worker = engines.engine(true);
        worker
            .args(["worker", &url, "--head", key.trim(), "-j", "2", "--name", "worker", "--cache"])
            .arg(engines.path("cache"));
        worker.spawn().unwrap()
    });
}

/// The head of a tournament, which is killed when this is dropped.
struct Head(Child);

impl Drop for Head {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
