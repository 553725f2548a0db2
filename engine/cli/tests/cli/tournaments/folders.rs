//! The folders and seeds of bots in tournaments: each game plays on copies, with seeds of its own, and nothing of a game is
//! left for the next.

use crate::tournaments::pairings::{Event, games_in, started};
use fake_bot::PLAYS;
use players::process::copy_bot;
use predicates::prelude::*;
use predicates::str::contains;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;

#[test]
fn games_of_one_bot_do_not_disturb_each_other() {
    // It counts its games in a file of its own folder, and stops playing when there was one before.
    let event = Event::new(&["1: place\nr1: once played\n2: fire", PLAYS]);
    event.command(&["-g", "6", "-j", "2"]).assert().code(0).stdout(contains("crashed").not());
    assert!(!event.bots[0].path().join("played").exists());
}

#[test]
fn what_a_try_left_that_did_not_count_is_gone_when_the_game_counts() {
    let event = Event::new(&[]);
    let out = event.folder.path().join("out");
    fs::create_dir_all(out.join("faults/0-1-00001/round 3 A")).unwrap();
    fs::create_dir_all(out.join("records")).unwrap();
    fs::write(out.join("records/0-1-00001.jsonl.zst"), "").unwrap();
    let bots = ["-b", "builtin:hunter", "builtin:random"];
    event.run(&[&["tournament", "-s", "1", "-g", "2", "--dir", "out"], &bots[..]].concat()).code(0);
    assert_eq!(["faults", "records"].map(|kept| fs::read_dir(out.join(kept)).unwrap().count()), [0, 0]);
}

#[test]
fn a_bundle_runs_its_turn_again_in_the_folder_that_is_left() {
    let event = Event::new(&["1: place\nr2: exit 7\n2: fire", PLAYS]);
    event.command(&["-g", "2"]).assert().code(0).stdout(contains("crashed"));
    let script = event.folder.path().join("out/faults/0-1-00000/round 2 A/run.sh");
    let again = std::process::Command::new("sh").arg(&script).output().unwrap();
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains("exit status 7"), "{said}");
    // A bundle is a turn, not a match.
    event.run(&["verify", "out"]).code(0).stderr("2 of 2 matches verified\n");
}

#[test]
fn a_tournament_in_the_folder_of_a_bot_does_not_change_the_bot() {
    let event = Event::new(&[PLAYS]);
    let run = |games: &str| {
        let mut command = crate::table::broadside();
        command.current_dir(event.bots[0].path());
        command.args(["tournament", "-s", "1", "--keep", "all", "-g", games, "-b", ".", "builtin:random"]);
        command.assert().code(0);
    };
    run("2");
    run("4");
    let folders = fs::read_dir(event.bots[0].path().join("tournaments")).unwrap();
    let games: Vec<usize> = folders.map(|folder| games_in(&folder.unwrap().path()).len()).collect();
    assert_eq!(games, [4]);
}

#[test]
fn whoever_works_on_a_bot_does_not_change_who_plays() {
    let event = Event::new(&[PLAYS, PLAYS]);
    let mut engine = started(&event, &["-g", "10"], 1);
    fs::write(event.bots[0].path().join(fake_bot::SCRIPT), "exit 1").unwrap();
    fs::remove_dir_all(event.bots[1].path()).unwrap();
    assert!(engine.wait().unwrap().success());
    let games = event.games("out");
    assert_eq!(games.len(), 10);
    assert!(games.iter().all(|game| !game.contains("crashed")), "{games:#?}");
}

#[test]
fn a_bot_that_changed_is_not_taken_for_the_copy_of_what_it_was() {
    let event = Event::new(&[PLAYS]);
    let at = |name: &str| event.folder.path().join(name);
    for name in ["my-bot", "old-bot"] {
        copy_bot(event.bots[0].path(), &at(name)).unwrap();
    }
    let run = |bots: [&str; 2], more: &[&str]| {
        event.run(&[&["tournament", "-s", "1", "--dir", "out", "-b"], &bots[..], more].concat())
    };
    run(["my-bot", "old-bot"], &["-g", "2"]).code(0);
    fs::write(at("my-bot").join("notes"), "mine").unwrap();
    let refused = run(["my-bot", "old-bot"], &["-g", "4"]).code(2);
    refused.stderr(contains("games.jsonl: Alpha (my-bot) has changed since it entered the tournament"));
    let told = "Alpha (my-bot) has changed since it entered the tournament; the changed bot plays on";
    run(["my-bot", "old-bot"], &["-g", "4", "--allow-changed"]).code(0).stderr(contains(told));
    run(["old-bot", "my-bot"], &["-g", "6"]).code(0).stdout(contains("Alpha (old-bot)"));
    // The one that has changed may be the one behind, or come first.
    fs::write(at("old-bot").join("notes"), "old").unwrap();
    let told = "Alpha (old-bot) has changed since it entered the tournament";
    run(["old-bot", "my-bot"], &["-g", "8", "--allow-changed"]).code(0).stderr(contains(told));
    assert_eq!(event.games("out").len(), 8);
}

