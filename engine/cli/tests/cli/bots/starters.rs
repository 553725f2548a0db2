//! `broadside new` and `broadside check`: from nothing to a bot that plays.

use super::samples;
use crate::table::broadside;
use fake_bot::{BotFolder, PLAYS, beside_busy_threads, last_processor};
use players::Manifest;
use players::process::Language;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn desk() -> TempDir {
    tempfile::Builder::new().prefix("a desk ").tempdir().unwrap()
}

#[test]
fn a_new_bot_of_every_language_with_a_sample_is_a_whole_bot() {
    let desk = desk();
    let languages =
        ["c", "C++", "C#", "go", "java", "javascript", "lua", "php", "python", "ruby", "rust", "scala", "typescript"];
    for language in languages.into_iter().chain(["executable"]) {
        let mut new = broadside();
        new.current_dir(desk.path()).args(["new", language, language, "--name", "Nelson"]);
        new.assert().code(0).stderr(contains("Next: broadside check")).stdout("");
        let manifest = Manifest::read(&desk.path().join(language)).unwrap();
        assert_eq!(manifest.language.name, Language::from_name(language).unwrap().name);
        assert_eq!(manifest.details.nick_name.as_deref(), Some("Nelson"));
        let built = !manifest.language.builds.is_empty()
            && !["py", "rb", "js", "php"]
                .iter()
                .any(|e| manifest.run_path().extension().is_some_and(|extension| extension == *e));
        assert!(built != manifest.run_path().exists() || language == "typescript", "{language}");
    }
    let script = desk.path().join("executable/bot.pl");
    assert_eq!(script.metadata().unwrap().permissions().mode() & 0o111, 0o111);
}

#[test]
fn a_new_bot_stays_unless_it_is_to_be_started_for_every_turn() {
    let desk = desk();
    for (folder, flags, stays) in [("stays", &[][..], true), ("starts", &["--per-round"], false)] {
        broadside().current_dir(desk.path()).args(["new", "lua", folder]).args(flags).assert().code(0);
        assert_eq!(Manifest::read(&desk.path().join(folder)).unwrap().stay, stays);
        let manifest = fs::read_to_string(desk.path().join(folder).join("bot.json")).unwrap();
        assert_eq!(manifest.contains("Stay"), stays, "{manifest}");
        if test_tools::required("lua5.4").is_some() {
            let mut check = broadside();
            check.current_dir(desk.path()).args(["check", "-s", "1", "--calibration", "2000", folder]).assert().code(0);
        }
    }
}

#[test]
fn the_readme_of_a_new_bot_is_true_where_it_is() {
    let desk = desk();
    let help = broadside().args(["new", "klingon", "other"]).output().unwrap().stderr;
    let help = String::from_utf8(help).unwrap();
    let list = help.split_once("samples exist in ").unwrap().1.split_once("; for all").unwrap().0;
    let name = |listed: &str| listed.rsplit(' ').next().unwrap().to_owned();
    let samples: Vec<String> = list.split(", ").map(name).collect();
    for one in ["python", "c++", "battleship-cpp", "sea-battle-python", "salvo-python"] {
        assert!(samples.len() > 15 && samples.iter().any(|sample| sample == one), "{samples:?}");
    }
    for sample in samples {
        let folder = format!("of mine/in {sample}");
        broadside().current_dir(desk.path()).args(["new", &sample, &folder]).assert().code(0);
        let readme = fs::read_to_string(desk.path().join(&folder).join("README.md")).unwrap();
        assert!(!readme.contains("](") && !readme.contains("bots/"), "{sample}: {readme}");
        assert!(!readme.contains("top of the repository") && !readme.contains("copy the folder"), "{sample}: {readme}");
        let (_, topic) = readme.split_once("`broadside docs ").unwrap_or_else(|| panic!("{sample}: {readme}"));
        broadside().args(["docs", topic.split_once('`').unwrap().0]).assert().code(0);
        let own = format!("'in {sample}");
        assert!(readme.contains("from the folder above this one") && readme.contains(&own), "{sample}: {readme}");
    }
    // Beside the samples, the links are good.
    fs::create_dir_all(desk.path().join("docs/protocols")).unwrap();
    fs::write(desk.path().join("docs/protocols/sea-battle.md"), "").unwrap();
    broadside().current_dir(desk.path()).args(["new", "sea-battle-node", "bots/mine"]).assert().code(0);
    let readme = fs::read_to_string(desk.path().join("bots/mine/README.md")).unwrap();
    assert!(readme.contains("[docs/protocols/sea-battle.md](../../docs/protocols/sea-battle.md)"), "{readme}");
}

