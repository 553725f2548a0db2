//! Entrants of a tournament that goes on, whatever has become of their folders, and entrants that are retired or replaced.

use crate::screens::schemas::Schema;
use crate::table::bots_left;
use crate::tournaments::pairings::{Event, started};
use fake_bot::{BotFolder, PLAYS};
use players::process::copy_bot;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

/// Plays a tournament of these two bots with so many games to its middle, and kills it there. What it left is in `stopped`.
pub fn stop_half_way(event: &Event, games: &str, flags: &[&str]) {
    let out = event.folder.path().join("out");
    loop {
        let mut engine = started(event, &[&["-g", games], flags].concat(), 3);
        engine.kill().unwrap();
        engine.wait().unwrap();
        while !bots_left(engine.id()).is_empty() {
            test_tools::pause();
        }
        // It may have been faster than the signal.
        if event.games("out").len() < games.parse().unwrap() {
            return fs::rename(&out, event.folder.path().join("stopped")).unwrap();
        }
        fs::remove_dir_all(&out).unwrap();
    }
}

/// Puts the tournament that was stopped back in its place.
pub fn back(event: &Event) {
    let out = event.folder.path().join("out");
    if out.exists() {
        fs::remove_dir_all(&out).unwrap();
    }
    copy_bot(&event.folder.path().join("stopped"), &out).unwrap();
}

pub const FLAGS: [&str; 8] = ["-g", "8", "--seed", "5", "--calibration", "8000", "--sandbox", "off"];

#[test]
fn whatever_becomes_of_the_folder_of_an_entrant_it_plays_on_as_it_entered() {
    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&FLAGS).assert().code(0);
    let whole = event.games("out");
    fs::remove_dir_all(event.folder.path().join("out")).unwrap();
    stop_half_way(&event, "8", &FLAGS[2..]);
    let folder = event.bots[0].path();
    let manifest = fs::read_to_string(folder.join("bot.json")).unwrap();
    let (kept, moved) = (event.folder.path().join("kept"), event.folder.path().join("moved"));
    copy_bot(folder, &kept).unwrap();
    let write = |text: &str| fs::write(folder.join("bot.json"), text).unwrap();
    let gone = "Alpha plays on as it was when it entered the tournament: bot ";
    let accidents: [(&str, &dyn Fn()); 6] = [
        (gone, &|| fs::remove_dir_all(folder).unwrap()),
        (gone, &|| fs::rename(folder, &moved).unwrap()),
        (gone, &|| fs::remove_file(folder.join("bot.json")).unwrap()),
        (gone, &|| write("{")),
        ("Alpha has changed since it entered the tournament; what it was then plays on", &|| {
            write(&manifest.replace("Alpha", "Zulu"));
        }),
        // A name that is no entrant's leads to an entrant by its folder, too.
        ("Alpha has changed since", &|| write(&manifest.replace("Alpha", "Bravo"))),
    ];
    for (number, (told, accident)) in accidents.iter().enumerate() {
        back(&event);
        accident();
        let said = event.command(&FLAGS).assert().code(0).stderr(contains(*told).and(contains("plays on").count(1)));
        said.stderr(contains("left out").or(contains("did not take part")).not());
        assert_eq!(event.games("out"), whole, "accident {number}");
        // The tournament is over and its copies are gone, but nobody has to play to show it.
        event.command(&FLAGS).assert().code(0).stdout(contains("Alpha"));
        if folder.exists() {
            fs::remove_dir_all(folder).unwrap();
        }
        copy_bot(&kept, folder).unwrap();
    }
}

#[test]
fn a_folder_that_a_pattern_finds_no_more_plays_on_and_another_tournament_is_refused() {
    let event = Event::new(&[PLAYS, PLAYS]);
    let at = |name: &str| event.folder.path().join(name);
    let run = |bots: &[&str]| event.run(&[&["tournament", "-s", "1", "--dir", "out", "-g", "6", "-b"], bots].concat());
    stop_half_way(&event, "6", &[]);
    back(&event);
    let journal = fs::read_to_string(at("out/games.jsonl")).unwrap();
    for (bot, name) in event.bots.iter().zip(["bots-a", "bots-b"]) {
        copy_bot(bot.path(), &at(name)).unwrap();
    }
    let journal = event
        .bots
        .iter()
        .zip(["bots-a", "bots-b"])
        .fold(journal, |text, (bot, name)| text.replace(bot.path().to_str().unwrap(), name));
    fs::write(at("out/games.jsonl"), journal).unwrap();
    let refused = run(&["builtin:random", "builtin:hunter"]).code(2);
    refused.stderr(contains("games.jsonl: Alpha takes part in it, and was not named"));
    fs::remove_file(at("bots-a/bot.json")).unwrap();
    fs::remove_file(at("bots-b/bot.json")).unwrap();
    let told = contains("Alpha plays on as it").and(contains("Bravo plays on as it")).and(contains("no bot.json"));
    run(&["bots-*"]).code(0).stderr(told);
    assert_eq!(event.games("out").len(), 6);
    // The copies are gone: more games need the bots.
    event
        .run(&["tournament", "-s", "1", "--dir", "out", "-g", "8", "-b", "bots-*"])
        .code(2)
        .stderr(contains("Alpha takes part in it").and(contains("hint: ")).and(contains("--retire 'Alpha'")));
}

