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
fn the_time_of_a_bot_that_was_stopped_is_not_set_against_its_limit() {
    let bot = BotFolder::new("Slow", "1: place\nr1: hang\n2: fire");
    let mut check = broadside();
    check.arg("check").arg(bot.path()).args(["-s", "1", "--calibration", "off"]);
    let told = contains("round 1: timed out: no answer within 2000 ms (").and(contains(" ms used in all)"));
    check.assert().code(4).stdout(told.and(contains("(most >2000 ms)")).and(contains("more than half").not()));
}
