//! `broadside replay` on a real (pseudo) terminal.

use crate::screens::terminal::Terminal;
use crate::table::{Table, USUAL_SIGNALS};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs;

const ENTERED: &str = "\x1b[?1049h";
const LEFT: &str = "\x1b[?1049l";
const CURSOR_SHOWN: &str = "\x1b[?25h";
/// Draws everything anew, so that all words stand in what was written.
const DRAW_ANEW: &str = "\x0c";

/// A match that was played, in the folder `out`.
fn played() -> Table {
    let table = Table::new();
    table.command().assert().code(0);
    table
}

/// The line of shell that starts the viewer.
fn viewer() -> String {
    format!("env {USUAL_SIGNALS} '{}' replay out", assert_cmd::cargo::cargo_bin!("broadside").display())
}

/// The viewer in a terminal; after it, its exit code and the state of the terminal are shown.
fn watch(table: &Table) -> Option<Terminal> {
    Terminal::run(table.folder.path(), &format!("{}; echo code $?; stty -a", viewer()), false)
}

/// Fails unless the viewer ended with this code and the terminal is as it was.
fn assert_left(screen: &str, code: u8) {
    assert!(screen.contains(&format!("code {code}")), "{screen}");
    let after = screen.rsplit(LEFT).next().unwrap();
    assert!(screen.find(ENTERED).unwrap() < screen.find(LEFT).unwrap() && after.contains(CURSOR_SHOWN), "{screen}");
    assert!(after.contains(" icanon") && after.contains(" echo "), "keys are echoed again: {after}");
}

#[test]
fn a_match_is_watched_and_the_screen_given_back() {
    let table = played();
    let Some(mut terminal) = watch(&table) else { return };
    terminal.wait_for("Before round 0").press("l").press(DRAW_ANEW).wait_for("Round 0 · placing the ships");
    terminal.press("G").press(DRAW_ANEW).wait_for(" wins: ").press("q");
    assert_left(&terminal.end().0, 0);
}

#[test]
fn it_plays_by_itself_to_the_end() {
    let table = played();
    let Some(mut terminal) = watch(&table) else { return };
    terminal.wait_for("Before round 0").press("G\x1b[5~++ ").press(DRAW_ANEW).wait_for("playing 20/s");
    terminal.wait_for(" wins: ").press("q");
    assert_left(&terminal.end().0, 0);
}

#[test]
fn escape_alone_leaves_and_arrows_do_not() {
    let table = played();
    let Some(mut terminal) = watch(&table) else { return };
    terminal.wait_for("Before round 0").press("\x1b[C\x1bOC").press(DRAW_ANEW).wait_for("Round 1 · battle");
    terminal.press("\x1b");
    assert_left(&terminal.end().0, 0);
}

#[test]
fn ctrl_c_leaves() {
    let table = played();
    let Some(mut terminal) = watch(&table) else { return };
    terminal.wait_for("Before round 0").press("\x03");
    assert_left(&terminal.end().0, 0);
}

#[test]
fn a_signal_ends_it_with_the_screen_given_back() {
    for signal in ["TERM", "QUIT"] {
        let table = played();
        let folder = table.folder.path();
        // The signal comes when something is written to the pipe.
        let line = format!(
            "mkfifo go; sh -c '(read x < go; kill -{signal} $$) & exec {}'; echo code $?; stty -a",
            viewer().replace('\'', "'\\''")
        );
        let Some(mut terminal) = Terminal::run(folder, &line, false) else { return };
        terminal.wait_for("Before round 0");
        fs::write(folder.join("go"), "\n").unwrap();
        assert_left(&terminal.end().0, 130);
    }
}

#[test]
fn a_terminal_that_grows_is_filled() {
    let table = played();
    let folder = table.folder.path();
    let line =
        format!("stty rows 10 cols 30; mkfifo go; (read x < go; stty rows 24 cols 80) < /dev/tty & {}", viewer());
    let Some(mut terminal) = Terminal::run(folder, &line, false) else { return };
    terminal.wait_for("small");
    fs::write(folder.join("go"), "\n").unwrap();
    terminal.wait_for("Before round 0").press("q");
    assert_eq!(terminal.end().1, Some(0));
}

#[test]
fn without_a_terminal_it_ends_even_where_hang_ups_are_ignored() {
    let table = played();
    let folder = table.folder.path();
    let program = assert_cmd::cargo::cargo_bin!("broadside").display();
    let line = format!("trap '' HUP; echo $$ > pid; exec '{program}' replay out");
    let Some(mut terminal) = Terminal::run(folder, &line, false) else { return };
    terminal.wait_for("Before round 0");
    let pid: i32 = fs::read_to_string(folder.join("pid")).unwrap().trim().parse().unwrap();
    let viewer = pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty()).unwrap();
    terminal.take_away();
    let patience = Timespec { tv_sec: 20, tv_nsec: 0 };
    let ended = retry_on_intr(|| poll(&mut [PollFd::new(&viewer, PollFlags::IN)], Some(&patience)));
    assert_eq!(ended, Ok(1), "it still runs");
}
