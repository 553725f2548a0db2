//! Doing what a script says.

use crate::{CAME, Round, Step, child, fuzz, machine};
use rustix::event::{Timespec, poll};
use rustix::process::{Signal, getpid, kill_process};
use rustix::time::{ClockId, clock_gettime};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;
use std::{env, fs};
use walkdir::WalkDir;

/// A legal fleet on every map.
const FLEET: &str = "Carrier 0 0 east\nBattleship 0 1 east\nCruiser 0 2 east\nSubmarine 0 3 east\nDestroyer 0 4 east\n";

impl Step {
    /// Does the step.
    ///
    /// # Errors
    /// The error of the system.
    pub fn act(&self, round: &Round) -> io::Result<()> {
        let path = |name: &Path| match name.as_os_str().is_empty() {
            true => round.folder.clone(),
            false => round.folder.join(name),
        };
        match self {
            Step::Place => fs::write(path("place.txt".as_ref()), FLEET),
            Step::Fire => fs::write(path("command.txt".as_ref()), round.shot()),
            Step::Answer => line(&mut io::stdout(), round.answer().to_string().as_bytes()),
            Step::Try(step) => {
                let came = step.act(round).map_or_else(|error| error.to_string(), |()| "done".to_owned());
                writeln!(io::stdout(), "{CAME}{came}")
            }
            Step::Write(name, text) => fs::write(path(name), text),
            Step::Huge(name, mib) => fs::File::create(path(name))?.write_at(b"!", (mib << 20) - 1).map(|_| ()),
            Step::Fill(name, mib) => fill(&path(name), *mib),
            Step::Litter(name, count) => litter(&path(name), *count),
            Step::Link(name, target) => symlink(target, path(name)),
            Step::Mkdir(name) => fs::create_dir(path(name)),
            Step::Fifo(name) => {
                use rustix::fs::{CWD, FileType, Mode, mknodat};
                Ok(mknodat(CWD, path(name), FileType::Fifo, Mode::from_raw_mode(0o666), 0)?)
            }
            Step::Vanish => fs::remove_dir_all(&round.folder),
            Step::Files(name, count) => {
                let folder = path(name);
                fs::create_dir_all(&folder)?;
                (0..*count).try_for_each(|number| fs::write(folder.join(number.to_string()), ""))
            }
            Step::Remove(name) => fs::remove_file(path(name)),
            Step::Read(name) => machine::read(&path(name)),
            Step::Look(name) => fs::metadata(path(name)).map(|_| ()),
            Step::Close(name) => fs::set_permissions(path(name), fs::Permissions::from_mode(0o000)),
            Step::Setuid(name) => {
                fs::File::options().write(true).create(true).truncate(true).mode(0o4755).open(path(name)).map(|_| ())
            }
            Step::Variable(name) => env::var_os(name).map(|_| ()).ok_or_else(|| io::Error::other("it is not set")),
            Step::Snoop => machine::read(Path::new(&format!("/proc/{}/environ", std::os::unix::process::parent_id()))),
            Step::Say(text, false) => line(&mut io::stdout(), text),
            Step::Say(text, true) => line(&mut io::stderr(), text),
            Step::Flood(bytes, false) => flood(&mut io::stdout(), *bytes),
            Step::Flood(bytes, true) => flood(&mut io::stderr(), *bytes),
            Step::Mute => {
                let nowhere = fs::File::options().write(true).open("/dev/null")?;
                rustix::stdio::dup2_stdout(&nowhere)?;
                Ok(rustix::stdio::dup2_stderr(&nowhere)?)
            }
            Step::Args(name) => {
                let arguments: Vec<String> = env::args().collect();
                let seed = env::var("BROADSIDE_SEED").unwrap_or_default();
                let text = serde_json::json!({ "arguments": arguments, "folder": env::current_dir()?, "seed": seed });
                fs::write(path(name), text.to_string())
            }
            Step::List(name) => {
                let root = round.root().ok_or(io::ErrorKind::NotFound)?;
                let files = WalkDir::new(root).into_iter().flatten().filter(|entry| entry.file_type().is_file());
                let names = files.filter_map(|file| Some(file.path().strip_prefix(root).ok()?.display().to_string()));
                fs::write(path(name), names.collect::<Vec<_>>().join("\n"))
            }
            Step::Exit(status) => std::process::exit(*status),
            Step::Signal(number) => {
                let signal = Signal::from_named_raw(*number).ok_or(io::ErrorKind::InvalidInput)?;
                kill_process(getpid(), signal)?;
                // Rust's own handler of SIGSEGV takes the first one for an accident.
                Ok(kill_process(getpid(), signal)?)
            }
            Step::Pid(name) => fs::write(name, std::process::id().to_string()),
            Step::Wake(ms) => machine::wake(*ms),
            Step::Doze(us) => machine::doze(*us),
            Step::Restless => child::restless(round),
            Step::Deafen => {
                machine::deafen();
                Ok(())
            }
            Step::Hang => loop {
                // Nothing is polled, so this lasts until a signal.
                let _ = poll(&mut [], None);
            },
            Step::Once(name) => Ok(std::fs::File::create_new(name).map(|_| ())?),
            Step::Rest(ms) => {
                let span = Timespec { tv_sec: i64::from(ms / 1000), tv_nsec: i64::from(ms % 1000 * 1_000_000) };
                Ok(poll(&mut [], Some(&span)).map(|_| ())?)
            }
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
            Step::Fuzz(ms, target) => fuzz::fuzz(round, Duration::from_millis(*ms), target),
            Step::Child => child::again(round, "child").map(|_| ()),
            // The child of a child that ends at once is an orphan.
            Step::Daemon => child::again(round, "daemon")?.wait_with_output().map(|_| ()),
            Step::BareDaemon => child::again(round, "bare-daemon")?.wait_with_output().map(|_| ()),
            Step::Bomb => child::bomb(round, child::DEPTH),
            Step::Linger => child::again(round, &format!("linger={}", round.number)).map(|_| ()),
            Step::Juggle(false) => child::juggle_in_a_thread(round),
            Step::Juggle(true) => child::juggle_in_a_child(round),
            Step::Join => machine::join(),
            Step::KillEngine => machine::kill_engine(),
            Step::Other(attack) => machine::attack_other(*attack, round),
            Step::Tcp => machine::tcp(),
            Step::Unix(name) => machine::unix(&path(name)),
            Step::Memory(mib, kind) => machine::memory(*mib, *kind),
            Step::Map(mib) => machine::map(*mib),
            Step::Behind(step) => machine::behind(step, round),
            Step::LockLimit(limit) => machine::lock_limit(*limit),
            Step::Sleep(seconds) => machine::sleep(seconds),
            Step::Work(step) => machine::work(step, round),
            Step::Pin(processor) => machine::pin(*processor),
            Step::Sockets(count) => machine::sockets(*count),
            Step::Call(name, arguments) => machine::call(name, arguments),
            Step::Threads(count) => machine::threads(*count),
            Step::Open(count) => machine::open(*count),
        }
    }
}

fn line(stream: &mut dyn Write, text: &[u8]) -> io::Result<()> {
    stream.write_all(&[text, b"\n"].concat())?;
    stream.flush()
}

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

fn fill(path: &Path, mib: u64) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    let chunk = vec![1; 1 << 20];
    (0..mib).try_for_each(|_| file.write_all(&chunk))
}

/// Every folder is made in the outermost one and moved into the one made before, so that no path grows long.
fn litter(path: &Path, count: u32) -> io::Result<()> {
    let new = path.with_extension("new");
    fs::create_dir(path)?;
    for _ in 1..count {
        fs::create_dir(&new)?;
        fs::rename(path, new.join("x"))?;
        fs::rename(&new, path)?;
    }
    Ok(())
}
