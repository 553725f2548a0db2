//! Bots that crash for want of what a build brings.

use crate::builds::bot;
use players::process::Build;
use std::fs;
use std::process::Command;

#[test]
fn a_build_would_help_a_bot_that_lacks_a_package_which_its_project_names() {
    let lacks = |file: &str, errors: &str| Build::would_help(&bot("Python3", "bot.py", &[(file, "")]).1, errors);
    let missing =
        "Traceback (most recent call last):\n  File \"bot.py\", line 1\nModuleNotFoundError: No module named 'numpy'\n";
    assert!(lacks("requirements.txt", missing));
    assert!(!lacks("other.txt", missing), "nothing says which packages");
    assert!(!lacks("requirements.txt", "ZeroDivisionError"));
    // A program that its project makes has gone.
    let goes = |language: &str, file: &str| {
        let (folder, manifest) = bot(language, "gone", &[(file, "")]);
        (Build::would_help(&manifest, ""), folder).0
    };
    assert!(goes("Rust", "Cargo.toml") && !goes("Rust", "README") && !goes("Python3", "requirements.txt"));
}

/// The error stream of the tool when it runs these files, of which the first misses something that the project names.
fn errors_of(tool: &str, files: &[(&str, &str)]) -> Option<String> {
    let tool = test_tools::required(tool)?;
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    let run = Command::new(tool).arg(files[0].0).current_dir(folder.path()).output().unwrap();
    assert!(!run.status.success());
    Some(String::from_utf8(run.stderr).unwrap())
}

#[test]
fn interpreters_say_in_words_that_are_known_what_a_bot_lacks() {
    let package = ("package.json", r#"{"dependencies": {"nobody-has-it": "1"}}"#);
    for (language, tool, files) in [
        ("Python3", "python3", [("bot.py", "import nobody_has_it"), ("requirements.txt", "nobody-has-it")]),
        ("JavaScript", "node", [("bot.js", "require('nobody-has-it')"), package]),
        ("JavaScript", "node", [("bot.mjs", "import 'nobody-has-it'"), package]),
        ("Ruby", "ruby", [("bot.rb", "require 'nobody_has_it'"), ("Gemfile", "gem 'nobody_has_it'")]),
        (
            "Ruby",
            "ruby",
            [("bot.rb", "require 'bundler/setup'"), ("Gemfile", "source 'https://rubygems.org'\ngem 'nobody_has_it'")],
        ),
        ("PHP", "php", [("bot.php", "<?php require 'vendor/autoload.php';"), ("composer.json", "{}")]),
    ] {
        if let Some(errors) = errors_of(tool, &files) {
            let (_folder, manifest) = bot(language, files[0].0, &files);
            assert!(Build::would_help(&manifest, &errors), "{language}: {errors}");
        }
    }
}
