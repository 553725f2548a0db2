//! Bots in a sandbox and their folders of earlier rounds.

use arena::Interrupt;
use arena::folder::MatchFolder;
use fake_bot::{BotFolder, CAME};
use players::process::{Allowance, Launch, PerRound, Sandbox};
use players::{Delivery, Manifest, Tools, Transport};
use rules::{FolderMessage, Part, Seat};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// A bot in a sandbox, with a folder of the match.
struct Confined {
    transport: PerRound,
    folder: TempDir,
    rounds: Arc<MatchFolder>,
    _bot: BotFolder,
}

impl Confined {
    /// `None` where the kernel has no such sandbox.
    fn new(script: &str, namespaces: bool, leave_files: bool) -> Option<Confined> {
        let sandbox = Sandbox::start().unwrap();
        let sandbox = if namespaces { sandbox } else { sandbox.without_namespaces() };
        let abilities = sandbox.abilities();
        if abilities.namespaces != namespaces || !abilities.lacking().is_empty() {
            test_tools::not_allowed("this kind of sandbox");
            return None;
        }
        let bot = BotFolder::new("Fake", script);
        // Its path is given to the bot, and must not have links.
        let folder = tempfile::Builder::new().prefix("match folder ").tempdir().unwrap();
        let rounds = Arc::new(MatchFolder::create(folder.path()).unwrap());
        let launch = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
        let launch = launch.confined(&sandbox, Some(rounds.path()), &[], Allowance::DEFAULT, None).unwrap();
        let transport = PerRound::new(launch, Arc::clone(&rounds), None, leave_files, Interrupt::new().unwrap());
        Some(Confined { transport, folder, rounds, _bot: bot })
    }

    /// Plays a round, and says what came of what the bot tried.
    fn play(&mut self, round: u32) -> Vec<String> {
        let Delivery { run, .. } = self.transport.exchange(Seat::A, &message(round)).unwrap();
        // As the engine does after a turn.
        if self.path(round, "state.json").exists() {
            let folder = self.rounds.folder(&message(round).folder).unwrap();
            folder.write("log.txt", b"the log").unwrap();
        }
        let said = String::from_utf8(run.unwrap().stdout.bytes).unwrap();
        said.lines().filter_map(|line| line.strip_prefix(CAME)).map(ToOwned::to_owned).collect()
    }

    fn path(&self, round: u32, name: &str) -> PathBuf {
        self.folder.path().join(message(round).folder).join(name)
    }

    fn text(&self, round: u32, name: &str) -> String {
        fs::read_to_string(self.path(round, name)).unwrap_or_default()
    }
}

fn message(round: u32) -> FolderMessage {
    let files = vec![Part { name: "state.json", bytes: b"{}".to_vec() }];
    let folder = format!("Phase 2 - Round {round}/A");
    FolderMessage { folder, line: format!("2 {round}"), files, answers: &["command.txt"] }
}

/// Tries it with namespaces and without.
fn in_both_sandboxes(script: &str, leave_files: bool, mut test: impl FnMut(Confined)) {
    [true, false].into_iter().filter_map(|it| Confined::new(script, it, leave_files)).for_each(&mut test);
}

#[test]
fn a_bot_that_an_interpreter_runs_reads_the_fonts_of_the_system() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let manifest = r#"{"NickName": "Fake", "BotType": "Python3", "RunFile": "main.py", "ProjectLocation": ""}"#;
    let bot = BotFolder::with_manifest(manifest, "");
    let fonts = "import os\nprint(len(os.listdir('/etc/fonts')) if os.path.isdir('/etc/fonts') else 0)\n";
    fs::write(bot.path().join("main.py"), fonts).unwrap();
    let (sandbox, folder) = (Sandbox::start().unwrap(), tempfile::tempdir().unwrap());
    let rounds = Arc::new(MatchFolder::create(folder.path()).unwrap());
    let launch = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
    let launch = launch.confined(&sandbox, Some(rounds.path()), &[], Allowance::DEFAULT, None).unwrap();
    let mut transport = PerRound::new(launch, rounds, None, true, Interrupt::new().unwrap());
    let run = transport.exchange(Seat::A, &message(1)).unwrap().run.unwrap();
    let there = fs::read_dir("/etc/fonts").into_iter().flatten().count();
    assert_eq!(String::from_utf8_lossy(&run.stdout.bytes), format!("{there}\n"));
}

#[test]
fn a_bot_in_a_sandbox_reads_and_writes_its_folders_of_all_rounds() {
    let script = r#"
        fire
        r1: write notes first
        r2: mkdir deep
        r2: write deep/notes second
        r3: try read ../../Phase 2 - Round 1/A/notes
        r3: try read ../../Phase 2 - Round 2/A/deep/notes
        r3: try read ../../Phase 2 - Round 1/A/state.json
        r3: try read ../../Phase 2 - Round 1/A/command.txt
        r3: try read ../../Phase 2 - Round 2/A/log.txt
        r3: try write "../../Phase 2 - Round 1/A/notes" third
        r3: try write "../../Phase 2 - Round 2/A/more" third
        r4: try read ../../Phase 2 - Round 2/A/more
    "#;
    in_both_sandboxes(script, true, |mut bot| {
        assert_eq!(bot.play(1), [""; 0]);
        assert_eq!(bot.play(2), [""; 0]);
        assert_eq!(bot.play(3), ["done"; 7]);
        assert_eq!(bot.text(1, "notes"), "third");
        assert_eq!(bot.text(2, "more"), "third");
        assert_eq!(bot.text(2, "deep/notes"), "second");
        assert_eq!(bot.play(4), ["done"]);
    });
}

