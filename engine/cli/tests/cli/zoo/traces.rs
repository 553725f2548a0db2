//! The traces of a match with a bad bot, and the mistakes in them.

use super::cage::{CANARY, Cage, PROGRAM_BYTES, Played};
use super::case::{Ending, Expected};
use super::cases::{OUT_OF_REACH, REFUSED};
use arena::record::MATCH_JSONL;
use fake_bot::{CAME, PROGRAM};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use walkdir::WalkDir;

/// The engine's own peak memory is below that, in KiB.
const MOST_MEMORY: u64 = 64 << 10;

/// Everything that is not as expected.
pub fn complaints(cage: &Cage<'_>, played: &Played) -> Vec<String> {
    let mut complaints = ending(cage, played);
    if !played.left.is_empty() {
        complaints.push(format!("processes are left: {:?}", played.left));
    }
    if played.peak >= MOST_MEMORY {
        complaints.push(format!("the engine used {} KiB", played.peak));
    }
    if let Ending::Played(_) = cage.expected().ending {
        if played.peak == 0 {
            complaints.push("nobody looked at the engine's memory".to_owned());
        }
        complaints.extend(orders(cage));
        complaints.extend(harm(cage));
        complaints.extend(unverified(cage));
        complaints.extend(said(cage));
    }
    complaints.extend(spoilt(cage));
    complaints
}

fn ending(cage: &Cage<'_>, played: &Played) -> Vec<String> {
    let Played { status, stdout, .. } = played;
    // On a machine with too much to do, the end of many processes takes longer than the engine waits for it. That none is
    // left in the end is looked at above.
    let stderr: String = played.stderr.lines().filter(|line| !line.contains("faster than they can be ended")).collect();
    let fine = match cage.expected().ending {
        Ending::Played(told) => status.code() == Some(0) && stdout.starts_with(told) && stderr.is_empty(),
        Ending::NoMatch(why) => status.code() == Some(3) && stdout.is_empty() && stderr.contains(why),
        Ending::EngineKilled => status.signal() == Some(9) && stdout.is_empty(),
    };
    if fine { Vec::new() } else { vec![format!("it ended with {status}, and told:\n{stdout}{stderr}")] }
}

/// The bad bot has an order in every round but those where none is expected, for the reason expected.
fn orders(cage: &Cage<'_>) -> Vec<String> {
    let expected = cage.expected();
    let mut complaints = Vec::new();
    for (round, moves) in moves(cage) {
        let (kind, cell) = &moves[0];
        let nothing = expected.nothing.iter().any(|(of, _)| *of == round);
        if nothing != (kind == "DoNothing") || (!nothing && *cell != shot(round)) {
            complaints.push(format!("its order in round {round} was {kind} {cell}"));
        }
    }
    for (round, why) in &expected.nothing {
        let log = log(cage, *round, 'A');
        if !log.contains(why) {
            complaints.push(format!("'{why}' is not in the log of round {round}: {log}"));
        }
    }
    complaints
}

/// The record is what the rules make of the answers, whatever the bad bot did to it.
fn unverified(cage: &Cage<'_>) -> Option<String> {
    let verdict = match_folder::open(&cage.out().join(MATCH_JSONL)).and_then(|opened| match_folder::verify(&opened));
    verdict.err().map(|error| format!("the record is wrong: {error}"))
}

/// The other bot has its own order in every round, in its own file, and nothing to complain about in its log.
fn harm(cage: &Cage<'_>) -> Vec<String> {
    let mut harmed = Vec::new();
    for (round, moves) in moves(cage) {
        let file = cage.out().join(format!("Phase 2 - Round {round}/B/command.txt"));
        let text = fs::read_to_string(file).unwrap_or_default();
        let log = log(cage, round, 'B');
        let fault =
            ["No move", "Failed to read", "Your bot ended", "Your bot was"].iter().find(|what| log.contains(*what));
        let own = format!("1,{}", shot(round).replace(", ", ","));
        // What was done to the file later is found out elsewhere.
        let spoilt = cage.expected().spoilt.contains(&&*format!("out/Phase 2 - Round {round}/B/command.txt"));
        let fine = moves[1] == ("FireSingleShot".to_owned(), shot(round)) && (spoilt || text.trim() == own);
        if !fine || fault.is_some() {
            harmed.push((round, format!("{moves:?} {text:?} {fault:?}")));
        }
    }
    if !place_is_own(cage) {
        harmed.push((0, "its place.txt is not there".to_owned()));
    }
    let rounds: Vec<u32> = harmed.iter().map(|(round, _)| *round).collect();
    if rounds == cage.expected().harmed { Vec::new() } else { vec![format!("the other bot was harmed: {harmed:?}")] }
}

fn place_is_own(cage: &Cage<'_>) -> bool {
    let path = cage.out().join("Phase 1 - Round 0/B/place.txt");
    fs::read_to_string(path).is_ok_and(|text| text.starts_with("Carrier 1 0 east"))
}

