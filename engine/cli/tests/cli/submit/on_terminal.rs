//! Bots that people hand in at a terminal.

use super::api::{Api, BOT, PASSWORD, VERSIONS, version};
use super::{Home, accepted};
use crate::screens::terminal::Terminal;
use crate::table::USUAL_SIGNALS;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The command in a terminal, and after it its exit code and whether the terminal shows what is typed.
fn submit(home: &Home, url: &str, more: &str) -> Option<Terminal> {
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    let state = home.path("state");
    // Ctrl-C reaches the shell as well.
    let line = format!(
        "trap : INT; env {USUAL_SIGNALS} -u BROADSIDE_TOKEN -u ALL_PROXY -u all_proxy -u HTTP_PROXY -u http_proxy \
         XDG_STATE_HOME='{}' '{}' submit my-bot --to {url} {more}; echo \"code $?\"; stty -a",
        state.display(),
        program.display()
    );
    Terminal::run(state.parent().unwrap(), &line, true)
}

/// Everything that was shown, from which the terminal shows what is typed.
fn shown(terminal: Terminal) -> String {
    let (screen, _) = terminal.end();
    assert!(screen.contains(" echo ") && !screen.contains("-echo "), "{screen}");
    screen
}

#[test]
fn a_password_is_asked_for_once_and_never_shown() {
    let (home, api) = (Home::new(), accepted());
    let Some(mut terminal) = submit(&home, &api.url(), "--wait") else { return };
    terminal.wait_for(&format!("Name of the bot on {}:", api.url())).press(&format!("{BOT}\n"));
    terminal.wait_for("Password of Deep Water:").press(&format!("{PASSWORD}\n"));
    terminal.wait_for("Send it? [y/N]").press("y\n");
    let screen = shown(terminal);
    assert!(screen.contains("version 3 of Deep Water is accepted\r\n") && screen.contains("code 0"), "{screen}");
    assert!(!screen.contains(PASSWORD) && !screen.contains("token-11"), "{screen}");
    let kept = home.path("state/broadside/submit.json");
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.contains("token-11") && !text.contains(PASSWORD), "{text}");
    // The bot and its token are known now.
    home.submit(&api.url(), &["--yes"]).assert().code(0).stdout("version 3 of Deep Water is queued, place 2\n");
    // Somebody has logged in elsewhere: a token from there is taken, and a terminal asks again.
    api.state().token = "token-2".to_owned();
    let told = home.submit(&api.url(), &["--yes"]).assert().code(2);
    told.stderr(contains("does not take the token of Deep Water").and(contains("hint: a newer token")));
    home.submit(&api.url(), &["--yes"]).env("BROADSIDE_TOKEN", "token-2").assert().code(0);
    let mut terminal = submit(&home, &api.url(), "--yes").unwrap();
    terminal.wait_for("does not take the token").wait_for("Password of Deep Water:").press(&format!("{PASSWORD}\n"));
    assert!(shown(terminal).contains("code 0"));
    home.submit(&api.url(), &["--yes"]).assert().code(0);
}

#[test]
fn a_wrong_password_ends_the_command() {
    let (home, api) = (Home::new(), accepted());
    for (bot, words) in [(BOT, "does not take this password of Deep Water"), ("Kraken", "has no bot Kraken")] {
        let Some(mut terminal) = submit(&home, &api.url(), &format!("--bot '{bot}'")) else { return };
        terminal.wait_for(&format!("Password of {bot}:")).press("wrong\n");
        let screen = shown(terminal);
        assert!(screen.replace("\r\n", " ").contains(words) && screen.contains("code 2"), "{screen}");
        assert!(!screen.contains("wrong") && screen.contains("hint: "), "{screen}");
    }
    assert!(!home.path("state/broadside/submit.json").exists());
}

#[test]
fn nothing_is_sent_for_a_no() {
    let (home, api) = (Home::new(), accepted());
    let Some(mut terminal) = submit(&home, &api.url(), &format!("--bot '{BOT}'")) else { return };
    terminal.wait_for("Password of Deep Water:").press(&format!("{PASSWORD}\n"));
    terminal.wait_for("Send it? [y/N]").press("\n");
    let screen = shown(terminal);
    assert!(screen.contains("Nothing was sent\r\ncode 0"), "{screen}");
    assert!(!api.asked().iter().any(|asked| asked.contains(VERSIONS)));
}

#[test]
fn ctrl_c_ends_it_at_once() {
    let home = Home::new();
    let api = Api::with(&[(version("building", &json!({})), "the archive is unpacked\n")]);
    let Some(mut terminal) = submit(&home, &api.url(), &format!("--bot '{BOT}' --wait")) else { return };
    terminal.wait_for("Password of Deep Water:").press("\x03");
    assert!(shown(terminal).contains("code 130"));
    let mut terminal = submit(&home, &api.url(), &format!("--bot '{BOT}' --wait --yes")).unwrap();
    terminal.wait_for("Password of Deep Water:").press(&format!("{PASSWORD}\n"));
    terminal.wait_for("the archive is unpacked").press("\x03");
    let screen = shown(terminal);
    assert!(screen.contains("the version that was handed in stays") && screen.contains("code 130"), "{screen}");
}