#[test]
fn what_the_engine_wrote_to_a_folder_of_an_earlier_round_is_not_changed_in_namespaces() {
    let script = r#"
        r1: fire
        r2: write "../../Phase 2 - Round 1/A/state.json" forged
        r2: write "../../Phase 2 - Round 1/A/log.txt" forged
        r2: write "../../Phase 2 - Round 1/A/command.txt" forged
    "#;
    let Some(mut bot) = Confined::new(script, true, true) else { return };
    bot.play(1);
    let answer = bot.text(1, "command.txt");
    bot.play(2);
    assert_eq!(["state.json", "log.txt"].map(|name| bot.text(1, name)), ["{}", "the log"]);
    assert_eq!(bot.text(1, "command.txt"), answer);
}

#[test]
fn a_bot_that_had_the_name_of_the_engines_file_first_does_not_change_it() {
    let script = r#"
        fire
        r1: write log.txt mine
        r2: try write "../../Phase 2 - Round 1/A/log.txt" forged
    "#;
    let Some(mut bot) = Confined::new(script, true, true) else { return };
    bot.play(1);
    bot.play(2);
    assert_eq!(bot.text(1, "log.txt"), "the log");
}

#[test]
fn a_file_that_the_bot_replaces_by_a_folder_is_a_folder_on_the_disk() {
    let script = r#"
        fire
        r1: write notes first
        r2: try remove "../../Phase 2 - Round 1/A/notes"
        r2: try mkdir "../../Phase 2 - Round 1/A/notes"
        r2: try write "../../Phase 2 - Round 1/A/notes/more" second
    "#;
    let Some(mut bot) = Confined::new(script, true, true) else { return };
    bot.play(1);
    assert_eq!(bot.play(2), ["done"; 3]);
    assert_eq!(bot.text(1, "notes/more"), "second");
}

#[test]
fn a_bot_that_leaves_as_many_files_as_memory_holds_plays_on() {
    // Of its 16 MiB a folder may hold 16,384 files, and the memory for folders fewer.
    for many in [2040, 2100, 4070, 4080, 4090, 20_000] {
        let script = format!("r1: try files . {many}\nfire\nr3: try read ../../Phase 2 - Round 2/A/log.txt");
        let Some(mut bot) = Confined::new(&script, true, true) else { return };
        (1..3).for_each(|round| drop(bot.play(round)));
        assert_eq!(bot.play(3), ["done"], "{many} files");
        assert_eq!(bot.text(1, "log.txt"), "the log", "{many} files");
    }
}

#[test]
fn in_tournament_mode_notes_of_earlier_rounds_stay_and_questions_do_not() {
    let script = r#"
        fire
        r1: write notes first
        r2: try read ../../Phase 2 - Round 1/A/notes
        r2: try read ../../Phase 2 - Round 1/A/state.json
        r2: try read ../../Phase 2 - Round 1/A/command.txt
    "#;
    in_both_sandboxes(script, false, |mut bot| {
        bot.play(1);
        let gone = "No such file or directory (os error 2)";
        assert_eq!(bot.play(2), ["done", gone, gone]);
        assert_eq!(bot.text(1, "notes"), "first");
    });
}

#[test]
fn folders_beside_those_of_the_bot_stay_closed() {
    let script = r#"
        r2: try read ../../Phase 2 - Round 1/B/notes
        r2: try read ../../Phase 2 - Round 1/state.json
        r2: try write "../../Phase 2 - Round 1/B/notes" mine
        r2: try write ../../data.txt mine
        r2: try mkdir "../../Phase 2 - Round 3"
        r2: try write "../../Phase 2 - Round 1/data.txt" mine
    "#;
    in_both_sandboxes(script, true, |mut bot| {
        bot.play(1);
        fs::create_dir(bot.path(1, "../B")).unwrap();
        fs::write(bot.path(1, "../B/notes"), "theirs").unwrap();
        fs::write(bot.path(1, "../state.json"), "all").unwrap();
        let came = bot.play(2);
        assert!(came.len() == 6 && came.iter().all(|came| came != "done"), "{came:?}");
        assert_eq!(bot.text(1, "../B/notes"), "theirs");
        assert!(!bot.path(1, "../../data.txt").exists() && !bot.path(3, "").exists());
    });
}

#[test]
fn the_oldest_notes_make_room_for_the_latest() {
    let script =
        "fill notes 12\nr5: try read ../../Phase 2 - Round 1/A/notes\nr5: try read ../../Phase 2 - Round 4/A/notes";
    let Some(mut bot) = Confined::new(script, true, true) else { return };
    for round in 1..5 {
        bot.play(round);
    }
    let came = bot.play(5);
    assert!(came[0] != "done" && came[1] == "done", "{came:?}");
    // On the disk they are all there, for the bot's author.
    assert!((1..6).all(|round| bot.path(round, "notes").metadata().unwrap().len() == 12 << 20));
}

#[test]
fn too_much_in_a_folder_of_an_earlier_round_is_removed() {
    let script = "fire\nr1: write notes first\nr2: fill \"../../Phase 2 - Round 1/A/junk\" 17";
    in_both_sandboxes(script, true, |mut bot| {
        bot.play(1);
        bot.play(2);
        bot.play(3);
        assert!(!bot.path(1, "junk").exists());
        assert_eq!(bot.text(1, "log.txt"), "the log");
    });
}