#[test]
fn a_new_bot_has_the_name_of_its_folder_and_never_replaces_anything() {
    let desk = desk();
    let new = |arguments: &[&str]| {
        let mut command = broadside();
        command.current_dir(desk.path()).arg("new").args(arguments);
        command.assert()
    };
    new(&["python", "my-bot"]).code(0);
    assert!(fs::read_to_string(desk.path().join("my-bot/bot.json")).unwrap().contains("\"NickName\": \"my-bot\""));
    assert!(fs::read_to_string(desk.path().join("my-bot/README.md")).unwrap().contains("-b my-bot builtin:hunter"));
    new(&["lua", "my-bot"]).code(2).stderr(contains("my-bot exists and is not empty"));
    assert!(!desk.path().join("my-bot/bot.lua").exists());
    new(&["klingon", "other"])
        .code(2)
        .stderr(contains("there is no sample bot in klingon").and(contains(", python, ")));
    assert!(!desk.path().join("other").exists());
}

#[test]
fn a_new_bot_that_people_start_is_the_sample_and_tells_how() {
    if ["python3", "node"].into_iter().any(|tool| test_tools::required(tool).is_none()) {
        return;
    }
    let desk = desk();
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots");
    let battleship = "a program and web service for Battleship";
    let (sea_battle, served) = ("a program and web service for Sea Battle", "a web service for Sea Battle");
    let bots_arena = "a program and web service for botsArena";
    let salvo = "a client for Salvo";
    let own = [
        ("battleship-python", "bot.py", "python3 my/battleship-python/bot.py", battleship),
        ("sea-battle-python", "bot.py", "python3 my/sea-battle-python/bot.py", sea_battle),
        ("sea-battle-node", "bot.js", "node my/sea-battle-node/bot.js", served),
        ("sea-battle-rust", "src/main.rs", "cargo run --release --manifest-path my/sea-battle-rust/Cargo.toml", served),
        ("bots-arena-python", "bot.py", "python3 my/bots-arena-python/bot.py", bots_arena),
        ("salvo-python", "bot.py", "my/salvo-python/venv/bin/python my/salvo-python/bot.py", salvo),
        ("salvo-rust", "src/main.rs", "cargo run --release --manifest-path my/salvo-rust/Cargo.toml --", salvo),
    ];
    for (sample, file, start, what) in own {
        let folder = Path::new("my").join(sample);
        let others = match what {
            _ if what == sea_battle || what == served => {
                vec!["broadside play --game sea-battle -b http://127.0.0.1:4000 builtin:random"]
            }
            _ if what == battleship => {
                vec!["broadside play --rules classic -b http://127.0.0.1:4000 builtin:random"]
            }
            _ if what == bots_arena => {
                vec!["broadside play --game bots-arena -b http://127.0.0.1:4000 builtin:random"]
            }
            _ => vec!["broadside salvo serve --players 2", "broadside salvo join Hunter"],
        };
        let mut new = broadside();
        let told = new.current_dir(desk.path()).args(["new", sample]).arg(&folder).assert().code(0).stdout("");
        let told = told.stderr(contains(format!("Created {sample} in my/{sample}, {what} that plays.")));
        let told = others.iter().fold(told.stderr(contains(start)), |told, other| told.stderr(contains(*other)));
        told.stderr(contains("\nNext: ").and(contains("\nThen, in another terminal: ")));
        let made = desk.path().join(folder);
        assert_eq!(fs::read(made.join(file)).unwrap(), fs::read(bots.join(sample).join(file)).unwrap());
        let readme = fs::read_to_string(made.join("README.md")).unwrap();
        for command in [start.replace("my/", "").as_str()].into_iter().chain(others) {
            assert!(readme.contains(command), "{command}: {readme}");
        }
    }
    let folders = fs::read_dir(bots).unwrap().map(|entry| entry.unwrap().path());
    let is_own = |path: &Path| own.iter().any(|(sample, ..)| path.ends_with(sample));
    let samples: Vec<_> = folders.filter(|path| path.is_dir() && !path.join("bot.json").exists()).collect();
    assert!(samples.iter().all(|path| is_own(path)), "each sample that people start is one to start from: {samples:?}");
}

/// A command that builds a new bot in Rust, with the versions that are here already: tests do not use the network for them.
pub fn as_here<'a>(build: &'a mut Command, bot: &Path) -> &'a mut Command {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    fs::copy(lock, bot.join("Cargo.lock")).unwrap();
    build.env("CARGO_NET_OFFLINE", "true").env("CARGO_INCREMENTAL", "0").env("CARGO_TERM_QUIET", "true");
    // A test asks that it builds and plays, not that it is fast.
    build.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    build.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    // Kept, so that only the bot itself is built the next time.
    build.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("starters"))
}

