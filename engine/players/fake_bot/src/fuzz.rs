//! System calls with hostile arguments.

use crate::Round;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Numbers of system calls from 0 to this one.
const NUMBERS: u64 = 600;
/// Threads, of which some wait for something that never comes.
const THREADS: u64 = 8;
/// System calls that end the process or take its memory away: they are made, but not often.
const FATAL: [i64; 22] = [
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_mmap,
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_setitimer,
    libc::SYS_timer_settime,
    libc::SYS_prlimit64,
    // Probes of the kernel's own, which answer anybody else with SIGILL.
    335,
    336,
];

/// Calls every system call there may be, again and again, for so long. Arguments name `target` and files in it.
pub(crate) fn fuzz(round: &Round, time: Duration, target: &Path) -> io::Result<()> {
    let end = Instant::now() + time;
    let paths = paths(round, target);
    for thread in 0..THREADS {
        let mut caller = Caller::new(u64::from(round.number) * THREADS + thread, paths.clone());
        thread::spawn(move || {
            loop {
                caller.call();
            }
        });
    }
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        // The handlers of signals may have changed.
        thread::park_timeout(left);
    }
    Ok(())
}

/// Paths that a bot would like to change, read or enter.
fn paths(round: &Round, target: &Path) -> Vec<CString> {
    let beside = [target.to_owned(), target.join("canary"), target.join("new"), target.join("empty")];
    let up = [
        "..",
        "../..",
        "../../canary",
        "/",
        "/proc/1/root",
        "/proc/1/mem",
        "/proc/self/mem",
        "/dev/shm/new",
        "/tmp/new",
    ];
    let own = [round.folder.clone(), round.folder.join("mine"), PathBuf::from("mine")];
    let all = beside.into_iter().chain(up.map(PathBuf::from)).chain(own);
    all.filter_map(|path| CString::new(path.as_os_str().as_bytes()).ok()).collect()
}

struct Caller {
    state: u64,
    paths: Vec<CString>,
    memory: Vec<i64>,
}

impl Caller {
    fn new(seed: u64, paths: Vec<CString>) -> Caller {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut caller = Caller { state, paths, memory: vec![0; 4096] };
        for at in 0..caller.memory.len() {
            caller.memory[at] = caller.argument();
        }
        caller
    }

    /// Xorshift.
    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn argument(&mut self) -> i64 {
        let random = self.random();
        let small = (random >> 8) as i64;
        match random % 12 {
            0 => 0,
            1 => -1,
            2 => i64::from(libc::AT_FDCWD),
            3 | 4 => self.paths[small as usize % self.paths.len()].as_ptr() as i64,
            5 | 6 => self.memory.as_ptr() as i64 + (small & 0x3FF8),
            7 => small & 0x1F,
            8 => 1 << (small & 0x3F),
            9 => i64::from(std::process::id()),
            10 => small & 0xFFFF,
            _ => random as i64,
        }
    }

    #[expect(unsafe_code, reason = "any system call with any arguments: the process has nothing to lose")]
    fn call(&mut self) {
        let number = (self.random() % (NUMBERS + 1)) as i64;
        if FATAL.contains(&number) && !self.random().is_multiple_of(4096) {
            return;
        }
        let [a, b, c, d, e, f] = std::array::from_fn(|_| self.argument());
        // SAFETY: none. Whatever the kernel does to this process is what the test is for.
        unsafe { libc::syscall(number, a, b, c, d, e, f) };
    }
}
