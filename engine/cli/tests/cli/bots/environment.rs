//! The environment of bots: the same in every mode, as the tables of docs/sandbox.md say.

use crate::nats_server::NatsServer;
use crate::table::broadside;
use crate::tournaments::cluster::WorkerProcess;
use assert_cmd::cargo::cargo_bin;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

/// A bot that tells its environment on standard error, and then crashes.
fn probe(folder: &Path, stays: bool) -> PathBuf {
    let bot = folder.join("probe");
    fs::create_dir(&bot).unwrap();
    let manifest = format!(r#"{{"NickName": "Probe", "BotType": "Executable", "RunFile": "run", "Stay": {stays}}}"#);
    fs::write(bot.join("bot.json"), manifest).unwrap();
    // No command of it is a program, because the sandbox refuses children.
    let script = "#!/bin/sh\n[ \"$BROADSIDE_STAY\" ] || { read -r line && echo \"export INPUT='$line'\" >&2; }\n\
                  { true >&9; } 2>/dev/null && echo \"export FILE_9='open'\" >&2\n\
                  export -p >&2\necho \"export ARGUMENTS='$1 $2 $#'\" >&2\nkill -USR1 $$\n\
                  echo \"export SIGUSR1='ignored'\" >&2\nexit 3\n";
    fs::write(bot.join("run"), script).unwrap();
    fs::set_permissions(bot.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    bot
}

/// The program as a shell starts it that has an open file and ignores signals.
fn by_careless_shell() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec 9</dev/null; trap '' USR1 CHLD; exec \"$@\"", "sh"]).arg(cargo_bin("broadside"));
    command
}

/// Variables that a shell makes for itself.
const OF_THE_SHELL: [&str; 4] = ["PWD", "OLDPWD", "SHLVL", "_"];

/// The first rows of the table in docs/sandbox.md: names, and what they say of the value.
fn documented() -> Vec<(String, String)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sandbox.md")).unwrap();
    let table = text.split_once("| variable | value |").unwrap().1.split("\n\n").next().unwrap();
    let rows = table.lines().filter_map(|row| row.strip_prefix("| `")?.split_once(" | "));
    rows.flat_map(|(names, value)| {
        let names = names.split(", ").map(|name| name.trim_matches('`').to_owned());
        names.map(|name| (name, value.to_owned())).collect::<Vec<_>>()
    })
    .collect()
}

