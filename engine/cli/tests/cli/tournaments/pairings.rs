//! Tournaments as their organisers meet them.

use crate::screens::schemas::Schema;
use crate::table::{bots_left, broadside, signalled};
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use tempfile::TempDir;

/// Two bots that play, and a folder for their tournaments.
pub struct Event {
    pub bots: Vec<BotFolder>,
    pub folder: TempDir,
}

impl Event {
    pub fn new(scripts: &[&str]) -> Event {
        let bots = scripts.iter().zip(["Alpha", "Bravo", "Charlie"]).map(|(script, name)| BotFolder::new(name, script));
        Event { bots: bots.collect(), folder: tempfile::Builder::new().prefix("an event ").tempdir().unwrap() }
    }

    /// The arguments of a small tournament of these bots.
    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = ["tournament", "-s", "1", "--dir", "out"].map(str::to_owned).to_vec();
        arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
        arguments.push("-b".to_owned());
        arguments.extend(self.bots.iter().map(|bot| bot.path().to_str().unwrap().to_owned()));
        arguments
    }

    pub fn command(&self, more: &[&str]) -> assert_cmd::Command {
        let mut command = broadside();
        command.current_dir(self.folder.path()).args(self.arguments(more));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        broadside().current_dir(self.folder.path()).args(arguments).assert()
    }

    fn journal(&self, dir: &str) -> String {
        fs::read_to_string(self.folder.path().join(dir).join("games.jsonl")).unwrap()
    }

    /// The results of all games of a journal, in the order of the games.
    pub fn games(&self, dir: &str) -> Vec<String> {
        let mut games = games_in(&self.folder.path().join(dir));
        games.sort();
        games
    }
}

pub fn games_in(dir: &Path) -> Vec<String> {
    let lines = fs::read_to_string(dir.join("games.jsonl")).unwrap();
    let games = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games = games.filter(|line| line["line"] == "game");
    games
        .map(|game| {
            let faults: Vec<&Value> = game["players"].as_array().unwrap().iter().map(|p| &p["faults"]).collect();
            format!(
                "{} {} {:05} {} {} {faults:?}",
                game["first"],
                game["second"],
                game["number"].as_u64().unwrap(),
                game["seed"],
                game["outcome"]
            )
        })
        .collect()
}

const BUILT_IN: [&str; 3] = ["-b", "builtin:random", "builtin:random"];

#[test]
fn everybody_meets_everybody_and_the_standings_tell() {
    let event = Event::new(&[PLAYS, "1: place"]);
    let mut command = event.command(&["-g", "4", "--keep", "all"]);
    command
        .arg("builtin:hunter")
        .assert()
        .code(0)
        .stdout(contains("1  builtin:hunter").and(contains("nothing-written")));
    let out = event.folder.path().join("out");
    assert_eq!(event.games("out").len(), 12);
    event.run(&["verify", "out"]).code(0).stderr("12 of 12 matches verified\n");
    assert!(fs::read_dir(out.join("faults")).unwrap().count() > 0);
    let json = event.run(&["standings", "out", "--format", "json"]).code(0).get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["standings"][0]["name"], "builtin:hunter");
    assert_eq!(json["standings"][0]["games"], 8);
    assert_eq!(json["standings"][2]["name"], "Bravo");
    assert!(json["standings"][2]["faults"]["nothing-written"].as_u64().unwrap() > 0);
    assert!(json["standings"][1]["median_ms"].as_f64().unwrap() > 0.0);
    // What is streamed at the end is the same, and says what it is.
    let mut streamed = json.clone();
    streamed["event"] = "standings".into();
    Schema::events().assert_fits(&streamed);
    Schema::journal().read_lines(&event.journal("out"));
    event.run(&["standings", "out/games.jsonl", "--format", "csv"]).code(0).stdout(starts_with("place,name,games"));
    event.run(&["standings", "out", "--format", "markdown"]).code(0).stdout(contains("| 1 | builtin:hunter | +"));
    event.run(&["standings", "out", "--anchor", "Alpha=1500"]).code(0).stdout(contains("+1500"));
    event
        .run(&["standings", "out", "--anchor", "Zulu=1"])
        .code(2)
        .stderr(contains("there is no bot Zulu in the journal"));
    for far in ["1e300", "-100001", "inf", "NaN"] {
        let anchor = format!("Alpha={far}");
        event.run(&["standings", "out", "--anchor", &anchor]).code(2).stderr(contains("between -100000 and 100000"));
    }
    event.run(&["sprt", "out", "Alpha", "Bravo", "--sprt", "0,1e-300"]).code(2).stderr(contains("at least 0.001"));
    event.run(&["sprt", "out"]).code(2).stderr(contains("name two of them"));
    event.run(&["sprt", "out", "Bravo", "Bravo"]).code(2).stderr(contains("both names are of Bravo"));
    event.run(&["sprt", "out", "Bravo", "builtin:hunter", "--verdict"]).code(predicate::in_iter([10, 11]));
}

