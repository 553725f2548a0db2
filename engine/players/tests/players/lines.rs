//! Bots that are asked by lines: a JSON body a line on standard input and output.

use arena::{Interrupt, Limits, RunEnd, RunReport};
use fake_bot::BotFolder;
use players::http::AnswerPolicy;
use players::process::{Allowance, Launch, Lines, Sandbox};
use players::{Delivery, Manifest, Tools, Transport};
use rules::{ContentType, Fault, HttpRequest, Seat};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// A fake bot that is asked by lines.
struct Asked {
    bot: BotFolder,
    transport: Lines,
    _temporary: TempDir,
}

fn launch(bot: &BotFolder) -> Launch {
    Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap().by_lines()
}

impl Asked {
    fn new(script: &str) -> Asked {
        let minute = Duration::from_secs(60);
        Asked::with(script, Limits::exactly(minute, minute))
    }

    /// A bot that has three seconds for each turn: enough for a busy machine, and not long to wait for.
    fn hurried(script: &str) -> Asked {
        let short = Duration::from_secs(3);
        Asked::with(script, Limits::exactly(short, short))
    }

    fn with(script: &str, limits: Limits) -> Asked {
        let bot = BotFolder::new("Fake", script);
        let launch = launch(&bot);
        Asked::of(bot, launch, limits)
    }

    fn of(bot: BotFolder, launch: Launch, limits: Limits) -> Asked {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().to_owned();
        let transport = Lines::new(launch, folder, AnswerPolicy::STRICT, Some(limits), Interrupt::new().unwrap());
        Asked { bot, transport, _temporary: temporary }
    }