/// The variables that a probe finds when the program runs with these arguments, with names in the place of its folders.
fn found(arguments: &[&str], stays: bool) -> BTreeMap<String, String> {
    let desk = tempfile::tempdir().unwrap();
    let bot = probe(desk.path(), stays);
    let mut command = assert_cmd::Command::from_std(by_careless_shell());
    command
        .env("XDG_STATE_HOME", desk.path())
        .current_dir(desk.path())
        .env("TMPDIR", desk.path())
        .env("HOME", "/of the user")
        .env("A_SECRET", "1");
    for (name, value) in documented() {
        let is_given = value == "as the engine has them, if it does |";
        if is_given && name != "PATH" {
            command.env(name.replace('*', "NUMERIC"), "C");
        }
    }
    for name in ["PYTHONUNBUFFERED", "PYTHONPATH", "NODE_OPTIONS", "RUBYOPT", "PERL5LIB", "JDK_JAVA_OPTIONS"] {
        command.env(name, "1");
    }
    command.env("GIVEN_HERE", "a b").args(arguments).args(["--env", "GIVEN_HERE", "--env", "TOLD=c=d"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let files = WalkDir::new(desk.path()).sort_by_file_name().into_iter().map(Result::unwrap);
    let mut of_bot = files.filter(|file| file.file_name() == "stderr.txt").map(|file| file.into_path());
    let path = of_bot.next().unwrap_or_else(|| panic!("nothing is kept of the bot: {said}"));
    let text = fs::read_to_string(path).unwrap();
    let variables = text.lines().filter_map(|line| line.strip_prefix("export ")?.split_once('='));
    let mut variables: BTreeMap<String, String> =
        variables.map(|(name, value)| (name.to_owned(), value.trim_matches(['\'', '"']).to_owned())).collect();
    let arguments = variables.remove("ARGUMENTS").unwrap();
    let [seat, turn_folder, count] = {
        let (seat, rest) = arguments.split_once(' ').unwrap();
        let (turn_folder, count) = rest.rsplit_once(' ').unwrap();
        [seat, turn_folder, count]
    };
    assert!(["A", "B"].contains(&seat) && count == "2", "{arguments}");
    assert_eq!(variables["TMPDIR"], turn_folder);
    assert_eq!(variables["HOME"], variables["PWD"]);
    let is_copy = variables["HOME"] != bot.to_str().unwrap();
    OF_THE_SHELL.iter().for_each(|name| drop(variables.remove(*name)));
    // These differ from match to match.
    for name in ["TMPDIR", "HOME", "BROADSIDE_SEED", "BROADSIDE_RUN"] {
        assert!(!variables.insert(name.to_owned(), "it has one".to_owned()).unwrap().is_empty(), "{name}");
    }
    variables.insert("its folder".to_owned(), if is_copy { "a copy of it" } else { "the bot's folder" }.to_owned());
    variables
}

/// The cells of a row of the table of differences in docs/sandbox.md: of `play`, `check` and tournaments.
fn difference(what: &str) -> [String; 3] {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sandbox.md")).unwrap();
    let row = text.lines().find(|line| line.starts_with(&format!("| {what} | "))).unwrap();
    let cells: Vec<_> = row.trim_matches('|').split(" | ").skip(1).map(|cell| cell.trim().to_owned()).collect();
    cells.try_into().unwrap()
}

const PLAY: [&str; 6] = ["play", "-s", "1", "-b", "probe", "builtin:random"];
const TOURNAMENT: [&str; 8] = ["tournament", "-s", "1", "-g", "2", "-b", "probe", "builtin:random"];

#[test]
fn a_bot_has_the_same_environment_in_every_mode() {
    let folders = difference("working folder");
    for stays in [false, true] {
        let first = found(&[&PLAY[..], &["--sandbox", "off"]].concat(), stays);
        let mut expected: BTreeMap<&str, &str> = BTreeMap::from([("GIVEN_HERE", "a b"), ("TOLD", "c=d")]);
        let documented = documented();
        for (name, _) in documented.iter().filter(|(name, _)| !name.starts_with("--env") && !name.contains('*')) {
            expected.insert(name, "C");
        }
        expected.insert("LC_NUMERIC", "C");
        expected.extend(["HOME", "TMPDIR", "BROADSIDE_SEED", "BROADSIDE_RUN"].map(|name| (name, "it has one")));
        let path = std::env::var("PATH").unwrap();
        expected.insert("PATH", &path);
        expected.insert("its folder", &folders[0]);
        expected.remove("PYTHONFAULTHANDLER");
        expected.remove("BROADSIDE_STAY");
        if stays {
            expected.insert("BROADSIDE_STAY", "1");
        }
        let got: BTreeMap<&str, &str> = first.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(got, expected, "stays: {stays}");
        let same = |arguments: &[&str], folder: &str| {
            let mut expected = first.clone();
            expected.insert("its folder".to_owned(), folder.to_owned());
            assert_eq!(found(arguments, stays), expected, "{arguments:?}, stays: {stays}");
        };
        same(&[&PLAY[..], &["--sandbox", "on"]].concat(), &folders[0]);
        same(&["check", "-s", "1", "--log", "kept", "probe"], &folders[1]);
        for sandbox in ["off", "on"] {
            same(&[&TOURNAMENT[..], &["--sandbox", sandbox]].concat(), &folders[2]);
        }
    }
}

/// Answers with its environment, which a record keeps.
#[test]
fn a_bot_has_the_same_environment_on_a_worker() {
    let Some(server) = NatsServer::start() else { return };
    let desk = tempfile::tempdir().unwrap();
    let at = |name: &str| desk.path().join(name);
    fs::create_dir(at("probe")).unwrap();
    fs::write(at("probe/bot.json"), r#"{"NickName": "Probe", "BotType": "Executable", "RunFile": "run"}"#).unwrap();
    let script = "#!/bin/sh\n{ true >&9; } 2>/dev/null && exit 3\nexport -p >\"$2/command.txt\"\n";
    fs::write(at("probe/run"), script).unwrap();
    fs::set_permissions(at("probe/run"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut shell = by_careless_shell();
    shell.env("PYTHONPATH", "1").env("A_SECRET", "1").env("HOME", "/of the user").env("XDG_STATE_HOME", desk.path());
    let mut worker = WorkerProcess::by(shell, &[&server.url()], desk.path(), "one");
    worker.says("Labels: ");
    let found = |folder: &str, more: &[&str]| -> BTreeMap<String, String> {
        let run = |arguments: &[&str]| drop(broadside().current_dir(desk.path()).args(arguments).assert().code(0));
        run(&[&TOURNAMENT[..], &["--keep", "all", "--dir", folder], more].concat());
        run(&["expand", &format!("{folder}/records/0-1-00000.jsonl.zst"), &format!("{folder}/expanded")]);
        let mut files = WalkDir::new(at(folder).join("expanded")).sort_by_file_name().into_iter().map(Result::unwrap);
        let path = files.find(|file| file.file_name() == "command.txt").unwrap().into_path();
        let text = fs::read_to_string(path).unwrap();
        let variables = text.lines().filter_map(|line| line.strip_prefix("export ")?.split_once('='));
        let of_match = ["TMPDIR", "HOME", "BROADSIDE_SEED", "BROADSIDE_RUN"];
        let named = variables.filter(|(name, _)| !OF_THE_SHELL.contains(name));
        let value = |name, value| if of_match.contains(&name) { "" } else { value };
        named.map(|(name, given): (&str, &str)| (name.to_owned(), value(name, given).to_owned())).collect()
    };
    let here = found("here", &[]);
    assert!(here.contains_key("BROADSIDE_SEED") && here.contains_key("PATH"), "{here:?}");
    assert_eq!(found("there", &["--cluster", &server.url()]), here);
}

#[test]
fn a_variable_that_is_not_set_or_has_no_name_is_refused() {
    let refused = |text: &str| {
        let output = broadside().args(["play", "--env", text]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("NO_SUCH_VARIABLE").contains("NO_SUCH_VARIABLE is not set here: set it, or write"));
    assert!(refused("=x").contains("expected NAME or NAME=VALUE"));
}