/// A journal of thirty bots with names of any kind and numbers of any size, in which hardly anything was played.
fn wild_journal(folder: &Path) {
    let mut lines = vec![
        r#"{"line":"tournament","format":"broadside journal","version":1,"game":"entelect-2017","settings":{},"plan":"swiss","seed":"7","engine":"x"}"#
            .to_owned(),
    ];
    for bot in 0..30 {
        let name = format!("{bot} 漢字|<b>, \u{202e}\u{1b}[31m[x](y)\n").repeat(3);
        let details = serde_json::json!({ "Author": "", "NickName": "", "Email": "", "BotType": "Rust" });
        lines.push(serde_json::json!({ "line": "entrant", "name": name, "bot": "x", "details": details }).to_string());
    }
    for bot in 0..20 {
        let faults =
            serde_json::json!({ "timed-out": u32::MAX, "crashed": 1, "a kind that nobody knows, and it is long": 2 });
        let limits = serde_json::json!({ "answer_ms": u64::MAX, "kill_ms": 1 });
        let player = serde_json::json!({ "times": [[900, u32::MAX]], "limits": limits, "faults": faults });
        let ending = serde_json::json!({ "kind": "fleet-sunk", "seats": ["B"] });
        let outcome = serde_json::json!({
            "winner": "A", "ranking": ["A", "B"], "points": [u32::MAX, 0], "ending": ending, "turns": u32::MAX,
        });
        let game = serde_json::json!({
            "line": "game", "first": bot, "second": bot + 1, "number": 0, "seed": "1", "outcome": outcome,
            "players": [player, {}], "suspect": "late", "took_ms": 1, "ended": "",
        });
        lines.push(game.to_string());
    }
    lines.push(r#"{"line":"failure","first":0,"second":1,"number":1,"error":"no <space>"}"#.to_owned());
    fs::write(folder.join("games.jsonl"), lines.join("\n") + "\n").unwrap();
}

#[test]
fn every_form_of_the_standings_stands_wild_names_and_numbers() {
    use unicode_width::UnicodeWidthStr;
    let event = Event::new(&[]);
    wild_journal(event.folder.path());
    let told = |format: &str| {
        let told = event.run(&["standings", ".", "--format", format, "--anchor", "x=-100000"]).code(0);
        String::from_utf8(told.get_output().stdout.clone()).unwrap()
    };
    let [table, csv, markdown, html] = ["table", "csv", "markdown", "html"].map(told);
    // Whole names, and no more of the rest than fits a narrow screen.
    let name = "29 漢字|<b>, ??[31m[x](y)?".repeat(3).width();
    assert!(table.lines().all(|line| line.width() <= 80 - 16 + name), "{table}");
    assert!(table.contains("\n22  ") && table.contains("crashed") && table.contains("--format html"), "{table}");
    assert_eq!(csv.lines().count(), 31);
    let standings = markdown.lines().take_while(|line| !line.is_empty());
    let cells: Vec<usize> = standings.map(|line| line.replace("\\|", "").matches('|').count()).collect();
    assert!(cells.len() == 32 && cells.iter().all(|count| *count == cells[0]), "{markdown}");
    let json: Value = serde_json::from_str(&told("json")).unwrap();
    let last = &json["standings"][29];
    assert_eq!((&last["games"], &last["elo"]), (&0.into(), &Value::Null), "who has not played is last, and not rated");
    assert_eq!((&last["place"], &json["standings"][21]["place"]), (&22.into(), &22.into()), "they share a place");
    for text in [&table, &csv, &markdown] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "it could paint the terminal: {text}");
    }
    assert!(!markdown.contains("<b>") && !html.contains("<b>") && !html.contains('\u{1b}'));
    assert!(told("junit").contains("errors=\"1\""));
}