#[test]
fn a_new_bot_for_rules_in_a_file_is_the_sample_of_battleship() {
    let desk = desk();
    fs::write(desk.path().join("my club.toml"), "board = { width = 8, height = 8 }\n").unwrap();
    let new = |language: &str, folder: &str, rules: &str| {
        let mut new = broadside();
        new.current_dir(desk.path()).args(["new", language, folder, "--rules", rules]).assert()
    };
    for (language, sample) in [("python", "python"), ("node", "javascript"), ("Rust", "rust"), ("c++", "cpp")] {
        let play = format!("broadside play --rules 'my club.toml' -b {sample} builtin:random");
        new(language, sample, "my club.toml").code(0).stderr(contains("for Battleship").and(contains(play)));
        let manifest = fs::read_to_string(desk.path().join(sample).join("bot.json")).unwrap();
        assert!(manifest.contains(&format!("\"NickName\": \"{sample}\"")), "{manifest}");
        let readme = fs::read_to_string(desk.path().join(sample).join("README.md")).unwrap();
        assert!(readme.contains(&format!("--rules 'my club.toml' -b {sample} ")), "{readme}");
    }
    new("battleship-cpp", "same", "russian").code(0);
    assert!(desk.path().join("same/json.h").is_file());
    new("lua", "other", "russian").code(2).stderr(
        contains("there is no sample bot of Battleship in lua")
            .and(contains("samples exist in python, javascript, rust, c++\n")),
    );
    new("python", "other", "my clob.toml").code(2).stderr(contains("my clob.toml"));
    assert!(!desk.path().join("other").exists());
}

#[test]
fn a_new_web_service_in_rust_builds_outside_of_the_repository() {
    let desk = desk();
    broadside().current_dir(desk.path()).args(["new", "sea-battle-rust", "my-bot"]).assert().code(0);
    let mut build = Command::new(env!("CARGO"));
    build.args(["check", "--all-targets"]).current_dir(desk.path().join("my-bot"));
    let built = as_here(&mut build, &desk.path().join("my-bot")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// Those with a bot.json are built from a copy by the test that plays them.
#[test]
fn samples_in_rust_that_people_start_build_from_a_copy_elsewhere() {
    let desk = desk();
    for sample in ["sea-battle-rust", "salvo-rust"] {
        let copy = desk.path().join(sample);
        samples::copy(&samples::top().join(sample), &copy);
        let mut build = Command::new(env!("CARGO"));
        let built = as_here(build.arg("check").current_dir(&copy), &copy).output().unwrap();
        assert!(built.status.success(), "{sample}: {}", String::from_utf8_lossy(&built.stderr));
    }
}

#[test]
fn check_tells_that_a_bot_is_ready() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let desk = desk();
    broadside().current_dir(desk.path()).args(["new", "python", "my-bot"]).assert().code(0);
    let mut check = broadside();
    check.current_dir(desk.path()).args(["check", "my-bot"]).assert().code(0).stdout(
        contains("my-bot, python").and(contains("7 x 7 ")).and(contains("14 x 14 ")).and(contains("\nReady: ")),
    );
}

#[test]
fn check_tells_what_is_wrong_and_where_to_look() {
    let script = "1: place\nr3: moan oh no\nr3: exit 3\nr5: write notes.txt x\n2: fire\nr4: write command.txt 1,99,99";
    let bot = BotFolder::new("Alpha", script);
    let desk = desk();
    let mut check = broadside();
    check.current_dir(desk.path()).args(["check", "--log", "kept", "--sandbox", "off"]).arg(bot.path());
    check.assert().code(4).stdout(
        contains("7 x 7, round 3: crashed: ended with exit status 3")
            .and(contains("7 x 7, round 4: refused: "))
            .and(contains("kept/7 x 7/faults/round 3 A/report.txt"))
            .and(contains("exit status 3 (3 times in all)\n    | oh no\n    see "))
            .and(contains("  its command.txt:\n    | 1,99,99\n"))
            .and(contains("standard error").not())
            .and(contains("in the folders of rounds: notes.txt"))
            .and(contains("\nNot ready: 6 of ")),
    );
    assert!(desk.path().join("kept/14 x 14/faults/round 4 A/run.sh").is_file());
}

#[test]
fn check_tries_one_map_if_asked_and_counts_all_lost_turns() {
    let small = BotFolder::new("Small", "1: place\n2: exit 3");
    let check = |arguments: &[&str]| broadside().arg("check").arg(small.path()).args(arguments).assert().code(4);
    let told = check(&["-s", "1", "--seed", "1"]).get_output().stdout.clone();
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("7 x 7") && !told.contains("10 x 10"), "{told}");
    assert!(told.contains("(20 times in all)") && told.contains("Not ready: 20 of 21 turns"), "{told}");
    assert!(!told.contains("turns lost in all"), "{told}");
    let other = ["check", "--game", "sea-battle", "-s", "1", "http://localhost:4000"];
    broadside().args(other).assert().code(2).stderr(contains("--size is not for"));
}

