//! Faults of bots as their authors are told of them.

use crate::table::broadside;
use fake_bot::BotFolder;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

/// A bot with this source in a language whose tool is there; `None` if it is not.
fn script(language: &str, tool: &str, source: &str) -> Option<BotFolder> {
    test_tools::required(tool)?;
    let manifest = serde_json::json!({ "NickName": "Script", "BotType": language, "RunFile": "bot" });
    let bot = BotFolder::with_manifest(&manifest.to_string(), "");
    fs::write(bot.path().join("bot"), source).unwrap();
    Some(bot)
}

/// What `check` and a match tell of the bot.
fn told(bot: &BotFolder) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    let out = |arguments: &[&str]| {
        let run = broadside().current_dir(folder.path()).args(arguments).arg(bot.path()).args(["-s", "1"]).output();
        String::from_utf8(run.unwrap().stdout).unwrap()
    };
    [out(&["check", "--log", "kept"]), out(&["-b", "builtin:random"])]
}

#[test]
fn a_crash_is_told_once_with_the_exception() {
    let source = "def turn():\n    return [][3]\nturn()\n";
    let Some(bot) = script("Python3", "python3", source) else { return };
    let [check, play] = told(&bot);
    assert!(check.contains("round 0: crashed: ended with exit status 1 (5 times in all)\n"), "{check}");
    assert!(
        check.contains("    | Traceback") && check.contains("    | IndexError: list index out of range\n"),
        "{check}"
    );
    assert_eq!(check.matches("crashed").count(), 1, "{check}");
    assert!(play.contains("exit status 1 (5 turns lost)\n  | IndexError: list index out of range\n  see "), "{play}");

    let folder = tempfile::tempdir().unwrap();
    let without_record = |more: &[&str]| {
        let mut command = broadside();
        command
            .current_dir(folder.path())
            .args(["--record", "none", "-s", "1", "-b", "builtin:random"])
            .arg(bot.path());
        String::from_utf8(command.args(more).output().unwrap().stdout).unwrap()
    };
    let play = without_record(&[]);
    assert!(play.contains("exit status 1 (5 turns lost)\n  | IndexError: list index out of range\n"), "{play}");
    assert!(!play.contains("see "), "{play}");
    let json: serde_json::Value = serde_json::from_str(&without_record(&["--json"])).unwrap();
    let faults = json["players"][1]["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 5, "{json}");
    assert_eq!(faults[0]["why"], "crashed: ended with exit status 1", "{json}");
    assert!(faults[0]["report"].is_null() && fs::read_dir(folder.path()).unwrap().next().is_none(), "{json}");
}

#[test]
fn a_missing_module_is_told_although_it_is_at_the_beginning_of_the_report() {
    let calls: String = (0..30).map(|depth| format!("const f{} = () => f{depth}();\n", depth + 1)).collect();
    let source = format!("Error.stackTraceLimit = 50;\nconst f0 = () => require('./nothing');\n{calls}f30();\n");
    let Some(bot) = script("JavaScript", "node", &source) else { return };
    let [check, play] = told(&bot);
    assert!(check.contains("    | Error: Cannot find module './nothing'\n"), "{check}");
    assert!(check.contains("    | ...\n") && check.contains("    | Node.js v"), "{check}");
    assert!(play.contains("  | Error: Cannot find module './nothing'\n"), "{play}");
}

#[test]
fn a_refused_fleet_is_quoted_and_its_wrong_ship_named() {
    let fleet =
        "Battleship 1 0 north\\nCarrier 3 1 East\\nCruiser 4 2 north\\nDestroyer 6 3 north\\nSubmarine 1 1 East\\n";
    let bot = BotFolder::new("Fleet", &format!("1: write place.txt {fleet}"));
    let [check, play] = told(&bot);
    let why = "refused: Carrier 3 1 east: it has 5 cells and runs off the 7 x 7 map";
    assert!(check.contains(&format!("round 0: {why} (5 times in all)\n    its place.txt:\n")), "{check}");
    assert!(check.contains("    | Battleship 1 0 north\n    | Carrier 3 1 East\n"), "{check}");
    assert!(play.contains(why), "{play}");
}

#[test]
fn a_refusal_by_the_system_is_told_with_the_sandbox_if_there_is_one() {
    let bot = BotFolder::new("Refused", "1: moan fork: Operation not permitted\n1: exit 1");
    let check =
        |sandbox: &str| broadside().arg("check").arg(bot.path()).args(["-s", "1", "--sandbox", sandbox]).assert();
    let told = "    | fork: Operation not permitted\n    The sandbox may have refused this: docs/sandbox.md; \
                --sandbox off tries without\n    see ";
    check("on").code(4).stdout(contains(told));
    check("off").code(4).stdout(contains("Operation not permitted").and(contains("The sandbox").not()));
}

#[test]
fn a_line_without_end_is_cut_in_reports() {
    let bot = BotFolder::new("Flooder", "1: flood-err 4096");
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["-s", "1", "-l", "out", "-b", "builtin:random"]).arg(bot.path());
    command.assert().success();
    let report = fs::read_to_string(folder.path().join("out/faults/round 0 B/report.txt")).unwrap();
    let longest = report.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(longest < 600 && report.contains("…\n"), "{longest}: {report}");
}

#[test]
fn the_time_of_a_bot_that_was_stopped_is_not_set_against_its_limit() {
    let bot = BotFolder::new("Slow", "1: place\nr1: hang\n2: fire");
    let mut check = broadside();
    check.arg("check").arg(bot.path()).args(["-s", "1", "--calibration", "off"]);
    let told = contains("round 1: timed out: no answer within 2000 ms (").and(contains(" ms used in all)"));
    let told =
        told.and(contains("An answer counts within 2000 ms; a bot that still runs after 4000 ms in all is stopped\n"));
    let told = told.and(contains(", most >2000 ")).and(contains("more than half").not());
    // The engine has more memory than this bot.
    check.assert().code(4).stdout(told.and(contains("< ").and(contains(" MB"))));
}