#[test]
fn the_results_are_the_same_at_any_concurrency() {
    let event = Event::new(&[PLAYS, PLAYS]);
    let mut all = Vec::new();
    for concurrency in ["1", "2", "8"] {
        let dir = format!("at {concurrency}");
        let mut command = broadside();
        let bots = event.bots.iter().map(|bot| bot.path());
        command.current_dir(event.folder.path()).args([
            "tournament",
            "-s",
            "1",
            "--seed",
            "7",
            "-g",
            "2",
            "-j",
            concurrency,
            "--calibration",
            "8000",
            "--dir",
            &dir,
        ]);
        command.args(BUILT_IN).args(bots).assert().code(0);
        all.push(event.games(&dir));
    }
    assert_eq!(all[0].len(), 12);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn the_same_command_continues_and_more_games_and_bots_do_so_too() {
    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&["-g", "2", "--seed", "3"]).assert().code(0);
    let first = event.games("out");
    assert_eq!(first.len(), 2);
    event.command(&["-g", "2"]).assert().code(0);
    assert_eq!(event.games("out"), first, "nothing is played again");
    event.command(&["-g", "4"]).arg("builtin:random").assert().code(0);
    let more = event.games("out");
    assert_eq!(more.len(), 12);
    assert!(first.iter().all(|game| more.contains(game)));
    Schema::journal().read_lines(&event.journal("out"));

    let other = |arguments: &[&str], what: &str| {
        let told = contains("games.jsonl").and(contains(what.to_owned()));
        event.run(arguments).code(2).stderr(told.and(contains("--dir")));
    };
    let [alpha, bravo] = [0, 1].map(|at| event.bots[at].path().to_str().unwrap());
    other(&["tournament", "-s", "2", "--dir", "out", "-b", alpha, bravo], "its settings are");
    other(
        &["tournament", "-s", "1", "--dir", "out", "--format", "gauntlet", "-b", alpha, bravo],
        "its format is round-robin",
    );
    other(&["tournament", "-s", "1", "--dir", "out", "--seed", "4", "-b", alpha, bravo], "its seed is 3, not 4");
    other(&["tournament", "-s", "1", "--dir", "out", "-b", alpha, "builtin:random"], "Bravo takes part in it");
    fs::write(event.bots[0].path().join("new"), "").unwrap();
    other(&["tournament", "-s", "1", "--dir", "out", "-b", alpha, bravo, "builtin:random"], "Alpha has changed since");
}

#[test]
fn without_a_folder_the_same_command_finds_its_own() {
    let event = Event::new(&[]);
    let arguments = ["tournament", "-s", "1", "-g", "2", "-b", "builtin:hunter", "builtin:random"];
    event.run(&arguments).code(0);
    event.run(&arguments).code(0);
    let folders: Vec<_> = fs::read_dir(event.folder.path().join("tournaments")).unwrap().map(Result::unwrap).collect();
    assert_eq!(folders.len(), 1);
    assert_eq!(games_in(&folders[0].path()).len(), 2);
}

/// A tournament in the middle of its games, with at least so many in its journal.
pub fn started(event: &Event, more: &[&str], games: usize) -> Child {
    let mut engine = signalled();
    engine.current_dir(event.folder.path()).args(event.arguments(more));
    engine
        .env("XDG_CONFIG_HOME", "/nowhere")
        .env_remove("BROADSIDE_SETTINGS")
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut engine = engine.spawn().unwrap();
    let journal = event.folder.path().join("out/games.jsonl");
    while fs::read_to_string(&journal).unwrap_or_default().matches(r#""line":"game""#).count() < games {
        if engine.try_wait().unwrap().is_some() {
            break;
        }
        test_tools::pause();
    }
    engine
}

