//! A full disk ends the match, with an engine error and no winner.

use crate::table::Table;
use crate::zoo::cage;
use fake_bot::PLAYS;
use predicates::prelude::*;
use predicates::str::contains;
use std::path::PathBuf;
use std::process::Command;
use walkdir::WalkDir;

/// The program that runs another in a namespace of its own, where a file system can be mounted; `None` where a tool for that is
/// missing.
pub fn mounting() -> Option<PathBuf> {
    test_tools::required("mount")?;
    test_tools::required("unshare")
}

/// Runs a shell script with a file system of 300 KiB mounted at `small`; None where the system does not let us.
fn on_a_small_disk(table: &Table, script: &str) -> Option<std::process::Output> {
    let inner = format!(
        "mount -t tmpfs -o size=300k,nr_inodes=10k tmpfs small && {script}; status=$?; cp -r small copy; exit $status"
    );
    std::fs::create_dir(table.folder.path().join("small")).unwrap();
    let program = mounting()?;
    let unshare = |script: &str| {
        let mut command = Command::new(&program);
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).current_dir(table.folder.path());
        command.env("XDG_STATE_HOME", table.folder.path().join("small"));
        command.output()
    };
    let possible = unshare("mount -t tmpfs tmpfs small").is_ok_and(|output| output.status.success());
    if !possible {
        test_tools::not_allowed("a file system of one's own");
        return None;
    }
    Some(unshare(&inner).unwrap())
}

fn fills_up(flags: &str) {
    let table = Table::new();
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    let [a, b] = &table.bots;
    let script = format!(
        "'{}' {flags} -s 1 -b '{}' '{}' -l small/out",
        program.display(),
        a.path().display(),
        b.path().display()
    );
    let Some(output) = on_a_small_disk(&table, &script) else { return };
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{stdout}{stderr}");
    assert!(contains("No winner").eval(&stderr) && contains("No space left").eval(&stderr), "{stderr}");
    assert_eq!(stdout, "");
    // What is there can be read: no file is half there.
    let files = crate::table::tree(&table.folder.path().join("copy/out"));
    for (path, bytes) in files.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "json")) {
        assert!(serde_json::from_slice::<serde_json::Value>(bytes).is_ok(), "{} is cut off", path.display());
    }
    assert!(flags.contains("tournament") || files.len() > 10);
}

/// Files in memory count, too. The limit is in blocks of 512 bytes.
#[test]
fn a_match_is_played_where_files_may_have_four_mib() {
    let table = Table::new();
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -f 8192 && exec "$0" "$@""#]).arg(assert_cmd::cargo::cargo_bin!("broadside"));
    let done = command.args(table.arguments()).current_dir(table.folder.path()).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{done:?}");
}

#[test]
fn a_full_disk_ends_the_match_without_a_winner() {
    fills_up("");
}

#[test]
fn a_full_disk_ends_a_match_in_tournament_mode_without_a_winner() {
    fills_up("--tournamentMode");
}

#[test]
fn a_full_disk_leaves_a_record_as_far_as_it_goes() {
    let table = Table::new();
    let [a, b] = &table.bots;
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    let line = |flags: &str| {
        format!(
            "'{}' {flags} -s 1 -b '{}' '{}' -l small/out",
            program.display(),
            a.path().display(),
            b.path().display()
        )
    };
    let script = format!("head -c 296000 /dev/zero > small/filler; {}", line("--record compact --bundles none"));
    let Some(output) = on_a_small_disk(&table, &script) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let record = std::fs::read(table.folder.path().join("copy/out/match.jsonl")).unwrap();
    let record = arena::record::Record::parse(std::path::Path::new("x"), record).unwrap();
    assert!(record.len() > 5 && record.end().is_none(), "{}", record.len());
}

/// The files that a bot leaves in the folders of its rounds have a limit for the whole match.
#[test]
fn a_bot_leaves_little_in_all_rounds_of_a_match_together() {
    for flags in [&["--sandbox", "off"][..], &["--sandbox", "strict"]] {
        if flags[1] == "strict" && !cage::has_sandbox() {
            continue;
        }
        let table = Table::with(["1: place\n2: fire\n2: fill junk 10", PLAYS]);
        table.command().args(flags).assert().code(0);
        let junk = WalkDir::new(table.out()).into_iter().map(Result::unwrap).filter(|it| it.file_name() == "junk");
        let sizes: Vec<u64> = junk.map(|entry| entry.metadata().unwrap().len() >> 20).collect();
        assert_eq!(sizes, [10; 6], "64 MiB in all; {flags:?}");
    }
}

/// A bot that fills a disk of 40 MiB with what it leaves, round by round, does not end its games.
#[test]
fn a_match_goes_on_where_a_bot_leaves_more_than_the_disk_holds() {
    if !cage::has_sandbox() {
        return;
    }
    let table = Table::with(["1: place\n2: fire\n2: fill junk 9", PLAYS]);
    let Some(program) = mounting() else { return };
    let script = "mount -t tmpfs -o size=40m tmpfs small && exec \"$0\" \"$@\"";
    std::fs::create_dir(table.folder.path().join("small")).unwrap();
    let mut command = Command::new(program);
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).current_dir(table.folder.path());
    command.arg(assert_cmd::cargo::cargo_bin!("broadside")).args([
        "-s",
        "1",
        "--sandbox",
        "strict",
        "-l",
        "small/out",
        "-b",
    ]);
    command.args(table.bots.each_ref().map(|bot| bot.path())).env("XDG_STATE_HOME", table.folder.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("mount:") {
        test_tools::not_allowed("a file system of one's own");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{said}");
}
