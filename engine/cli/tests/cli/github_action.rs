//! The scripts of the GitHub Action, as a runner starts them.

use crate::arena::Arena;
use crate::arena::contest::{Entry, PLAYS};
use crate::table::broadside;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn action() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.github/actions/broadside")
}

/// The folder of a job, in which steps run.
struct Job(TempDir);

impl Job {
    fn new() -> Job {
        Job(tempfile::tempdir().unwrap())
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).unwrap()
    }

    /// Runs a script with these variables and the program on the PATH.
    fn run(&self, script: &str, variables: &[(&str, &str)]) -> Output {
        let folder = self.0.path();
        let program = PathBuf::from(broadside().get_program());
        let folders = [program.parent().unwrap().to_owned()].into_iter();
        let path = env::join_paths(folders.chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
        let mut command = Command::new(action().join(script));
        command.current_dir(folder).env("PATH", path).env("GITHUB_ACTION_PATH", action()).env("RUNNER_TEMP", folder);
        for file in ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"] {
            command.env(file, folder.join(file));
        }
        command.envs(variables.iter().copied()).output().unwrap()
    }

    fn compare(&self, bot: &str, against: &str, games: &str, require_stronger: &str) -> Output {
        let variables = [
            ("BOT", bot),
            ("AGAINST", against),
            ("GAMES", games),
            ("REQUIRE_STRONGER", require_stronger),
            ("GAME", "entelect-2017"),
            ("SPRT", "0,50"),
            ("SEED", "1"),
            ("FOLDER", "results"),
            ("JUNIT", "junit.xml"),
        ];
        self.run("compare", &variables)
    }
}

#[test]
fn a_comparison_leaves_verdict_junit_and_summary() {
    let job = Job::new();
    let done = job.compare("builtin:hunter", "builtin:random", "200", "true");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(job.read("GITHUB_OUTPUT"), "verdict=stronger\njunit=junit.xml\n");
    assert!(job.read("junit.xml").contains("<testsuite"));
    let summary = job.read("GITHUB_STEP_SUMMARY");
    assert!(summary.starts_with("### Broadside: stronger\n"), "{summary}");
    assert!(summary.contains("| builtin:hunter |"), "{summary}");
}

