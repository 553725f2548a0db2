//! The program, two bots and a folder for the match.

use arena::ArenaError;
use arena::record::{MATCH_JSONL, RecordError};
use assert_cmd::Command;
use fake_bot::{BotFolder, PLAYS};
use players::process::MissingTool;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use walkdir::WalkDir;

pub struct Table {
    pub bots: [BotFolder; 2],
    pub folder: TempDir,
}

impl Table {
    /// Two bots that play.
    pub fn new() -> Table {
        Table::with([PLAYS, PLAYS])
    }

    pub fn with(scripts: [&str; 2]) -> Table {
        let bots = [BotFolder::new("Alpha", scripts[0]), BotFolder::new("Bravo", scripts[1])];
        Table { bots, folder: tempfile::Builder::new().prefix("a match ").tempdir().unwrap() }
    }

    /// The program for a small match between both, in a folder of its own.
    pub fn command(&self) -> Command {
        let mut command = broadside();
        command.current_dir(self.folder.path()).args(self.arguments());
        command
    }

    pub fn arguments(&self) -> Vec<PathBuf> {
        let [a, b] = &self.bots;
        vec!["-s".into(), "1".into(), "-b".into(), a.path().into(), b.path().into(), "-l".into(), "out".into()]
    }

    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    pub fn read(&self, file: &str) -> String {
        let path = self.out().join(file);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Everything of the match that does not say when it was.
    pub fn tree(&self) -> Vec<(PathBuf, Vec<u8>)> {
        tree(&self.out())
    }
}

/// Every match that is played at a table is played again from its record. Some bots harm their folders.
impl Drop for Table {
    fn drop(&mut self) {
        let record = self.out().join(MATCH_JSONL);
        if !std::thread::panicking() && record.exists() {
            assert_is_verified(&record);
        }
    }
}

/// Fails unless a match, as far as it was played, is what the rules make of its answers.
pub fn assert_is_verified(path: &Path) {
    match match_folder::open(path).and_then(|opened| match_folder::verify(&opened)) {
        Ok(_) | Err(ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

pub fn tree(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    WalkDir::new(path)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| entry.path().extension().is_none_or(|e| e != "log") && entry.file_name() != "log.txt")
        .filter(|entry| entry.file_name() != MATCH_JSONL)
        .map(|entry| (entry.path().strip_prefix(path).unwrap().to_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// The program with nobody's settings.
pub fn broadside() -> Command {
    let mut command = Command::cargo_bin("broadside").unwrap();
    // Not in the folder for temporary files, where another user may have made one of the same name.
    command.env_remove("RUST_LOG").env_remove("NO_COLOR").env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS");
    command
}

/// True if nothing is missing. Otherwise the test is skipped, which is reported.
pub fn has_tools(missing: &[MissingTool]) -> bool {
    for missing in missing {
        match &missing.broken {
            Some((_, why)) => test_tools::broken(missing.tool.programs[0], why),
            None => test_tools::missing(missing.tool.programs),
        }
    }
    missing.is_empty()
}

/// The program as a shell would start it, ready to be signalled: with signals that are not ignored, whatever the tests
/// themselves were started with.
pub fn signalled() -> std::process::Command {
    let mut command = std::process::Command::new("env");
    command.arg(USUAL_SIGNALS).arg(assert_cmd::cargo::cargo_bin!("broadside"));
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// The option with which `env` restores signals.
pub const USUAL_SIGNALS: &str = "--default-signal=INT,TERM,HUP,QUIT";

/// Bots of this engine that are still there, by the mark in their environment. The engine is told apart by its number.
pub fn bots_left(engine: u32) -> Vec<String> {
    let prefix = format!("BROADSIDE_RUN={engine}-");
    let processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        let marked = environment.split(|byte| *byte == 0).any(|line| line.starts_with(prefix.as_bytes()));
        marked.then(|| entry.file_name().to_string_lossy().into_owned())
    });
    processes.collect()
}
