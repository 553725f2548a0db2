//! The schemas in docs/ are what journals and events are like.

use crate::games::{entrant, game_line, header};
use crate::schemas::{assert_fits, assert_refuses, docs, schema};
use arena::{ArenaError, Interrupt};
use rules::{GameKind, Seat, bots_arena};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use tempfile::tempdir;
use tournament::{
    Entrant, Fixture, Format, GAMES_JSONL, GameLine, GameRunner, JournalLine, LeftOutBot, Plan, RunSettings,
    SchedulerEvent, ScoreTable, StopReason, TournamentHeader, run, with_threads,
};

/// Has trouble with some games: number 1 fails once, number 2 always, number 3 is suspect once, number 4 always.
#[derive(Default)]
struct Trouble {
    tries: Mutex<BTreeMap<Fixture, u32>>,
}

impl GameRunner for Trouble {
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        let first = {
            let mut tries = self.tries.lock().unwrap();
            let tries = tries.entry(fixture).or_default();
            *tries += 1;
            *tries == 1
        };
        if fixture.number == 2 || fixture.number == 1 && first {
            return Err(ArenaError::disk("write", "somewhere", std::io::Error::other("no space")));
        }
        let suspect = (fixture.number == 4 || fixture.number == 3 && first).then(|| "in round 7 it waited".to_owned());
        let record = (fixture.number == 0).then(|| "records/0-1-00000.jsonl.zst".to_owned());
        Ok(GameLine { suspect, record, ..game_line(fixture, Some(Seat::A)) })
    }
}

/// Plays a tournament of these with so many games, or goes on with it. Gives how often games that were then found suspect
/// had been tried before.
fn tournament(path: &Path, names: &[&str], games: u32, format: Format, rounds: Option<u32>) -> Vec<u32> {
    let mut header = header(format);
    header.rounds = rounds;
    let (mut journal, mut table) = ScoreTable::open(path, &header).unwrap();
    for name in &names[table.entrants().len()..] {
        let content = (*name == "Alpha").then(|| "0123456789abcdef".repeat(4));
        let entrant = Entrant { content, ..entrant(name) };
        journal.append(&JournalLine::Entrant(entrant.clone())).unwrap();
        table.enter(entrant);
    }
    let mut plan = Plan::new(format, names.len(), games, rounds);
    let interrupt = Interrupt::new().unwrap();
    let settings = RunSettings { repeat_suspect: true, is_needed: &|_| true, interrupt: &interrupt };
    let mut suspect = Vec::new();
    let mut watch = |progress: SchedulerEvent<'_>, _: &ScoreTable| {
        if let SchedulerEvent::Suspect(line) = progress {
            suspect.push(line.repeats);
        }
        ControlFlow::Continue(())
    };
    let trouble = Trouble::default();
    let played = with_threads(2, &trouble, |pool| run(&mut plan, &mut table, &mut journal, pool, settings, &mut watch));
    let ended = played.unwrap().0;
    assert_eq!(ended, StopReason::Complete);
    suspect
}

