//! What a script can say.

use rustix::process::{Signal, getpid, kill_process, setsid};
use rustix::time::{ClockId, clock_gettime};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};
use walkdir::WalkDir;

/// The round a fake bot was started in.
#[derive(Debug, Clone)]
pub struct Round {
    /// The seat it sits in.
    pub key: String,
    /// Its folder for the round.
    pub folder: PathBuf,
    /// 1 or 2.
    pub phase: u32,
    /// Counted from 0.
    pub number: u32,
}

impl Round {
    /// From the two arguments of a bot.
    pub fn from_arguments(key: String, folder: PathBuf) -> Option<Round> {
        let name = folder.parent()?.file_name()?.to_str()?;
        let (phase, number) = name.strip_prefix("Phase ")?.split_once(" - Round ")?;
        Some(Round { key, phase: phase.parse().ok()?, number: number.parse().ok()?, folder })
    }
}

/// One step of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `place`: a legal place.txt.
    Place,
    /// `fire`: a single shot at a cell that differs from round to round.
    Fire,
    /// `write NAME TEXT`: a file in the folder of the round; `\n` and `\xHH` in the text are bytes.
    Write(String, Vec<u8>),
    /// `huge NAME MIB`: a file of so many MiB.
    Huge(String, u64),
    /// `link NAME TARGET`: a symbolic link in the folder of the round.
    Link(String, String),
    /// `mkdir NAME`: a folder in the folder of the round.
    Mkdir(String),
    /// `fifo NAME`: a named pipe in the folder of the round.
    Fifo(String),
    /// `vanish`: removes the folder of the round.
    Vanish,
    /// `say TEXT`, `moan TEXT`: a line on standard output, or error.
    Say(String, bool),
    /// `flood BYTES`, `flood-err BYTES`: so many bytes without a line end.
    Flood(u64, bool),
    /// `args NAME`: a file with arguments, working directory and environment.
    Args(String),
    /// `list NAME`: a file with all files of the match, as paths relative to its folder.
    List(String),
    /// `exit STATUS`.
    Exit(i32),
    /// `signal NUMBER`: to itself.
    Signal(i32),
    /// `hang`: for ever, in the kernel.
    Hang,
    /// `spin MS`: uses so much processor time.
    Spin(u64),
    /// `child`: a child in its own process group that holds the streams open, and hangs.
    Child,
    /// `daemon`: the same in a session of its own, as an orphan, with its number in the file `daemon.pid`.
    Daemon,
}

/// The steps of `script` for `round`.
///
/// # Errors
/// A line that makes no sense.
pub fn parse(script: &str, round: &Round) -> Result<Vec<Step>, String> {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    let ours = lines.filter_map(|line| match line.split_once(": ") {
        Some(("1", rest)) => (round.phase == 1).then_some(rest),
        Some(("2", rest)) => (round.phase == 2).then_some(rest),
        Some((number, rest)) if number.strip_prefix('r').is_some_and(|n| n.parse::<u32>().is_ok()) => {
            (number[1..].parse() == Ok(round.number)).then_some(rest)
        }
        _ => Some(line),
    });
    ours.map(|line| step(line).ok_or_else(|| format!("not understood: {line}"))).collect()
}

fn step(line: &str) -> Option<Step> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let two = || rest.split_once(' ').map(|(a, b)| (a.to_owned(), b));
    Some(match word {
        "place" => Step::Place,
        "fire" => Step::Fire,
        "write" => {
            two().or_else(|| Some((rest.to_owned(), ""))).map(|(name, text)| Step::Write(name, unescape(text)))?
        }
        "huge" => two().and_then(|(name, mib)| Some(Step::Huge(name, mib.parse().ok()?)))?,
        "link" => two().map(|(name, target)| Step::Link(name, target.to_owned()))?,
        "mkdir" => Step::Mkdir(rest.to_owned()),
        "fifo" => Step::Fifo(rest.to_owned()),
        "vanish" => Step::Vanish,
        "say" => Step::Say(rest.to_owned(), false),
        "moan" => Step::Say(rest.to_owned(), true),
        "flood" => Step::Flood(rest.parse().ok()?, false),
        "flood-err" => Step::Flood(rest.parse().ok()?, true),
        "args" => Step::Args(rest.to_owned()),
        "list" => Step::List(rest.to_owned()),
        "exit" => Step::Exit(rest.parse().ok()?),
        "signal" => Step::Signal(rest.parse().ok()?),
        "hang" => Step::Hang,
        "spin" => Step::Spin(rest.parse().ok()?),
        "child" => Step::Child,
        "daemon" => Step::Daemon,
        _ => return None,
    })
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        bytes.extend(plain.bytes());
        if let Some(after) = escaped.strip_prefix('n') {
            bytes.push(b'\n');
            rest = after;
        } else if let Some(byte) = escaped.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = &escaped[3..];
        } else {
            bytes.push(b'\\');
            rest = escaped;
        }
    }
    bytes.extend(rest.bytes());
    bytes
}

