//! The point of its program at which a process stands.

use super::bot_process::BotProcess;
use super::usage::processor_time_of_thread;
use std::cmp::Reverse;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The part of the stack that is looked through, in bytes.
const MOST_OF_STACK: usize = 64 << 10;
/// The number of bytes before a return address that are looked at: the longest call of x86-64 has seven.
const CALL: usize = 8;

/// The point at which a stopped process stands: that of its thread which has used most processor time.
#[derive(Debug)]
pub struct Position {
    /// The thing that it waits for in a system call, in words; `None` if it computes.
    pub waits_for: Option<String>,
    /// The path of the program, which is its interpreter if it has one.
    pub path: PathBuf,
    /// Its file.
    pub program: File,
    /// Places in that file, in bytes from its beginning: of the instruction that is next, if it is in the program itself and not in
    /// a library, and of the calls whose ends are awaited, the latest first. The stack has no marks, so what a function that has
    /// ended left there can be among these.
    pub places: Vec<u64>,
}

/// A part of the program that is in memory.
#[derive(Debug, PartialEq, Eq)]
struct Mapping {
    addresses: Range<u64>,
    /// Its place in the file.
    offset: u64,
}

impl BotProcess {
    /// Stops the process and looks where it stands. `None` if it does not stop, or the system does not let it be looked at.
    pub fn position(&mut self) -> Option<Position> {
        if !self.stop().is_ok_and(|stands| stands) {
            return None;
        }
        let process = PathBuf::from(format!("/proc/{}", self.pid().as_raw_pid()));
        let threads = fs::read_dir(process.join("task")).ok()?.flatten().map(|thread| thread.path());
        let busiest = threads.min_by_key(|thread| Reverse(processor_time_of_thread(thread)))?;
        position_of(&process, &busiest)
    }
}

fn position_of(process: &Path, thread: &Path) -> Option<Position> {
    let ThreadState { system_call, stack, next } =
        read_thread_state(&fs::read_to_string(thread.join("syscall")).ok()?)?;
    let link = process.join("exe");
    let name = fs::read_link(&link).ok()?;
    let mappings = code_of(name.to_str()?, &fs::read_to_string(process.join("maps")).ok()?);
    let memory = File::open(process.join("mem")).ok()?;
    let place = |address: u64| {
        let mapping = mappings.iter().find(|mapping| mapping.addresses.contains(&address))?;
        Some(address - mapping.addresses.start + mapping.offset)
    };
    let is_after_call = |address: &u64| {
        let mut before = [0; CALL];
        let start = address.checked_sub(CALL as u64);
        start.is_some_and(|start| memory.read_exact_at(&mut before, start).is_ok()) && ends_with_call(before)
    };
    let words = read_stack(&memory, stack);
    let calls = words.into_iter().filter(|word| place(*word).is_some()).filter(is_after_call);
    // A call is before the place to which it returns.
    let places = place(next).into_iter().chain(calls.filter_map(|address| place(address - 1))).collect();
    let waits_for = system_call.and_then(|(number, argument)| waits_for(number, argument));
    Some(Position { waits_for, path: name, program: File::open(link).ok()?, places })
}

/// The state of a stopped thread, as proc_pid_syscall(5) tells it.
#[derive(Debug, PartialEq, Eq)]
struct ThreadState {
    /// The number of the system call in which it waits, with the first argument.
    system_call: Option<(i64, u64)>,
    /// The address of the top of its stack.
    stack: u64,
    /// The address of the instruction that is next.
    next: u64,
}

fn read_thread_state(text: &str) -> Option<ThreadState> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let hexadecimal = |word: &&str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let [number, arguments @ .., stack, next] = words.as_slice() else { return None };
    let number: i64 = number.parse().ok()?;
    let argument = arguments.first().and_then(hexadecimal).filter(|_| number >= 0);
    let system_call = argument.map(|argument| (number, argument));
    Some(ThreadState { system_call, stack: hexadecimal(stack)?, next: hexadecimal(next)? })
}

/// The parts of the program at this path that can be executed, in proc_pid_maps(5).
fn code_of(program: &str, maps: &str) -> Vec<Mapping> {
    let read = |line: &str| {
        let mut fields = line.splitn(6, ' ');
        let (addresses, rights, offset) = (fields.next()?, fields.next()?, fields.next()?);
        let is_it = rights.contains('x') && line.ends_with(program) && fields.nth(2)?.trim_start() == program;
        let (start, end) = addresses.split_once('-').filter(|_| is_it)?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        Some(Mapping { addresses: number(start)?..number(end)?, offset: number(offset)? })
    };
    maps.lines().filter_map(read).collect()
}

/// The words of the stack from its top.
fn read_stack(memory: &File, top: u64) -> Vec<u64> {
    let mut bytes = vec![0; MOST_OF_STACK];
    // Fewer where the stack ends.
    let read = memory.read_at(&mut bytes, top).unwrap_or_default();
    bytes[..read].chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default())).collect()
}

