//! A full disk ends the match, with an engine error and no winner.

use crate::table::Table;
use predicates::prelude::*;
use predicates::str::contains;
use std::path::PathBuf;
use std::process::Command;

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