impl Step {
    /// Does it.
    ///
    /// # Errors
    /// What the system says.
    pub fn act(&self, round: &Round) -> io::Result<()> {
        let path = |name: &str| round.folder.join(name);
        match self {
            Step::Place => fs::write(path("place.txt"), FLEET),
            Step::Fire => {
                let n = round.number;
                fs::write(path("command.txt"), format!("1,{},{}\n", n % 7, n / 7 % 7))
            }
            Step::Write(name, text) => fs::write(path(name), text),
            Step::Huge(name, mib) => fs::File::create(path(name))?.write_at(b"!", mib * 1024 * 1024 - 1).map(|_| ()),
            Step::Link(name, target) => symlink(target, path(name)),
            Step::Mkdir(name) => fs::create_dir(path(name)),
            Step::Fifo(name) => {
                use rustix::fs::{CWD, FileType, Mode, mknodat};
                Ok(mknodat(CWD, path(name), FileType::Fifo, Mode::from_raw_mode(0o666), 0)?)
            }
            Step::Vanish => fs::remove_dir_all(&round.folder),
            Step::Say(text, false) => writeln!(io::stdout(), "{text}"),
            Step::Say(text, true) => writeln!(io::stderr(), "{text}"),
            Step::Flood(bytes, false) => flood(&mut io::stdout(), *bytes),
            Step::Flood(bytes, true) => flood(&mut io::stderr(), *bytes),
            Step::Args(name) => {
                let arguments: Vec<String> = env::args().collect();
                let seed = env::var("BROADSIDE_SEED").unwrap_or_default();
                let text = serde_json::json!({ "arguments": arguments, "folder": env::current_dir()?, "seed": seed });
                fs::write(path(name), text.to_string())
            }
            Step::List(name) => {
                let root = round.folder.ancestors().nth(2).ok_or(io::ErrorKind::NotFound)?;
                let files = WalkDir::new(root).into_iter().flatten().filter(|entry| entry.file_type().is_file());
                let names = files.filter_map(|file| Some(file.path().strip_prefix(root).ok()?.display().to_string()));
                fs::write(path(name), names.collect::<Vec<_>>().join("\n"))
            }
            Step::Exit(status) => std::process::exit(*status),
            Step::Signal(number) => {
                let signal = Signal::from_named_raw(*number).ok_or(io::ErrorKind::InvalidInput)?;
                Ok(kill_process(getpid(), signal)?)
            }
            Step::Hang => loop {
                hang();
            },
            Step::Spin(ms) => {
                let used = || {
                    let time = clock_gettime(ClockId::ProcessCPUTime);
                    time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000
                };
                let end = used() + ms;
                while used() < end {
                    std::hint::spin_loop();
                }
                Ok(())
            }
            Step::Child => again(round, "child").map(|_| ()),
            // The child of a child that ends at once is an orphan.
            Step::Daemon => again(round, "daemon")?.wait_with_output().map(|_| ()),
        }
    }
}

/// A legal fleet on every map.
const FLEET: &str = "Carrier 0 0 east\nBattleship 0 1 east\nCruiser 0 2 east\nSubmarine 0 3 east\nDestroyer 0 4 east\n";

fn flood(stream: &mut dyn Write, bytes: u64) -> io::Result<()> {
    let chunk = [b'x'; 64 * 1024];
    let mut left = bytes;
    while left > 0 {
        let count = left.min(chunk.len() as u64) as usize;
        stream.write_all(&chunk[..count])?;
        left -= count as u64;
    }
    stream.flush()
}

fn hang() {
    // Nothing is polled, so this lasts until a signal.
    let _ = rustix::event::poll(&mut [], None);
}

/// Starts this program again as `what`.
fn again(round: &Round, what: &str) -> io::Result<std::process::Child> {
    Command::new(env::current_exe()?).arg(&round.key).arg(&round.folder).arg(what).stdin(Stdio::null()).spawn()
}

/// What the program does when it was started by [`Step::Child`] or [`Step::Daemon`].
///
/// # Errors
/// What the system says.
pub fn as_child(what: &str, round: &Round) -> io::Result<()> {
    match what {
        "daemon" => {
            let daemon = again(round, "daemonised")?;
            fs::write(Path::new("daemon.pid"), daemon.id().to_string())
        }
        "daemonised" => {
            setsid()?;
            Step::Hang.act(round)
        }
        _ => Step::Hang.act(round),
    }
}