/// True if the last instruction in these bytes can be a call.
#[cfg(target_arch = "x86_64")]
fn ends_with_call(before: [u8; CALL]) -> bool {
    // To a distance of four bytes, or FF with the second opcode 2 by register or memory (Intel SDM, "CALL").
    let by_distance = before[CALL - 5] == 0xE8;
    let by_memory = |length: usize| before[CALL - length] == 0xFF && (before[CALL - length + 1] >> 3) & 7 == 2;
    by_distance || [2, 3, 4, 6, 7].into_iter().any(by_memory)
}

/// True if the last instruction in these bytes can be a call.
#[cfg(target_arch = "aarch64")]
fn ends_with_call(before: [u8; CALL]) -> bool {
    let [.., a, b, c, d] = before;
    let instruction = u32::from_le_bytes([a, b, c, d]);
    // BL, and BLR (Arm ARM, C6.2).
    instruction >> 26 == 0b10_0101 || instruction & 0xFFFF_FC1F == 0xD63F_0000
}

/// No calls are known of this processor.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn ends_with_call(_: [u8; CALL]) -> bool {
    false
}

/// System calls that wait, with the thing that they wait for; `{}` is the descriptor that is their first argument.
const WAITS: [(libc::c_long, &str); 14] = [
    (libc::SYS_read, "it reads {} (read)"),
    (libc::SYS_write, "it writes to {} (write)"),
    (libc::SYS_futex, "it waits for another thread (futex)"),
    (libc::SYS_nanosleep, "it sleeps (nanosleep)"),
    (libc::SYS_clock_nanosleep, "it sleeps (nanosleep)"),
    (libc::SYS_wait4, "it waits for a process that it started (wait)"),
    (libc::SYS_waitid, "it waits for a process that it started (wait)"),
    (libc::SYS_recvfrom, "it reads a socket (recv)"),
    (libc::SYS_recvmsg, "it reads a socket (recv)"),
    (libc::SYS_accept4, "it waits for a connection (accept)"),
    (libc::SYS_flock, "it waits for the lock of a file (flock)"),
    (libc::SYS_ppoll, "it waits for events (poll)"),
    (libc::SYS_pselect6, "it waits for events (poll)"),
    (libc::SYS_epoll_pwait, "it waits for events (poll)"),
];
/// The same for those that newer processors do not have.
#[cfg(target_arch = "x86_64")]
const OLDER_WAITS: [(libc::c_long, &str); 5] = [
    (libc::SYS_poll, "it waits for events (poll)"),
    (libc::SYS_select, "it waits for events (poll)"),
    (libc::SYS_epoll_wait, "it waits for events (poll)"),
    (libc::SYS_accept, "it waits for a connection (accept)"),
    (libc::SYS_pause, "it waits for a signal (pause)"),
];
/// None of them.
#[cfg(not(target_arch = "x86_64"))]
const OLDER_WAITS: [(libc::c_long, &str); 0] = [];

/// The thing that a system call waits for, in words; `None` for calls that do not wait.
fn waits_for(number: i64, argument: u64) -> Option<String> {
    let (_, words) = WAITS.iter().chain(&OLDER_WAITS).find(|(call, _)| *call == number)?;
    let descriptor = if argument == 0 { "its standard input".to_owned() } else { format!("descriptor {argument}") };
    Some(words.replace("{}", &descriptor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_computes_or_waits_in_a_system_call() {
        let read = read_thread_state;
        let waits = ThreadState { system_call: Some((0, 3)), stack: 0x7f_fd10, next: 0x7f20 };
        assert_eq!(read("0 0x3 0x7f 0x1 0x0 0x0 0x0 0x7ffd10 0x7f20\n"), Some(waits));
        let computes = ThreadState { system_call: None, stack: 0x7f_fd10, next: 0x40_1000 };
        assert_eq!(read("-1 0x7ffd10 0x401000\n"), Some(computes));
        assert_eq!([read("running\n"), read("")], [None, None]);
    }

    #[test]
    fn the_code_of_a_program_is_found_among_what_is_in_memory() {
        let maps = "55d0-55d4 r--p 00000000 08:01 77      /a b/bot\n55d4-55f0 r-xp 00000004 08:01 77      /a b/bot\n\
                    7f00-7f10 r-xp 00001000 08:01 78 /usr/lib/libc.so.6\n7f20-7f30 r-xp 00000000 00:00 0\n";
        assert_eq!(code_of("/a b/bot", maps), [Mapping { addresses: 0x55d4..0x55f0, offset: 4 }]);
        assert_eq!(code_of("/b/bot", maps), []);
    }

    #[test]
    fn what_a_system_call_waits_for_is_told() {
        let told = |number, argument| waits_for(number, argument).unwrap_or_default();
        assert_eq!(told(libc::SYS_read, 0), "it reads its standard input (read)");
        assert_eq!(told(libc::SYS_read, 3), "it reads descriptor 3 (read)");
        assert_eq!(told(libc::SYS_getpid, 0), "");
    }
}
