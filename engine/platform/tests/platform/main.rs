//! The rule of this crate: no other crate of the engine calls Linux.
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Text by which a line is known that only one system has.
const MARKS: [&str; 10] = [
    "rustix",
    "libc::",
    "signal_hook",
    "\"/proc",
    "\"/sys",
    "os::unix",
    "os::linux",
    "os::fd",
    "target_os =",
    "cfg(unix",
];

/// Paths in `engine/` whose files may call Linux, each with its reason.
const EXCEPTIONS: [(&str, &str); 2] =
    [("platform/", "it is the seam"), ("test_tools/", "it is only for tests, which run on Linux")];

fn engine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources of all crates in `engine/`, with their paths there.
fn sources() -> Vec<(String, String)> {
    let crates = fs::read_dir(engine()).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let files = crates.filter(|source| source.is_dir()).flat_map(|source| WalkDir::new(source).into_iter());
    let paths =
        files.map(|file| file.unwrap().into_path()).filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let named = |path: PathBuf| {
        let name = path.strip_prefix(engine()).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    };
    paths.map(named).collect()
}

/// The marks in a source, each with its line, without those in comments and in the tests at its end.
fn marks(source: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let code = source.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().enumerate().flat_map(|(number, line)| {
        let code = line.split("//").next().unwrap_or_default();
        MARKS.iter().filter(|mark| code.contains(**mark)).map(move |mark| (number + 1, *mark))
    })
}

fn is_excepted(path: &str) -> bool {
    EXCEPTIONS.iter().any(|(place, _)| path.starts_with(place))
}

#[test]
fn only_this_crate_calls_linux() {
    let sources = sources();
    assert!(sources.len() > 200, "only {} sources were found", sources.len());
    let strangers = sources.iter().filter(|(path, _)| !is_excepted(path));
    let found = strangers.flat_map(|(path, source)| {
        marks(source).map(move |(line, mark)| format!("engine/{path}:{line}: {mark} belongs in engine/platform"))
    });
    assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_exception_is_used() {
    let sources = sources();
    for (place, reason) in EXCEPTIONS {
        let is_used = sources.iter().any(|(path, source)| path.starts_with(place) && marks(source).next().is_some());
        assert!(is_used, "nothing in {place} calls Linux any more ({reason})");
    }
}
