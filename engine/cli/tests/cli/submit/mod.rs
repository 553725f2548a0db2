//! Bots that are handed in to a contest.

mod api;
mod on_terminal;

use crate::table::broadside;
use api::{Api, BOT, Request, VERSIONS, version};
use archives::{ArchiveLimits, unpack_upload};
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with a bot and one for the state of the program.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("my-bot")).unwrap();
        let manifest = r#"{"NickName": "Kraken", "BotType": "Python3", "RunFile": "bot.py"}"#;
        fs::write(folder.path().join("my-bot/bot.json"), manifest).unwrap();
        fs::write(folder.path().join("my-bot/bot.py"), "print()").unwrap();
        Home(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command that hands in the bot to this URL, without a terminal.
    fn submit(&self, url: &str, more: &[&str]) -> Command {
        self.submit_what(&["my-bot"], url, more)
    }

    /// The command that hands this in to the server at this URL, with more arguments.
    fn submit_what(&self, what: &[&str], url: &str, more: &[&str]) -> Command {
        let mut command = broadside();
        command.current_dir(self.0.path()).env("XDG_STATE_HOME", self.path("state")).env_remove("BROADSIDE_TOKEN");
        for proxy in ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] {
            command.env_remove(proxy);
        }
        command.arg("submit").args(what).args(["--to", url]).args(more);
        command
    }

    /// The same as a script runs it, with a token in its environment.
    fn script(&self, url: &str, more: &[&str]) -> Command {
        let mut command = self.submit(url, &[&["--yes", "--bot", BOT], more].concat());
        command.env("BROADSIDE_TOKEN", "token-1");
        command
    }

    /// The files in an archive that was sent.
    fn unpacked(&self, sent: &Request) -> Vec<String> {
        fs::write(self.path("sent"), &sent.body).unwrap();
        unpack_upload(&self.path("sent"), &self.path("unpacked"), ArchiveLimits::UPLOAD).unwrap();
        let files = fs::read_dir(self.path("unpacked")).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        files
    }
}

/// The states of a version that ends so.
fn states(end: Value) -> Vec<(Value, &'static str)> {
    vec![
        (version("building", &json!({})), "the archive is unpacked\n$ py"),
        (end, "thon3 -m compileall\nplayed \x1b[2J"),
    ]
}

fn accepted() -> Api {
    Api::with(&states(version("accepted", &json!({}))))
}

#[test]
fn a_bot_is_handed_in_and_accepted() {
    let (home, api) = (Home::new(), accepted());
    fs::create_dir(home.path("my-bot/.git")).unwrap();
    let told = home.script(&api.url(), &["--wait"]).assert().code(0);
    let told = told.stdout("version 3 of Deep Water is queued, place 2\nversion 3 of Deep Water is accepted\n");
    let said = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("2 files, ") && lines[0].contains(" bytes packed, as Deep Water to "), "{said}");
    assert!(lines[0].ends_with(&format!(" to The autumn contest (autumn) on {}", api.url())), "{said}");
    let after = [
        "Left out: .git",
        "version 3 of Deep Water is being built",
        "the archive is unpacked",
        "$ python3 -m compileall",
        "played \u{fffd}[2J",
    ];
    assert_eq!(lines[1..], after);
    let requests = api.state().requests.clone();
    assert_eq!(requests[0].line, "GET /api/contests");
    assert_eq!(requests[0].header("authorization"), None);
    assert_eq!(requests[1].line, format!("POST {VERSIONS}?activate=true"));
    assert_eq!(requests[1].header("content-type"), Some("application/gzip"));
    assert!(requests[1..].iter().all(|request| request.header("authorization") == Some("Bearer token-1")));
    assert_eq!(home.unpacked(&requests[1]), ["bot.json", "bot.py"]);
    assert!(!said.contains("token-1") && !home.path("state/broadside/submit.json").exists());
}

#[test]
fn without_wait_the_command_ends_when_the_bot_is_handed_in() {
    let (home, api) = (Home::new(), accepted());
    let told = home.script(&api.url(), &["--no-activate", "--quiet"]).assert().code(0).stderr(is_empty());
    told.stdout("version 3 of Deep Water is queued, place 2\n");
    assert_eq!(api.asked(), ["GET /api/contests".to_owned(), format!("POST {VERSIONS}?activate=false")]);
}

#[test]
fn a_web_service_is_handed_in_by_its_url_with_the_code_of_the_contest() {
    let (home, api) = (Home::new(), accepted());
    let service = ["--url", "https://bot.example/fire"];
    let mut command = home.submit_what(&service, &api.url(), &["--yes", "--bot", BOT, "--code", "anchor", "--wait"]);
    let told = command.env("BROADSIDE_TOKEN", "token-1").assert().code(0);
    let told = told.stdout(contains("version 3 of Deep Water is accepted\n"));
    told.stderr(contains(
        "the web service at https://bot.example/fire as Deep Water to The autumn contest (autumn) on ",
    ));
    let sent = api.state().requests[1].clone();
    assert_eq!(
        (sent.header("content-type"), sent.header("x-contest-code")),
        (Some("application/json"), Some("anchor"))
    );
    assert_eq!(serde_json::from_slice::<Value>(&sent.body).unwrap(), json!({"url": "https://bot.example/fire"}));
    let secret = home.submit_what(&["--url", "https://me:hush@bot.example/fire"], &api.url(), &["--yes", "--bot", BOT]);
    let told = { secret }.env("BROADSIDE_TOKEN", "token-1").assert().code(0);
    told.stderr(contains("the web service at https://bot.example/fire as").and(contains("hush").not()));
    let wrong = [
        (&["my-bot", "--url", "https://bot.example"][..], "cannot be used with"),
        (&[], "required"),
        (&["my-bot", "--code", "a\nb"], "a code is one line of text"),
    ];
    for (what, says) in wrong {
        home.submit_what(what, &api.url(), &["--yes"]).assert().code(2).stderr(contains(says));
    }
}