    fn ask(&mut self, turn: u32) -> Delivery {
        self.ask_by(format!(r#"{{"turn":{turn}}}"#))
    }

    fn ask_by(&mut self, body: String) -> Delivery {
        let body = body.into_bytes();
        let request = HttpRequest { path: Some("move"), content: ContentType::Json, body, answer: "move" };
        self.transport.exchange(Seat::A, &request).unwrap()
    }

    fn run(&mut self, turn: u32) -> RunReport {
        self.ask(turn).run.unwrap()
    }

    fn written(&self, name: &str) -> String {
        fs::read_to_string(self.bot.path().join(name)).unwrap()
    }
}

/// The answer of a turn as text; empty if there is none.
fn text(delivery: &Delivery) -> &str {
    delivery.parts.first().map_or("", |part| std::str::from_utf8(&part.bytes).unwrap())
}

const SHOT: &str = r#"{"type":"shot","x":0,"y":0}"#;

#[test]
fn one_process_gives_all_answers() {
    let mut asked = Asked::new("pid pid\nargs arguments\nr2: moan oh\nanswer");
    for turn in 1..=3 {
        let delivery = asked.ask(turn);
        assert_eq!((text(&delivery), &delivery.fault), (SHOT, &None));
        assert_eq!(delivery.parts[0].name, "move");
        let run = delivery.run.unwrap();
        assert_eq!((run.end, run.has_started), (RunEnd::Answered, turn == 1));
        assert!(run.wall > Duration::ZERO && run.peak_memory > 100_000);
        assert_eq!(run.stderr.lines(), if turn == 2 { vec!["oh"] } else { vec![] });
        assert!(!run.stdout.lines().contains(&SHOT.to_owned()), "the answer is not kept twice");
    }
    let seen: serde_json::Value = serde_json::from_str(&asked.written("arguments")).unwrap();
    assert_eq!(seen["arguments"].as_array().unwrap().len(), 1, "the program alone: {seen}");
    let process = format!("/proc/{}", asked.written("pid").trim());
    assert!(Path::new(&process).exists());
    drop(asked.transport);
    assert!(!Path::new(&process).exists());
}

#[test]
fn a_bot_is_stopped_between_its_turns_with_what_it_started() {
    let mut asked = Asked::new("pid pid\nr1: daemon\nanswer\nr1: spin 60000");
    assert_eq!(asked.run(1).end, RunEnd::Answered);
    for file in ["pid", "daemon.pid"] {
        let stat = fs::read_to_string(format!("/proc/{}/stat", asked.written(file).trim())).unwrap();
        assert!(stat.rsplit_once(") ").unwrap().1.starts_with('T'), "{stat}");
    }
}

#[test]
fn blank_lines_are_no_answers_and_a_carriage_return_is_not_part_of_one() {
    let mut asked = Asked::new("say \nsay    \nsay {}\\x0d\nsay ");
    for turn in 1..=3 {
        assert_eq!(text(&asked.ask(turn)), "{}");
    }
}

#[test]
fn what_is_said_before_the_question_is_no_answer() {
    let mut asked = Asked::hurried("r1: say {}\\nearly\nr2: hang\nr3: answer");
    assert_eq!(text(&asked.ask(1)), "{}");
    let delivery = asked.ask(2);
    assert!(delivery.parts.is_empty() && matches!(delivery.fault, Some(Fault::TimedOut { .. })), "{delivery:?}");
    assert_eq!(delivery.run.unwrap().end, RunEnd::Killed);
    let run = asked.run(3);
    assert_eq!((run.end, run.has_started), (RunEnd::Answered, true));
}

#[test]
fn half_a_line_is_no_answer() {
    let mut asked = Asked::hurried("r1: flood 7\nr1: hang\nr2: flood 7\nr2: exit 0\nr3: flood 7\nr3: exit 3\nanswer");
    let late = asked.ask(1).fault.unwrap().to_string();
    assert!(late.contains("; 7 bytes of a line came without its end: end it with a line feed, and flush"), "{late}");
    for (turn, end) in [(2, RunEnd::Exited(0)), (3, RunEnd::Exited(3))] {
        let delivery = asked.ask(turn);
        assert_eq!((delivery.parts.len(), delivery.fault, delivery.run.unwrap().end), (0, None, end));
    }
    assert_eq!(text(&asked.ask(4)), SHOT);
}

#[test]
fn a_long_part_of_a_line_is_told_with_its_length() {
    let late = Asked::hurried("r1: flood 3000\nr1: hang").ask(1).fault.unwrap().to_string();
    assert!(late.contains("; 3000 bytes of a line came without its end: "), "{late}");
}

#[test]
fn a_line_that_is_too_long_is_unreadable_and_ends_the_bot() {
    let mut asked = Asked::new("pid pid\nr1: flood 10485760\nr3: flood 65536\nr4: flood 65537\nanswer");
    for (turn, told) in [(1, true), (2, false), (3, true), (4, true), (5, false)] {
        let delivery = asked.ask(turn);
        let fault = delivery.fault.map(|fault| fault.to_string()).unwrap_or_default();
        assert_eq!(fault.contains("the answer is longer than 65536 bytes"), told, "{turn}: {fault}");
        assert_eq!(delivery.parts.is_empty(), told);
        let output = delivery.run.unwrap().stdout;
        assert!(output.bytes.len() + output.end.len() <= 80 * 1024);
    }
}

#[test]
fn the_longest_line_that_may_be_is_an_answer() {
    let mut asked = Asked::new("flood 65536\nsay ");
    assert_eq!(asked.ask(1).parts[0].bytes.len(), 65536);
}

#[test]
fn who_ends_is_started_again() {
    let mut asked = Asked::new("r2: exit 3\nr4: signal 9\nanswer");
    let ends = [RunEnd::Answered, RunEnd::Exited(3), RunEnd::Answered, RunEnd::Signalled(9), RunEnd::Answered];
    for (turn, end) in (1..).zip(ends) {
        let delivery = asked.ask(turn);
        assert_eq!(delivery.parts.is_empty(), end != RunEnd::Answered);
        let run = delivery.run.unwrap();
        assert_eq!((run.has_started, run.end), (turn % 2 == 1, end));
    }
}

#[test]
fn who_is_late_is_killed_and_started_again() {
    let mut asked = Asked::hurried("r2: hang\nanswer");
    assert_eq!(asked.run(1).end, RunEnd::Answered);
    let late = asked.ask(2).fault.unwrap().to_string();
    assert!(late.starts_with("timed out: no answer within "), "{late}");
    let told = "; nothing came: print the answer in one line, and flush standard output; it waited for something (";
    assert!(late.contains(told), "{late}");
    assert!(asked.run(3).has_started);
}

#[test]
fn processor_time_counts_for_each_turn() {
    let second = Duration::from_secs(1);
    let limits = Limits::exactly(60 * second, 60 * second).with_cpu(Some(second / 2));
    let mut asked = Asked::with("spin 200\nr4: spin 400\nanswer", limits);
    for turn in 1..=3 {
        let run = asked.run(turn);
        assert!(run.cpu >= Duration::from_millis(190) && run.cpu < second / 2, "{:?}", run.cpu);
    }
    assert!(matches!(asked.ask(4).fault, Some(Fault::TimedOut { .. })));
    assert!(asked.run(5).has_started, "it was killed");
}

#[test]
fn a_question_may_be_longer_than_a_pipe_holds() {
    let mut asked = Asked::new("answer");
    for turn in 1..=3 {
        let delivery = asked.ask_by(format!(r#"{{"turn":{turn},"rest":"{}"}}"#, "x".repeat(3 << 20)));
        assert_eq!((text(&delivery), delivery.run.as_ref().unwrap().has_started), (SHOT, turn == 1));
    }
}

#[test]
fn who_does_not_read_the_whole_question_has_not_answered_it() {
    let mut asked = Asked::hurried("r1: answer\nr1: hang\nanswer");
    // It is still busy with the first question.
    assert_eq!(text(&asked.ask(1)), SHOT);
    let long = format!(r#"{{"turn":2,"rest":"{}"}}"#, "x".repeat(1 << 20));
    assert!(matches!(asked.ask_by(long).fault, Some(Fault::TimedOut { .. })));
    assert_eq!(text(&asked.ask(3)), SHOT);
}

#[test]
fn a_bot_in_a_sandbox_has_its_own_folder_and_nothing_it_writes_there_stays() {
    let Ok(sandbox) = Sandbox::start() else { return test_tools::not_allowed("a sandbox") };
    let bot = BotFolder::new("Fake", "r1: write mine x\nr2: read mine\nr2: try write /dev/shm/escaped x\nanswer");
    let rounds = tempfile::tempdir().unwrap();
    let minute = Duration::from_secs(60);
    let launch = launch(&bot).confined(&sandbox, Some(rounds.path()), &[], Allowance::DEFAULT, Some(minute)).unwrap();
    let keeps_folder = sandbox.abilities().namespaces;
    let mut asked = Asked::of(bot, launch, Limits::exactly(minute, minute));
    assert_eq!(text(&asked.ask(1)), SHOT);
    let told = asked.ask(2);
    assert!(text(&told).starts_with("it came to: ") && !text(&told).ends_with("done"), "{told:?}");
    assert!(!Path::new("/dev/shm/escaped").exists());
    assert_eq!(asked.bot.path().join("mine").exists(), !keeps_folder);
}
