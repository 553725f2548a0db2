//! Bots that stay: one process a match, asked by a line, and stopped between its turns.

use arena::folder::MatchFolder;
use arena::{Interrupt, Limits, NotesLevel, RunEnd, RunReport};
use fake_bot::{BotFolder, beside_busy_threads, last_processor};
use players::process::{Launch, Sandbox, Staying};
use players::{Delivery, Manifest, Tools, Transport};
use rules::{Fault, FolderMessage, Part, Seat};
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A fake bot that stays, in seat A of a match.
struct Stayed {
    bot: BotFolder,
    folder: TempDir,
    transport: Staying,
}

impl Stayed {
    fn new(script: &str) -> Stayed {
        let minute = Duration::from_secs(60);
        Stayed::with(script, Limits::exactly(minute, minute), true)
    }

    /// A bot that has three seconds for each turn: enough for a busy machine, and not long to wait for.
    fn hurried(script: &str) -> Stayed {
        let short = Duration::from_secs(3);
        Stayed::with(script, Limits::exactly(short, short), true)
    }

    fn with(script: &str, limits: Limits, leave_files: bool) -> Stayed {
        let bot = BotFolder::staying("Fake", script);
        let folder = tempfile::Builder::new().prefix("match folder ").tempdir().unwrap();
        let launch = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
        assert!(launch.stays());
        let rounds = Arc::new(MatchFolder::create(folder.path()).unwrap());
        let transport = Staying::new(launch, rounds, Some(limits), leave_files, Interrupt::new().unwrap());
        let transport = transport.with_notes(NotesLevel::WithOutput);
        Stayed { bot, folder, transport }
    }

    /// Asks for the order of a round.
    fn ask(&mut self, round: u32) -> Delivery {
        let files = vec![Part { name: "state.json", bytes: format!("{round}").into_bytes() }];
        let folder = format!("Phase 2 - Round {round}/A");
        let message = FolderMessage { folder, line: format!("2 {round}"), files, answers: &["command.txt"] };
        self.transport.exchange(Seat::A, &message).unwrap()
    }

    fn run(&mut self, round: u32) -> RunReport {
        self.ask(round).run.unwrap()
    }

    fn file(&self, round: u32, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(format!("Phase 2 - Round {round}/A/{name}"))).unwrap()
    }

    /// The processor time in hundredths of a second, and the state, of the process whose number it left in a file.
    fn process(&self, pid_file: &str) -> (u64, String) {
        let pid = fs::read_to_string(self.bot.path().join(pid_file)).unwrap();
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap(), fields[0].to_owned())
    }
}

#[test]
fn one_process_gives_all_answers_in_the_folders_of_the_rounds() {
    let mut table = Stayed::new("pid pid\nr1: say hello\nr2: moan oh\nr2: write notes x\nfire");
    let mut pids = Vec::new();
    for round in 1..=3 {
        let delivery = table.ask(round);
        let run = delivery.run.unwrap();
        assert_eq!((run.end, run.has_started), (RunEnd::Answered, round == 1));
        assert_eq!(delivery.parts[0].bytes, format!("1,{round},0\n").into_bytes());
        assert!(delivery.fault.is_none() && run.peak_memory > 100_000 && run.wall > Duration::ZERO);
        assert_eq!(run.stdout.lines(), if round == 1 { vec!["hello"] } else { vec![] }, "not the line of the protocol");
        assert_eq!(run.stderr.lines(), if round == 2 { vec!["oh"] } else { vec![] });
        assert_eq!(table.file(round, "state.json"), round.to_string());
        assert_eq!(table.file(round, "command.txt"), format!("1,{round},0\n"));
        let turns = table.folder.path().join("turn/A");
        assert_eq!(turns.read_dir().unwrap().count(), 0, "the folder of the turns is emptied");
        pids.push(fs::read_to_string(table.bot.path().join("pid")).unwrap());
    }
    assert_eq!(table.file(2, "notes"), "x");
    assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
    let Stayed { folder, transport, .. } = table;
    drop(transport);
    assert!(!folder.path().join("turn").exists() && fs::metadata(format!("/proc/{}", pids[0].trim())).is_err());
}

#[test]
fn a_bot_does_not_run_between_its_turns_nor_does_what_it_started() {
    let mut table = Stayed::new("pid pid\nr1: juggle\nr1: daemon\nr1: child\nfire");
    for round in 1..=3 {
        assert_eq!(table.run(round).end, RunEnd::Answered);
        let before = table.process("pid");
        // A thread of the bot never rests, so it would use all of this time.
        let until = std::time::Instant::now() + Duration::from_millis(100);
        while std::time::Instant::now() < until {
            std::hint::spin_loop();
        }
        assert_eq!((before.1.as_str(), &table.process("pid")), ("T", &before));
        assert_eq!(table.process("daemon.pid").1, "T");
    }
}

