//! The steps of a script.

use crate::Round;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// One step of a script. NAME and PATH are relative to the folder of the round, and an empty one (`""`) is that folder;
/// `\n` and `\xHH` in them and in TEXT are bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `place`: a legal place.txt.
    Place,
    /// `fire`: a single shot at a cell that differs from round to round.
    Fire,
    /// `answer`: a line with the answer to a question in JSON: legal ships, or a shot at one cell after the other.
    Answer,
    /// `try STEP`: does the step, and tells what came of it on standard output: `done`, or the error.
    Try(Box<Step>),
    /// `write PATH TEXT`: a file. A PATH with spaces is put in quotation marks.
    Write(PathBuf, Vec<u8>),
    /// `huge NAME MIB`: a file of so many MiB, all of it a hole.
    Huge(PathBuf, u64),
    /// `fill NAME MIB`: a file of so many MiB, or of as many as there is space for, on the disk.
    Fill(PathBuf, u64),
    /// `litter NAME COUNT`: so many folders, one in the other.
    Litter(PathBuf, u32),
    /// `link NAME TARGET`: a symbolic link.
    Link(PathBuf, PathBuf),
    /// `mkdir NAME`: a folder.
    Mkdir(PathBuf),
    /// `fifo NAME`: a named pipe.
    Fifo(PathBuf),
    /// `vanish`: removes the folder of the round.
    Vanish,
    /// `files PATH COUNT`: so many empty files in a folder.
    Files(PathBuf, u32),
    /// `remove PATH`: removes a file.
    Remove(PathBuf),
    /// `read PATH`: the beginning of a file, or of the first file in a folder. Fails where there is nothing to read.
    Read(PathBuf),
    /// `look PATH`: fails where nothing is, or where it may not be known what is.
    Look(PathBuf),
    /// `close PATH`: takes all rights to a file or folder away.
    Close(PathBuf),
    /// `setuid PATH`: a file that runs with the rights of its owner.
    Setuid(PathBuf),
    /// `variable NAME`: fails where the environment has none of that name.
    Variable(String),
    /// `snoop`: the environment of the engine.
    Snoop,
    /// `say TEXT`, `moan TEXT`: a line on standard output, or error.
    Say(Vec<u8>, bool),
    /// `flood BYTES`, `flood-err BYTES`: so many bytes without a line end.
    Flood(u64, bool),
    /// `mute`: closes both streams.
    Mute,
    /// `args NAME`: a file with arguments, working directory and environment.
    Args(PathBuf),
    /// `list NAME`: a file with all files of the match, as paths relative to its folder.
    List(PathBuf),
    /// `once NAME`: a new file in its own folder. Fails where there is one.
    Once(PathBuf),
    /// `exit STATUS`.
    Exit(i32),
    /// `pid NAME`: its number, in a file in its own folder.
    Pid(PathBuf),
    /// `wake MS`: lets itself go on again and again after so long, wherever it is stopped (a timer that sends SIGCONT).
    Wake(u32),
    /// `doze MICROSECONDS`: stops itself; when it is woken, it uses the processor for so long, and stops itself again.
    Doze(u32),
    /// `restless`: a child that uses the processor without end, and lets itself go on as `wake` does.
    Restless,
    /// `signal NUMBER`: to itself, twice.
    Signal(i32),
    /// `deafen`: ignores all signals that can be ignored.
    Deafen,
    /// `hang`: for ever, in the kernel.
    Hang,
    /// `rest MS`: waits for so long, in the kernel.
    Rest(u32),
    /// `spin MS`: uses so much processor time.
    Spin(u64),
    /// `pin PROCESSOR`: runs on this processor only.
    Pin(usize),
    /// `child`: a child in its own process group that holds the streams open, and hangs.
    Child,
    /// `daemon`: the same in a session of its own, as an orphan, with its number in the file `daemon.pid`.
    Daemon,
    /// `bare-daemon`: the same without any variables in its environment.
    BareDaemon,
    /// `bomb`: children that have children, five deep: 62 processes, every second one in a session of its own.
    Bomb,
    /// `linger`: a child that writes an order into the folder of the next round, again and again.
    Linger,
    /// `juggle`, `juggle-child`: a thread or a child puts a new command.txt in the place of the old one without end.
    Juggle(bool),
    /// `join`: moves to the process group of the engine.
    Join,
    /// `kill-engine`: with SIGKILL.
    KillEngine,
    /// `kill-other`, `trace-other`: the bot of the other seat, which is waited for while this bot has time.
    Other(Attack),
    /// `tcp`: listens and connects to itself on the loopback.
    Tcp,
    /// `unix NAME`: the same with a socket in the file system.
    Unix(PathBuf),
    /// `allocate MIB`, `share MIB`, `hoard MIB`, `grow MIB`: memory that it uses.
    Memory(u64, Memory),
    /// `map MIB`: files of 32 MiB in its own folder, as shared memory that it writes to.
    Map(u64),
    /// `behind STEP`: does the step in a second thread, while the first one ends.
    Behind(Box<Step>),
    /// `lock-limit NUMBER`: lowers its resource limit `RLIMIT_LOCKS`.
    LockLimit(u64),
    /// `sleep SECONDS`: becomes the program `sleep`, with nothing in its environment.
    Sleep(String),
    /// `work STEP`: does the step in a second thread, and waits for it.
    Work(Box<Step>),
    /// `sockets COUNT`: pairs of sockets with full buffers.
    Sockets(u32),
    /// `call NAME ARGUMENT …`: a system call with numbers for arguments.
    Call(String, Vec<i64>),
    /// `fuzz MS PATH`: every system call with hostile arguments, such as this path, for so long.
    Fuzz(u64, PathBuf),
    /// `threads COUNT`: that hang.
    Threads(u32),
    /// `open COUNT`: so many open files.
    Open(u32),
}

