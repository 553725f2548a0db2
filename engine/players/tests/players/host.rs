//! A program that plays matches may have child processes of its own: they are left alone, whenever they are started.

use crate::table::Table;
use rustix::process::getpid;
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

/// A child of this program that lives until it is dropped.
struct OwnChild(Child);

impl OwnChild {
    /// Started by a thread that ends, so that the child is handed to the first thread, as orphans are.
    fn start(command: &'static [&'static str]) -> OwnChild {
        let spawn = || Command::new(command[0]).args(&command[1..]).env_clear().stdin(Stdio::piped()).spawn().unwrap();
        OwnChild(thread::spawn(spawn).join().unwrap())
    }

    /// A child in the session of this program, and another in a session of its own.
    fn both() -> [OwnChild; 2] {
        [OwnChild::start(&["/usr/bin/cat"]), OwnChild::start(&["/usr/bin/setsid", "/usr/bin/cat"])]
    }

    fn is_listed_with_orphans(&self) -> bool {
        let me = getpid().as_raw_pid();
        let children = fs::read_to_string(format!("/proc/{me}/task/{me}/children")).unwrap();
        children.split_whitespace().any(|child| child == self.0.id().to_string())
    }

    fn lives(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        self.0.stdin = None;
        self.0.wait().unwrap();
    }
}

#[test]
fn children_of_the_host_program_outlive_a_turn_and_the_daemons_of_the_bot_do_not() {
    for daemon in ["daemon", "bare-daemon"] {
        let mut before = OwnChild::both();
        let table = Table { limits: None, ..Table::new(&format!("{daemon}\nhang")) };
        let interrupt = table.interrupt.clone();
        let mut during = thread::scope(|scope| {
            let asked = scope.spawn(|| table.try_ask().is_err());
            // The bot hangs from the moment its daemon is there.
            while !table.bot.path().join("daemon.pid").exists() {
                test_tools::pause();
            }
            let during = OwnChild::both();
            assert!(before.iter().chain(&during).all(OwnChild::is_listed_with_orphans));
            interrupt.raise();
            assert!(asked.join().unwrap(), "it was interrupted");
            during
        });
        assert!(!table.left_alive("daemon.pid"), "{daemon}");
        assert!(before.iter_mut().chain(&mut during).all(OwnChild::lives), "{daemon}");
    }
}

#[test]
fn a_dead_child_of_the_host_program_is_left_for_it_to_reap() {
    let mut own = OwnChild::start(&["/usr/bin/cat"]);
    own.0.kill().unwrap();
    Table::new("place").ask();
    assert_eq!(own.0.wait().unwrap().code(), None);
}

#[test]
fn a_daemon_that_wiped_its_environment_is_ended_with_the_turn() {
    let table = Table::new("bare-daemon\nplace");
    assert!(table.ask().answer.is_ok());
    assert!(!table.left_alive("daemon.pid"));
}
