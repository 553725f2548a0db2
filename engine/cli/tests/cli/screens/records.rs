//! Records of matches as their users meet them.

use crate::table::{Table, assert_is_verified, bots_left, broadside, signalled, tree};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A match that was played, in the folder `out`.
fn played(flags: &[&str]) -> Table {
    let table = Table::new();
    table.command().args(flags).assert().code(0);
    assert_is_verified(&table.out());
    table
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_match_leaves_a_record_beside_its_folder() {
    let table = played(&["--seed", "7"]);
    let record = table.read("match.jsonl");
    let first: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!((first["seed"].as_str(), first["sequence"].as_str()), (Some("7"), Some("together")));
    assert_eq!(first["seats"][0]["limits"]["kill_ms"], 4000);
    assert_eq!(first["seats"][0]["content"].as_str().unwrap().len(), 64);
    assert_ne!(first["seats"][0]["content"], first["seats"][1]["content"], "the bots have other names");
    assert!(first["engine"].as_str().unwrap().starts_with("broadside "));
    let second: serde_json::Value = serde_json::from_str(record.lines().nth(1).unwrap()).unwrap();
    assert!(second["answers"]["B"]["ms"].as_f64().unwrap() > 0.0 && second["answers"]["B"]["cpu_ms"].is_number());
}

#[test]
fn a_compact_record_is_all_there_is_and_has_all_of_the_folder() {
    for flags in
        [&["--record", "compact"][..], &["--record", "compact", "--tournamentMode"], &["--record", "compact", "--zstd"]]
    {
        let table = played(flags);
        let name = if flags.contains(&"--zstd") { "match.jsonl.zst" } else { "match.jsonl" };
        assert_eq!(names(&table.out()), [name], "{flags:?}");
        assert_is_verified(&table.out().join(name));
        let mut command = broadside();
        command.current_dir(table.folder.path()).args(["expand", &format!("out/{name}"), "whole folder"]);
        command.assert().code(0).stdout("whole folder\n");
        let whole = table.folder.path().join("whole folder");
        assert!(names(&whole).iter().all(|name| name.starts_with("Phase ")));
        assert_is_verified(&whole);
    }
}

#[test]
fn nothing_is_left_of_a_match_that_nobody_wants_to_keep() {
    let table = Table::new();
    let [a, b] = &table.bots;
    let mut command = broadside();
    command.current_dir(table.folder.path()).args(["--record", "none", "-s", "1", "-b"]).args([a.path(), b.path()]);
    command.assert().code(0).stdout(contains(" wins: ").and(contains("Replay").not()));
    assert!(!table.folder.path().join("replays").exists());
    table.command().args(["--record", "some"]).assert().code(2);
    let contradict = contains("--log and --record none contradict each other");
    table.command().args(["--record", "none"]).assert().code(2).stderr(contradict);
}

#[test]
fn faults_are_kept_beside_a_compact_record() {
    let table = Table::with(["1: place", fake_bot::PLAYS]);
    table.command().args(["--record", "compact"]).assert().code(0).stdout(contains("faults/round 1 A/report.txt"));
    assert_eq!(names(&table.out()), ["faults", "match.jsonl"]);
}

#[test]
fn the_record_of_an_older_match_is_moved_aside_with_it() {
    let table = played(&["--record", "compact", "--zstd"]);
    table.command().assert().code(0).stderr(contains("is now in its folder 'previous"));
    assert!(!table.out().join("match.jsonl.zst").exists() && table.out().join("match.jsonl").exists());
    let older = names(&table.out()).into_iter().find(|name| name.starts_with("previous")).unwrap();
    assert_eq!(names(&table.out().join(older)), ["match.jsonl.zst"]);
}

#[test]
fn a_killed_engine_leaves_a_readable_record_and_no_scratch_folder() {
    for flags in [&[][..], &["--record", "compact"], &["--tournamentMode", "--sandbox", "off"]] {
        let table = Table::with(["1: place\nr4: hang\n2: fire", fake_bot::PLAYS]);
        let mut engine = signalled();
        engine.current_dir(table.folder.path()).args(table.arguments()).args(["--nolimit", "--in-turn"]).args(flags);
        engine.env("XDG_STATE_HOME", table.folder.path().join("state"));
        let mut engine = engine.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let scratch = scratch_of(&mut engine, &table);
        engine.kill().unwrap();
        engine.wait().unwrap();
        while !bots_left(engine.id()).is_empty() || scratch.as_ref().is_some_and(|path| path.exists()) {
            test_tools::pause();
        }
        let state = table.folder.path().join("state/broadside");
        while fs::read_dir(&state).is_ok_and(|journals| journals.count() > 0) {
            test_tools::pause();
        }
        let mut command = broadside();
        command.current_dir(table.folder.path()).args(["verify", "out/match.jsonl"]);
        let unfinished = contains("no end out/match.jsonl: 4 rounds, as the rules have it; the match was stopped then");
        command.assert().code(5).stdout(unfinished).stderr("0 of 1 match verified\n");
        let mut command = broadside();
        command.current_dir(table.folder.path()).args(["replay", "out", "--print", "--round", "3"]);
        command.assert().code(0).stdout(starts_with("Round 3 · battle")).stderr(contains("there is no outcome"));
    }
}

/// Waits until bot A hangs in round 4. Gives the folder in which it plays, if that is not the match's.
fn scratch_of(engine: &mut std::process::Child, table: &Table) -> Option<PathBuf> {
    loop {
        assert_eq!(engine.try_wait().unwrap(), None, "the engine runs");
        for bot in bots_left(engine.id()) {
            let line = fs::read(format!("/proc/{bot}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            let folder =
                line.split('\0').find_map(|word| word.split_once("/Phase 2 - Round 4/A")).map(|(root, _)| root);
            if let Some(root) = folder {
                let root = PathBuf::from(root);
                return (root != table.out().canonicalize().unwrap()).then_some(root);
            }
        }
        test_tools::pause();
    }
}

#[test]
fn verify_tells_of_every_match_and_ends_with_its_verdict() {
    let table = played(&[]);
    let folder = table.folder.path();
    let record = table.read("match.jsonl");
    fs::create_dir(folder.join("more")).unwrap();
    fs::write(folder.join("more/good.jsonl"), &record).unwrap();
    let mut command = broadside();
    command.current_dir(folder).args(["verify", "out", "more"]).assert().code(0);
    command
        .assert()
        .stdout(starts_with("ok     out: ").and(contains("ok     more/good.jsonl: ")))
        .stderr("2 of 2 matches verified\n");

    // A name that would paint the terminal, or look like a line of its own.
    let painting = folder.join("more/a\u{1b}[31m\nWRONG  b.jsonl");
    fs::write(&painting, &record).unwrap();
    let mut command = broadside();
    let seen = command.current_dir(folder).args(["verify", "more"]).output().unwrap().stdout;
    assert!(
        !seen.contains(&0x1b) && seen.split(|byte| *byte == b'\n').count() == 3,
        "{}",
        String::from_utf8_lossy(&seen)
    );
    fs::remove_file(painting).unwrap();

    fs::write(folder.join("more/bad.jsonl"), record.replacen("1,1,0", "1,1,1", 1)).unwrap();
    let wrong = starts_with("WRONG  more/bad.jsonl: line ").and(contains("was changed: its checksum is wrong\n"));
    let mut command = broadside();
    command.current_dir(folder).args(["verify", "--quiet", "out", "more"]);
    command.assert().code(5).stdout(wrong).stderr("2 of 3 matches verified\n");

    for (arguments, code, what) in [
        (
            &["verify", "nowhere"][..],
            5,
            "WRONG  nowhere: this is not a record of a match: there is no such file or folder",
        ),
        (&["verify", "state"], 5, "there is no match in state"),
        (&["verify"], 2, "required"),
        (&["expand", "out", "out"], 2, "out exists and is not empty"),
        (&["expand", "more/bad.jsonl", "new"], 5, "more/bad.jsonl: line "),
        (&["import", "nowhere", "x.jsonl"], 5, "nowhere: this is not a record of a match: there is no such file"),
        (&["expand", "nowhere", "x"], 5, "nowhere: this is not a record of a match: there is no such file"),
        (&["replay", "out", "--html", "out/match.jsonl"], 2, "out/match.jsonl is the record itself"),
        (&["replay", "out", "--gif", "out/match.jsonl"], 2, "out/match.jsonl is the record itself"),
        (&["replay", "out", "--gif", "x.gif", "--round", "1"], 2, "cannot be used with"),
        (&["replay", "out", "--png", "x.png", "--round", "1000"], 2, "there is no round 1000"),
        (&["replay", "out", "--round", "18446744073709551615"], 2, "there is no round 18446744073709551615"),
        (&["import", "more", "x.jsonl"], 5, "more: this is not a record of a match"),
        (&["replay", "more"], 5, "more: this is not a record of a match"),
        (&["replay", "more/bad.jsonl"], 5, "the file was changed or damaged after it was written"),
        (&["replay", "out", "--round", "1000"], 2, "there is no round 1000\n  hint: the rounds go from 0 to "),
        (&["replay", "out", "--eyes", "C"], 2, "there is no seat C in this match\n  hint: the seats are A, B"),
        (&["replay", "out", "--eyes", "x"], 2, "expected the letter of a seat"),
    ] {
        fs::create_dir_all(folder.join("state")).unwrap();
        let mut command = broadside();
        let output = command.current_dir(folder).args(arguments).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.code() == Some(code) && said.contains(what), "{arguments:?}: {said}");
    }
}

#[test]
fn import_and_expand_are_the_way_there_and_back() {
    let table = played(&[]);
    let folder = table.folder.path();
    let run = |arguments: &[&str]| broadside().current_dir(folder).args(arguments).assert().code(0);
    fs::rename(table.out().join("match.jsonl"), folder.join("kept.jsonl")).unwrap();
    run(&["import", "out", "made.jsonl.zst"]).stdout("made.jsonl.zst\n");
    run(&["verify", "out", "made.jsonl.zst", "kept.jsonl"]);
    run(&["expand", "made.jsonl.zst", "again"]);
    assert_eq!(tree(&folder.join("again")), tree(&table.out()));
    // The record in a folder tells more than its rounds.
    fs::copy(folder.join("kept.jsonl"), table.out().join("match.jsonl")).unwrap();
    run(&["import", "out", "copied.jsonl"]);
    assert_eq!(fs::read(folder.join("copied.jsonl")).unwrap(), fs::read(folder.join("kept.jsonl")).unwrap());
    fs::create_dir(folder.join("packed")).unwrap();
    run(&["import", "out", "packed/match.jsonl.zst"]);
    run(&["import", "packed", "unpacked.jsonl"]).stderr("");
    assert_eq!(fs::read(folder.join("unpacked.jsonl")).unwrap(), fs::read(folder.join("kept.jsonl")).unwrap());
}

#[test]
fn a_folder_that_the_rules_play_otherwise_is_imported_and_called_wrong() {
    let table = played(&[]);
    let folder = table.folder.path();
    fs::remove_file(table.out().join("match.jsonl")).unwrap();
    let state = table.out().join("Phase 2 - Round 2/A/state.json");
    let text = fs::read_to_string(&state).unwrap();
    fs::write(&state, text.replacen("\"Round\":2", "\"Round\":3", 1)).unwrap();
    let run = |arguments: &[&str]| broadside().current_dir(folder).args(arguments).assert();
    let stderr = contains("does not follow the rules: out: Phase 2 - Round 2/A/state.json: Round: 3 in");
    run(&["import", "out", "made.jsonl"]).code(5).stdout("made.jsonl\n").stderr(stderr);
    let stdout = contains("WRONG  made.jsonl: the folder that it was made from does not follow");
    run(&["verify", "made.jsonl"]).code(5).stdout(stdout);
}

/// The text of the line about the match in a page, as a real browser shows it; `None` where there is no browser.
fn about_the_match(page: &Path) -> Option<String> {
    let browser = test_tools::required("chromium-headless-shell")?;
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=1000", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", profile.path().display())).arg(format!("file://{}", page.display()));
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let (_, line) = shown.split_once("id=\"about\"").unwrap_or_else(|| panic!("no page: {shown}"));
    let line = line.split_once('>').unwrap().1.split_once("</p>").unwrap().0;
    // The text between the tags.
    let parts = line.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    Some(parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | "))
}

#[test]
fn the_page_of_an_imported_record_leaves_out_what_is_not_known() {
    let table = played(&[]);
    let folder = table.folder.path();
    let page = |from: &str| {
        broadside().current_dir(folder).args(["replay", from, "--html", "page.html"]).assert().code(0);
        folder.join("page.html")
    };
    let known = about_the_match(&page("out"));
    fs::remove_file(table.out().join("match.jsonl")).unwrap();
    broadside().current_dir(folder).args(["import", "out", "made.jsonl"]).assert().code(0);
    for from in ["out", "made.jsonl"] {
        let page = page(from);
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.contains(r#""played":"""#) && text.contains(r#""seed":"""#));
        let Some(known) = &known else { return };
        // That of the match itself shows that the line is found.
        assert!(known.contains(" | seed ") && known.starts_with("Entelect Challenge 2017, 7 x 7 | 20"), "{known}");
        let imported = about_the_match(&page).unwrap();
        assert!(imported.starts_with("Entelect Challenge 2017, 7 x 7 | engine "), "{imported}");
        assert!(!imported.contains("seed"), "{imported}");
    }
}

#[test]
fn a_replay_goes_to_pipes_as_text_and_to_files_as_pages_and_pictures() {
    let table = played(&[]);
    let folder = table.folder.path();
    let run = |arguments: &[&str]| broadside().current_dir(folder).args(arguments).assert().code(0);
    let all = String::from_utf8(run(&["replay", "out"]).get_output().stdout.clone()).unwrap();
    assert!(all.starts_with("Before round 0") && all.contains("Round 3 · battle") && all.contains(" wins: "));
    assert!(!all.contains('\x1b'));
    let eyes =
        String::from_utf8(run(&["replay", "out", "--round", "1", "--eyes", "b"]).get_output().stdout.clone()).unwrap();
    assert!(!eyes.lines().take(9).any(|line| line.split("      ").next().unwrap().contains(" C ")), "{eyes}");
    run(&["replay", "out", "--html", "page.html"]).stdout("page.html\n");
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("Alpha"));
    run(&["replay", "out", "--png", "b.png", "--round", "1", "--eyes", "b"]).stdout("b.png\n");
    run(&["replay", "out", "--png", "end.png"]).stdout("end.png\n");
    run(&["replay", "out", "--gif", "match.gif"]).stdout("match.gif\n");
    let starts = ["b.png", "end.png", "match.gif"].map(|file| fs::read(folder.join(file)).unwrap()[..4].to_vec());
    assert_eq!(starts, [&b"\x89PNG"[..], b"\x89PNG", b"GIF8"]);
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org/").count());
}