#[test]
fn who_runs_between_its_turns_all_the_same_loses_the_next_one_and_is_started_again() {
    let mut table = Stayed::new("r1: wake 300\nr1: fire\nr1: say 2 1\nr1: spin 1000000\nfire");
    assert_eq!(table.run(1).end, RunEnd::Answered);
    let until = std::time::Instant::now() + Duration::from_millis(600);
    while std::time::Instant::now() < until {
        std::hint::spin_loop();
    }
    let delivery = table.ask(2);
    let run = delivery.run.unwrap();
    assert_eq!((run.end, run.has_started, delivery.parts.len()), (RunEnd::Restless, false, 0));
    let run = table.run(3);
    assert_eq!((run.end, run.has_started), (RunEnd::Answered, true));
}

/// A bot that wakes in every turn of its opponent, for less time than tells it from one that rests, and stops itself before it is looked
/// at.
#[test]
fn who_runs_a_little_between_all_its_turns_loses_one_soon() {
    let rounds = (1..=30).map(|round| format!("r{round}: say 2 {round}\nr{round}: doze 2000"));
    let mut table = Stayed::new(&format!("pid pid\nr1: wake 20\nfire\n{}", rounds.collect::<Vec<_>>().join("\n")));
    let ends = (1..=30).map(|round| {
        let delivery = table.ask(round);
        let end = delivery.run.unwrap().end;
        if end == RunEnd::Answered {
            // It has dozed when it waits for its next question.
            while table.process("pid").1 != "S" {
                test_tools::pause();
            }
        }
        end
    });
    assert!(ends.into_iter().any(|end| end == RunEnd::Restless));
}

#[test]
fn who_is_late_is_killed_and_started_again() {
    let mut table = Stayed::hurried("r2: fire\nr2: hang\nfire");
    assert_eq!(table.run(1).end, RunEnd::Answered);
    let delivery = table.ask(2);
    assert!(matches!(delivery.fault, Some(Fault::TimedOut { .. })), "{:?}", delivery.fault);
    assert_eq!(delivery.run.unwrap().end, RunEnd::Killed);
    let run = table.run(3);
    assert_eq!((run.end, run.has_started), (RunEnd::Answered, true));
}

#[test]
fn who_ends_is_started_again_and_what_it_wrote_counts() {
    let mut table = Stayed::new("fire\nr2: exit 3\nr3: exit 0");
    let ends = [RunEnd::Answered, RunEnd::Exited(3), RunEnd::Exited(0), RunEnd::Answered];
    for (round, end) in (1..).zip(ends) {
        let delivery = table.ask(round);
        assert_eq!((delivery.run.unwrap().end, delivery.parts.len()), (end, 1), "round {round}");
    }
}

#[test]
fn only_the_whole_line_of_this_turn_is_an_answer_and_only_after_the_question() {
    for script in [
        // The line of an earlier turn, and of a later one.
        "r2: fire\nr2: say 2 1\nr2: say 2 3\nr2: hang",
        // The line of this turn, before it was asked for.
        "r1: say 2 2\nr2: fire\nr2: hang",
        // In the middle of a line.
        "r2: fire\nr2: flood 3\nr2: say 2 2\nr2: hang",
    ] {
        let mut table = Stayed::hurried(&format!("{script}\nfire"));
        assert_eq!(table.run(1).end, RunEnd::Answered, "{script}");
        assert_eq!(table.run(2).end, RunEnd::Killed, "{script}");
        assert_eq!(table.run(3).end, RunEnd::Answered, "{script}");
    }
}

#[test]
fn a_time_out_tells_what_arrived_and_whether_the_bot_computed() {
    let late = [
        ("r1: fire\nr1: hang", "; command.txt was written, but the line \"2 1\" did not come back: print it and flush"),
        ("r1: fire\nr1: flood 3\nr1: hang", "; command.txt was written, but instead of the line \"2 1\" came \""),
        ("r1: say hello\nr1: fire\nr1: hang", "but instead of the line \"2 1\" came \"hello\""),
        ("r1: flood 3\nr1: hang", "; no answer was written, and a line without an end came: \""),
        ("r1: hang", "; no answer was written; it waited for something ("),
        ("r1: spin 100000", "; no answer was written; it computed "),
    ];
    for (script, told) in late {
        let fault = Stayed::hurried(script).ask(1).fault.unwrap().to_string();
        assert!(fault.contains(told), "{script}: {fault}");
    }
}

/// The bot shares its processor with eight busy threads.
#[test]
fn who_waits_for_a_processor_is_stopped_later() {
    let processor = last_processor();
    let mut table = Stayed::hurried(&format!("pin {processor}\nspin 1000000"));
    let delivery = beside_busy_threads(8, processor, || table.ask(1));
    let run = delivery.run.unwrap();
    assert!(matches!(delivery.fault, Some(Fault::TimedOut { .. })) && run.end == RunEnd::Killed);
    // The limit is three seconds.
    let least = Duration::from_millis(500);
    assert!(run.wall > Duration::from_secs(3) + least && run.waited > least, "{run:?}");
}