#[test]
fn a_tournament_that_was_killed_at_any_moment_ends_as_if_nothing_had_happened() {
    let event = Event::new(&[PLAYS, PLAYS]);
    let flags = ["-g", "22", "--seed", "5", "--calibration", "8000", "--sandbox", "off"];
    for games in (0..20).step_by(3) {
        let mut engine = started(&event, &flags, games);
        engine.kill().unwrap();
        engine.wait().unwrap();
        while !bots_left(engine.id()).is_empty() {
            test_tools::pause();
        }
    }
    event.command(&flags).assert().code(0);
    let resumed = event.games("out");
    fs::rename(event.folder.path().join("out"), event.folder.path().join("killed")).unwrap();
    event.command(&flags).assert().code(0);
    assert_eq!(resumed.len(), 22);
    assert_eq!(resumed, event.games("out"));
}

#[test]
fn a_tournament_goes_on_with_its_bots_as_they_entered() {
    let event = Event::new(&[PLAYS, PLAYS]);
    let flags = ["-g", "12", "--seed", "5", "--calibration", "8000", "--sandbox", "off"];
    let mut engine = started(&event, &flags, 4);
    engine.kill().unwrap();
    engine.wait().unwrap();
    while !bots_left(engine.id()).is_empty() {
        test_tools::pause();
    }
    let out = event.folder.path().join("out");
    assert!(out.join("entrants/0/bot.json").is_file());
    // A record in a bot's folder is not a match of the tournament.
    fs::write(out.join("entrants/0/match.jsonl"), "{}").unwrap();
    event.run(&["verify", "out"]).stderr(contains("WRONG").not());
    fs::remove_file(out.join("entrants/0/match.jsonl")).unwrap();
    // Notes, and a bot that would never fire.
    let script = event.bots[0].path().join("script");
    fs::write(event.bots[0].path().join("notes"), "mine").unwrap();
    fs::write(&script, "1: place").unwrap();
    let told = "Alpha has changed since it entered the tournament; what it was then plays on (--allow-changed";
    event.command(&flags).assert().code(0).stderr(contains(told));
    let resumed = event.games("out");
    assert!(!out.join("entrants").exists(), "they are not needed any more");
    fs::write(&script, PLAYS).unwrap();
    fs::remove_file(event.bots[0].path().join("notes")).unwrap();
    fs::rename(&out, event.folder.path().join("resumed")).unwrap();
    event.command(&flags).assert().code(0);
    assert_eq!(resumed, event.games("out"));
}

#[test]
fn a_changed_bot_goes_on_if_it_is_allowed() {
    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&["-g", "2"]).assert().code(0);
    fs::write(event.bots[0].path().join("notes"), "mine").unwrap();
    event
        .command(&["-g", "4"])
        .assert()
        .code(2)
        .stderr(contains("Alpha has changed since").and(contains("--allow-changed")));
    event.command(&["-g", "4", "--allow-changed"]).assert().code(0).stderr(contains("the changed bot plays on"));
    assert_eq!(event.games("out").len(), 4);
    // The journal tells which games the changed bot played.
    let journal = fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["line"].as_str()).collect();
    assert_eq!(kinds, ["tournament", "entrant", "entrant", "game", "game", "entrant", "game", "game"]);
    assert_eq!(lines[5]["name"], "Alpha");
    assert_ne!(lines[5]["content"], lines[1]["content"]);
    event.command(&["-g", "6"]).assert().code(0);
    event.run(&["standings", "out"]).code(0).stdout(contains("Alpha"));
}

#[test]
fn ctrl_c_stops_at_once_and_tells_how_to_go_on() {
    let event = Event::new(&[PLAYS, "1: place\nr5: hang\n2: fire"]);
    let engine = started(&event, &["-g", "10", "--nolimit"], 0);
    while bots_left(engine.id()).is_empty() {
        test_tools::pause();
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&engine), rustix::process::Signal::INT).unwrap();
    let output = engine.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the same command continues it, with --dir out"), "{said}");
}

#[test]
fn a_journal_is_written_by_one_and_repaired_if_it_was_cut_off() {
    let event = Event::new(&[PLAYS, "1: place\nr5: hang\n2: fire"]);
    let mut engine = started(&event, &["-g", "10", "--nolimit"], 0);
    while bots_left(engine.id()).is_empty() {
        test_tools::pause();
    }
    event
        .command(&["-g", "10"])
        .assert()
        .code(5)
        .stderr(contains(format!("broadside tournament (process {}, since ", engine.id())));
    engine.kill().unwrap();
    engine.wait().unwrap();

    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&["-g", "2", "--seed", "1"]).assert().code(0);
    let whole = event.games("out");
    let journal = event.folder.path().join("out/games.jsonl");
    let text = fs::read(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 10]).unwrap();
    event.command(&["-g", "2"]).assert().code(0).stderr(contains("removed an incomplete last line"));
    assert_eq!(event.games("out"), whole);
}