#[test]
fn no_bot_is_given_a_seed_twice_or_one_that_its_opponent_had() {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seeds");
    let bots = ["one", "two"].map(|name| {
        let path = folder.path().join(name);
        let script = format!("echo {name} $BROADSIDE_SEED >> '{}'", seen.display());
        crate::bots::languages::fake_tool(&path, "bot", &script);
        fs::write(path.join("bot.json"), r#"{"BotType": "Executable", "ProjectLocation": "", "RunFile": "bot"}"#)
            .unwrap();
        path
    });
    let mut command = crate::table::broadside();
    command.current_dir(folder.path()).args(["tournament", "-s", "1", "-g", "4", "--sandbox", "off", "-b"]).args(&bots);
    command.assert().code(0);
    let text = fs::read_to_string(seen).unwrap();
    let seeds: BTreeSet<&str> = text.lines().collect();
    let values: BTreeSet<&str> = seeds.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
    // Two bots in four games: eight seeds, none of which both had.
    assert_eq!((seeds.len(), values.len()), (8, 8), "{text}");
}

#[test]
fn games_never_share_a_folder_however_large_it_is() {
    let folder = tempfile::tempdir().unwrap();
    // Each run of the bot counts the runs before it in its folder: two games, of which neither knows of the other.
    let bot = folder.path().join("bot");
    let seen = folder.path().join("runs");
    crate::bots::languages::fake_tool(&bot, "run", &format!("echo x >> runs; wc -l < runs >> '{}'", seen.display()));
    fs::write(bot.join("bot.json"), r#"{"BotType": "Executable", "ProjectLocation": "", "RunFile": "run"}"#).unwrap();
    let mut large = File::create(bot.join("large")).unwrap();
    large.set_len(300 << 20).unwrap();
    let play = || {
        let mut command = crate::table::broadside();
        command.current_dir(folder.path()).args(["tournament", "-s", "1", "-g", "2", "--sandbox", "off", "-b", "bot"]);
        command.arg("builtin:random").assert()
    };
    play().code(0);
    let runs = fs::read_to_string(&seen).unwrap();
    assert_eq!(runs.lines().filter(|count| *count == "1").count(), 2, "{runs}");
    (0..257).for_each(|_| large.write_all(&[1; 1 << 20]).unwrap());
    play().code(3).stderr(contains("hold more than 256 MiB").and(contains("hint: ")));
}

/// Without namespaces, a bot can fill the disk with files in the copy of its folder. It loses, and its opponent plays on.
#[test]
fn a_bot_that_fills_the_disk_loses_its_games() {
    // Not in the temporary folder, which may be the one that is covered.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bot = folder.path().join("bot");
    let script = r#"case "$2" in *"Phase 1"*) printf 'Carrier 0 0 east\nBattleship 0 1 east\nCruiser 0 2 east\n\
Submarine 0 3 east\nDestroyer 0 4 east\n' >"$2/place.txt";; *) cat /dev/zero >junk;; esac"#;
    crate::bots::languages::fake_tool(&bot, "run", &script.replace("\\\n", ""));
    fs::write(bot.join("bot.json"), r#"{"BotType": "Executable", "ProjectLocation": "", "RunFile": "run"}"#).unwrap();
    let run = |script: &str| {
        let mut unshare = assert_cmd::Command::new("unshare");
        unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).current_dir(folder.path());
        unshare.arg(assert_cmd::cargo::cargo_bin!("broadside")).env("XDG_CONFIG_HOME", "/nowhere");
        unshare
    };
    if !run("mount -t tmpfs tmpfs /dev/shm").output().is_ok_and(|output| output.status.success()) {
        return test_tools::not_allowed("a small file system");
    }
    let play = r#"mount -t tmpfs -o size=48m tmpfs /dev/shm && exec "$0" tournament -s 1 -g 2 -j 1 --sandbox off \
        --calibration 2000 --dir event -b bot builtin:hunter"#;
    run(play).assert().code(0);
    let games = fs::read_to_string(folder.path().join("event/games.jsonl")).unwrap();
    assert_eq!(games.matches(r#""line":"game""#).count(), 2, "{games}");
    assert!(!games.contains(r#""line":"failure""#) && games.contains("crashed"), "{games}");
    let standings = crate::table::broadside().arg("standings").arg(folder.path().join("event")).output().unwrap();
    let first = String::from_utf8(standings.stdout).unwrap();
    assert!(first.contains("1  builtin:hunter"), "{first}");
}
