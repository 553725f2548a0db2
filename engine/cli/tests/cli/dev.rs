//! `broadside dev`: a bot whose folder changes.

use crate::table::{bots_left, broadside, signalled};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A program that watches a bot, and the lines that it says on both streams.
struct Dev {
    folder: TempDir,
    program: Child,
    lines: Receiver<String>,
}

impl Dev {
    /// Watches a new bot of this language, which plays builtin:random.
    fn of(language: &str) -> Dev {
        Dev::against(language, "builtin:random")
    }

    fn against(language: &str, opponent: &str) -> Dev {
        let folder = tempfile::tempdir().unwrap();
        broadside().current_dir(folder.path()).args(["new", language, "my-bot"]).assert().success();
        fs::create_dir(folder.path().join("temporary")).unwrap();
        let mut command = signalled();
        command.current_dir(folder.path()).env("TMPDIR", folder.path().join("temporary"));
        command.args(["dev", "my-bot", "--against", opponent, "--games", "2", "--seed", "1", "-j", "2"]);
        // One pipe keeps the order of both streams.
        let (reader, writer) = std::io::pipe().unwrap();
        let program = command.stdout(writer.try_clone().unwrap()).stderr(writer).spawn().unwrap();
        // The command has the last ends of the pipe for writing.
        drop(command);
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(reader).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        Dev { folder, program, lines }
    }

    fn bot(&self) -> PathBuf {
        self.folder.path().join("my-bot")
    }

    /// The output up to a line with these words.
    fn said_until(&self, words: &str) -> String {
        let mut said = String::new();
        while !said.lines().last().is_some_and(|line| line.contains(words)) {
            let line = self.lines.recv_timeout(Duration::from_secs(120));
            let line = line.unwrap_or_else(|error| panic!("{error}, waiting for {words:?} after {said}"));
            said.push_str(&format!("{line}\n"));
        }
        said
    }

    /// Ends it as Ctrl-C does.
    fn end(mut self) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.program), rustix::process::Signal::INT)
            .unwrap();
        assert_eq!(self.program.wait().unwrap().code(), Some(130));
        let left = fs::read_dir(self.folder.path().join("temporary")).unwrap().flatten().map(|entry| entry.file_name());
        let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("broadside-dev")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn replace(file: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(old), "{old}");
    fs::write(file, text.replace(old, new)).unwrap();
}

#[test]
fn a_bot_plays_again_after_every_change_and_against_the_version_before() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let dev = Dev::of("python");
    let first = dev.said_until("Waiting for a change in my-bot");
    assert!(first.contains("my-bot, version 1, ") && first.contains("builtin:random"), "{first}");
    assert!(!first.contains("version before") && !first.contains("lost:"), "{first}");
    assert!(first.contains("The last game: Round "), "{first}");

    let bot = dev.bot().join("bot.py");
    let sound = fs::read_to_string(&bot).unwrap();
    fs::write(&bot, format!("import nothing_of_this_name\n{sound}")).unwrap();
    let broken = dev.said_until("Waiting for a change in my-bot");
    assert!(broken.contains("my-bot, version 2"), "{broken}");
    assert!(broken.contains("ModuleNotFoundError") && broken.contains("report.txt"), "{broken}");
    assert!(broken.contains("every turn of a game was lost, so no further games were played"), "{broken}");
    let rows =
        broken.lines().filter(|line| line.starts_with("  builtin:random") || line.starts_with("  version before"));
    let numbers = rows.map(|line| line.split_whitespace().filter_map(|word| word.parse::<u32>().ok()).sum::<u32>());
    assert!(numbers.sum::<u32>() <= 2, "two games at the same time, of four: {broken}");

    // Only what is in the folder counts, not that it was written.
    fs::write(&bot, format!("import nothing_of_this_name\n{sound}")).unwrap();
    fs::write(&bot, sound).unwrap();
    let mended = dev.said_until("Waiting for a change in my-bot");
    let wins = |said: &str| {
        let row = said.lines().find(|line| line.starts_with("  builtin:random")).unwrap().to_owned();
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let (first, mended) = (wins(&first), wins(&mended));
    assert_eq!(first[..5], mended[..5], "the same bot plays the same games");
    assert_eq!(mended[5..], [first[4].as_str(), "+0.0"], "the version before is the last one without lost turns");

    let first_line = "    if state[\"Phase\"] == 1:\n";
    replace(&bot, "def main():", "def main(:");
    let said = dev.said_until("Waiting for a change in my-bot");
    assert!(said.contains("| SyntaxError") && said.contains("bot.py\", line "), "{said}");
    replace(&bot, "def main(:", "def main():");
    dev.said_until("Waiting for a change in my-bot");
    replace(&bot, first_line, &format!("    if state[\"Round\"] == 7:\n        sys.exit(\"gave up\")\n{first_line}"));
    let said = dev.said_until("A turn was lost; the games go on");
    assert!(!said.contains("version 6"), "{said}");
    let said = dev.said_until("my-bot, version 6");
    assert!(said.contains("| gave up") && said.contains("report.txt"), "{said}");
    let said = dev.said_until("Waiting for a change in my-bot");
    assert!(said.contains("lost: ") && said.contains("version before"), "{said}");
    dev.end();
}