#[test]
fn events_are_streamed_for_programs() {
    let event = Event::new(&[]);
    let arguments = [
        "tournament",
        "-s",
        "1",
        "-g",
        "4",
        "--format",
        "jsonl",
        "-j",
        "1",
        "--keep",
        "all",
        "--dir",
        "out",
        "-b",
        "builtin:hunter",
        "builtin:random",
    ];
    // Games whose records cannot be kept are not played; when they can be, they are.
    let records = event.folder.path().join("out/records");
    fs::create_dir(event.folder.path().join("out")).unwrap();
    fs::write(&records, "in the way").unwrap();
    let schema = Schema::events();
    let streamed = |code| {
        let told = event.run(&arguments).code(code).get_output().stdout.clone();
        schema.read_lines(&String::from_utf8(told).unwrap())
    };
    let failed = streamed(1);
    fs::remove_file(records).unwrap();
    let lines = streamed(0);

    const OPTIONAL: [&str; 3] = ["record", "shots", "specials"];
    let count = |lines: &[Value], what: &str| lines.iter().filter(|line| line["event"] == what).count();
    assert_eq!((count(&failed, "game"), count(&failed, "failure"), count(&failed, "standings")), (0, 12, 1));
    assert_eq!(failed.iter().filter(|line| line["for_good"] == true).count(), 4);
    assert_eq!((count(&lines, "game"), count(&lines, "failure"), count(&lines, "standings")), (4, 0, 1));
    let standings = lines.last().unwrap();
    for event in [&failed[0], &lines[0], standings] {
        schema.assert_is_strict_with(event, &OPTIONAL);
    }
    let json = event.run(&["standings", "out", "--format", "json"]).code(0).get_output().stdout.clone();
    let mut json: Value = serde_json::from_slice(&json).unwrap();
    json["event"] = "standings".into();
    assert_eq!(json, *standings);

    let schema = Schema::journal();
    let journal = schema.read_lines(&event.journal("out"));
    let kinds: BTreeSet<&str> = journal.iter().map(|line| line["line"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["entrant", "failure", "game", "tournament"].into());
    journal.iter().for_each(|line| schema.assert_is_strict_with(line, &OPTIONAL));
    // Both tell the same of a game.
    let mut told = lines[0].clone();
    let fields = told.as_object_mut().unwrap();
    assert_eq!(fields.remove("seats"), Some(json!(["builtin:hunter", "builtin:random"])));
    fields.remove("event");
    fields.insert("line".to_owned(), "game".into());
    assert!(journal.contains(&told), "{told}");
}

#[test]
fn a_time_out_on_a_machine_with_too_much_to_do_is_told_and_not_counted_silently() {
    // Each run burns more processor time than a crowded machine gives it within its limit.
    let event = Event::new(&["1: place\nr2: spin 1500\n2: fire", "1: place\nr2: spin 1500\n2: fire"]);
    // What this thread starts has one processor, as it has.
    let mut first = CpuSet::new();
    first.set((0..CpuSet::MAX_CPU).find(|at| sched_getaffinity(None).unwrap().is_set(*at)).unwrap());
    sched_setaffinity(None, &first).unwrap();
    let flags = ["-g", "4", "-j", "4", "--replay-suspect", "false", "--sandbox", "off", "--calibration", "off"];
    let told = event.command(&flags).args(["--format", "jsonl"]).assert().code(0);
    let told = told.stderr(contains("bots will wait for each other")).get_output().stdout.clone();
    Schema::events().read_lines(&String::from_utf8(told).unwrap());
    let games = Schema::journal().read_lines(&event.journal("out"));
    let late: Vec<&Value> = games.iter().filter(|game| game["players"].to_string().contains("timed-out")).collect();
    assert!(!late.is_empty(), "the machine has too much to do");
    assert!(late.iter().all(|game| game["suspect"].is_string()), "every one of them is flagged");
}

#[test]
fn bots_that_are_not_there_are_told_before_anything_is_played() {
    let event = Event::new(&[]);
    event.run(&["tournament", "-b", "builtin:hunter"]).code(2).stderr(contains("a tournament needs two bots or more"));
    event
        .run(&["tournament", "-b", "builtin:hunter", "builtin:other"])
        .code(2)
        .stderr(contains("the built-in players are builtin:random, builtin:hunt-and-target, "));
    event.run(&["tournament", "-b", "builtin:hunter", "nowhere"]).code(3).stderr(contains("there is no folder"));
    event
        .run(&["tournament", "-b", "builtin:hunter", "none/*"])
        .code(2)
        .stderr(contains("no folder with a bot.json fits"));
    event
        .run(&["tournament", "--rounds", "3", "-b", "builtin:hunter", "builtin:random"])
        .code(2)
        .stderr(contains("Swiss"));
    event.run(&["standings", "nowhere"]).code(5).stderr(contains("nowhere"));
}

#[test]
fn help_has_examples_exit_codes_and_schemas() {
    for command in ["tournament", "compare", "standings", "sprt"] {
        let told = contains(format!("Examples:\n  broadside {command} ")).and(contains("Exit status:\n  0 "));
        broadside().args([command, "--help"]).assert().code(0).stdout(told.and(contains(".schema.json")));
    }
}

#[test]
fn numbers_that_nothing_could_count_are_refused() {
    let event = Event::new(&[]);
    let too_many = |flags: &[&str]| {
        let arguments = [&["tournament", "--dir", "out"], flags, &["-b", "builtin:hunter", "builtin:random"]].concat();
        event.run(&arguments).code(2).stderr(contains("is not in 1..="));
    };
    too_many(&["-g", "4294967295"]);
    too_many(&["--format", "swiss", "--rounds", "4294967295"]);
    too_many(&["-j", "65535"]);
    event.run(&["compare", "builtin:hunter", "builtin:random", "-g", "4294967295"]).code(2);
}

#[test]
fn a_swiss_tournament_of_other_rounds_is_another() {
    let event = Event::new(&[]);
    let rounds = |rounds: &str| {
        let bots = ["-b", "builtin:hunter", "builtin:random"];
        let flags = ["tournament", "-s", "1", "-g", "2", "--dir", "out", "--format", "swiss", "--rounds", rounds];
        event.run(&[&flags[..], &bots].concat())
    };
    rounds("1").code(0);
    rounds("2").code(2).stderr(contains("its rounds are 1, not 2"));
}

#[test]
fn a_failure_keeps_its_exit_code_where_it_cannot_be_told() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("broadside"));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let empty = tempfile::NamedTempFile::new().unwrap();
    let status = command.arg("standings").arg(empty.path()).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(5));
}

