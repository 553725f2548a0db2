//! The time of a turn of a bot that stays, beside its floor: `cargo bench -p players --bench stay_latency`.
//!
//! The bot is `bots/c`, which answers within microseconds. The floor is the same process behind two pipes, which is never stopped:
//! the same files are written, the same line is exchanged and the same answer is read and removed, with nothing else in between.
//! Both take turns by turns, without a sandbox, in a strict one, and with a new process for every turn. Prints the medians and the
//! 99th percentiles in microseconds, and how many times the floor they are.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use arena::folder::MatchFolder;
use arena::{Interrupt, Limits};
use players::process::{Allowance, Launch, PerRound, Sandbox, Staying};
use players::{Manifest, Tools, Transport};
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Order, Settings};
use rules::{Answers, Dialect, FolderMessage, Game, Listed, Part, PlayerInfo, Seat};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const TURNS: usize = 2000;
/// A new process for every turn takes longer.
const TURNS_PER_ROUND: usize = 300;

fn main() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/c");
    let bot = tempfile::tempdir().unwrap();
    for name in ["bot.c", "bot.json"] {
        fs::copy(sources.join(name), bot.path().join(name)).unwrap();
    }
    let compiled = Command::new("cc").args(["-O2", "-o", "bot", "bot.c"]).current_dir(bot.path()).status().unwrap();
    assert!(compiled.success());
    let message = second_phase();
    let limits = Some(Limits::with_extra(Duration::from_secs(10)));
    let launch = || Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
    let sandbox = Sandbox::start().unwrap();
    let confined = |launch: Launch, folder: &MatchFolder| {
        launch.confined(&sandbox, Some(folder.path()), &[], Allowance::DEFAULT, limits.map(Limits::kill)).unwrap()
    };
    let roots = [(); 4].map(|()| tempfile::tempdir().unwrap());
    let folders = roots.each_ref().map(|root| Arc::new(MatchFolder::create(root.path()).unwrap()));
    let interrupt = || Interrupt::new().unwrap();
    let stays =
        |launch, folder: &Arc<MatchFolder>| Staying::new(launch, Arc::clone(folder), limits, false, interrupt());
    let mut plain = stays(launch(), &folders[0]);
    let mut strict = stays(confined(launch(), &folders[1]), &folders[1]);
    let anew =
        |launch, folder: &Arc<MatchFolder>| PerRound::new(launch, Arc::clone(folder), limits, false, interrupt());
    let mut per_round = anew(launch().per_round(), &folders[2]);
    let mut per_round_strict = anew(confined(launch().per_round(), &folders[3]), &folders[3]);
    let mut bare = Bare::start(bot.path());

    let ask = |transport: &mut dyn Transport<FolderMessage>| {
        let delivery = transport.exchange(Seat::A, &message).unwrap();
        assert!(delivery.fault.is_none() && delivery.parts.len() == 1);
    };
    let mut times = [const { Vec::new() }; 5];
    for turn in 0..=TURNS {
        let mut timed = |way: usize, turn_of: &mut dyn FnMut()| {
            let start = Instant::now();
            turn_of();
            if turn > 0 {
                times[way].push(start.elapsed());
            }
        };
        timed(0, &mut || bare.turn(&message));
        timed(1, &mut || ask(&mut plain));
        timed(2, &mut || ask(&mut strict));
        if turn <= TURNS_PER_ROUND {
            timed(3, &mut || ask(&mut per_round));
            timed(4, &mut || ask(&mut per_round_strict));
        }
    }
    println!("one turn of bots/c on 10 x 10 in microseconds: median, 99th percentile, times the floor");
    let names = ["floor: bare pipes", "stays", "stays, strict sandbox", "per round", "per round, strict sandbox"];
    let floor = percentiles(&mut times[0].clone());
    for (name, times) in names.into_iter().zip(&mut times) {
        let of = percentiles(times);
        println!("{name:<26}{:9.1}{:9.1}{:7.2}{:7.2}", of[0], of[1], of[0] / floor[0], of[1] / floor[1]);
    }
}

/// The bot behind two pipes.
struct Bare {
    bot: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
}

impl Bare {
    fn start(bot: &Path) -> Bare {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(bot.join("bot"));
        command.arg("A").arg(folder.path()).env("BROADSIDE_STAY", "1");
        let mut bot = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (bot.stdin.take().unwrap(), BufReader::new(bot.stdout.take().unwrap()));
        Bare { bot, stdin, stdout, folder }
    }

    fn turn(&mut self, message: &FolderMessage) {
        for part in &message.files {
            fs::write(self.folder.path().join(part.name), &part.bytes).unwrap();
        }
        writeln!(self.stdin, "{}", message.line).unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let answer = self.folder.path().join("command.txt");
        assert!(line.trim_end() == message.line && !fs::read(&answer).unwrap().is_empty());
        for name in message.files.iter().map(|part| part.name).chain(["command.txt"]) {
            fs::remove_file(self.folder.path().join(name)).unwrap();
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.bot.kill().unwrap();
        self.bot.wait().unwrap();
    }
}

/// The question of the first round of the second phase.
fn second_phase() -> FolderMessage {
    let files = Files::new(["Alpha", "Bravo"].map(PlayerInfo::named).into_iter().collect());
    let mut game = Entelect2017::start(&Settings::default(), 2, 0).unwrap();
    let fleet = "Carrier 1 0 east\nBattleship 0 1 east\nCruiser 4 1 east\nSubmarine 0 2 east\nDestroyer 3 2 east\n";
    let place = Part { name: "place.txt", bytes: fleet.into() };
    let answers: Answers<Order> =
        [Seat::A, Seat::B].into_iter().map(|seat| (seat, game.read(std::slice::from_ref(&place)))).collect();
    game.advance(answers);
    files.ask(Seat::A, &game.view(Seat::A))
}

/// The median and the 99th percentile, in microseconds.
fn percentiles(times: &mut [Duration]) -> [f64; 2] {
    times.sort();
    [50, 99].map(|percent| times[times.len() * percent / 100].as_secs_f64() * 1e6)
}
