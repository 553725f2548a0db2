//! The sandbox helper: limits itself, then becomes the bot.
//!
//! The first argument is the mode, a word that is not a rule; any other first argument is an error:
//!
//! - `run RULE … -- PROGRAM ARGUMENT …` follows the rules, then executes the program.
//! - `try RULE …` follows the rules, then ends with status 0.
//! - `abilities` prints what the kernel offers: the version of Landlock and whether there are filters, as `07 1`.
//! - `hold RULE …` and `hold-offline RULE …` make and hold namespaces, which later runs enter (see [`namespaces`] also for their
//!   rules); `hold-offline` those with a network of their own, in which there is nothing.
//!
//! Rules of `run` and `try`; any other rule is an error:
//!
//! - `r/path`, `w/path`: what lies there may be read and executed, or also written. Everything else is out of reach.
//! - `e/path`: folders may be listed there.
//! - `l4=1073741824`, `h3=67108864`: resource limit 4, both soft and hard; limit 3, only hard.
//! - `S`: system calls for child processes, networks and the like fail.
//! - `B`: the same for a build, which may have child processes. `N`, before all paths: it may also use networks.
//! - `F`: with `S`, child processes by fork(2) are allowed, signals to all processes, and Landlock; only for use in namespaces.
//! - `K`: it does not end with the thread of the engine that started it.
//!
//! A static program without the standard library, because it is started for every run of every bot: it needs no memory,
//! no dynamic linker and no set-up of a C library. It was chosen over `pre_exec`, which makes the engine fork. What
//! fails is told on standard error, in one line, and ends it with status 126.
#![no_std]
#![no_main]

mod filter;
mod kernel;
mod landlock;
mod namespaces;
mod nr;

use core::arch::global_asm;
use core::ffi::{CStr, c_char};
use kernel::{check, end, fail, syscall};
use landlock::{LIST, Landlock, READ, SCOPED_SIGNALS};

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the sandbox helper knows x86_64 and aarch64 only");

#[cfg(target_arch = "x86_64")]
global_asm!(
    ".globl _start",
    "_start:",
    "xor %ebp, %ebp",
    "mov %rsp, %rdi",
    "and $-16, %rsp",
    "call begin",
    options(att_syntax)
);
#[cfg(target_arch = "aarch64")]
global_asm!(".globl _start", "_start:", "mov x29, #0", "mov x0, sp", "bl begin");

const CLOSE_RANGE: usize = 436;
const CLOSE_RANGE_CLOEXEC: usize = 4;
const PR_SET_PDEATHSIG: usize = 1;
const PR_SET_NO_NEW_PRIVS: usize = 38;
const SIGKILL: usize = 9;

/// # Safety
/// Called once, by the kernel's entry, with the initial stack.
#[unsafe(no_mangle)]
unsafe extern "C" fn begin(stack: *const usize) -> ! {
    // SAFETY: the kernel puts argc there, argv behind it, and the environment behind that, each ended by a null.
    unsafe {
        let count = *stack;
        let arguments = stack.add(1).cast::<*const c_char>();
        let environment = arguments.add(count + 1);
        main(core::slice::from_raw_parts(arguments, count), arguments, environment)
    }
}