#[test]
fn a_rejected_version_has_the_exit_code_of_a_bot_with_faults() {
    let home = Home::new();
    let api = Api::with(&states(version("rejected", &json!({ "reason": "bot.py ends\nat once" }))));
    let told = home.script(&api.url(), &["--wait"]).assert().code(4);
    told.stdout(contains("version 3 of Deep Water is rejected: bot.py ends\u{fffd}at once\n"));
}

#[test]
fn a_server_that_fails_for_a_moment_is_asked_again() {
    let (home, api) = (Home::new(), Api::with(&[(version("accepted", &json!({})), "played\n")]));
    api.state().failures = 1;
    let told = home.script(&api.url(), &["--wait"]).assert().code(0);
    let told = told.stdout(contains("version 3 of Deep Water is accepted\n"));
    told.stderr(contains("answers 503: no room; the version stays handed in").and(contains("\nplayed\n")));
}

#[test]
fn json_is_the_last_version_in_one_line() {
    let (home, api) = (Home::new(), accepted());
    let line = |more: &[&str]| {
        let told = home.script(&api.url(), more).assert().code(0);
        let text = String::from_utf8(told.get_output().stdout.clone()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    assert_eq!(line(&["--json"]), version("queued", &json!({ "place": 2 })));
    assert_eq!(line(&["--json", "--wait"]), version("accepted", &json!({})));
}

#[test]
fn nothing_is_sent_without_a_terminal_unless_yes_is_given() {
    let (home, api) = (Home::new(), accepted());
    let told = home.submit(&api.url(), &["--bot", BOT]).assert().code(2).stdout("");
    told.stderr(contains("there is no terminal to ask").and(contains("hint: add --yes")));
    assert!(api.asked().is_empty());
    let told = home.submit(&api.url(), &["--bot", BOT, "--yes"]).assert().code(2);
    told.stderr(contains("there is no token of Deep Water on http://").and(contains("BROADSIDE_TOKEN")));
    let told = home.submit(&api.url(), &["--yes"]).assert().code(2);
    told.stderr(contains("no bot of http://").and(contains("--bot")));
    assert_eq!(api.asked(), ["GET /api/contests"; 2]);
}

#[test]
fn an_old_token_is_told_with_what_to_do() {
    let (home, api) = (Home::new(), accepted());
    let told = home.script(&api.url(), &[]).env("BROADSIDE_TOKEN", "token-0").assert().code(2).stdout("");
    let told = told.stderr(contains("does not take the token of Deep Water").and(contains("a newer token")));
    told.stderr(contains("token-0").not());
    // The archive was not sent for nothing.
    assert!(api.state().requests[1].body.is_empty());
    let told = home.script(&api.url(), &[]).env("BROADSIDE_TOKEN", "two words").assert().code(2);
    told.stderr(contains("BROADSIDE_TOKEN has characters that no token has").and(contains("two words").not()));
}

#[test]
fn a_token_is_sent_nowhere_else() {
    let (home, api, other) = (Home::new(), accepted(), accepted());
    api.state().leads_to = Some(other.url());
    let told = home.script(&api.url(), &[]).assert().code(1).stdout("");
    told.stderr(contains(format!("answers 307: it leads to {}", other.url())).and(contains("hint: check the URL")));
    assert!(other.asked().is_empty());
}

#[test]
fn no_log_has_the_bytes_of_a_request() {
    let (home, api) = (Home::new(), accepted());
    let told = home.script(&api.url(), &[]).env("RUST_LOG", "trace,ureq_proto::util=trace").assert().code(0);
    // Bytes were behind such a colon.
    told.stderr(contains("D: POST").and(contains("  :").not()).and(contains("token-1").not()));
}

#[test]
fn one_of_several_contests_is_named() {
    let (home, api) = (Home::new(), accepted());
    api.state().contests.push("winter");
    let listed = "The autumn contest (autumn), The winter contest (winter)";
    home.script(&api.url(), &[]).assert().code(2).stderr(contains("there are 2 contests").and(contains(listed)));
    home.script(&api.url(), &["--contest", "spring"]).assert().code(2).stderr(contains("no contest spring"));
    home.script(&api.url(), &["--contest", "autumn"]).assert().code(0);
    // The server has no such bot in it.
    let told = home.script(&api.url(), &["--contest", "winter"]).assert().code(2);
    told.stderr(contains(
        "/api/contests/winter/bots/Deep%20Water/versions?activate=true answers 404: there is nothing",
    ));
}

#[test]
fn a_mistake_is_told_before_anything_is_asked() {
    let (home, api) = (Home::new(), accepted());
    for url in ["localhost:3000", "ftp://localhost", "http://me:secret@localhost"] {
        let told = home.script(url, &[]).assert().code(2);
        told.stderr(contains("is not the URL of a server").and(contains("hint: ")).and(contains("secret").not()));
    }
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let told = home.script(&format!("http://{nobody}"), &[]).assert().code(1);
    told.stderr(contains(format!("http://{nobody} does not answer: Connection refused")).and(contains("hint: check")));
    fs::remove_file(home.path("my-bot/bot.json")).unwrap();
    let told = home.script(&api.url(), &[]).assert().code(3);
    told.stderr(contains("there is no bot.json in ").and(contains("hint: write one")));
    assert!(api.asked().is_empty());
}
