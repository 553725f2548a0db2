//! Command lines that do not fit a game over HTTP, or one that is not.

use crate::http::matches::empty_folder;
use crate::table::broadside;
use assert_cmd::assert::Assert;
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

fn run(dir: &TempDir, arguments: &[&str]) -> Assert {
    broadside().current_dir(dir.path()).args(arguments).assert()
}

#[test]
fn what_does_not_fit_the_game_is_told_before_the_match() {
    let dir = empty_folder();
    let folder = BotFolder::new("Alpha", PLAYS);
    let folder: PathBuf = folder.path().to_owned();
    let folder = folder.to_str().unwrap();
    let bot = "http://127.0.0.1:9";
    let wrong = |arguments: &[&str], words: &str, hint: &str| {
        run(&dir, arguments).code(2).stdout("").stderr(contains(words).and(contains("hint: ")).and(contains(hint)));
    };
    wrong(&["--game", "sea-battle", "-b", "no folder", bot], "there is no such folder", "expected a folder");
    wrong(&["--game", "bots-arena", "-b", "127.0.0.1:9", bot], "begins with http://", "write http://127.0.0.1:9");
    wrong(&["--game", "sea-battle", "-b", "http://h:99999", bot], "99999", "http://localhost:4000");
    wrong(&["--game", "sea-battle", "-b", "my-bot", bot], "my-bot is not a bot of", "URL, as in http://localhost:4000");
    let own = dir.path().join("my-bots");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("bot.json"), "{}").unwrap();
    for named in ["my-bot", "mybots", "my-bots/bot.json"] {
        wrong(&["--rules", "classic", "-b", named, bot], "there is no such folder", "did you mean my-bots?");
    }
    fs::remove_dir_all(own).unwrap();
    let games = "--game sea-battle or --game bots-arena";
    for url in [bot, "Kraken=http://127.0.0.1:9", "127.0.0.1:9"] {
        for command in [&["play", "-b", url, folder][..], &["check", url], &["compare", url, folder]] {
            wrong(command, "127.0.0.1:9 is a URL", games);
        }
    }
    let service = tempfile::tempdir().unwrap();
    let service = service.path().to_str().unwrap();
    let told = run(&dir, &["check", service]).code(3).stderr(contains("there is no bot.json").and(contains(games)));
    told.stderr(contains("if the bot is a service, start it and name its URL"));
    wrong(&["--game", "sea-battle", "-b", "Kraken=", bot], "Kraken= is not a bot", "Kraken=http://localhost:4000");
    wrong(&["play", "--width", "9", "-b", folder, folder], "--width is not for --game entelect-2017", "bots-arena");
    wrong(&["--game", "sea-battle", "-s", "1", "-b", bot, bot], "--size is not for --game sea-battle", "entelect-2017");
    wrong(&["--game", "bots-arena", "--tournamentMode", "-b", bot, bot], "--tournamentMode is not for", "leave it out");
    wrong(&["--game", "sea-battle", "--limit", "1", "--nolimit", "-b", bot, bot], "contradict", "leave one");
    wrong(
        &["--game", "sea-battle", "-b", "http://8.8.8.8", bot],
        "8.8.8.8 is not an allowed host (private)",
        "--allow-hosts",
    );
    let never = ["--game", "sea-battle", "--allow-hosts", "any", "-b", "http://169.254.169.254", bot];
    wrong(&never, "is never called", "hint: name an address of one machine");
    for hosts in ["private", "private,0.0.0.0", "any"] {
        let zero = ["--game", "sea-battle", "--allow-hosts", hosts, "-b", "http://0.0.0.0:4000", bot];
        wrong(&zero, "0.0.0.0 is an address to listen on, and not that of a machine", "write http://127.0.0.1:4000");
    }
    wrong(&["--game", "sea-battle", "-b", bot], "you named 1", "builtin:random");
    wrong(&["--game", "bots-arena", "--ships", "0,0,0,0,0,0", "-b", bot, bot], "there are no ships", "--ships");
    wrong(&["--game", "bots-arena", "--width", "4", "--height", "4", "-b", bot, bot], "longer than both", "--width");
    run(&dir, &["--game", "sea-battle", "--max-moves", "0"])
        .code(2)
        .stderr(contains("1 to 5000").and(contains("older-107")));
    run(&dir, &["--game", "sea-battle", "--profile", "mine"]).code(2).stderr(contains("text and public-server"));
    wrong(&["--profile", "text", "-b", folder, folder], "--profile is not for --game entelect-2017", "sea-battle");
    run(&dir, &["--game", "chess"]).code(2).stderr(contains("entelect-2017, sea-battle, bots-arena"));
    run(&dir, &["--game", "sea-battle", "--limit", "0"]).code(2).stderr(contains("--nolimit"));
    run(&dir, &["--ships", "1,2"]).code(2).stderr(contains("six comma-separated numbers"));
    run(&dir, &["play", "--help"]).code(0).stdout(contains("--dialect json").and(contains("Exit status:")));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was made");
}
