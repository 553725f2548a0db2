//! Errors in the author's code: a sample shows the file and the line, and does not blame the files of the turn.

use super::samples::{copy, has_its_tools, samples, top};
use crate::table::broadside;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use walkdir::WalkDir;

/// An error that a test puts into a sample, in the function that places the ships: a match ends after five such turns.
struct Mistake {
    sample: &'static str,
    file: &'static str,
    /// The text of the program after which the line is put.
    after: &'static str,
    line: &'static str,
    /// The words in the report; `{}` is the number of the line.
    told: &'static str,
}

const fn mistake(
    sample: &'static str,
    file: &'static str,
    after: &'static str,
    line: &'static str,
    told: &'static str,
) -> Mistake {
    Mistake { sample, file, after, line, told }
}

#[rustfmt::skip]
const MISTAKES: [Mistake; 20] = [
    mistake("bots-arena-python", "bot.py", "def place_ships(match, dice):", "    [][3]", "bot.py\", line {}, in place_ships"),
    // C tells the signal alone, and C++ the exception.
    mistake("c", "bot.c", "static void place_fleet(FILE *out)\n{", "    abort();", "signal 6"),
    mistake("cpp", "bot.cpp", "std::mt19937& dice) {", "    std::string().at(dice() % 9 + 1);", "std::out_of_range"),
    // Mono tells lines only with `--debug`, which makes it slower.
    mistake("csharp", "Bot.cs", "string PlaceFleet()\n    {", "var none = new int[0]; none[3] = 1;", "at Bot.PlaceFleet "),
    mistake("executable", "bot.pl", "sub place_fleet {", "    die 'oh no';", "bot.pl line {}."),
    mistake("go", "main.go", "func placeFleet(size int, dice *rand.Rand) string {", "_ = []int{}[size]", "main.go:{} "),
    mistake("hunter", "src/placing.rs", "-> Option<Placement> {", "    assert_eq!(FLEETS, 0);", "src/placing.rs:{}:"),
    mistake("java", "Bot.java", "String placeFleet() {", "int[] none = {}; none[3] = 1;", "Bot.placeFleet(Bot.java:{})"),
    mistake("javascript", "bot.js", "function placeFleet(size, roll) {", "  null.oops;", "bot.js:{}"),
    mistake("kotlin", "Bot.kt", "fun placeFleet(): String {", "        listOf<Int>()[3]", "Bot.placeFleet(Bot.kt:{})"),
    mistake("lua", "bot.lua", "function place_fleet(size)", "  local none = size.x.y", "bot.lua:{}: attempt"),
    mistake("php", "bot.php", "function placeFleet(int $size): string\n{", "    $none[3];", "bot.php:{}"),
    mistake("python", "bot.py", "def place_fleet(size, dice):", "    [][3]", "bot.py\", line {}, in place_fleet"),
    mistake("random-python", "bot.py", "def place_fleet(size, dice):", "    [][3]", "bot.py\", line {}, in place_fleet"),
    mistake("ruby", "bot.rb", "def place_fleet(size, dice)", "  nil.oops", "bot.rb:{}:in "),
    mistake("rust", "src/main.rs", "dice: &mut Dice) -> String {", "    assert_eq!(size, 0);", "src/main.rs:{}:"),
    mistake("scala", "Bot.scala", "def placeFleet(): String = {", "    Seq.empty[Int].apply(3)", "(Bot.scala:{})"),
    mistake("sea-battle-node", "bot.js", "function placeFleet(dice) {", "  null.oops;", "bot.js:{}"),
    mistake("sea-battle-python", "bot.py", "def place_fleet(dice):", "    [][3]", "bot.py\", line {}, in place_fleet"),
    // Node.js runs the JavaScript that was made of it: the function stays, the number of the line does not.
    mistake("typescript", "bot.ts", "dice: Dice): string {", "  (undefined as any).oops;", "at placeFleet ("),
];

impl Mistake {
    /// Makes the mistake in a copy of the sample. Gives the words to expect.
    fn make(&self, bot: &Path) -> String {
        let path = bot.join(self.file);
        let text = fs::read_to_string(&path).unwrap();
        let at = text.find(self.after).unwrap_or_else(|| panic!("{} lacks {:?}", self.sample, self.after));
        let (before, rest) = text.split_at(at + self.after.len());
        fs::write(path, format!("{before}\n{}{rest}", self.line)).unwrap();
        self.told.replace("{}", &(before.lines().count() + 1).to_string())
    }