/// A bot of C that places its ships.
fn compiled() -> BotFolder {
    let manifest = r#"{"NickName": "Charlie", "BotType": "C", "ProjectLocation": "", "RunFile": "bot"}"#;
    let bot = BotFolder::with_manifest(manifest, "");
    let source = r#"#include <stdio.h>
#include <string.h>
int main(int count, char **given) {
    if (count < 3 || !strstr(given[2], "Phase 1")) return 0;
    char path[4096];
    snprintf(path, sizeof path, "%s/place.txt", given[2]);
    FILE *file = fopen(path, "w");
    fputs("Carrier 0 0 east\nBattleship 0 1 east\nCruiser 0 2 east\nSubmarine 0 3 east\nDestroyer 0 4 east\n", file);
    return fclose(file);
}
"#;
    fs::write(bot.path().join("bot.c"), source).unwrap();
    bot
}

#[test]
fn a_bot_that_does_not_build_any_more_plays_on_as_it_was_built() {
    if test_tools::required("cc").is_none() {
        return;
    }
    let mut event = Event::new(&[PLAYS]);
    event.bots.push(compiled());
    stop_half_way(&event, "8", &FLAGS[2..]);
    back(&event);
    fs::write(event.bots[1].path().join("bot.c"), "this is not C").unwrap();
    let told = event.command(&FLAGS).assert().code(0);
    told.stderr(
        contains("Charlie plays on as it was when it entered the tournament: bot ").and(contains("left out").not()),
    );
    let games = event.games("out");
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| !game.contains("crashed")), "{games:#?}");
    // Somebody who insists is told before the first game.
    back(&event);
    event.command(&[&FLAGS[..], &["--strict"]].concat()).assert().code(3).stdout("");
}

#[test]
fn an_entrant_is_retired_and_another_is_replaced_by_a_new_version() {
    let event = Event::new(&[PLAYS, PLAYS, PLAYS]);
    let names = |dir: &str| {
        let json = event.run(&["standings", dir, "--format", "json"]).code(0).get_output().stdout.clone();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let all = json["standings"].as_array().unwrap().iter();
        let mut names: Vec<(String, u64)> =
            all.map(|one| (one["name"].as_str().unwrap().to_owned(), one["games"].as_u64().unwrap())).collect();
        names.sort();
        names
    };
    let told =
        |names: &[(&str, u64)]| names.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect::<Vec<_>>();
    event.command(&["-g", "2"]).assert().code(0);
    let unknown = event.command(&["-g", "4", "--retire", "Zulu"]).assert().code(2);
    unknown.stderr(contains("Zulu is not an entrant in it").and(contains("hint: ")));
    let ended = "Charlie plays no more games in the tournament\n";
    event.command(&["-g", "4", "--retire", "Charlie"]).assert().code(0).stderr(contains(ended));
    assert_eq!(names("out"), told(&[("Alpha", 6), ("Bravo", 6), ("Charlie", 4)]));
    // Its folder is named still, and may be anything: it does not enter again.
    fs::write(event.bots[2].path().join("bot.json"), "{").unwrap();
    event.command(&["-g", "4"]).assert().code(0).stderr(contains("Charlie").not());
    fs::remove_dir_all(event.bots[2].path()).unwrap();
    copy_bot(event.bots[1].path(), event.bots[2].path()).unwrap();
    event.command(&["-g", "4", "--retire", "Charlie"]).assert().code(0).stderr(contains("no more").not());
    assert_eq!(names("out"), told(&[("Alpha", 6), ("Bravo", 6), ("Charlie", 4)]));
    // A new version in the folder of the old one; the same command again goes on with it.
    let folder = event.bots[1].path().to_str().unwrap().to_owned();
    fs::write(event.bots[1].path().join("version"), "2").unwrap();
    // Its folder does not tell it from the old one.
    let version = "Bravo (2)";
    let replace = format!("Bravo={folder}");
    let replaced = format!("Bravo plays no more games in the tournament; {version} enters in its place\n");
    event.command(&["-g", "4", "--replace", &replace]).assert().code(0).stderr(contains(&*replaced));
    let after = told(&[("Alpha", 10), ("Bravo", 6), (version, 4), ("Charlie", 4)]);
    assert_eq!(names("out"), after);
    event.command(&["-g", "4", "--replace", &replace]).assert().code(0).stderr(contains("in its place").not());
    event.command(&["-g", "4"]).assert().code(0);
    assert_eq!(names("out"), after);
    event.run(&["standings", "out"]).code(0).stdout(
        contains(format!("Retired, with no more games: Bravo (replaced by {version}), Charlie."))
            .and(contains("Provisional").not()),
    );
    let journal = fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap();
    assert_eq!(journal.matches(r#""line":"retired""#).count(), 1, "{journal}");
    assert_eq!(journal.matches(r#""replaces":"Bravo""#).count(), 1, "{journal}");
    Schema::journal().read_lines(&journal);
}
