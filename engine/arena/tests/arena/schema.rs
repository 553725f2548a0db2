//! The schemas in docs/ are what records and journals are like.

use crate::scripted::{FLEET, Giving, details, idle, play, play_watched, player, row_by_row};
use arena::record::{LimitsLine, MATCH_JSONL};
use arena::{ArenaError, Interrupt, Observers, Sequence};
use jsonschema::Validator;
use rules::entelect_2017::{MapSize, Phase, View};
use rules::{GameKind, Seat};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tempfile::tempdir;
use tournament::{
    Entrant, Fixture, Format, GAMES_JSONL, GameLine, GameRunner, JournalLine, Plan, PlayerLine, RunSettings,
    SchedulerEvent, ScoreTable, StopReason, Times, TournamentHeader, run,
};

fn docs(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file)).unwrap()
}

pub(super) fn schema(file: &str) -> Validator {
    jsonschema::validator_for(&serde_json::from_str(&docs(file)).unwrap()).unwrap()
}

pub(super) fn assert_fits(schema: &Validator, lines: &str) {
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
}

/// Changes the first line that has it, and fails if the schema does not mind.
fn assert_refuses<'a>(schema: &Validator, lines: impl Iterator<Item = &'a str> + Clone, changes: &[(&str, &str)]) {
    for (from, to) in changes {
        let line = lines.clone().find(|line| line.contains(from)).unwrap_or_else(|| panic!("{from} is in no line"));
        let changed: Value = serde_json::from_str(&line.replacen(from, to, 1)).unwrap();
        assert!(!schema.is_valid(&changed), "{to}");
    }
}

#[test]
fn records_fit_the_schema_and_other_lines_do_not() {
    let schema = schema("record.schema.json");
    let strange = |view: &View| if view.phase == Phase::One { FLEET.into() } else { b"\xFF".to_vec() };
    let folder = tempdir().unwrap();
    let mut records = Vec::new();
    for other in [player(row_by_row), player(idle), Box::new(Giving { bytes: strange })] {
        play(MapSize::Small, [player(row_by_row), other], Sequence::InTurn, folder.path(), None).unwrap();
        records.push(fs::read_to_string(folder.path().join(MATCH_JSONL)).unwrap());
    }
    records.iter().for_each(|record| assert_fits(&schema, record));
    let changes = [
        (r#""version":1"#, r#""version":2"#),
        (r#""size":"small""#, r#""size":"tiny""#),
        (r#""seed":"0""#, r#""seed":0"#),
        (r#""turn":0"#, r#""turn":-1"#),
        (r#""answers":{"A""#, r#""answers":{"Q""#),
        (r#""kind":"nothing-written""#, r#""kind":"bored""#),
        (r#""winner":"A""#, r#""winner":"nobody""#),
        (r#""base64":"/w=="#, r#""base32":"/w=="#),
    ];
    assert_refuses(&schema, records.iter().flat_map(|record| record.lines()), &changes);
}

#[test]
fn the_records_that_git_keeps_are_still_right() {
    for game in GameKind::ALL {
        let replays = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays");
        let path = replays.join(game.name()).with_extension("jsonl");
        assert_fits(&schema("record.schema.json"), &fs::read_to_string(&path).unwrap());
        let verified = arena::record::verify(&arena::record::open(&path).unwrap()).unwrap();
        assert_eq!((verified.game, verified.outcome.is_some()), (game, true));
    }
}

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
        let scripts = [player(row_by_row), if fixture.second == 2 { player(row_by_row) } else { player(idle) }];
        let outcome = play_watched(MapSize::Small, scripts, Sequence::InTurn, &mut Observers::new())?;
        let mut times = Times::default();
        [1, 2, 2000].into_iter().for_each(|ms| times.add(Duration::from_millis(ms)));
        let faults = ["timed-out", "crashed", "nothing-written", "unreadable", "gave-up", "refused"];
        let busy = PlayerLine {
            times: Some(times),
            limits: Some(LimitsLine { answer_ms: 2000, kill_ms: 4000 }),
            faults: faults.map(|kind| (kind.to_owned(), 1)).into(),
        };
        Ok(GameLine {
            fixture,
            seed: fixture.seed(7, ["one", "other"]).to_string(),
            outcome,
            players: [busy, PlayerLine::default()].into_iter().collect(),
            suspect,
            repeats: 0,
            record: (fixture.number == 0).then(|| "records/0-1-00000.jsonl.zst".to_owned()),
            took_ms: 12,
            ended: "2026-11-21T12:00:00.000+00:00".to_owned(),
        })
    }
}

/// Plays a tournament of these with so many games, or goes on with it. Gives how often games that were then found suspect
/// had been tried before.
fn tournament(path: &Path, names: &[&str], games: u32, format: Format, rounds: Option<u32>) -> Vec<u32> {
    let settings = json!({ "size": "small" });
    let event = TournamentHeader::new(GameKind::Entelect2017, settings, format, rounds, u64::MAX);
    let (mut journal, mut table) = ScoreTable::open(path, &event).unwrap();
    for name in &names[table.entrants().len()..] {
        let details = details([name, name])[Seat::A].clone();
        let content = (*name == "Alpha").then(|| "0123456789abcdef".repeat(4));
        let entrant = Entrant { name: (*name).to_owned(), bot: format!("bots/{name}"), details, content };
        journal.append(&JournalLine::Entrant(entrant.clone())).unwrap();
        table.enter(entrant);
    }
    let mut plan = Plan::new(format, names.len(), games, rounds);
    let interrupt = Interrupt::new().unwrap();
    let settings = RunSettings { concurrency: 2, repeat_suspect: true, interrupt: &interrupt };
    let mut suspect = Vec::new();
    let mut watch = |progress: SchedulerEvent<'_>, _: &ScoreTable| {
        if let SchedulerEvent::Suspect(line) = progress {
            suspect.push(line.repeats);
        }
        ControlFlow::Continue(())
    };
    let ended = run(&mut plan, &mut table, &mut journal, &Trouble::default(), settings, &mut watch).unwrap().0;
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
    let text = [&path, &swiss].map(|path| fs::read_to_string(path).unwrap()).concat();
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
