//! The copies from which entrants of a tournament play, whatever becomes of their folders.

use crate::bots::languages::fake_tool;
use crate::tournaments::entrants::{FLAGS, back, stop_half_way};
use crate::tournaments::pairings::{Event, started};
use fake_bot::{BotFolder, PLAYS};
use players::process::{copy_bot, copy_hash};
use predicates::prelude::*;
use predicates::str::contains;
use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The tournament of these tests, without the calibration that bots without turns do not need.
const PLAIN: [&str; 6] = ["-g", "8", "--seed", "5", "--sandbox", "off"];

/// A bot that notes in `log` which version of it plays; the version is in the file `part` of its folder.
fn versioned(log: &Path, name: &str, part: &str) -> BotFolder {
    let manifest =
        format!(r#"{{"NickName": "{name}", "BotType": "Executable", "ProjectLocation": "", "RunFile": "run"}}"#);
    let bot = BotFolder::with_manifest(&manifest, "");
    let script = format!("echo {name} $(cat {part}) >> '{}'", log.display());
    fake_tool(bot.path(), "run", &script);
    let part = bot.path().join(part);
    fs::create_dir_all(part.parent().unwrap()).unwrap();
    fs::write(part, "1").unwrap();
    bot
}

#[test]
fn code_of_any_folder_and_of_a_large_bot_plays_on_as_it_entered() {
    let mut event = Event::new(&[]);
    let log = event.folder.path().join("log");
    event.bots = vec![versioned(&log, "Alpha", "venv/core"), versioned(&log, "Bravo", "bin/core")];
    // More than has a hash in records: 65 MiB, and a file that claims any length.
    let mut large = File::create(event.bots[1].path().join("model")).unwrap();
    (0..65).for_each(|_| large.write_all(&[1; 1 << 20]).unwrap());
    File::create(event.bots[1].path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
    stop_half_way(&event, "8", &PLAIN[2..]);
    back(&event);
    fs::write(event.bots[0].path().join("venv/core"), "2").unwrap();
    fs::write(event.bots[1].path().join("bin/core"), "2").unwrap();
    let told = |name: &str| format!("{name} has changed since it entered the tournament; what it was then plays on");
    let told = contains(told("Alpha")).and(contains(told("Bravo")));
    event.command(&PLAIN).assert().code(0).stderr(told);
    let played = fs::read_to_string(&log).unwrap();
    assert!(played.contains("Alpha 1") && played.contains("Bravo 1") && !played.contains(" 2"), "{played}");
    // The copies are gone, and neither bot is what it was.
    let refused = event.command(&["-g", "10", "--seed", "5", "--sandbox", "off"]).assert().code(2);
    refused.stderr(contains("Alpha has changed since it entered the tournament").and(contains("--allow-changed")));
    fs::write(event.bots[0].path().join("venv/core"), "1").unwrap();
    event
        .command(&["-g", "10", "--seed", "5", "--sandbox", "off"])
        .assert()
        .code(2)
        .stderr(contains("Bravo has changed"));
}

/// Nests folders so deep that no path leads to the last one.
fn nest(folder: &Path) {
    let mut at = openat(CWD, folder, OFlags::DIRECTORY, Mode::empty()).unwrap();
    for _ in 0..2100 {
        mkdirat(&at, "d", Mode::RWXU).unwrap();
        at = openat(&at, "d", OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
}

#[test]
fn a_folder_that_cannot_be_walked_is_an_error_of_its_bot() {
    let event = Event::new(&[PLAYS, PLAYS, PLAYS]);
    stop_half_way(&event, "8", &FLAGS[2..]);
    nest(event.bots[0].path());
    for more in [&[][..], &["--retire", "Alpha"]] {
        back(&event);
        let told = event.command(&[&FLAGS[..], more].concat()).assert().code(0);
        let plays_on = contains("Alpha plays on as it was when it entered the tournament: bot ");
        if more.is_empty() {
            told.stderr(plays_on.and(contains("d/d/d")).and(contains("… cannot be read")));
        } else {
            told.stderr(plays_on.not().and(contains("Alpha plays no more games")));
        }
    }
    let left_out = contains("left out: bot ").and(contains("hint: each game of a tournament plays on a copy"));
    event
        .run(&[
            "tournament",
            "-s",
            "1",
            "-g",
            "2",
            "--dir",
            "new",
            "-b",
            "builtin:random",
            "builtin:hunter",
            event.bots[0].path().to_str().unwrap(),
        ])
        .code(0)
        .stderr(left_out);
    event.command(&[&FLAGS[..], &["--strict"]].concat()).assert().code(3);
}

/// The files of the copy of the first entrant, by their inodes.
fn inodes(event: &Event) -> Vec<u64> {
    let copy = event.folder.path().join("out/entrants/0");
    let mut files: Vec<PathBuf> = fs::read_dir(copy).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| file.metadata().unwrap().ino()).collect()
}

#[test]
fn a_good_copy_stays_and_half_a_copy_is_never_taken_for_one() {
    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&FLAGS).assert().code(0);
    let whole = event.games("out");
    fs::remove_dir_all(event.folder.path().join("out")).unwrap();
    stop_half_way(&event, "8", &FLAGS[2..]);
    back(&event);
    let before = inodes(&event);
    let mut engine = started(&event, &FLAGS, event.games("out").len() + 1);
    engine.kill().unwrap();
    engine.wait().unwrap();
    if event.folder.path().join("out/entrants").exists() {
        assert_eq!(inodes(&event), before);
    }
    // Killed while it copied: half a copy lies beside the place, or, from an older version, in it.
    let at = |name: &str| event.folder.path().join("out/entrants").join(name);
    let kept = event.folder.path().join("kept");
    copy_bot(event.bots[0].path(), &kept).unwrap();
    let half = |name: &str| {
        fs::create_dir_all(at(name)).unwrap();
        fs::write(at(name).join("bot.json"), "{").unwrap();
    };
    back(&event);
    half("0.new");
    fs::remove_dir_all(event.bots[0].path()).unwrap();
    event.command(&FLAGS).assert().code(0).stderr(contains("Alpha plays on as it was"));
    assert_eq!(event.games("out"), whole);
    back(&event);
    half("0");
    event.command(&FLAGS).assert().code(2).stderr(contains("Alpha takes part in it").and(contains("--retire 'Alpha'")));
    copy_bot(&kept, event.bots[0].path()).unwrap();
    event.command(&FLAGS).assert().code(0).stderr(contains("plays on").not());
    assert_eq!(event.games("out"), whole);
}

#[test]
fn who_saves_a_bot_while_another_is_built_enters_what_plays() {
    if test_tools::required("make").is_none() || test_tools::required("cc").is_none() {
        return;
    }
    let mut event = Event::new(&[]);
    let at = |name: &str| event.folder.path().join(name);
    let (log, building, go) = (at("log"), at("building"), at("go"));
    let slow = BotFolder::with_manifest(
        r#"{"NickName": "Slow", "BotType": "C", "ProjectLocation": "", "RunFile": "bot"}"#,
        "",
    );
    fs::write(slow.path().join("bot.c"), "int main(void) { return 0; }\n").unwrap();
    let fifo = |path: &Path| rustix::fs::mknodat(CWD, path, rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
    [&building, &go].into_iter().for_each(|path| fifo(path));
    let rule = format!(
        "bot: bot.c\n\techo >'{}'\n\tread -r line <'{}'\n\tcc -o bot bot.c\n",
        building.display(),
        go.display()
    );
    fs::write(slow.path().join("Makefile"), rule).unwrap();
    event.bots = vec![versioned(&log, "Alpha", "core"), slow];
    let mut engine = crate::table::signalled();
    engine.current_dir(event.folder.path()).env("XDG_CONFIG_HOME", "/nowhere").args(["tournament", "-s", "1"]);
    engine.args(["-g", "2", "--sandbox", "off", "--dir", "out", "-b"]).args(event.bots.iter().map(BotFolder::path));
    let mut engine = engine.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The build waits for this file to be read, and for the other to be written.
    fs::read_to_string(&building).unwrap();
    fs::write(event.bots[0].path().join("core"), "2").unwrap();
    fs::write(&go, "\n").unwrap();
    assert!(engine.wait().unwrap().success());
    let played = fs::read_to_string(&log).unwrap();
    assert!(played.contains("Alpha 2") && !played.contains("Alpha 1"), "{played}");
    let journal = fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap();
    let bot = event.bots[0].path();
    for hash in [players::content_hash(bot, &bot.join("run")).unwrap(), copy_hash(bot).unwrap()] {
        assert!(journal.contains(&hash), "{journal}");
    }
}

#[test]
fn nothing_is_copied_or_written_through_a_link_in_a_received_tournament() {
    let event = Event::new(&[PLAYS, PLAYS]);
    stop_half_way(&event, "8", &FLAGS[2..]);
    let at = |name: &str| event.folder.path().join(name);
    let victim = at("victim");
    for name in ["entrants", "records", "faults", "games.jsonl", "entrants/0", "entrants/0.new"] {
        back(&event);
        let link = at("out").join(name);
        fs::create_dir_all(victim.join("0")).unwrap();
        fs::write(victim.join("0/precious"), "mine").unwrap();
        if link.is_dir() {
            fs::remove_dir_all(&link).unwrap();
        } else if link.exists() {
            fs::remove_file(&link).unwrap();
        }
        symlink(if name.contains('/') { victim.join("0") } else { victim.clone() }, &link).unwrap();
        let ended = event.command(&FLAGS).assert();
        if name.contains('/') {
            ended.code(0);
        } else {
            let told = contains(format!("out/{name} is a link")).and(contains("hint: remove the link"));
            ended.code(2).stderr(told);
        }
        let left: Vec<PathBuf> = fs::read_dir(&victim).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(left, [victim.join("0")], "{name}");
        let left: Vec<PathBuf> = fs::read_dir(victim.join("0")).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(left, [victim.join("0/precious")], "{name}");
    }
}

#[test]
fn a_folder_is_the_same_bot_however_it_is_written() {
    let event = Event::new(&[PLAYS, PLAYS]);
    let at = |name: &str| event.folder.path().join(name);
    fs::create_dir(at("bots")).unwrap();
    for (bot, name) in event.bots.iter().zip(["a", "b"]) {
        copy_bot(bot.path(), &at("bots").join(name)).unwrap();
    }
    symlink(at("bots"), at("linked")).unwrap();
    let absolute = at("bots").display().to_string();
    let ways: [[String; 2]; 6] = [
        ["bots/a", "bots/b"].map(str::to_owned),
        ["bots/a/", "./bots/../bots/b/"].map(str::to_owned),
        ["linked/a", "linked/b"].map(str::to_owned),
        [format!("{absolute}/a"), format!("{absolute}//b/.")],
        ["./bots/*".to_owned(), "builtin:random".to_owned()],
        [format!("{absolute}/*"), "builtin:random".to_owned()],
    ];
    let run = |way: &[String], games: &str, more: &[&str]| {
        let bots: Vec<&str> = way.iter().map(String::as_str).filter(|bot| *bot != "builtin:random").collect();
        event.run(&[&["tournament", "-s", "1", "--dir", "out", "-g", games], more, &["-b"], &bots[..]].concat())
    };
    for (number, first) in ways.iter().enumerate() {
        run(first, "2", &[]).code(0);
        for (more, then) in ways.iter().enumerate() {
            // A changed one, too, is the entrant, and one that is broken.
            fs::write(at("bots/a/notes"), format!("{number} {more}")).unwrap();
            run(then, "4", &["--allow-changed"]).code(0);
        }
        fs::rename(at("bots/b/bot.json"), at("hidden")).unwrap();
        let then = &ways[(number + 3) % ways.len()];
        run(then, "6", &["--allow-changed"]).code(2).stderr(contains("Bravo takes part in it"));
        fs::rename(at("hidden"), at("bots/b/bot.json")).unwrap();
        let json = event.run(&["standings", "out", "--format", "json"]).code(0).get_output().stdout.clone();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["standings"].as_array().unwrap().len(), 2, "{first:?}: {json}");
        fs::remove_dir_all(at("out")).unwrap();
    }
}