/// A kind of memory to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The process's own.
    Private,
    /// Such as children would share, which no limit of the process counts.
    Shared,
    /// Such as grows by itself (MAP_GROWSDOWN), which counts as stack.
    Growing,
    /// Shared memory that the process has given back (MADV_DONTNEED), so that its resident memory does not have it.
    Hidden,
}

/// An act on another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attack {
    /// SIGKILL.
    Kill,
    /// Becoming its tracer.
    Trace,
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
    let (first, second) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(path, text)| (path, text.strip_prefix(' ').unwrap_or(text)))?,
        None => rest.split_once(' ').unwrap_or((rest, "")),
    };
    Some(match word {
        "place" => Step::Place,
        "fire" => Step::Fire,
        "answer" => Step::Answer,
        "try" => Step::Try(Box::new(step(rest)?)),
        "write" => Step::Write(path(first), unescape(second)),
        "huge" => Step::Huge(path(first), second.parse().ok()?),
        "fill" => Step::Fill(path(first), second.parse().ok()?),
        "litter" => Step::Litter(path(first), second.parse().ok()?),
        "link" => Step::Link(path(first), path(second)),
        "mkdir" => Step::Mkdir(path(first)),
        "fifo" => Step::Fifo(path(rest)),
        "vanish" => Step::Vanish,
        "files" => Step::Files(path(first), second.parse().ok()?),
        "remove" => Step::Remove(path(first)),
        "read" => Step::Read(path(rest)),
        "look" => Step::Look(path(rest)),
        "close" => Step::Close(path(rest)),
        "lock-limit" => Step::LockLimit(rest.parse().ok()?),
        "sleep" => Step::Sleep(rest.to_owned()),
        "setuid" => Step::Setuid(path(rest)),
        "variable" => Step::Variable(rest.to_owned()),
        "snoop" => Step::Snoop,
        "say" => Step::Say(unescape(rest), false),
        "moan" => Step::Say(unescape(rest), true),
        "flood" => Step::Flood(rest.parse().ok()?, false),
        "flood-err" => Step::Flood(rest.parse().ok()?, true),
        "mute" => Step::Mute,
        "args" => Step::Args(path(rest)),
        "list" => Step::List(path(rest)),
        "once" => Step::Once(path(rest)),
        "exit" => Step::Exit(rest.parse().ok()?),
        "signal" => Step::Signal(rest.parse().ok()?),
        "pid" => Step::Pid(path(rest)),
        "wake" => Step::Wake(rest.parse().ok()?),
        "doze" => Step::Doze(rest.parse().ok()?),
        "restless" => Step::Restless,
        "deafen" => Step::Deafen,
        "hang" => Step::Hang,
        "rest" => Step::Rest(rest.parse().ok()?),
        "spin" => Step::Spin(rest.parse().ok()?),
        "pin" => Step::Pin(rest.parse().ok()?),
        "work" => Step::Work(Box::new(self::step(rest)?)),
        "child" => Step::Child,
        "daemon" => Step::Daemon,
        "bare-daemon" => Step::BareDaemon,
        "bomb" => Step::Bomb,
        "linger" => Step::Linger,
        "juggle" => Step::Juggle(false),
        "juggle-child" => Step::Juggle(true),
        "join" => Step::Join,
        "kill-engine" => Step::KillEngine,
        "kill-other" => Step::Other(Attack::Kill),
        "trace-other" => Step::Other(Attack::Trace),
        "tcp" => Step::Tcp,
        "unix" => Step::Unix(path(rest)),
        "allocate" => Step::Memory(rest.parse().ok()?, Memory::Private),
        "share" => Step::Memory(rest.parse().ok()?, Memory::Shared),
        "hoard" => Step::Memory(rest.parse().ok()?, Memory::Hidden),
        "grow" => Step::Memory(rest.parse().ok()?, Memory::Growing),
        "map" => Step::Map(rest.parse().ok()?),
        "behind" => Step::Behind(Box::new(self::step(rest)?)),
        "sockets" => Step::Sockets(rest.parse().ok()?),
        "call" => {
            Step::Call(first.to_owned(), second.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?)
        }
        "fuzz" => {
            let (ms, target) = rest.split_once(' ')?;
            Step::Fuzz(ms.parse().ok()?, path(target))
        }
        "threads" => Step::Threads(rest.parse().ok()?),
        "open" => Step::Open(rest.parse().ok()?),
        _ => return None,
    })
}

fn path(text: &str) -> PathBuf {
    OsString::from_vec(unescape(text)).into()
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
