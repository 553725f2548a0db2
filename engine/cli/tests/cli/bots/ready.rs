//! A language is ready or it is not, whoever is asked: each tool of each language is taken away in turn, and all commands name it.

use crate::table::{broadside, has_tools};
use arena::Interrupt;
use players::Tools;
use players::process::{Language, MissingTool, Purpose, Tool, ToolCheck};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// The programs of this machine, by name.
fn programs() -> BTreeMap<String, PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap()).collect();
    // The first folder that has a program counts.
    let entries = folders.iter().rev().filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path()))).collect()
}

/// A folder of links to all programs of this machine but those of `taken` and those of tools that `list` does not have.
fn without(programs: &BTreeMap<String, PathBuf>, list: &[&Tool], taken: &Tool, folder: &Path) {
    for (name, path) in programs {
        let is_of = |tool: &&Tool| tool.programs.contains(&name.as_str());
        let is_tool = Tool::all().iter().any(is_of);
        if !is_of(&taken) && (!is_tool || list.iter().any(is_of)) {
            symlink(path, folder.join(name)).unwrap();
        }
    }
}

/// What all commands say where this tool of this language is missing.
fn all_name(language: &'static Language, taken: &'static Tool, programs: &BTreeMap<String, PathBuf>) {
    let folder = tempfile::Builder::new().prefix("without-").tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    without(programs, language.needs[0], taken, &bin);
    let check = ToolCheck::new(Tools::in_folders([bin.clone()]), Interrupt::new().unwrap());
    let missing = check.missing(language, Purpose::Build).unwrap();
    assert_eq!(missing, [MissingTool { tool: taken, broken: None }], "{}", language.name);
    let to_run = check.missing(language, Purpose::Run).unwrap();
    assert_eq!(!to_run.is_empty(), language.interpreters().iter().any(|one| one.tool == taken), "{}", language.name);

    let run = |arguments: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).env("PATH", &bin).env("TMPDIR", folder.path()).args(arguments).assert()
    };
    let json = |arguments: &[&str]| -> Value { serde_json::from_slice(&run(arguments).get_output().stdout).unwrap() };
    let name = language.plain_name();
    let (tool, packages) = (taken.programs[0], taken.packages);
    let listed = json(&["languages", "--json"]);
    let listed = listed.as_array().unwrap().iter().find(|one| one["language"] == language.name).unwrap();
    let told: Vec<_> =
        listed["missing"].as_array().unwrap().iter().map(|one| (&one["tool"], &one["packages"])).collect();
    assert_eq!((&listed["found"], told), (&false.into(), vec![(&tool.into(), &packages.into())]), "{listed:#}");
    let findings = json(&["doctor", "--json"]);
    let in_words = format!("{name} lacks {}, which was not found", taken.programs.join(" or "));
    let finding = findings.as_array().unwrap().iter().filter_map(|finding| finding["text"].as_str());
    let finding: Vec<_> = finding.filter(|text| text.starts_with(&format!("{name} lacks "))).collect();
    let debian = if packages.is_empty() { String::new() } else { format!(" (Debian: {})", packages.join(" ")) };
    assert_eq!(finding, [format!("{in_words}{debian}")]);

    let named = || contains(taken.programs.join(" or ")).and(contains(format!("install {}", taken.install())));
    run(&["new", &name, "bot"]).code(0).stderr(named().and(contains("that plays").not()));
    let plays = [&["check", "bot", "-s", "1", "--sandbox", "off"][..], &["-s", "1", "-b", "bot", "builtin:random"]];
    for command in plays {
        // Without npm the compiler is called without it.
        match (language.name, tool) {
            ("TypeScript", "npm") => drop(run(command).code(0)),
            _ => drop(run(command).code(3).stderr(named())),
        }
    }
}

#[test]
fn all_commands_name_the_same_tool_and_package_that_a_language_lacks() {
    let programs = programs();
    let check = ToolCheck::new(Tools::on_path(), Interrupt::new().unwrap());
    let starters = broadside().args(["languages", "--json"]).output().unwrap().stdout;
    let starters: Vec<Value> = serde_json::from_slice(&starters).unwrap();
    let has_starter =
        |language: &&Language| starters.iter().any(|one| one["language"] == language.name && one["starter"] == true);
    let mut cases = Vec::new();
    for language in Language::all().iter().filter(has_starter) {
        if has_tools(&check.missing(language, Purpose::Build).unwrap()) {
            cases.extend(language.needs[0].iter().map(|tool| (language, *tool)));
        }
    }
    assert!(!cases.is_empty());
    let cases = Mutex::new(cases.into_iter());
    let next = || cases.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((language, tool)) = next() {
                    all_name(language, tool, &programs);
                }
            });
        }
    });
}

/// What is built already needs no compiler.
#[test]
fn a_bot_that_is_built_plays_without_the_tools_that_build_it() {
    let check = ToolCheck::new(Tools::on_path(), Interrupt::new().unwrap());
    let language = Language::from_name("c").unwrap();
    if !has_tools(&check.missing(language, Purpose::Build).unwrap()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], path: Option<&Path>| {
        let mut command = broadside();
        if let Some(path) = path {
            command.env("PATH", path);
        }
        command.current_dir(folder.path()).args(arguments).assert()
    };
    run(&["new", "c", "bot"], None).code(0).stderr(contains("that plays"));
    let play = ["-s", "1", "-b", "bot", "builtin:random"];
    run(&play, None).code(0).stderr(contains("Built "));
    let nothing = folder.path().join("nothing");
    run(&play, Some(&nothing)).code(0).stderr(contains("uilt").not());
    let told = run(&["languages", "--json"], Some(&nothing)).get_output().stdout.clone();
    let told: Vec<Value> = serde_json::from_slice(&told).unwrap();
    let ready: Vec<_> = told.iter().filter(|one| one["found"] == true).map(|one| &one["language"]).collect();
    assert_eq!(ready, ["Executable"]);
}
