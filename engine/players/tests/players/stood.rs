//! The place at which a bot stood when its time was up.

use crate::builds::bot;
use arena::folder::MatchFolder;
use arena::{Interrupt, Limits, RunEnd};
use players::process::{Allowance, Build, BuildError, Launch, LaunchError, PerRound, Sandbox};
use players::{Manifest, Tools, Transport};
use rules::{Fault, FolderMessage, Seat};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A bot that has no end: its language, its program, the file with this text, and the words for the place.
type Endless = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const ENDLESS: [Endless; 12] = [
    ("Python3", "bot.py", "bot.py", "def choose():\n    while True:\n        pass\n\nchoose()\n", "at bot.py:"),
    ("Python3", "bot.py", "bot.py", "import time\n\ndef choose():\n    time.sleep(900)\n\nchoose()\n", "at bot.py:4"),
    ("Java", "bot.jar", "Bot.java", "public class Bot {\n  static long choose() { long n = 0; while (true) n++; }\n  \
      public static void main(String[] a) { choose(); }\n}\n", "at Bot.java:2"),
    ("Golang", "bot", "main.go", "package main\n\nfunc choose() {\n\tn := 0\n\tfor {\n\t\tn++\n\t}\n}\n\nfunc main() {\n\
      \tchoose()\n}\n", "at main.go:"),
    ("CSharp", "bot.exe", "Bot.cs", "class Bot {\n  static void Choose() { System.Threading.Thread.Sleep(900000); }\n  \
      static void Main() { Choose(); }\n}\n", "in Bot.Choose"),
    ("Ruby", "bot.rb", "bot.rb", "def choose\n  loop { 1 }\nend\n\nchoose\n", "at bot.rb:2"),
    ("Lua", "bot.lua", "bot.lua", "local function choose()\n  while true do end\nend\n\nchoose()\n", "at bot.lua:2"),
    ("C", "bot", "bot.c", "#include <stdlib.h>\nvolatile int n;\n__attribute__((noinline)) void choose(void) { for (;;) n++; }\n\
      __attribute__((noinline)) void play(void) { choose(); n = 1; }\nint main(void) { play(); return n; }\n",
      "in choose, called by play, main"),
    ("C++", "bot", "bot.cpp", "#include <unistd.h>\nnamespace bot { volatile int n;\nstruct Hunter { __attribute__((noinline)) void \
      choose() { sleep(900); n = 1; } }; }\nint main() { bot::Hunter().choose(); return bot::n; }\n",
      "in bot::Hunter::choose, called by main: it sleeps (nanosleep)"),
    ("Executable", "bot", "bot", "#!/bin/sh\nwhile :; do :; done\n", ""),
    ("JavaScript", "bot.js", "bot.js", "for (;;);\n", ""),
    ("PHP", "bot.php", "bot.php", "<?php sleep(900);\n", "it sleeps (nanosleep)"),
];

/// The place of the bot and what arrived of its answer, as they are told after so many seconds.
fn told(manifest: &Manifest, sandbox: Option<&Sandbox>, is_warm: bool, seconds: u64) -> Option<(String, String)> {
    let mut launch = match Launch::of(manifest, &Tools::on_path()) {
        Ok(launch) => launch,
        Err(LaunchError::NoInterpreter { programs, .. }) => {
            test_tools::missing(&programs);
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let rounds = tempfile::tempdir().unwrap();
    let limit = Duration::from_secs(seconds);
    if let Some(sandbox) = sandbox {
        launch = launch.confined(sandbox, Some(rounds.path()), &[], Allowance::DEFAULT, Some(limit)).unwrap();
    }
    if is_warm {
        launch = launch.with_warm_starts();
    }
    let folder = Arc::new(MatchFolder::create(rounds.path()).unwrap());
    let limits = Some(Limits::exactly(limit, limit));
    let mut bot = PerRound::new(launch, folder, limits, true, Interrupt::new().unwrap());
    let message = FolderMessage { folder: "a round".into(), line: String::new(), files: Vec::new(), answers: &[] };
    let delivery = bot.exchange(Seat::A, &message).unwrap();
    let run = delivery.run.unwrap();
    assert_eq!(run.end, RunEnd::Killed, "{run:?}");
    let Some(Fault::TimedOut { arrived, .. }) = delivery.fault else { panic!("it is late") };
    Some((run.stood.map(|stood| stood.place).unwrap_or_default(), arrived))
}

/// Tells of the bot, again with more time if its runtime has not come so far: other programs may have the processors.
fn is_told(manifest: &Manifest, sandbox: Option<&Sandbox>, is_warm: bool, expected: &str) {
    for seconds in [1, 2, 4, 8, 16, 32, 64] {
        let Some((place, arrived)) = told(manifest, sandbox, is_warm, seconds) else { return };
        let is_it = place.starts_with(expected) && arrived.contains(&place);
        if is_it {
            return;
        }
        assert!(seconds < 64, "{}, in a sandbox: {}: {place:?}, {arrived}", manifest.language.name, sandbox.is_some());
    }
}

fn build(manifest: &Manifest) -> bool {
    match Build::of(manifest, &Tools::on_path()) {
        Err(BuildError::NoTool { programs, .. }) => {
            test_tools::missing(&programs);
            false
        }
        Ok(Some(build)) => build.run(None, &Interrupt::new().unwrap(), &mut |_| {}).map(|_| true).unwrap(),
        Ok(None) => true,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_bot_that_does_not_end_is_told_where_it_was() {
    let sandbox = Sandbox::start().unwrap();
    for (language, run_file, file, text, place) in ENDLESS {
        let (folder, manifest) = bot(language, run_file, &[(file, text)]);
        if language == "Executable" {
            make_executable(&folder.path().join("bot"));
        }
        if !build(&manifest) {
            continue;
        }
        is_told(&manifest, None, false, place);
        is_told(&manifest, Some(&sandbox), false, place);
        if language == "Python3" {
            is_told(&manifest, None, true, place);
            is_told(&manifest, Some(&sandbox), true, place);
        }
    }
}

fn make_executable(path: &Path) {
    platform::files::make_executable(path).unwrap();
}

/// One that listens to the signal and goes on is not waited for, however much or little it says.
#[test]
fn a_bot_that_does_not_want_to_tell_is_late_all_the_same() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let floods = "import signal\nsignal.signal(signal.SIGABRT, signal.SIG_IGN)\nwhile True:\n    print('x' * 1000)\n";
    // Its words would last for an hour until no more of them are kept.
    let trickles = "import os, signal, time\nsignal.signal(signal.SIGABRT, signal.SIG_IGN)\nwhile True:\n    \
                    os.write(1, b'x')\n    time.sleep(0.04)\n";
    for text in [floods, trickles] {
        let (_folder, manifest) = bot("Python3", "bot.py", &[("bot.py", text)]);
        let (_, arrived) = told(&manifest, None, false, 1).unwrap();
        assert!(arrived.starts_with("no answer was written"), "{arrived}");
    }
}