#[test]
fn what_a_bot_did_that_ended_its_turn_without_an_answer_is_told() {
    let done = [
        ("r1: exit 0", "it ended with exit status 0"),
        ("r1: say 2 1", "it answered \"2 1\", but there is no command.txt in the folder that is its second argument"),
        ("r1: write comand.txt 1,2,3\nr1: say 2 1", "comand.txt is there, but no command.txt"),
    ];
    for (script, told) in done {
        assert_eq!(Stayed::new(script).ask(1).run.unwrap().instead.as_deref(), Some(told), "{script}");
    }
}

#[test]
fn who_says_that_it_has_answered_before_it_has_is_stopped_there() {
    let mut table = Stayed::new("r2: say 2 2\nr2: rest 200\nfire");
    let parts = [1, 2, 3].map(|round| table.ask(round).parts);
    assert_eq!([&parts[0], &parts[1]].map(Vec::len), [1, 0]);
    assert_eq!(parts[2][0].bytes, b"1,3,0\n", "not what it wrote late for the turn before");
}

#[test]
fn processor_time_counts_for_each_turn() {
    let second = Duration::from_secs(1);
    let limits = Limits::exactly(60 * second, 60 * second).with_cpu(Some(second / 2));
    let mut table = Stayed::with("spin 200\nr4: spin 400\nfire", limits, true);
    for round in 1..=3 {
        let run = table.run(round);
        assert!(run.cpu >= Duration::from_millis(190) && run.cpu < second / 2, "{:?}", run.cpu);
    }
    assert!(matches!(table.ask(4).fault, Some(Fault::TimedOut { .. })));
    assert!(table.run(5).has_started, "it was killed");
}

#[test]
fn who_answers_and_ends_at_once_has_used_its_processor_time_all_the_same() {
    let mut table = Stayed::new("r2: spin 300\nr2: fire\nr2: say 2 2\nr2: exit 0\nfire");
    table.run(1);
    let delivery = table.ask(2);
    let cpu = delivery.run.unwrap().cpu;
    assert!(cpu >= Duration::from_millis(290) && delivery.parts.len() == 1, "{cpu:?}");
}

#[test]
fn in_a_tournament_no_file_of_a_turn_is_left() {
    let mut table = Stayed::with("write notes x\nfire", Limits::with_extra(Duration::from_secs(60)), false);
    for round in 1..=2 {
        assert_eq!(table.ask(round).parts.len(), 1);
        let left = walkdir::WalkDir::new(table.folder.path()).into_iter().flatten();
        assert_eq!(left.filter(|entry| entry.file_type().is_file()).count(), 0);
    }
}

#[test]
fn a_bot_in_a_sandbox_has_the_folder_of_its_turns_and_no_other() {
    let Ok(sandbox) = Sandbox::start() else { return test_tools::not_allowed("a sandbox") };
    let bot = BotFolder::staying("Fake", "r2: try write \"../../Phase 2 - Round 1/A/x\" y\nr2: write mine z\nfire");
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
    let rounds = Arc::new(MatchFolder::create(folder.path()).unwrap());
    let launch =
        launch.confined(&sandbox, Some(rounds.path()), &[], players::process::Allowance::DEFAULT, None).unwrap();
    let limits = Some(Limits::with_extra(Duration::from_secs(60)));
    let transport = Staying::new(launch, rounds, limits, true, Interrupt::new().unwrap());
    let mut table = Stayed { bot, folder, transport };
    for round in 1..=3 {
        // The arena asks each bot in a thread of its own, which ends with the turn.
        let run = std::thread::scope(|scope| scope.spawn(|| table.run(round)).join().unwrap());
        assert_eq!((run.end, run.has_started), (RunEnd::Answered, round == 1));
    }
    assert!(!table.folder.path().join("Phase 2 - Round 1/A/x").exists());
    assert_eq!(table.file(2, "mine"), "z");
}

#[test]
fn notes_are_those_of_the_turn_and_go_to_the_folder_of_the_round() {
    for leave_files in [true, false] {
        let minute = Duration::from_secs(60);
        let script = "r1: write notes.json {\"text\":\"one\"}\nr2: say aloud\nr3: fifo notes.json\nfire";
        let mut table = Stayed::with(script, Limits::exactly(minute, minute), leave_files);
        let notes = table.ask(1).notes.unwrap();
        assert_eq!((notes.text(), notes.output().len()), ("one", 0));
        let kept = table.folder.path().join("Phase 2 - Round 1/A/notes.json");
        assert_eq!(fs::read_to_string(kept).ok().as_deref(), leave_files.then_some("{\"text\":\"one\"}"));
        let notes = table.ask(2).notes.unwrap();
        assert_eq!((notes.text(), notes.source(), notes.output()), ("", "", &["aloud".to_owned()][..]));
        let Delivery { notes, fault, run, .. } = table.ask(3);
        assert!(notes.is_none() && fault.is_none());
        assert_eq!(run.unwrap().bad_notes.as_deref(), Some("is a pipe"));
    }
}
