//! Stopping in the middle of a match: nothing of the bots is left.

use crate::escapes::engine_without_limits;
use crate::table::{Table, bots_left, signalled};
use crate::zoo::cage;
use fake_bot::BotFolder;
use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Bots that hang in round 1, with a daemon each that left group and session.
const HANGS: &str = "1: place\n2: daemon\n2: hang";

/// An engine in the middle of a match, its first `hanging` bots at work.
fn started(table: &Table, flags: &[&str], hanging: usize) -> Child {
    let mut engine = signalled();
    engine.current_dir(table.folder.path()).args(table.arguments()).arg("--nolimit").args(flags);
    engine.env("XDG_STATE_HOME", table.folder.path().join("state"));
    let mut engine = engine.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for bot in table.bots.iter().take(hanging) {
        while fs::read_to_string(bot.path().join("daemon.pid")).unwrap_or_default().is_empty() {
            assert_eq!(engine.try_wait().unwrap(), None, "the engine runs");
            test_tools::pause();
        }
    }
    // Each bot and its daemon; one that is just being started has no environment yet.
    while bots_left(engine.id()).len() < 2 * hanging {
        assert_eq!(engine.try_wait().unwrap(), None, "the engine runs");
        test_tools::pause();
    }
    engine
}

fn signal(engine: &Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(engine), signal).unwrap();
}

fn wait_until_gone(engine: u32) {
    while !bots_left(engine).is_empty() {
        test_tools::pause();
    }
}

#[test]
fn ctrl_c_stops_the_match_and_leaves_no_bot() {
    use rustix::process::Signal;
    for number in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        let table = Table::with([HANGS, HANGS]);
        let mut engine = started(&table, &["--together"], 2);
        signal(&engine, number);
        let status = engine.wait().unwrap();
        assert_eq!(bots_left(engine.id()), [] as [String; 0]);
        assert_eq!(status.code(), Some(130));
        let mut said = String::new();
        engine.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.contains("No winner") && said.contains("interrupted"), "{said}");
        assert!(table.read("Phase 1 - Round 0/A/place.txt").contains("Carrier"));
    }
}

#[test]
fn killing_the_engine_leaves_no_bot() {
    for attempt in 0..5 {
        let table = Table::with([HANGS, HANGS]);
        let mut engine = started(&table, &["--together"], 2);
        signal(&engine, rustix::process::Signal::KILL);
        assert_eq!(engine.wait().unwrap().signal(), Some(9), "attempt {attempt}");
        wait_until_gone(engine.id());
    }
}

#[test]
fn killing_the_engine_in_tournament_mode_brings_the_files_back() {
    let table = Table::with([HANGS, HANGS]);
    let mut engine = started(&table, &["--tournamentMode", "--sandbox", "off"], 1);
    assert!(!table.out().join("Phase 1 - Round 0/state.json").exists());
    signal(&engine, rustix::process::Signal::KILL);
    engine.wait().unwrap();
    wait_until_gone(engine.id());
    let journals = table.folder.path().join("state/broadside");
    while fs::read_dir(&journals).unwrap().count() > 0 {
        test_tools::pause();
    }
    assert!(table.read("Phase 1 - Round 0/state.json").contains("Player1Map"));
    assert!(table.read("Phase 1 - Round 0/A/place.txt").contains("Carrier"));
    assert!(table.read("Phase 2 - Round 1/roundInfo.json").contains("Alpha"));
}

/// A stopped process hears no signal but the one that kills it.
#[test]
fn a_killed_engine_takes_a_bot_along_that_stays_and_is_stopped() {
    let levels = [("off", false), ("strict", false), ("strict", true)];
    for (sandbox, refuses_namespaces) in levels.into_iter().take(if cage::has_sandbox() { 3 } else { 1 }) {
        if refuses_namespaces && !cage::can_refuse_namespaces() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let stays = BotFolder::staying("Stays", "deafen\ntry daemon\nplace");
        let hangs = BotFolder::new("Hangs", "hang");
        let mut engine = engine_without_limits(folder.path(), sandbox, refuses_namespaces);
        let mut engine = engine.arg(stays.path()).arg(hangs.path()).spawn().unwrap();
        let is_stopped = |pid: &String| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" T"))
        };
        // Without a sandbox it has a daemon, which is stopped as well.
        let count = if sandbox == "off" { 2 } else { 1 };
        while bots_left(engine.id()).iter().filter(|pid| is_stopped(pid)).count() < count {
            assert_eq!(engine.try_wait().unwrap(), None, "the engine runs");
            test_tools::pause();
        }
        engine.kill().unwrap();
        engine.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(120);
        while !bots_left(engine.id()).is_empty() {
            assert!(Instant::now() < until, "{sandbox}: a bot outlives the engine; {refuses_namespaces}");
            test_tools::pause();
        }
    }
}