    fn is_told(&self) {
        let folder = tempfile::Builder::new().prefix("a mistake ").tempdir().unwrap();
        let (bot, out) = (folder.path().join("my bot"), folder.path().join("out"));
        copy(&top().join(self.sample), &bot);
        if !has_its_tools(&bot) {
            return;
        }
        let expected = self.make(&bot);
        let arguments: &[&str] = match self.sample {
            // A match of these games keeps no reports: `check` prints them.
            "bots-arena-python" => &["check", "--game", "bots-arena", "--limit", "60000"],
            "sea-battle-python" => &["check", "--game", "sea-battle", "--limit", "60000"],
            _ => &["play", "--size", "1", "--calibration", "20000", "--log", "out", "builtin:random", "-b"],
        };
        let done = broadside().current_dir(folder.path()).args(arguments).arg(&bot).output().unwrap();
        let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        let reports = WalkDir::new(&out).into_iter().filter_map(Result::ok);
        let reports = reports.filter(|entry| entry.file_name() == "report.txt");
        let mut reports: String = reports.map(|entry| fs::read_to_string(entry.path()).unwrap()).collect();
        if arguments[0] == "check" {
            reports += &said;
        }
        assert!(reports.contains(&expected), "{}: {expected} is not in {reports}{said}", self.sample);
        for blames in ["cannot read", "is broken"] {
            assert!(!reports.contains(blames), "{}: {reports}", self.sample);
        }
    }
}

/// A program that a user starts has no reports.
fn is_a_program(mistake: &Mistake) -> bool {
    mistake.sample != "sea-battle-node"
}

#[test]
fn an_error_in_the_code_of_a_bot_is_told_with_its_file_and_line() {
    let programs: Vec<&Mistake> = MISTAKES.iter().filter(|mistake| is_a_program(mistake)).collect();
    for sample in samples() {
        assert!(programs.iter().any(|mistake| sample.ends_with(mistake.sample)), "{sample:?} has no mistake here");
    }
    thread::scope(|scope| {
        for first in 0..2 {
            let share = programs.iter().skip(first).step_by(2);
            scope.spawn(move || share.for_each(|mistake| mistake.is_told()));
        }
    });
}

/// A web service from this folder, which has answered these requests: their answers, and its standard error.
fn served(bot: &Path, tool: &Path, file: &str, requests: &[(&str, &str)]) -> (Vec<String>, String) {
    let mut command = Command::new(tool);
    command.arg(bot.join(file)).arg("0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut service = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(service.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line:?}")).to_owned();
    let answer = |&(path, body): &(&str, &str)| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        let head = head + "Content-Type: application/json\r\n";
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answers = requests.iter().map(answer).collect();
    service.kill().unwrap();
    let said = service.wait_with_output().unwrap().stderr;
    (answers, String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_web_service_answers_500_and_tells_the_line_of_an_error_in_its_code() {
    let board = r#""width":10,"height":10,"ship1":0,"ship2":1,"ship3":0,"ship4":0,"ship5":0,"ship6":0"#;
    let arena = format!(r#"{{"action":"init","game-id":"g","player-index":0,"board":{{{board}}}}}"#);
    let services = [
        ("bots-arena-python", "python3", arena.as_str()),
        ("sea-battle-python", "python3", r#"{"gameId":"m","boardSize":10}"#),
        ("sea-battle-node", "node", r#"{"gameId":"m","boardSize":10}"#),
    ];
    for (sample, tool, request) in services {
        let Some(tool) = test_tools::required(tool) else { continue };
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("my bot");
        copy(&top().join(sample), &bot);
        let mistake = MISTAKES.iter().find(|mistake| mistake.sample == sample).unwrap();
        let expected = mistake.make(&bot);
        let requests = [("/placement", "{\"gameId"), ("/placement", request), ("/placement", request)];
        let (answers, said) = served(&bot, &tool, mistake.file, &requests);
        let statuses: Vec<&str> = answers.iter().map(|answer| answer.split(' ').nth(1).unwrap()).collect();
        assert_eq!(statuses, ["400", "500", "500"], "{sample}: {answers:?} {said}");
        assert_eq!(said.matches(&expected).count(), 2, "{sample}: {expected} is not in {said}");
    }
}

#[test]
fn a_file_of_the_turn_that_cannot_be_read_is_told_in_one_line() {
    let scripts = [
        ("python", "python3", "bot.py"),
        ("random-python", "python3", "bot.py"),
        ("javascript", "node", "bot.js"),
        ("ruby", "ruby", "bot.rb"),
        ("php", "php", "bot.php"),
        ("lua", "lua5.4", "bot.lua"),
        ("executable", "perl", "bot.pl"),
    ];
    for (sample, tool, file) in scripts {
        let Some(tool) = test_tools::required(tool) else { continue };
        let folder = tempfile::tempdir().unwrap();
        for broken in [None, Some("{\"Phase\":")] {
            if let Some(text) = broken {
                fs::write(folder.path().join("state.json"), text).unwrap();
                fs::write(folder.path().join("map.txt"), text).unwrap();
            }
            let program = top().join(sample).join(file);
            let done = Command::new(&tool).arg(program).arg("A").arg(folder.path()).output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr);
            let is_named = said.contains("state.json") || said.contains("map.txt");
            assert!(!done.status.success() && said.lines().count() == 1 && is_named, "{sample}, {broken:?}: {said}");
        }
    }
}