fn said(cage: &Cage<'_>) -> Vec<String> {
    let expected = cage.expected();
    let mut complaints = Vec::new();
    let round = expected.nothing.first().map_or(3, |(round, _)| *round);
    let log = log(cage, round, 'A');
    for words in &expected.said {
        if !log.contains(words) {
            complaints.push(format!("'{words}' is not in its log: {log}"));
        }
    }
    complaints.extend(lacks(cage, expected, &log));
    for (round, case) in (4..).zip(cage.others) {
        let lacking = lacks(cage, cage.expected_of(case), &self::log(cage, round, 'A'));
        complaints.extend(lacking.map(|lacking| format!("{}: {lacking}", case.name)));
    }
    complaints
}

/// The result of a step that is expected and not in the bot's log.
fn lacks(cage: &Cage<'_>, expected: &Expected, log: &str) -> Option<String> {
    let words = expected.got?;
    // Whatever is out of reach is not there in namespaces, and what is not there cannot be refused.
    let is_kept_out = cage.mode.has_namespaces() && [REFUSED, OUT_OF_REACH].contains(&words);
    let fits = |came: &str| if is_kept_out { came != "done" } else { came.contains(words) };
    let got = log.lines().filter_map(|line| line.split_once(CAME)).any(|(_, came)| fits(came));
    (!got).then(|| format!("it did not get '{words}': {log}"))
}

/// The files that the bad bot made or changed where it has no business are the expected ones.
fn spoilt(cage: &Cage<'_>) -> Vec<String> {
    let root = cage.beside.path();
    let mut found = Vec::new();
    for entry in WalkDir::new(root).min_depth(1).sort_by_file_name() {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(root).unwrap();
        let name = path.to_string_lossy().into_owned();
        let fine = match &*name {
            "home" | "state" | "state/broadside" | "small" | "pid" | "out" => true,
            "canary" | "home/canary" => fs::read_to_string(entry.path()).unwrap() == CANARY,
            _ => path.strip_prefix("out").is_ok_and(|path| belongs(path, &cage.expected().harmed)),
        };
        if !fine {
            found.push(name);
        }
    }
    for entry in WalkDir::new(cage.bots[1].path()).min_depth(1) {
        let entry = entry.unwrap();
        let closed = entry.metadata().unwrap().permissions().mode() & 0o777 == 0;
        let program = |name: &str| name == PROGRAM && fs::read(entry.path()).is_ok_and(|bytes| bytes == *PROGRAM_BYTES);
        let known =
            entry.file_name().to_str().is_some_and(|name| ["bot.json", "script"].contains(&name) || program(name));
        if closed || !known {
            found.push(format!("other/{}", entry.file_name().to_string_lossy()));
        }
    }
    for (round, _) in moves(cage) {
        let name = format!("out/Phase 2 - Round {round}/B/command.txt");
        if fs::read_to_string(root.join(&name)).is_ok_and(|text| text.trim() == "1,6,6") && shot(round) != "6, 6" {
            found.push(name);
        }
    }
    if found == cage.expected().spoilt { Vec::new() } else { vec![format!("it left traces in {found:?}")] }
}

/// True if a path in the folder of the match is one of the engine's, or the bad bot's in its own folder of round 3. The
/// engine keeps the turns of the bad bot that went wrong, and those in which it harmed the other.
fn belongs(path: &Path, harmed: &[u32]) -> bool {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    match parts.iter().map(|part| &**part).collect::<Vec<_>>()[..] {
        [top] => top.starts_with("Phase ") || top == "faults" || top == MATCH_JSONL,
        ["faults", bundle, ..] => {
            bundle.ends_with(" A") || harmed.iter().any(|round| bundle == format!("round {round} B"))
        }
        [_, "A" | "B"] => true,
        [_, "state.json" | "roundInfo.json" | "roundCommand.json" | "engine.log" | "A - map.txt" | "B - map.txt"] => {
            true
        }
        [_, "A" | "B", "state.json" | "map.txt" | "place.txt" | "command.txt" | "log.txt"] => true,
        ["Phase 2 - Round 3", "A", ..] => true,
        _ => false,
    }
}

fn log(cage: &Cage<'_>, round: u32, key: char) -> String {
    let phase = if round == 0 { 1 } else { 2 };
    let path = cage.out().join(format!("Phase {phase} - Round {round}/{key}/log.txt"));
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

/// The orders of both in each round of the second phase: the kind of order, and its cell. Each is told in the round after it.
fn moves(cage: &Cage<'_>) -> Vec<(u32, [(String, String); 2])> {
    let of = |round: u32| {
        let path = cage.out().join(format!("Phase 2 - Round {}/roundCommand.json", round + 1));
        let told: Value = serde_json::from_slice(&fs::read(path).ok()?).unwrap();
        let order = |player: &str| {
            let text = |key: &str| told[player][key].as_str().unwrap_or_default().to_owned();
            (text("CommandIssued"), text("CenterPoint"))
        };
        Some((round, [order("Player1Move"), order("Player2Move")]))
    };
    (1..).map_while(of).collect()
}

/// The cell a fake bot fires at.
fn shot(round: u32) -> String {
    format!("{}, {}", round % 7, round / 7 % 7)
}