#[test]
fn a_bot_that_must_be_stronger_fails_the_step_and_still_leaves_all_files() {
    for (against, verdict) in [("builtin:hunter", "not-stronger"), ("again=builtin:random", "undecided")] {
        let job = Job::new();
        let games = if verdict == "undecided" { "2" } else { "200" };
        let done = job.compare("builtin:random", against, games, "true");
        assert_eq!(done.status.code(), Some(1), "{}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(job.read("GITHUB_OUTPUT"), format!("verdict={verdict}\njunit=junit.xml\n"));
        assert!(job.read("junit.xml").contains("<testsuite"));
    }
}

#[test]
fn a_bot_that_is_not_there_fails_without_a_verdict() {
    let job = Job::new();
    let done = job.compare("nothing", "builtin:random", "2", "false");
    assert!(!done.status.success());
    assert!(!job.0.path().join("GITHUB_OUTPUT").exists());
}

#[test]
fn a_bot_is_handed_in_and_a_rejected_one_fails_the_step() {
    let arena = Arena::with_contest(&json!({}));
    let ann = Entry::register(arena.site, "Ann");
    let (job, url) = (Job::new(), format!("http://{}", arena.site.0));
    let bot = job.0.path().join("my bot");
    fs::create_dir(&bot).unwrap();
    fs::write(bot.join("bot.json"), r#"{"NickName": "N", "BotType": "Executable", "RunFile": "bot.sh"}"#).unwrap();
    let submit = |program: &str, contest: &str, activate: &str, token: &str| {
        fs::write(bot.join("bot.sh"), program).unwrap();
        let variables = [
            ("BOT", "my bot"),
            ("SUBMIT_TO", url.as_str()),
            ("SUBMIT_AS", "Ann"),
            ("CONTEST", contest),
            ("ACTIVATE", activate),
            ("BROADSIDE_TOKEN", token),
        ];
        let done = job.run("submit", &variables);
        let said = [done.stdout, done.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
        assert!(token.is_empty() || !said.contains(token), "{said}");
        (done.status.code(), said)
    };
    let last = || -> Value {
        let output = job.read("GITHUB_OUTPUT");
        serde_json::from_str(output.lines().last().unwrap().strip_prefix("submission=").unwrap()).unwrap()
    };
    let (code, said) = submit(PLAYS, "", "true", &ann.token);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(
        (&last()["state"], &last()["version"], &last()["isActive"]),
        (&json!("accepted"), &json!(1), &json!(true))
    );
    assert!(said.contains("the archive is unpacked"), "the log of the job has that of the build: {said}");
    assert!(job.read("GITHUB_STEP_SUMMARY").contains("### Broadside: handed in to http://"));
    let (code, said) = submit(&[PLAYS, "# newer\n"].concat(), "autumn", "false", &ann.token);
    assert_eq!((code, &last()["version"], &last()["isActive"]), (Some(0), &json!(2), &json!(false)), "{said}");
    let (code, said) = submit("#!/bin/sh\nexit 3\n", "autumn", "true", &ann.token);
    assert_eq!((code, &last()["state"]), (Some(4), &json!("rejected")), "{said}");
    let (code, said) = submit(PLAYS, "autumn", "true", "");
    assert!(code == Some(2) && said.contains("submit-token"), "{said}");
    let outputs = job.read("GITHUB_OUTPUT") + &job.read("GITHUB_STEP_SUMMARY");
    assert!(!outputs.contains(&ann.token));
}

#[test]
fn the_program_of_an_archive_is_installed_if_its_checksum_is_right() {
    let job = Job::new();
    let program = PathBuf::from(broadside().get_program());
    let top = job.0.path().join("broadside-1");
    fs::create_dir_all(top.join("bin")).unwrap();
    fs::copy(program, top.join("bin/broadside")).unwrap();
    // Fast rather than small: the program of tests is large.
    let mut tar = Command::new("tar");
    tar.args(["--use-compress-program=gzip -1", "-cf", "a.tar.gz", "broadside-1"]);
    let tar = tar.current_dir(job.0.path()).status().unwrap();
    assert!(tar.success());
    let wrong = job.run("install", &[("ARCHIVE", "a.tar.gz"), ("SHA256", &"0".repeat(64))]);
    assert!(!wrong.status.success());
    let done = job.run("install", &[("ARCHIVE", "a.tar.gz"), ("SHA256", "")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(job.read("GITHUB_PATH").trim(), job.0.path().join("broadside/bin").to_str().unwrap());
}

#[test]
fn the_page_names_every_input_and_the_workflow_on_it_no_other() {
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let file = read(&action().join("action.yml"));
    let (_, inputs) = file.split_once("\ninputs:\n").unwrap();
    let inputs: BTreeSet<&str> = inputs
        .split("\noutputs:\n")
        .next()
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':').filter(|name| !name.starts_with(' ')))
        .collect();
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ci.md"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named: BTreeSet<&str> =
        rows.flat_map(|names| names.split('`').step_by(2)).filter(|name| *name != ", ").collect();
    assert_eq!(named.into_iter().filter(|name| !name.is_empty()).collect::<BTreeSet<_>>(), inputs);
    let (_, step) = page.split_once("broadside/.github/actions/broadside@").unwrap();
    let (_, with) = step.split_once("with:\n").unwrap();
    let set = with
        .lines()
        .take_while(|line| line.starts_with("          "))
        .map(|line| line.trim().split(':').next().unwrap());
    let set: Vec<&str> = set.collect();
    assert!(set.len() > 1 && set.iter().all(|name| inputs.contains(name)), "{set:?}");
}
