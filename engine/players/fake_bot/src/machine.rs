//! Acts of a fake bot on the machine and on other processes.

use crate::{Attack, Memory, Round, Step};
use rustix::process::{Pid, Resource, Rlimit, Signal, getpgid, getpid, getppid, kill_process, setpgid, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

pub(crate) fn read(path: &Path) -> io::Result<()> {
    let path = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().ok_or(io::ErrorKind::NotFound)??.path(),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => path.to_owned(),
        Err(error) => return Err(error),
    };
    let count = File::open(path)?.read(&mut [0; 64])?;
    if count > 0 { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn engine() -> io::Result<Pid> {
    getppid().ok_or_else(|| io::ErrorKind::NotFound.into())
}

pub(crate) fn kill_engine() -> io::Result<()> {
    Ok(kill_process(engine()?, Signal::KILL)?)
}

pub(crate) fn join() -> io::Result<()> {
    Ok(setpgid(None, Some(getpgid(Some(engine()?))?))?)
}

/// Looks for the other bot, which is known by its arguments, until it runs.
pub(crate) fn attack_other(attack: Attack, round: &Round) -> io::Result<()> {
    let folders = round.folders_of_other().ok_or(io::ErrorKind::NotFound)?;
    loop {
        for entry in fs::read_dir("/proc")? {
            let entry = entry?;
            let pid = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            // The helper that is about to become the bot has it among its arguments, too.
            let is_folder = |argument| folders.iter().any(|folder| folder.as_os_str().as_bytes() == argument);
            let is_other = arguments.split(|byte| *byte == 0).any(is_folder);
            if let Some(pid) = pid.filter(|_| is_other) {
                return match attack {
                    Attack::Kill => Ok(kill_process(pid, Signal::KILL)?),
                    Attack::Trace => trace(pid),
                };
            }
        }
        thread::yield_now();
    }
}

pub(crate) fn lock_limit(limit: u64) -> io::Result<()> {
    Ok(setrlimit(Resource::Locks, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}

#[expect(unsafe_code, reason = "rustix does not offer ptrace")]
fn trace(pid: Pid) -> io::Result<()> {
    let nothing = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the request reads and writes no memory.
    let result = unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid.as_raw_pid(), nothing, nothing) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[expect(unsafe_code, reason = "neither std nor rustix offers signal dispositions")]
pub(crate) fn deafen() {
    for signal in 1..32 {
        // SAFETY: to ignore a signal runs no code of ours.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

extern "C" fn heard(_signal: libc::c_int) {}

/// Makes a timer that sends SIGCONT, which lets a stopped process go on. Newer kernels stop timers whose signal nobody handles.
#[expect(unsafe_code, reason = "neither std nor rustix offers timers that send a signal")]
pub(crate) fn wake(ms: u32) -> io::Result<()> {
    let span = libc::timespec { tv_sec: i64::from(ms / 1000), tv_nsec: i64::from(ms % 1000 * 1_000_000) };
    let mut timer = std::ptr::null_mut();
    // SAFETY: all pointers are to live values of the right types, and all zeros are a sigevent.
    let made = unsafe {
        libc::signal(libc::SIGCONT, heard as *const () as libc::sighandler_t);
        let mut event: libc::sigevent = std::mem::zeroed();
        (event.sigev_notify, event.sigev_signo) = (libc::SIGEV_SIGNAL, libc::SIGCONT);
        let times = libc::itimerspec { it_interval: span, it_value: span };
        libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer) == 0
            && libc::timer_settime(timer, 0, &times, std::ptr::null_mut()) == 0
    };
    if made { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Uses the processor for so many microseconds between two stops of this process by itself.
pub(crate) fn doze(us: u32) -> io::Result<()> {
    kill_process(getpid(), Signal::STOP)?;
    let used = || Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    let end = used() + Duration::from_micros(us.into());
    while used() < end {
        std::hint::spin_loop();
    }
    Ok(kill_process(getpid(), Signal::STOP)?)
}

pub(crate) fn tcp() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    TcpStream::connect(listener.local_addr()?).map(|_| ())
}

pub(crate) fn unix(path: &Path) -> io::Result<()> {
    let _listener = UnixListener::bind(path)?;
    UnixStream::connect(path).map(|_| ())
}

/// Memory in pieces of 16 MiB, all of it written to, and kept.
#[expect(unsafe_code, reason = "neither std nor rustix offers shared memory without a file")]
pub(crate) fn memory(mib: u64, memory: Memory) -> io::Result<()> {
    const PIECE: usize = 16 << 20;
    let kind = libc::MAP_ANONYMOUS
        | match memory {
            Memory::Private => libc::MAP_PRIVATE,
            Memory::Growing => libc::MAP_PRIVATE | libc::MAP_GROWSDOWN,
            Memory::Shared | Memory::Hidden => libc::MAP_SHARED,
        };
    for _ in 0..mib.div_ceil(16) {
        // SAFETY: a new mapping where the kernel wants it, never unmapped; it is written to within its bounds.
        unsafe {
            let piece = libc::mmap(std::ptr::null_mut(), PIECE, libc::PROT_READ | libc::PROT_WRITE, kind, -1, 0);
            if piece == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            std::ptr::write_bytes(piece.cast::<u8>(), 1, PIECE);
            if memory == Memory::Hidden {
                libc::madvise(piece, PIECE, libc::MADV_DONTNEED);
            }
        }
    }
    Ok(())
}

pub(crate) fn threads(count: u32) -> io::Result<()> {
    for _ in 0..count {
        thread::Builder::new().stack_size(64 << 10).spawn(|| {
            loop {
                thread::park();
            }
        })?;
    }
    Ok(())
}

pub(crate) fn open(count: u32) -> io::Result<()> {
    let files: Result<Vec<File>, io::Error> = (0..count).map(|_| File::open("/dev/null")).collect();
    files.map(|_| ())
}

/// Files of 32 MiB, all of them mapped and written to, and kept.
#[expect(unsafe_code, reason = "neither std nor rustix maps files without unsafe code")]
pub(crate) fn map(mib: u64) -> io::Result<()> {
    const PIECE: usize = 32 << 20;
    for nth in 0..mib.div_ceil(32) {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(format!("mapped {nth}"))?;
        file.set_len(PIECE as u64)?;
        // SAFETY: a new mapping where the kernel wants it, never unmapped; it is written to within its bounds, and nobody
        // makes the file shorter.
        unsafe {
            let (rights, fd) = (libc::PROT_READ | libc::PROT_WRITE, file.as_raw_fd());
            let piece = libc::mmap(std::ptr::null_mut(), PIECE, rights, libc::MAP_SHARED, fd, 0);
            if piece == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            std::ptr::write_bytes(piece.cast::<u8>(), 1, PIECE);
        }
    }
    Ok(())
}

/// Does the step in a second thread and ends this one.
#[expect(unsafe_code, reason = "std ends the process with its first thread")]
pub(crate) fn behind(step: &Step, round: &Round) -> io::Result<()> {
    thread::scope(|scope| {
        scope.spawn(|| {
            // What comes of it is seen from outside.
            let _ = step.act(round);
            loop {
                thread::park();
            }
        });
        // SAFETY: ends this thread only, which holds nothing that the other one needs but the step, on a stack that stays.
        unsafe { libc::syscall(libc::SYS_exit, 0) };
        Err(io::Error::last_os_error())
    })
}

/// Does the step in a second thread.
pub(crate) fn work(step: &Step, round: &Round) -> io::Result<()> {
    let panicked = |_| Err(io::Error::other("the thread panicked"));
    thread::scope(|scope| scope.spawn(|| step.act(round)).join().unwrap_or_else(panicked))
}

/// Leaves all processors but one.
pub(crate) fn pin(processor: usize) -> io::Result<()> {
    let mut only = rustix::thread::CpuSet::new();
    only.set(processor);
    Ok(rustix::thread::sched_setaffinity(None, &only)?)
}

pub(crate) fn sockets(count: u32) -> io::Result<()> {
    let mut kept = Vec::new();
    for _ in 0..count {
        let (mut one, other) = UnixStream::pair()?;
        one.set_nonblocking(true)?;
        while one.write(&[0; 4096]).is_ok() {}
        kept.push((one, other));
    }
    std::mem::forget(kept);
    Ok(())
}

/// A system call by its name.
#[expect(unsafe_code, reason = "any system call")]
pub(crate) fn call(name: &str, arguments: &[i64]) -> io::Result<()> {
    let known = [
        ("clone", libc::SYS_clone),
        ("close_range", libc::SYS_close_range),
        ("fcntl", libc::SYS_fcntl),
        ("fanotify_init", libc::SYS_fanotify_init),
        ("inotify_init1", libc::SYS_inotify_init1),
        ("ioctl", libc::SYS_ioctl),
        ("mq_unlink", libc::SYS_mq_unlink),
        ("msgctl", libc::SYS_msgctl),
        ("prctl", libc::SYS_prctl),
        ("semctl", libc::SYS_semctl),
        ("sendmsg", libc::SYS_sendmsg),
        ("semtimedop", libc::SYS_semtimedop),
        ("unshare", libc::SYS_unshare),
    ];
    let number = known.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    let number = number.or_else(|| name.parse().ok()).ok_or(io::ErrorKind::InvalidInput)?;
    let argument = |at: usize| arguments.get(at).copied().unwrap_or_default();
    // SAFETY: the scripts of the tests give no addresses, so that the kernel reads and writes no memory.
    let result =
        unsafe { libc::syscall(number, argument(0), argument(1), argument(2), argument(3), argument(4), argument(5)) };
    if result >= 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Becomes `sleep`, with nothing in its environment.
pub(crate) fn sleep(seconds: &str) -> io::Result<()> {
    Err(Command::new("/bin/sleep").arg(seconds).env_clear().exec())
}
