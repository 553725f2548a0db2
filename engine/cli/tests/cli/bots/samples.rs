//! The sample bots, each from a copy in a folder with spaces in its name: built, and played to the end; those that stay a second
//! time, started for every turn.

use crate::table::{assert_is_verified, broadside, has_tools};
use crate::zoo::cage;
use arena::Interrupt;
use arena::record::MATCH_JSONL;
use players::process::{Purpose, ToolCheck};
use players::{Manifest, Tools};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use tempfile::TempDir;
use walkdir::WalkDir;

/// The folder of all samples.
pub(super) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots")
}

/// All folders in `bots/` with a bot for the Entelect Challenge 2017.
pub(super) fn samples() -> Vec<PathBuf> {
    let folders = fs::read_dir(top()).unwrap().map(|entry| entry.unwrap().path());
    let mut samples: Vec<PathBuf> = folders.filter(|path| path.join("bot.json").is_file()).collect();
    // Those of other games.
    let others = ["sea-battle-python", "bots-arena-python"];
    let is_other = |name: &str| others.contains(&name) || name.starts_with("battleship-");
    samples.retain(|path| !is_other(path.file_name().unwrap().to_str().unwrap()));
    samples.sort();
    assert!(samples.len() > 10, "{samples:?}");
    samples
}

/// Without what building has left.
pub(super) fn copy(from: &Path, to: &Path) {
    let made = ["target", "build", "node_modules"];
    let entries =
        WalkDir::new(from).into_iter().filter_entry(|entry| !made.iter().any(|made| entry.file_name() == *made));
    let manifest = Manifest::read(from).ok();
    for entry in entries.map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        let built = manifest
            .as_ref()
            .is_some_and(|manifest| !manifest.language.builds.is_empty() && entry.path() == manifest.run_path());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if !built || entry.path().extension().is_some_and(|extension| extension == "py") {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Reports a tool that is missing to build or run the bot. Gives whether all are there.
pub(super) fn has_its_tools(folder: &Path) -> bool {
    let manifest = Manifest::read(folder).unwrap();
    let check = ToolCheck::new(Tools::on_path(), Interrupt::new().unwrap());
    let purpose = if manifest.run_path().exists() { Purpose::Run } else { Purpose::Build };
    let missing = check.missing(manifest.language, purpose).unwrap();
    // The sample of programs that run by themselves is one in Perl.
    has_tools(&missing) && (manifest.language.name != "Executable" || test_tools::required("perl").is_some())
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
    if !has_its_tools(&bot) {
        return;
    }
    plays_without_faults(&bot, &out, flags);
    println!("{name} plays");
    if start_every_turn(&bot) {
        let restarted = folder.path().join("restarted");
        plays_without_faults(&bot, &restarted, flags);
        assert_eq!(orders(&out), orders(&restarted), "{name}: started once a match, and for every turn");
        println!("{name} plays the same, started for every turn");
        if Manifest::read(&bot).unwrap().language.name == "Python3" {
            let forked = folder.path().join("forked");
            plays_without_faults(&bot, &forked, &[flags, &["--warm", "on"]].concat());
            assert_eq!(orders(&out), orders(&forked), "{name}: forked for every turn");
            let record = fs::read_to_string(forked.join(MATCH_JSONL)).unwrap();
            assert!(record.contains(r#""start":"warm""#), "{record}");
        }
    }
}

/// Plays a match against the best opponent that there is: some languages need most of a second for each turn.
fn plays_without_faults(bot: &Path, out: &Path, flags: &[&str]) {
    let mut command = broadside();
    command
        .current_dir(out.parent().unwrap())
        .args(["-s", "1", "-l"])
        .arg(out)
        .arg("-b")
        .arg(bot)
        .arg("builtin:hunter");
    // Many tests run at the same time; how fast a language starts is not what this is about.
    command.args(["--calibration", "20000", "--seed", "1"]);
    let done = command.args(flags).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(0), "{}: {stdout}{stderr}", bot.display());
    assert!(!out.join("faults").exists(), "{}: {stdout}{stderr}", bot.display());
    assert_is_verified(out);
}

/// All answers of a match, by its record.
fn orders(out: &Path) -> Vec<[Value; 2]> {
    let record = fs::read_to_string(out.join(MATCH_JSONL)).unwrap();
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let turns = lines.filter(|line| line.get("turn").is_some());
    let orders: Vec<_> = turns.map(|turn| ["A", "B"].map(|seat| turn["answers"][seat]["gave"].clone())).collect();
    assert!(orders.len() > 10 && orders.iter().flatten().all(Value::is_object), "{record}");
    orders
}

/// Makes the bot one that does not stay. False if it does not in any case.
fn start_every_turn(bot: &Path) -> bool {
    let path = bot.join("bot.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let stays = manifest.as_object_mut().unwrap().remove("Stay") == Some(Value::Bool(true));
    if stays {
        fs::write(path, manifest.to_string()).unwrap();
    }
    stays
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
        copy(&top().join(name), &bot);
        if !has_its_tools(&bot) {
            continue;
        }
        for entry in WalkDir::new(folder.path()).into_iter().map(Result::unwrap) {
            chown(entry.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let out = folder.path().join(format!("{name} plays"));
        let mut command = Command::new(&setpriv);
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program).current_dir(folder.path());
        command.args(["-s", "1", "--sandbox", "strict", "--calibration", "20000", "-l"]).arg(&out).arg("-b").arg(&bot);
        let done =
            command.arg("builtin:hunter").env("HOME", folder.path()).env_remove("XDG_CACHE_HOME").output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{name}: {said}");
        assert!(!out.join("faults").exists(), "{name}: {said}");
        assert_is_verified(&out);
    }
}