/// Three busy threads beside the bot on one processor: it needs 0.9 s, and gets them after 2 s at the earliest.
#[test]
fn check_names_time_outs_that_may_be_the_machines_fault() {
    let processor = last_processor();
    let bot = BotFolder::new("Waiting", &format!("{PLAYS}\nr1: pin {processor}\nr1: work spin 900"));
    let checked = beside_busy_threads(3, processor, || {
        let flags = ["-s", "1", "--sandbox", "off", "--calibration", "off"];
        broadside().arg("check").arg(bot.path()).args(flags).output().unwrap()
    });
    let told = String::from_utf8(checked.stdout).unwrap();
    assert!(told.contains("may be the machine's fault, which has too much to do, first: in round"), "{told}");
}

#[test]
fn a_loop_without_end_ends_a_check_and_is_not_asked_in_the_rest_of_a_game_of_a_tournament() {
    let bot = BotFolder::new("Looping", "1: place\n2: spin 1000000");
    let desk = desk();
    let run = |arguments: &[&str]| {
        let mut run = broadside();
        run.current_dir(desk.path()).args(arguments).arg(bot.path()).args(["--sandbox", "off", "--seed", "1"]);
        run.assert()
    };
    let told = contains("it computed ").and(contains("it is not asked in "));
    let told = told.and(contains(" more, and its other 2 games are not played\n")).and(contains("10 x 10").not());
    run(&["check"]).code(4).stdout(told.and(contains("machine's fault").not()));
    // Two loops at a time would share the processors.
    run(&["tournament", "-s", "1", "-g", "2", "-j", "1", "--dir", "event", "-q", "-b", "builtin:random"]).code(0);
    let journal = fs::read_to_string(desk.path().join("event/games.jsonl")).unwrap();
    let games = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games: Vec<Value> = games.filter(|line| line["line"] == "game").collect();
    assert_eq!(games.len(), 2, "{journal}");
    for game in games {
        let looping = usize::from(game["number"] == 0);
        let faults = &game["players"][looping]["faults"];
        // A time-out that may be the machine's fault is none of the five.
        let (late, not_asked) = (faults["timed-out"].as_u64().unwrap(), faults["not-asked"].as_u64().unwrap());
        assert!(late >= 5 && not_asked >= 5 && late + not_asked == 20, "{journal}");
        assert!(game["suspect"].is_null() && game["repeats"].is_null(), "{journal}");
    }
}

#[test]
fn a_crash_is_told_once_with_the_error_and_the_place_in_the_code_and_without_tabs() {
    let trace = "Exception in thread \"main\" java.lang.Error: of 7\\n\\x09at Bot.choose(Bot.java:42)";
    let bot = BotFolder::new("Crashing", &format!("1: place\n2: moan {trace}\n2: exit 1"));
    let told = broadside().arg("check").arg(bot.path()).args(["--sandbox", "off"]).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    let line = "crashed: ended with exit status 1: Exception in thread \"main\" java.lang.Error: of 7 (Bot.java:42) (";
    assert!(told.contains(line) && told.contains("\n    |     at Bot.choose(Bot.java:42)\n"), "{told}");
    assert!(told.matches("crashed").count() == 1 && !told.contains('\u{fffd}'), "{told}");
}