#[test]
fn journals_fit_the_schema_and_other_lines_do_not() {
    let schema = schema("journal.schema.json");
    let folder = tempdir().unwrap();
    let [path, swiss] = ["one", "swiss"].map(|name| folder.path().join(name).join(GAMES_JSONL));
    assert_eq!(tournament(&path, &["Alpha", "Bravo"], 4, Format::RoundRobin, None), [0]);
    let mut suspect = tournament(&path, &["Alpha", "Bravo", "Charlie"], 6, Format::RoundRobin, None);
    suspect.sort_unstable();
    assert_eq!(suspect, [0, 0, 0, 0, 0, 1, 1, 1], "game 3 of new pairings, and game 4 of all");
    tournament(&swiss, &["Alpha", "Bravo"], 2, Format::Swiss, Some(1));
    let mut text = [&path, &swiss].map(|path| fs::read_to_string(path).unwrap()).concat();
    let left_out = LeftOutBot { bot: "bots/old".to_owned(), reason: "it does not build".to_owned() };
    text += &serde_json::to_string(&JournalLine::LeftOut(left_out)).unwrap();
    assert_fits(&schema, &text);
    let changes = [
        (r#""version":1"#, r#""version":2"#),
        (r#""plan":"swiss""#, r#""plan":"chess""#),
        (r#""rounds":1"#, r#""rounds":0"#),
        (r#""size":"small""#, r#""size":"small","depth":3"#),
        (r#""engine":"#, r#""motor":"#),
        (r#""line":"entrant""#, r#""line":"spectator""#),
        (r#""NickName":"Alpha""#, r#""NickName":7"#),
        (r#""content":"0"#, r#""content":"X"#),
        (r#""first":0"#, r#""first":-1"#),
        (r#""number":0,"seed":""#, r#""number":0,"seed":"-"#),
        (r#""took_ms":12"#, r#""took_s":12"#),
        (r#""took_ms":12"#, r#""took_ms":"12""#),
        (r#""took_ms":12"#, r#""took_ms":12,"mood":"good""#),
        (r#""winner":"A""#, r#""winner":"Alpha""#),
        (r#""kind":"killed-off""#, r#""kind":"fleet-sunk""#),
        (r#""crashed":1"#, r#""bored":1"#),
        (r#""answer_ms":2000"#, r#""answer_ms":2.5"#),
        (r#""times":[["#, r#""times":[[7],["#),
        (r#""suspect":"in"#, r#""suspect":true,"was":"in"#),
        (r#""repeats":1"#, r#""repeats":0"#),
        (r#""repeats":2"#, r#""repeats":3"#),
        (r#""record":"records"#, r#""records":"records"#),
        (r#""error":"#, r#""mistake":"#),
        (r#""reason":"#, r#""why":"#),
    ];
    assert_refuses(&schema, text.lines(), &changes);
}

#[test]
fn what_has_one_name_is_the_same_in_journals_and_events() {
    let [journal, events] = ["journal.schema.json", "events.schema.json"].map(|file| {
        let schema: Value = serde_json::from_str(&docs(file)).unwrap();
        schema["$defs"].as_object().unwrap().clone()
    });
    let lines = ["game", "failure"];
    let shared: Vec<_> = journal.iter().filter(|(name, _)| !lines.contains(&name.as_str())).collect();
    let same = shared.iter().filter(|(name, _)| events.contains_key(*name));
    assert!(same.clone().count() > 15);
    same.for_each(|(name, part)| assert_eq!(events[*name], **part, "{name}"));
    for line in lines {
        let fields = journal[line]["properties"].as_object().unwrap();
        let fields = fields.iter().filter(|(name, _)| *name != "line");
        fields.for_each(|(name, field)| assert_eq!(events[line]["properties"][name], *field, "{line}: {name}"));
    }
}

#[test]
fn examples_in_the_docs_fit_the_schemas() {
    let [journal, events] = ["journal.schema.json", "events.schema.json"].map(schema);
    let text = docs("journal.md").replace("11e7…", &"11e7".repeat(16));
    let examples: Vec<&str> = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() > 3);
    for example in examples {
        assert_fits(if example.starts_with(r#"{"event""#) { &events } else { &journal }, example);
    }
}

#[test]
fn tournaments_of_bots_arena_fit_the_schema_of_journals() {
    let journal = schema("journal.schema.json");
    let line = |settings: &str| {
        let settings = serde_json::from_str(settings).unwrap();
        let event = TournamentHeader::new(GameKind::BotsArena, settings, Format::RoundRobin, None, 7);
        serde_json::to_string(&JournalLine::Tournament(event)).unwrap()
    };
    let usual = serde_json::to_string(&bots_arena::Settings::default()).unwrap();
    assert_fits(&journal, &line(&usual));
    for other in [usual.replace("10", "101"), usual.replace("[0,", "["), usual.replace("width", "breadth")] {
        let line: Value = serde_json::from_str(&line(&other)).unwrap();
        assert!(!journal.is_valid(&line), "{other}");
    }
}
