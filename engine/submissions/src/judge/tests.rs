//! Tests of verdicts.

use crate::judge::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use players::http::AllowedHosts;
use runner::SandboxLevel;
use serde_json::json;
use std::fs::File;
use std::path::Path;
use tempfile::TempDir;

/// A folder for a submission.
struct Desk {
    folder: TempDir,
    settings: JudgeSettings,
    ending: Interrupt,
}

impl Desk {
    fn new() -> Desk {
        let settings = JudgeSettings {
            game: GameKind::Entelect2017,
            settings: json!({"size": "small"}),
            bots: BotOptions { sandbox: SandboxLevel::On, ..BotOptions::default() },
            build_time: Duration::from_secs(1),
            answer: None,
        };
        Desk { folder: tempfile::tempdir().unwrap(), settings, ending: Interrupt::new().unwrap() }
    }

    /// The verdict on the bot in a folder, and its log.
    fn judge(&self, bot: &Path) -> (Result<Verdict, RunnerError>, String) {
        let archive = self.folder.path().join("archive");
        let file = GzEncoder::new(File::create(&archive).unwrap(), Compression::fast());
        let mut builder = tar::Builder::new(file);
        builder.append_dir_all("bot", bot).unwrap();
        builder.into_inner().unwrap().finish().unwrap();
        let folder = SubmissionFolder::at(self.folder.path().join("1-1"));
        let submission = Submission {
            settings: &self.settings,
            source: Handed::Archive(archive),
            folder: &folder,
            seed: 1,
            client: &Arc::new(Client::new(AllowedHosts::none())),
            at_step: &|_| {},
        };
        let judged = judge(&submission, &self.ending);
        (judged, fs::read_to_string(folder.log()).unwrap())
    }

    fn rejection(&self, bot: &Path) -> (Rejection, String) {
        let (judged, log) = self.judge(bot);
        (judged.unwrap().unwrap_err(), log)
    }
}

/// A bot whose RunFile is made by a makefile with this rule.
fn built_by(rule: &str) -> TempDir {
    let bot = tempfile::tempdir().unwrap();
    let manifest = json!({"Author": "A", "Email": "", "NickName": "Made", "BotType": "CPlusPlus", "ProjectLocation": "",
        "RunFile": "bot"});
    fs::write(bot.path().join("bot.json"), manifest.to_string()).unwrap();
    fs::write(bot.path().join("Makefile"), format!("bot:\n\t{rule}\n")).unwrap();
    bot
}

#[test]
fn a_bot_that_plays_is_accepted() {
    let (bots, desk) = (runner::doctest::bots(1), Desk::new());
    let (judged, log) = desk.judge(&bots.path().join("0"));
    let accepted = judged.unwrap().unwrap();
    assert_eq!((&*accepted.language, accepted.author.as_deref()), ("Executable", Some("A")));
    assert!(accepted.slowest.is_some_and(|[slowest, limit]| slowest < limit), "{accepted:?}");
    assert!(log.ends_with("accepted\n"), "{log}");
}

#[test]
fn a_bot_that_loses_its_turns_is_rejected_with_the_reason() {
    let (bots, desk) = (runner::doctest::bots(1), Desk::new());
    let bot = bots.path().join("0");
    fs::write(bot.join("bot.sh"), "#!/bin/sh\nexit 3\n").unwrap();
    let (rejection, log) = desk.rejection(&bot);
    assert_eq!(rejection.step, JudgeStep::Probing);
    assert!(
        rejection.reason.starts_with("it lost 5 of 5 turns of a game, the first for this reason: "),
        "{rejection:?}"
    );
    assert!(rejection.reason.contains("ended with exit status 3") && log.contains("rejected: it lost"), "{log}");
    fs::remove_file(bot.join("bot.json")).unwrap();
    let (rejection, _) = desk.rejection(&bot);
    assert_eq!(rejection.step, JudgeStep::Building);
    assert!(!rejection.reason.contains(desk.folder.path().to_str().unwrap()), "{rejection:?}");
}

#[test]
fn a_bot_is_tried_with_the_time_of_an_answer_that_its_games_will_have() {
    let (bots, mut desk) = (runner::doctest::bots(1), Desk::new());
    let bot = bots.path().join("0");
    let manifest = fs::read_to_string(bot.join("bot.json")).unwrap();
    fs::write(bot.join("bot.json"), manifest.replacen('{', "{\"Stay\": true, ", 1)).unwrap();
    fs::write(bot.join("bot.sh"), "#!/bin/sh\nwhile read -r line; do :; done\n").unwrap();
    desk.settings = JudgeSettings {
        game: GameKind::SeaBattle,
        settings: json!({}),
        answer: Some(Duration::from_millis(40)),
        ..desk.settings
    };
    let (rejection, _) = desk.rejection(&bot);
    assert!(rejection.reason.contains("no answer within 40 ms"), "{rejection:?}");
}

#[test]
fn a_build_that_fails_or_never_ends_is_told_with_what_it_said() {
    if test_tools::required("make").is_none() {
        return;
    }
    let desk = Desk::new();
    let failing = built_by("@echo bot.cpp:7: no semicolon; exit 2");
    let (rejection, log) = desk.rejection(failing.path());
    assert_eq!(rejection.step, JudgeStep::Building);
    assert!(log.contains("$ make") && log.contains("bot.cpp:7: no semicolon"), "{log}");
    let endless = built_by("while :; do :; done");
    let (rejection, _) = desk.rejection(endless.path());
    assert_eq!(rejection.reason, "the build took longer than 1 s");
}

#[test]
fn a_build_that_writes_too_much_is_ended_while_it_runs() {
    if test_tools::required("make").is_none() {
        return;
    }
    let mut desk = Desk::new();
    desk.settings.build_time = Duration::from_secs(3600);
    let (rejection, _) = desk.rejection(built_by("truncate -s 900M large; while :; do :; done").path());
    assert_eq!(rejection.step, JudgeStep::Building);
    assert_eq!(rejection.reason, "its folder has 900 MB, of 800 MB that it may have");
}

#[test]
fn what_the_ladder_could_not_start_is_rejected() {
    let desk = Desk::new();
    let bots = runner::doctest::bots(1);
    let bot = bots.path().join("0");
    let manifest = fs::read_to_string(bot.join("bot.json")).unwrap();
    fs::write(bot.join("bot.json"), manifest.replace("bot.sh", "/bin/sh")).unwrap();
    let (rejection, _) = desk.rejection(&bot);
    assert!(rejection.reason.contains("is outside its folder"), "{rejection:?}");
    if test_tools::required("make").is_some() {
        let (rejection, _) = desk.rejection(built_by("rm bot.json; cp /bin/true bot").path());
        assert_eq!(rejection.step, JudgeStep::Building);
        assert!(!desk.folder.path().join("1-1/bot").exists(), "what is rejected is not kept");
    }
}

#[test]
fn there_is_no_verdict_when_the_server_ends() {
    let (bots, desk) = (runner::doctest::bots(1), Desk::new());
    desk.ending.raise();
    let (judged, _) = desk.judge(&bots.path().join("0"));
    assert!(matches!(judged, Err(RunnerError::Arena(ArenaError::Interrupted))), "{judged:?}");
}