unsafe fn main(arguments: &[*const c_char], argv: *const *const c_char, envp: *const *const c_char) -> ! {
    let [_, mode, rules @ ..] = arguments else { fail(b"start: it was given no mode", 0) };
    // SAFETY: arguments are texts ended by a null, and belong to this process.
    let is_trial = match unsafe { CStr::from_ptr(*mode) }.to_bytes() {
        b"abilities" => tell_abilities(),
        // SAFETY: as above.
        b"hold" => unsafe { namespaces::hold(rules, false) },
        // SAFETY: as above.
        b"hold-offline" => unsafe { namespaces::hold(rules, true) },
        b"run" => false,
        b"try" => true,
        _ => fail(b"start: it was given an unknown mode", 0),
    };
    let mut landlock = Landlock::new();
    let (mut filter, mut forks, mut build, mut network, mut stays) = (false, false, false, false, false);
    let mut program = arguments.len();
    for (at, argument) in arguments.iter().enumerate().skip(2) {
        // SAFETY: as above.
        let text = unsafe { CStr::from_ptr(*argument) }.to_bytes_with_nul();
        match text {
            b"--\0" if !is_trial => {
                program = at + 1;
                break;
            }
            [b'r', b'/', ..] => landlock.allow(&text[1..], READ),
            [b'w', b'/', ..] => landlock.allow(&text[1..], u64::MAX),
            [b'e', b'/', ..] => landlock.allow(&text[1..], LIST),
            [b'l', b'0'..=b'9', ..] => set_limit(&text[1..], true),
            [b'h', b'0'..=b'9', ..] => set_limit(&text[1..], false),
            b"S\0" => filter = true,
            b"F\0" => forks = true,
            b"B\0" => build = true,
            b"K\0" => stays = true,
            b"N\0" => {
                network = true;
                landlock.allow_network();
            }
            _ => fail(b"start: it was given an unknown rule", 0),
        }
    }
    if !is_trial && program >= arguments.len() {
        fail(b"start: no program was named", 0);
    }
    // SAFETY: plain numbers, and a program that lies where argv says.
    unsafe {
        // For the kernel the engine is the thread that started this process, and a bot that stays may outlive it.
        if !stays {
            check(b"ask to die with the engine", syscall(nr::PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
        }
        check(b"renounce new privileges", syscall(nr::PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        // Whatever the engine forgot to close. A kernel that does not know this has nothing to close either.
        syscall(CLOSE_RANGE, 3, u32::MAX as usize, CLOSE_RANGE_CLOEXEC, 0, 0);
    }
    landlock.enforce();
    drop_capabilities();
    if build {
        filter::install_for_build(network);
    } else if filter {
        filter::install(landlock.version >= SCOPED_SIGNALS, forks);
    }
    if is_trial {
        end(0);
    }
    // SAFETY: as above.
    let error = unsafe {
        let path = *argv.add(program);
        syscall(nr::EXECVE, path as usize, argv.add(program) as usize, envp as usize, 0, 0)
    };
    fail(b"execute the program", error)
}

/// Sets a limit by the rest of a rule, `RESOURCE=VALUE` ended by a null. A soft limit that is lower stays unless `soft` is set.
fn set_limit(text: &[u8], soft: bool) {
    let (mut resource, mut value, mut behind) = (0usize, 0u64, false);
    for byte in text {
        match byte {
            b'=' if !behind => behind = true,
            b'0'..=b'9' if behind => value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')),
            b'0'..=b'9' => resource = resource * 10 + usize::from(byte - b'0'),
            0 if behind => {}
            _ => fail(b"start: it was given a malformed limit", 0),
        }
    }
    let mut present = [0_u64; 2];
    // SAFETY: the kernel writes, then reads two numbers.
    unsafe {
        check(b"read a limit", syscall(nr::PRLIMIT64, 0, resource, 0, present.as_mut_ptr() as usize, 0));
        // A limit may be lower already, and only root could raise it.
        let hard = value.min(present[1]);
        let limit = [if soft { hard } else { hard.min(present[0]) }, hard];
        check(b"set a limit", syscall(nr::PRLIMIT64, 0, resource, limit.as_ptr() as usize, 0, 0));
    }
}

/// Of root's powers a bot keeps one: to read and write, where the sandbox lets it, what belongs to somebody else.
fn drop_capabilities() {
    const DAC_OVERRIDE: u32 = 1 << 1;
    drop_all_but(DAC_OVERRIDE);
}

/// Gives up all capabilities but those in `kept`.
fn drop_all_but(kept: u32) {
    let header = [0x2008_0522_u32, 0];
    let mut held = [0_u32; 6];
    // SAFETY: the kernel reads two numbers, and writes or reads six.
    unsafe {
        let header = header.as_ptr() as usize;
        check(b"look at its capabilities", syscall(nr::CAPGET, header, held.as_mut_ptr() as usize, 0, 0, 0));
        let keep = held[1] & kept;
        let kept = [keep, keep, 0, 0, 0, 0];
        check(b"drop its capabilities", syscall(nr::CAPSET, header, kept.as_ptr() as usize, 0, 0, 0));
    }
}

/// Prints what the kernel offers, and ends.
fn tell_abilities() -> ! {
    const ACTION_AVAILABLE: usize = 2;
    let refuse = filter::EPERM & 0xFFFF_0000;
    // SAFETY: the kernel reads a number; then a text; then the process ends.
    unsafe {
        let filters = syscall(nr::SECCOMP, ACTION_AVAILABLE, 0, &raw const refuse as usize, 0, 0) == 0;
        let version = landlock::version().clamp(0, 99) as u8;
        let text = [b'0' + version / 10, b'0' + version % 10, b' ', b'0' + u8::from(filters), b'\n'];
        syscall(nr::WRITE, 1, text.as_ptr() as usize, text.len(), 0, 0);
    }
    end(0)
}
