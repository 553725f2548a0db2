//! The sample bots, each from a copy in a folder with spaces in its name: built, and played to the end.

use crate::table::{assert_is_verified, broadside};
use crate::zoo::cage;
use fake_bot::{BotFolder, PLAYS};
use players::process::{Build, BuildError, Launch, LaunchError};
use players::{Manifest, Tools};
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use tempfile::TempDir;
use walkdir::WalkDir;

/// All folders in `bots/`.
fn samples() -> Vec<PathBuf> {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots");
    let folders = fs::read_dir(bots).unwrap().map(|entry| entry.unwrap().path());
    let mut samples: Vec<PathBuf> = folders.filter(|path| path.join("bot.json").is_file()).collect();
    samples.sort();
    assert!(samples.len() > 10, "{samples:?}");
    samples
}

/// Without what building has left.
fn copy(from: &Path, to: &Path) {
    let made = ["target", "build", "node_modules"];
    let entries =
        WalkDir::new(from).into_iter().filter_entry(|entry| !made.iter().any(|made| entry.file_name() == *made));
    let manifest = Manifest::read(from).unwrap();
    for entry in entries.map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        let built = !manifest.language.builds.is_empty() && entry.path() == manifest.run_path();
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if !built || entry.path().extension().is_some_and(|extension| extension == "py") {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Reports a tool that is missing to build or run the bot. Gives whether all are there.
fn has_its_tools(folder: &Path) -> bool {
    let manifest = Manifest::read(folder).unwrap();
    let tools = Tools::on_path();
    let missing = if !manifest.run_path().exists() {
        match Build::of(&manifest, &tools) {
            Err(BuildError::NoTool { programs, .. }) => programs,
            built => built.map(|_| Vec::new()).unwrap(),
        }
    } else {
        match Launch::of(&manifest, &tools) {
            Err(LaunchError::NoInterpreter { programs, .. }) => programs,
            launched => launched.map(|_| Vec::new()).unwrap(),
        }
    };
    if !missing.is_empty() {
        test_tools::missing(&missing);
    }
    // The sample of programs that run by themselves is one in Perl.
    missing.is_empty() && (manifest.language.name != "Executable" || test_tools::required("perl").is_some())
}

/// Plays all samples with these flags, several at the same time; each has to give an order in every turn.
fn all_play(flags: &[&str]) {
    let samples = samples();
    thread::scope(|scope| {
        for share in samples.chunks(samples.len().div_ceil(2)) {
            scope.spawn(move || share.iter().for_each(|sample| plays(sample, flags)));
        }
    });
}

fn plays(sample: &Path, flags: &[&str]) {
    let name = sample.file_name().unwrap().to_str().unwrap();
    let folder: TempDir = tempfile::Builder::new().prefix("a sample ").tempdir().unwrap();
    let (bot, out) = (folder.path().join("my bot"), folder.path().join("out"));
    copy(sample, &bot);
    // The reference bot is part of the workspace and has no project of its own.
    let bot = if name == "hunter" { sample.to_owned() } else { bot };
    if !has_its_tools(&bot) {
        return;
    }
    if name == "hunter" {
        // A program of an earlier build may be there; and as a part of the workspace it is not built in a sandbox.
        let mut build = broadside();
        build.current_dir(folder.path()).args(["-s", "1", "-f", "-l", "built", "-b"]).arg(&bot);
        build.arg("builtin:random").assert().code(0);
    }
    let opponent = BotFolder::new("Opponent", PLAYS);
    let mut command = broadside();
    command.current_dir(folder.path()).args(["-s", "1", "-l"]).arg(&out).arg("-b").args([&bot, opponent.path()]);
    // Many tests run at the same time; how fast a language starts is not what this is about.
    command.args(["--calibration", "2000"]);
    let done = command.args(flags).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(0), "{name}: {stdout}{stderr}");
    assert!(!out.join("faults").exists(), "{name}: {stdout}{stderr}");
    assert_is_verified(&out);
    println!("{name} plays");
}

/// With everything that a bot can be denied: what plays so plays without it as well, which the starters and the zoo show.
#[test]
fn every_sample_bot_plays_in_tournament_mode_with_nothing_but_the_sandbox_allows() {
    all_play(&["--tournamentMode", "--sandbox", "strict"]);
}

/// Root may do in a sandbox what others may not, so a test as root alone would not notice what they need. Their toolchains
/// may be missing: these have one in the system's folders.
#[test]
fn an_ordinary_user_builds_and_plays_in_a_sandbox() {
    const NOBODY: u32 = 65534;
    let Some(setpriv) = test_tools::required("setpriv") else { return };
    if !cage::has_sandbox() || fs::metadata("/proc/self").unwrap().uid() != 0 {
        return;
    }
    let folder = tempfile::Builder::new().prefix("of nobody ").tempdir().unwrap();
    let program = folder.path().join("broadside");
    fs::copy(assert_cmd::cargo::cargo_bin!("broadside"), &program).unwrap();
    for name in ["c", "executable", "java", "python"] {
        let bot = folder.path().join(name);
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots").join(name), &bot);
        if !has_its_tools(&bot) {
            continue;
        }
        for entry in WalkDir::new(folder.path()).into_iter().map(Result::unwrap) {
            chown(entry.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let out = folder.path().join(format!("{name} plays"));
        let mut command = Command::new(&setpriv);
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program).current_dir(folder.path());
        command.args(["-s", "1", "--sandbox", "strict", "--calibration", "2000", "-l"]).arg(&out).arg("-b").arg(&bot);
        let done =
            command.arg("builtin:hunter").env("HOME", folder.path()).env_remove("XDG_CACHE_HOME").output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{name}: {said}");
        assert!(!out.join("faults").exists(), "{name}: {said}");
        assert_is_verified(&out);
    }
}
