//! However a bot ends or fails to, its turn ends and nothing of it is left.

use crate::table::Table;
use arena::{ArenaError, Limits, RunEnd};
use fake_bot::{beside_busy_threads, last_processor};
use rules::Fault;
use rules::entelect_2017::Order;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;

#[test]
fn a_bot_that_hangs_is_killed_when_its_time_is_up() {
    let reply = Table::hurried("place\nhang").ask();
    let run = reply.run.unwrap();
    assert!(matches!(reply.answer, Err(Fault::TimedOut { .. })), "{:?}", reply.answer);
    assert_eq!(run.end, RunEnd::Killed);
    assert!(run.wall.as_secs() >= 3);
    assert_eq!(reply.given.len(), 1, "what it wrote is still shown");
}

#[test]
fn a_bot_that_spins_or_floods_for_ever_is_killed_too() {
    for script in ["spin 100000", "flood 100000000000", "flood-err 100000000000"] {
        let half = std::time::Duration::from_millis(500);
        let table = Table { limits: Some(arena::Limits::exactly(half, half)), ..Table::new(script) };
        assert!(matches!(table.ask().answer, Err(Fault::TimedOut { .. })), "{script}");
    }
}

#[test]
fn an_answer_after_the_limit_but_before_the_kill_does_not_count() {
    let ms = std::time::Duration::from_millis;
    let limits = Some(arena::Limits::exactly(ms(100), ms(10_000)));
    let table = Table { limits, ..Table::new("spin 300\nplace") };
    let reply = table.ask();
    assert_eq!(reply.run.unwrap().end, RunEnd::Exited(0));
    assert!(matches!(reply.answer, Err(Fault::TimedOut { limit, .. }) if limit == ms(100)));
}

/// Runs the bot for half a second of processor time, in a thread that is not its first, on a processor that `others` busy
/// threads of strangers use as well. Gives the time for which it waited for the processor, in milliseconds.
fn waited_beside(others: usize, limits: Limits, script: &str) -> u128 {
    let processor = last_processor();
    let table = Table { limits: Some(limits), ..Table::new(&format!("pin {processor}\n{script}")) };
    let reply = beside_busy_threads(others, processor, || table.ask());
    assert!(matches!(reply.answer, Err(Fault::TimedOut { .. })), "{:?}", reply.answer);
    reply.run.unwrap().waited.as_millis()
}

#[test]
fn the_waiting_of_all_threads_is_known_when_the_process_has_ended() {
    let ms = std::time::Duration::from_millis;
    let limits = Limits::exactly(ms(500), ms(20_000));
    let waited = waited_beside(3, limits, "work spin 500\nplace");
    assert!(waited >= 300, "{waited} ms");
}

#[test]
fn the_waiting_of_all_threads_is_known_when_the_process_is_killed() {
    let ms = std::time::Duration::from_millis;
    let waited = waited_beside(3, Limits::exactly(ms(500), ms(1000)), "work spin 5000\nplace");
    assert!(waited >= 300, "{waited} ms");
}

#[test]
fn a_child_that_holds_the_streams_open_does_not_hold_us_up() {
    let reply = Table::new("child\nplace").ask();
    assert!(matches!(reply.answer, Ok(Order::Place(_))));
    assert_eq!(reply.run.unwrap().end, RunEnd::Exited(0));
}

/// The nice value in the text of `/proc/PID/stat`. The name before it may have blanks, but is in brackets.
fn nice_value(stat: &str) -> i32 {
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    fields.split(' ').nth(16).unwrap().parse().unwrap()
}

#[test]
fn a_bot_runs_with_the_priority_of_the_engine() {
    let table = Table::new("");
    // The shell runs the script that has the name of the first argument, the bot's key.
    fs::write(table.bot.path().join("A"), "read -r stat < /proc/self/stat; echo \"$stat\"\n").unwrap();
    fs::write(table.bot.path().join("bot.json"), r#"{"BotType": "Executable", "RunFile": "/bin/sh"}"#).unwrap();
    let run = table.ask().run.unwrap();
    let own = fs::read_to_string("/proc/thread-self/stat").unwrap();
    assert_eq!(nice_value(&String::from_utf8(run.stdout.bytes).unwrap()), nice_value(&own));
}

#[test]
fn a_daemon_that_left_its_group_and_session_is_ended_with_the_turn() {
    let table = Table::new("daemon\nplace");
    assert!(matches!(table.ask().answer, Ok(Order::Place(_))));
    assert!(!table.left_alive("daemon.pid"));
}

#[test]
fn a_daemon_of_a_bot_that_hangs_is_ended_too() {
    let table = Table::hurried("daemon\nhang");
    assert!(matches!(table.ask().answer, Err(Fault::TimedOut { .. })));
    assert!(!table.left_alive("daemon.pid"));
}

#[test]
fn a_bot_that_left_its_group_for_ours_is_killed_too() {
    let reply = Table::hurried("join\nhang").ask();
    assert_eq!(reply.run.unwrap().end, RunEnd::Killed);
}

#[test]
fn a_match_can_be_stopped_while_a_bot_hangs() {
    let table = Table { limits: None, ..Table::new("daemon\nhang") };
    let interrupt = table.interrupt.clone();
    let asked = thread::scope(|scope| {
        let asked = scope.spawn(|| table.try_ask());
        // The bot hangs from the moment its daemon is there.
        while !table.bot.path().join("daemon.pid").exists() {
            test_tools::pause();
        }
        interrupt.raise();
        asked.join().unwrap()
    });
    assert!(matches!(asked, Err(ArenaError::Interrupted)));
    assert!(!table.left_alive("daemon.pid"));
}

#[test]
fn a_program_that_cannot_be_executed_is_the_bots_fault() {
    let table = Table::new("");
    let program = table.bot.path().join("nonsense");
    fs::write(&program, b"\x7fELF nonsense").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let manifest = r#"{"BotType": "Rust", "ProjectLocation": "", "RunFile": "nonsense"}"#;
    fs::write(table.bot.path().join("bot.json"), manifest).unwrap();
    let reply = table.ask();
    assert!(matches!(reply.answer, Err(Fault::Crashed { how }) if how.contains("could not be started")));
}