#[test]
fn check_and_a_match_name_the_build_that_a_bot_lacks() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let manifest = r#"{"NickName": "Lacking", "BotType": "Python3", "RunFile": "bot.py"}"#;
    let bot = BotFolder::with_manifest(manifest, "");
    fs::write(bot.path().join("bot.py"), "import a_package_that_nobody_has\n").unwrap();
    fs::write(bot.path().join("requirements.txt"), "a_package_that_nobody_has\n").unwrap();
    const TOLD: &str = "lacks packages or classes that its project names: add -f, which builds it";
    // In a sandbox the packages can be fetched only if it has a network.
    let networked = TOLD.replace("-f", "-f --build-network");
    let check =
        |flags: &[&str]| broadside().arg("check").arg(bot.path()).args(["-s", "1"]).args(flags).assert().code(4);
    check(&[]).stdout(contains(format!("  It {networked}")));
    check(&["--build-network"]).stdout(contains(format!("  It {TOLD}")));
    check(&["--sandbox", "off"]).stdout(contains(format!("  It {TOLD}")));
    let told =
        || contains(format!("\nLacking {TOLD}\n")).count(1).and(contains(format!("builtin:random {TOLD}")).not());
    for record in ["folder", "none"] {
        let desk = desk();
        let mut play = broadside();
        play.current_dir(desk.path()).args(["-s", "1", "--record", record, "-b"]).arg(bot.path()).arg("builtin:random");
        play.assert().code(0).stdout(told());
    }
    // Building it once more would not help a bot that was built.
    fs::write(bot.path().join("requirements.txt"), "# nothing\n").unwrap();
    if test_tools::required("python3:ensurepip").is_some() {
        let desk = desk();
        let mut play = broadside();
        play.current_dir(desk.path()).args(["-s", "1", "-f", "-b"]).arg(bot.path()).arg("builtin:random");
        play.assert().code(0).stdout(contains(TOLD).not());
    }
}

#[test]
fn what_the_sandbox_refuses_is_told_with_its_path() {
    let manifest = r#"{"NickName": "Writing", "BotType": "Executable", "RunFile": "run"}"#;
    let bot = BotFolder::with_manifest(manifest, "");
    fs::write(bot.path().join("run"), "#!/bin/sh\necho x >../../data.txt\n").unwrap();
    platform::files::make_executable(&bot.path().join("run")).unwrap();
    let told = "was refused something, probably by the sandbox (../../data.txt): there, a bot writes to its own folder and that of its turn only";
    let check = || broadside().arg("check").arg(bot.path()).args(["-s", "1"]).assert().code(4);
    check().stdout(contains(format!("  It {told}")));
    let desk = desk();
    let mut play = broadside();
    play.current_dir(desk.path()).args(["-s", "1", "--sandbox", "on", "-b"]).arg(bot.path()).arg("builtin:random");
    play.assert().code(0).stdout(contains(format!("\nWriting {told}")).count(1));
}

#[test]
fn a_bot_and_a_built_in_player_are_called_as_the_command_line_says() {
    let bot = BotFolder::new("Own", PLAYS);
    let folder = tempfile::tempdir().unwrap();
    let named = format!("Mine={}", bot.path().display());
    let run = |arguments: &[&str]| {
        let run = broadside().current_dir(folder.path()).args(arguments).assert().code(0);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let played = run(&["-s", "1", "-l", "out", "-b", &named, "Strong=builtin:hunter"]);
    assert!(played.contains("A Mine") || played.contains("B Strong"), "{played}");
    let standings = run(&["tournament", "-s", "1", "-g", "2", "--dir", "event", "-b", &named, "Strong=builtin:hunter"]);
    assert!(standings.contains("Mine") && standings.contains("Strong"), "{standings}");
    let compared = run(&["compare", "-s", "1", "-g", "2", "--dir", "two", &named, "Strong=builtin:hunter"]);
    assert!(compared.contains("Mine") && compared.contains("Strong"), "{compared}");
    assert!(run(&["check", "-s", "1", &named]).starts_with("Mine, "));
}

#[test]
fn a_match_and_a_comparison_say_how_many_turns_were_lost() {
    let bot = BotFolder::new("Faulty", "1: place\n2: exit 3");
    let folder = tempfile::tempdir().unwrap();
    let path = bot.path().to_str().unwrap();
    let run = |arguments: &[&str]| broadside().current_dir(folder.path()).args(arguments).assert();
    run(&["-s", "1", "-l", "out", "-b", path, "builtin:random"]).code(0).stdout(contains("(20 turns lost)"));
    let told = contains("Faulty: 40 turns lost (40 crashed)");
    run(&["compare", "-s", "1", "-g", "2", "--dir", "two", path, "builtin:random"]).stdout(told);
}

#[test]
fn check_without_faults_leaves_nothing() {
    let (bot, desk) = (BotFolder::new("Alpha", PLAYS), desk());
    let mut check = broadside();
    check.current_dir(desk.path()).env("TMPDIR", desk.path()).arg("check").arg(bot.path()).assert().code(0);
    assert_eq!(fs::read_dir(desk.path()).unwrap().count(), 0);
}