#[test]
fn a_bot_that_cannot_be_built_is_tried_again_after_the_next_change() {
    if ["cc", "make"].into_iter().any(|tool| test_tools::required(tool).is_none()) {
        return;
    }
    let dev = Dev::of("c");
    dev.said_until("Waiting for a change in my-bot");
    let source = dev.bot().join("bot.c");
    replace(&source, "int main(", "int error main(");
    let failed = dev.said_until("Waiting for a change in my-bot");
    assert!(failed.contains("error: ") && failed.contains("bot.c"), "{failed}");
    assert!(!failed.contains("version 2"), "{failed}");
    let (manifest, away) = (dev.bot().join("bot.json"), dev.folder.path().join("bot.json"));
    fs::rename(&manifest, &away).unwrap();
    let failed = dev.said_until("Waiting for a change in my-bot");
    assert!(failed.contains("bot.json"), "{failed}");
    fs::rename(&away, &manifest).unwrap();
    let failed = dev.said_until("Waiting for a change in my-bot");
    assert!(failed.contains("error: ") && failed.contains("bot.c"), "{failed}");
    replace(&source, "int error main(", "int main(");
    let built = dev.said_until("Waiting for a change in my-bot");
    assert!(built.contains("my-bot, version 2") && built.contains("version before"), "{built}");
    dev.end();
}

#[test]
fn a_bot_that_loses_all_games_is_shown_its_points_and_a_lost_game() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let dev = Dev::against("python", "builtin:hunter");
    let said = dev.said_until("Waiting for a change in my-bot");
    assert!(said.contains(" points on average\n"), "{said}");
    let (_, after) =
        said.split_once("  to watch a lost game:\n  broadside replay ").unwrap_or_else(|| panic!("{said}"));
    broadside().args(["replay", after.lines().next().unwrap()]).assert().code(0);
    let bot = dev.bot().join("bot.py");
    let source = fs::read_to_string(&bot).unwrap();
    fs::write(&bot, source + "\n# Changed.\n").unwrap();
    let said = dev.said_until("Waiting for a change in my-bot");
    assert!(said.contains(" points on average, before "), "{said}");
    dev.end();
}

#[test]
fn a_folder_that_is_replaced_is_watched_again() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let dev = Dev::of("python");
    dev.said_until("Waiting for a change in my-bot");
    let sound = fs::read_to_string(dev.bot().join("bot.py")).unwrap();
    let manifest = fs::read_to_string(dev.bot().join("bot.json")).unwrap();
    fs::remove_dir_all(dev.bot()).unwrap();
    dev.said_until("my-bot is gone; waiting for it");
    fs::create_dir(dev.bot()).unwrap();
    fs::write(dev.bot().join("bot.py"), &sound).unwrap();
    fs::write(dev.bot().join("bot.json"), manifest).unwrap();
    let back = dev.said_until("my-bot, version 2") + &dev.said_until("Waiting for a change in my-bot");
    assert!(back.contains("my-bot, version 2"), "{back}");
    fs::write(dev.bot().join("bot.py"), sound + "\n# Changed.\n").unwrap();
    let changed = dev.said_until("Waiting for a change in my-bot");
    assert!(changed.contains("my-bot, version 3"), "{changed}");
    dev.end();
}

#[test]
fn a_change_stops_the_games_of_the_version_before_it() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let dev = Dev::of("python");
    dev.said_until("Waiting for a change in my-bot");
    let bot = dev.bot().join("bot.py");
    let sound = fs::read_to_string(&bot).unwrap();
    fs::write(&bot, format!("import time\ntime.sleep(1000)\n{sound}")).unwrap();
    // Not a process that only asks for the interpreter.
    let is_bot = |pid: &String| {
        fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains("bot.py"))
    };
    while !bots_left(dev.program.id()).iter().any(is_bot) {
        test_tools::pause();
    }
    fs::write(&bot, sound).unwrap();
    let said = dev.said_until("Waiting for a change in my-bot");
    assert!(said.contains("my-bot, version 3") && !said.contains("version 2"), "{said}");
    dev.end();
}

#[test]
fn a_folder_without_a_bot_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let done = broadside().current_dir(folder.path()).args(["dev", "nothing"]).assert().code(3);
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(said.contains("nothing") && said.contains("hint"), "{said}");
    let done =
        broadside().current_dir(folder.path()).args(["dev", ".", "--against", "builtin:nobody"]).assert().code(2);
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(said.contains("builtin:hunter"), "{said}");
    for (named, shown) in
        [("builtin:hunter", "builtin:hunter"), ("http://me:secret@localhost:4000", "http://localhost:4000")]
    {
        let done = broadside().current_dir(folder.path()).args(["dev", named]).assert().code(2);
        let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
        assert!(said.contains(&format!("dev watches a folder: {shown} is not one")), "{said}");
        assert!(!said.contains("--game") && !said.contains("secret"), "{said}");
    }
}