#[test]
fn bots_that_call_themselves_the_same_are_told_apart_in_any_order() {
    let bots = [PLAYS, "1: place", "1: place\n2: say x"].map(|script| BotFolder::new("Twin", script));
    let [plays, places, says] = bots.each_ref().map(|bot| bot.path().to_str().unwrap());
    let event = Event::new(&[]);
    let run = |bots: &[&str]| event.run(&[&["tournament", "-s", "1", "--dir", "out", "-b"], bots].concat());
    run(&[plays, places, "-g", "2"]).code(0);
    run(&[places, plays, "-g", "2"]).code(0);
    assert_eq!(event.games("out").len(), 2);
    run(&[says, places, plays, "-g", "2"]).code(0);
    let journal = fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let entrants: Vec<Value> = lines.filter(|line| line["line"] == "entrant").collect();
    let folder = |bot: &str| Path::new(bot).file_name().unwrap().to_string_lossy().into_owned();
    let named = |bot: &str| format!("Twin ({})", folder(bot));
    let wanted = [(named(plays), plays), (named(places), places), (named(says), says)];
    for (entrant, (name, bot)) in entrants.iter().zip(wanted) {
        assert_eq!((&entrant["name"], &entrant["bot"]), (&name.into(), &bot.into()));
    }
    fs::write(bots[0].path().join("new"), "").unwrap();
    run(&[plays, places, says, "-g", "4"]).code(2).stderr(contains(format!("{} has changed since", named(plays))));
    run(&[places, says, "-g", "4"])
        .code(2)
        .stderr(contains(format!("{} takes part in it, and was not named", named(plays))));
}
