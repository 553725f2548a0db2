//! The page of exit codes against the help texts, and one meaning for what is not there.

use crate::table::broadside;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::collections::BTreeMap;
use std::fs::{self, File};

/// The commands of each code in docs/exit-codes.md.
fn page() -> BTreeMap<String, String> {
    let page = include_str!("../../../../../docs/exit-codes.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    rows.filter(|row| row[0].parse::<u8>().is_ok()).map(|row| (row[0].to_owned(), row[2].to_owned())).collect()
}

/// The codes in a help text.
fn codes(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let listed = help.split("Exit status:\n").nth(1).unwrap_or_default();
    let codes = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    codes.filter(|code| code.parse::<u8>().is_ok()).map(str::to_owned).collect()
}

#[test]
fn the_page_of_exit_codes_has_all_of_all_help_texts() {
    let page = page();
    let mut seen = 0;
    let mut all = vec![(String::new(), broadside::command())];
    while let Some((name, command)) = all.pop() {
        for code in codes(&command) {
            let commands = page.get(&code).unwrap_or_else(|| panic!("{code} of {name} is not on the page"));
            let is_listed = commands == "all" || name.is_empty() || commands.contains(&format!("`{name}`"));
            assert!(is_listed, "{name} may end with {code}");
            seen += 1;
        }
        let own = |sub: &clap::Command| format!("{name} {}", sub.get_name()).trim().to_owned();
        all.extend(command.get_subcommands().map(|sub| (own(sub), sub.clone())));
    }
    assert!(seen > 40, "{seen}");
    let known: Vec<String> = codes(&broadside::command());
    assert_eq!(page.keys().filter(|code| !known.contains(code)).count(), 0, "{known:?}");
}

#[test]
fn what_is_to_be_read_and_is_not_there_has_one_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let cases: [&[&str]; 14] = [
        &["standings"],
        &["standings", "nowhere"],
        &["standings", "empty"],
        &["sprt", "nowhere"],
        &["matches"],
        &["matches", "nowhere"],
        &["matches", "empty"],
        &["replay"],
        &["replay", "nowhere"],
        &["verify", "nowhere"],
        &["verify", "empty"],
        &["verify", "nowhere", "--json"],
        &["expand", "nowhere", "to"],
        &["import", "nowhere", "to.jsonl"],
    ];
    for case in cases {
        let ended = broadside().current_dir(folder.path()).args(case).assert();
        let code = ended.get_output().status.code();
        assert_eq!(code, Some(5), "{case:?}: {}", String::from_utf8_lossy(&ended.get_output().stderr));
        assert!(!ended.get_output().stderr.is_empty(), "{case:?}");
    }
}

#[test]
fn a_help_text_that_cannot_be_written_is_an_error_like_any_other() {
    for arguments in [&["--help"][..], &["-h"], &["--version"], &["help", "play"], &["docs"], &["languages"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ended = std::process::Command::new(env!("CARGO_BIN_EXE_broadside")).args(arguments).stdout(full).output();
        let ended = ended.unwrap();
        assert_eq!(ended.status.code(), Some(1), "{arguments:?}");
        assert!(contains("cannot write the result to standard output").eval(&String::from_utf8_lossy(&ended.stderr)));
        broadside().args(arguments).assert().code(0).stdout(is_empty().not());
    }
}
