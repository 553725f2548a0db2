//! The sandbox helper: limits itself, then becomes the bot.
//!
//! `helper SPEC … -- PROGRAM ARGUMENT …`, where each SPEC is a letter and its value:
//!
//! - `r/path`, `w/path`: what lies there may be read and executed, or also written. Everything else is out of reach.
//! - `l4=1073741824`: resource limit 4, both soft and hard.
//! - `S`: system calls for child processes, networks and the like fail.
//! - `T` in the place of `--`: follow all rules, then end with status 0.
//!
//! `helper ?` prints what the kernel offers: the version of Landlock and whether there are filters, as `07 1`.
//!
//! A static program without the standard library, because it is started for every run of every bot: it needs no memory,
//! no dynamic linker and no set-up of a C library. It was chosen over `pre_exec`, which makes the engine fork. What
//! fails is told on standard error, in one line, and ends it with status 126.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::ffi::{CStr, c_char};

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

/// System call numbers.
#[cfg(target_arch = "x86_64")]
mod nr {
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const GETPID: usize = 39;
    pub const EXECVE: usize = 59;
    pub const CAPGET: usize = 125;
    pub const CAPSET: usize = 126;
    pub const PRCTL: usize = 157;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const PRLIMIT64: usize = 302;
    pub const SECCOMP: usize = 317;
    pub const CLONE: u32 = 56;
    pub const MEMFD_CREATE: u32 = 319;
    pub const MMAP: u32 = 9;
    pub const TKILL: u32 = 200;
    pub const AUDIT_ARCH: u32 = 0xC000_003E;
    /// Allowed for the process itself only: kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo prlimit64 sched_setaffinity.
    pub const OWN: [u32; 6] = [62, 234, 129, 297, 302, 203];
    /// Not socketpair: Java reads files with its help, and it leads nowhere.
    pub const DENIED: &[u32] = &[
        57, 58, // fork vfork
        41, 42, 43, 49, 50, 288, // socket connect accept bind listen accept4
        109, 112, 424, // setpgid setsid pidfd_send_signal
        141, 142, 144, 314, 251, // setpriority sched_setparam sched_setscheduler sched_setattr ioprio_set
        165, 166, 155, 161, 272, 308, // mount umount2 pivot_root chroot unshare setns
        428, 429, 430, 431, 432, 433, 442, // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
        101, 310, 311, 438, 440, // ptrace process_vm_readv process_vm_writev pidfd_getfd process_madvise
        425, 426, 427, // io_uring_*
        321, 298, 323, // bpf perf_event_open userfaultfd
        248, 249, 250, // add_key request_key keyctl
        29, 30, 31, // shmget shmat shmctl
        68, 69, 70, 240, // msgget msgsnd msgrcv mq_open
        64, 65, 303, 304, // semget semop name_to_handle_at open_by_handle_at
        90, 91, 268, 452, // chmod fchmod fchmodat fchmodat2
        92, 93, 94, 260, // chown fchown lchown fchownat
        132, 235, 261, 280, // utime utimes futimesat utimensat
        188, 189, 190, 463, // setxattr lsetxattr fsetxattr setxattrat
        197, 198, 199, 466, // removexattr lremovexattr fremovexattr removexattrat
        254, // inotify_add_watch
    ];
}
#[cfg(target_arch = "aarch64")]
mod nr {
    pub const WRITE: usize = 64;
    pub const CLOSE: usize = 57;
    pub const GETPID: usize = 172;
    pub const EXECVE: usize = 221;
    pub const CAPGET: usize = 90;
    pub const CAPSET: usize = 91;
    pub const PRCTL: usize = 167;
    pub const EXIT_GROUP: usize = 94;
    pub const OPENAT: usize = 56;
    pub const PRLIMIT64: usize = 261;
    pub const SECCOMP: usize = 277;
    pub const CLONE: u32 = 220;
    pub const MEMFD_CREATE: u32 = 279;
    pub const MMAP: u32 = 222;
    pub const TKILL: u32 = 130;
    pub const AUDIT_ARCH: u32 = 0xC000_00B7;
    /// As on the other architecture.
    pub const OWN: [u32; 6] = [129, 131, 138, 240, 261, 122];
    /// As on the other architecture; fork and vfork do not exist here.
    pub const DENIED: &[u32] = &[
        198, 203, 202, 200, 201, 242, // socket connect accept bind listen accept4
        154, 157, 424, // setpgid setsid pidfd_send_signal
        140, 118, 119, 274, 30, // setpriority sched_setparam sched_setscheduler sched_setattr ioprio_set
        40, 39, 41, 51, 97, 268, // mount umount2 pivot_root chroot unshare setns
        428, 429, 430, 431, 432, 433, 442, // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
        117, 270, 271, 438, 440, // ptrace process_vm_readv process_vm_writev pidfd_getfd process_madvise
        425, 426, 427, // io_uring_*
        280, 241, 282, // bpf perf_event_open userfaultfd
        217, 218, 219, // add_key request_key keyctl
        194, 196, 195, // shmget shmat shmctl
        186, 189, 188, 180, // msgget msgsnd msgrcv mq_open
        190, 193, 264, 265, // semget semop name_to_handle_at open_by_handle_at
        52, 53, 452, // fchmod fchmodat fchmodat2
        55, 54, // fchown fchownat
        88, // utimensat
        5, 6, 7, 463, // setxattr lsetxattr fsetxattr setxattrat
        14, 15, 16, 466, // removexattr lremovexattr fremovexattr removexattrat
        27,  // inotify_add_watch
    ];
}

// The same on all architectures.
const LANDLOCK_CREATE_RULESET: usize = 444;
const LANDLOCK_ADD_RULE: usize = 445;
const LANDLOCK_RESTRICT_SELF: usize = 446;
const CLONE3: u32 = 435;
const CLOSE_RANGE: usize = 436;
const CLOSE_RANGE_CLOEXEC: usize = 4;

const PR_SET_PDEATHSIG: usize = 1;
const PR_SET_NO_NEW_PRIVS: usize = 38;
const SIGKILL: usize = 9;
const O_PATH_CLOEXEC: usize = 0o10000000 | 0o2000000;
const AT_FDCWD: isize = -100;

/// # Safety
/// What the kernel does with these arguments must be sound.
unsafe fn syscall(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> isize {
    let result: isize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the kernel keeps all registers but these.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d,
            in("r8") e, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the kernel keeps all registers but this.
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a as isize => result, in("x1") b, in("x2") c, in("x3") d,
            in("x4") e, options(nostack));
    }
    result
}

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

/// In the place of a program's position.
const TRIAL: usize = usize::MAX;

unsafe fn main(arguments: &[*const c_char], argv: *const *const c_char, envp: *const *const c_char) -> ! {
    if arguments.len() == 2 {
        // SAFETY: arguments are texts ended by a null.
        if unsafe { CStr::from_ptr(arguments[1]) }.to_bytes() == b"?" {
            tell_abilities();
        }
    }
    let mut landlock = Landlock::new();
    let mut filter = false;
    let mut program = arguments.len();
    for (at, argument) in arguments.iter().enumerate().skip(1) {
        // SAFETY: arguments are texts ended by a null.
        let text = unsafe { CStr::from_ptr(*argument) }.to_bytes_with_nul();
        match text {
            b"T\0" => {
                program = TRIAL;
                break;
            }
            b"--\0" => {
                program = at + 1;
                break;
            }
            [b'r', path @ ..] => landlock.allow(path, READ),
            [b'w', path @ ..] => landlock.allow(path, u64::MAX),
            [b'l', limit @ ..] => set_limit(limit),
            b"S\0" => filter = true,
            _ => fail(b"start: it was given an unknown rule", 0),
        }
    }
    if program != TRIAL && program >= arguments.len() {
        fail(b"start: no program was named", 0);
    }
    // SAFETY: plain numbers, and a program that lies where argv says.
    unsafe {
        check(b"ask to die with the engine", syscall(nr::PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
        check(b"renounce new privileges", syscall(nr::PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        // Whatever the engine forgot to close. A kernel that does not know this has nothing to close either.
        syscall(CLOSE_RANGE, 3, u32::MAX as usize, CLOSE_RANGE_CLOEXEC, 0, 0);
    }
    landlock.enforce();
    drop_capabilities();
    if filter {
        install_filter(landlock.version >= SCOPED_SIGNALS);
    }
    if program == TRIAL {
        end(0);
    }
    // SAFETY: as above.
    let error = unsafe {
        let path = *argv.add(program);
        syscall(nr::EXECVE, path as usize, argv.add(program) as usize, envp as usize, 0, 0)
    };
    fail(b"execute the program", error)
}

/// What may be done with files: execute, read, list.
const READ: u64 = 1 | 1 << 2 | 1 << 3;
/// What may be done with a path that is no folder.
const FILE_ONLY: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;

#[repr(C)]
struct RulesetAttributes {
    files: u64,
    network: u64,
    scope: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// What this kernel can forbid, by the version of its interface.
fn handled(version: isize) -> RulesetAttributes {
    let files = match version {
        1 => (1 << 13) - 1,
        2 => (1 << 14) - 1,
        3 | 4 => (1 << 15) - 1,
        _ => (1 << 16) - 1,
    };
    RulesetAttributes {
        files,
        network: if version >= 4 { 3 } else { 0 },
        scope: if version >= SCOPED_SIGNALS { 3 } else { 0 },
    }
}

/// The version of Landlock; negative where there is none.
fn landlock_version() -> isize {
    // SAFETY: with these arguments the kernel tells its version.
    unsafe { syscall(LANDLOCK_CREATE_RULESET, 0, 0, 1, 0, 0) }
}

/// From this version on, signals reach processes of the same sandbox only.
const SCOPED_SIGNALS: isize = 6;

/// A set of rules for files in the making.
struct Landlock {
    version: isize,
    ruleset: isize,
    files: u64,
}

impl Landlock {
    fn new() -> Landlock {
        Landlock { version: landlock_version(), ruleset: -1, files: 0 }
    }

    fn allow(&mut self, path: &[u8], access: u64) {
        if self.ruleset < 0 {
            self.begin();
        }
        // SAFETY: the kernel reads the path and the rule.
        unsafe {
            let parent = syscall(nr::OPENAT, AT_FDCWD as usize, path.as_ptr() as usize, O_PATH_CLOEXEC, 0, 0);
            if parent < 0 {
                // What is not there needs no rule.
                return;
            }
            let mut rule = PathBeneath { allowed: access & self.files, parent: parent as i32 };
            let ruleset = self.ruleset as usize;
            let add = |rule: &PathBeneath| syscall(LANDLOCK_ADD_RULE, ruleset, 1, rule as *const _ as usize, 0, 0);
            if add(&rule) < 0 {
                // The rights of folders mean nothing for a file.
                rule.allowed &= FILE_ONLY;
                check(b"allow a path", add(&rule));
            }
            syscall(nr::CLOSE, parent as usize, 0, 0, 0, 0);
        }
    }

    fn begin(&mut self) {
        let version = check(b"use Landlock", self.version);
        let attributes = handled(version);
        let size = match version {
            ..4 => 8,
            4 | 5 => 16,
            _ => 24,
        };
        // SAFETY: the kernel reads the attributes.
        let ruleset = unsafe { syscall(LANDLOCK_CREATE_RULESET, &raw const attributes as usize, size, 0, 0, 0) };
        self.ruleset = check(b"use Landlock", ruleset);
        self.files = attributes.files;
    }

    /// From now on the rules hold, if there are any. Needs the renunciation of new privileges.
    fn enforce(&self) {
        if self.ruleset >= 0 {
            // SAFETY: plain numbers.
            unsafe {
                check(b"close the file system", syscall(LANDLOCK_RESTRICT_SELF, self.ruleset as usize, 0, 0, 0, 0));
                syscall(nr::CLOSE, self.ruleset as usize, 0, 0, 0, 0);
            }
        }
    }
}

/// `RESOURCE=VALUE`.
fn set_limit(text: &[u8]) {
    let (mut resource, mut value, mut behind) = (0usize, 0u64, false);
    for byte in text {
        match byte {
            b'=' => behind = true,
            b'0'..=b'9' if behind => value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')),
            b'0'..=b'9' => resource = resource * 10 + usize::from(byte - b'0'),
            _ => {}
        }
    }
    let mut present = [0_u64; 2];
    // SAFETY: the kernel writes, then reads two numbers.
    unsafe {
        check(b"read a limit", syscall(nr::PRLIMIT64, 0, resource, 0, present.as_mut_ptr() as usize, 0));
        // A limit may be lower already, and only root could raise it.
        let limit = [value.min(present[1]); 2];
        check(b"set a limit", syscall(nr::PRLIMIT64, 0, resource, limit.as_ptr() as usize, 0, 0));
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Instruction {
    code: u16,
    if_true: u8,
    if_false: u8,
    value: u32,
}

#[repr(C)]
struct Program {
    length: u16,
    instructions: *const Instruction,
}

const LOAD: u16 = 0x20;
const LOAD_X: u16 = 0x01;
const LOAD_MEMORY: u16 = 0x60;
const STORE_X: u16 = 0x03;
const A_TO_X: u16 = 0x07;
const AND: u16 = 0x54;
const SHIFT: u16 = 0x74;
const SHIFT_BY_X: u16 = 0x7c;
const JUMP: u16 = 0x05;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const IF_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7FFF_0000;
const EPERM: u32 = 0x0005_0001;
const ENOSYS: u32 = 0x0005_0026;
const CLONE_THREAD: u32 = 0x0001_0000;
const MAP_SHARED_AND_ANONYMOUS: u32 = 0x21;
/// Offsets of what a filter sees: the number of the call, the architecture, the lower halves of two arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST: u32 = 16;
const FOURTH: u32 = 40;
/// No system call has this number.
const NONE: u32 = u32::MAX;

const fn step(code: u16, if_true: u8, if_false: u8, value: u32) -> Instruction {
    Instruction { code, if_true, if_false, value }
}

/// System calls are looked up in blocks of 32: a bit for each that is not simply allowed.
const BLOCKS: usize = 16;

const MASKS: [u32; BLOCKS] = {
    const fn set(masks: &mut [u32; BLOCKS], numbers: &[u32]) {
        let mut nth = 0;
        while nth < numbers.len() {
            masks[numbers[nth] as usize / 32] |= 1 << (numbers[nth] % 32);
            nth += 1;
        }
    }
    let mut masks = [0; BLOCKS];
    set(&mut masks, nr::DENIED);
    set(&mut masks, &nr::OWN);
    set(&mut masks, &[nr::CLONE, CLONE3, nr::MEMFD_CREATE, nr::MMAP, nr::TKILL]);
    masks
};

const HEAD: usize = 7;
const TAIL: usize = HEAD + 3 * BLOCKS + 1;
const SPECIAL: usize = TAIL + 9;
/// Where the questions about arguments stand: whose process, a thread or not, which kind of memory.
const OWN_AT: usize = SPECIAL + 10 + nr::OWN.len();
const CLONE_AT: usize = OWN_AT + 4;
const MMAP_AT: usize = CLONE_AT + 3;
/// The last step, which allows.
const END: usize = MMAP_AT + 4;
const LENGTH: usize = END + 1;
/// Where the number of tkill stands.
const TKILL_AT: usize = SPECIAL + 5;
/// Where the process's own number stands.
const SELF_AT: usize = OWN_AT + 1;

/// The filter. A foreign architecture and the calls on the list are refused. clone may make threads only. clone3, whose
/// flags a filter cannot see, does not exist, so that C libraries fall back to clone; nor do files in memory, which no
/// limit counts, no more than memory that is shared. Signals, limits and processors are the process's own only. Rights,
/// owners, times and watches are on the list because Landlock does not know of them.
///
/// The kernel runs a new filter once for every system call there is, so its length is paid for at every start.
const FILTER: [Instruction; LENGTH] = {
    let mut filter = [step(RETURN, 0, 0, ALLOW); LENGTH];
    filter[0] = step(LOAD, 0, 0, ARCHITECTURE);
    filter[1] = step(IF_EQUAL, 1, 0, nr::AUDIT_ARCH);
    filter[2] = step(RETURN, 0, 0, EPERM);
    filter[3] = step(LOAD, 0, 0, NUMBER);
    // What is not invented yet, and the x32 interface, which would pass by the list.
    filter[4] = step(IF_AT_LEAST, 0, 1, 32 * BLOCKS as u32);
    filter[5] = step(RETURN, 0, 0, ENOSYS);
    filter[6] = step(SHIFT, 0, 0, 5);
    let mut block = 0;
    while block < BLOCKS {
        let at = HEAD + 3 * block;
        filter[at] = step(IF_EQUAL, 0, 2, block as u32);
        filter[at + 1] = step(LOAD_X, 0, 0, MASKS[block]);
        filter[at + 2] = step(JUMP, 0, 0, (TAIL - (at + 3)) as u32);
        block += 1;
    }
    // TAIL - 1 is an allowance. Now the mask is in X.
    filter[TAIL] = step(STORE_X, 0, 0, 0);
    filter[TAIL + 1] = step(LOAD, 0, 0, NUMBER);
    filter[TAIL + 2] = step(AND, 0, 0, 31);
    filter[TAIL + 3] = step(A_TO_X, 0, 0, 0);
    filter[TAIL + 4] = step(LOAD_MEMORY, 0, 0, 0);
    filter[TAIL + 5] = step(SHIFT_BY_X, 0, 0, 0);
    filter[TAIL + 6] = step(IF_ANY_BIT, 1, 0, 1);
    filter[TAIL + 7] = step(RETURN, 0, 0, ALLOW);
    filter[TAIL + 8] = step(LOAD, 0, 0, NUMBER);
    let at = SPECIAL;
    filter[at] = step(IF_EQUAL, 1, 0, CLONE3);
    filter[at + 1] = step(IF_EQUAL, 0, 1, nr::MEMFD_CREATE);
    filter[at + 2] = step(RETURN, 0, 0, ENOSYS);
    filter[at + 3] = step(IF_EQUAL, 0, 1, nr::CLONE);
    filter[at + 4] = step(JUMP, 0, 0, (CLONE_AT - (at + 5)) as u32);
    // This number is taken away where a signal could reach another process.
    filter[at + 5] = step(IF_EQUAL, 0, 1, nr::TKILL);
    filter[at + 6] = step(RETURN, 0, 0, ALLOW);
    filter[at + 7] = step(IF_EQUAL, 0, 1, nr::MMAP);
    filter[at + 8] = step(JUMP, 0, 0, (MMAP_AT - (at + 9)) as u32);
    let mut nth = 0;
    while nth < nr::OWN.len() {
        let at = SPECIAL + 9 + nth;
        filter[at] = step(IF_EQUAL, (OWN_AT - (at + 1)) as u8, 0, nr::OWN[nth]);
        nth += 1;
    }
    filter[OWN_AT - 1] = step(RETURN, 0, 0, EPERM);
    filter[OWN_AT] = step(LOAD, 0, 0, FIRST);
    filter[OWN_AT + 1] = step(IF_EQUAL, (END - (OWN_AT + 2)) as u8, 0, NONE);
    filter[OWN_AT + 2] = step(IF_EQUAL, (END - (OWN_AT + 3)) as u8, 0, 0);
    filter[OWN_AT + 3] = step(RETURN, 0, 0, EPERM);
    filter[CLONE_AT] = step(LOAD, 0, 0, FIRST);
    filter[CLONE_AT + 1] = step(IF_ANY_BIT, (END - (CLONE_AT + 2)) as u8, 0, CLONE_THREAD);
    filter[CLONE_AT + 2] = step(RETURN, 0, 0, EPERM);
    filter[MMAP_AT] = step(LOAD, 0, 0, FOURTH);
    filter[MMAP_AT + 1] = step(AND, 0, 0, MAP_SHARED_AND_ANONYMOUS);
    filter[MMAP_AT + 2] = step(IF_EQUAL, 0, 1, MAP_SHARED_AND_ANONYMOUS);
    filter[MMAP_AT + 3] = step(RETURN, 0, 0, EPERM);
    filter
};

fn install_filter(scoped: bool) {
    let mut instructions = FILTER;
    // SAFETY: it tells a number.
    instructions[SELF_AT].value = unsafe { syscall(nr::GETPID, 0, 0, 0, 0, 0) } as u32;
    if !scoped {
        // It names a thread, so a filter cannot tell whose.
        instructions[TKILL_AT].value = NONE;
    }
    let program = Program { length: LENGTH as u16, instructions: instructions.as_ptr() };
    // SAFETY: the kernel reads the program.
    unsafe {
        check(b"filter system calls", syscall(nr::SECCOMP, 1, 0, &raw const program as usize, 0, 0));
    }
}

/// Of root's powers a bot keeps one: to read and write, where the sandbox lets it, what belongs to somebody else.
fn drop_capabilities() {
    const DAC_OVERRIDE: u32 = 1 << 1;
    let header = [0x2008_0522_u32, 0];
    let mut held = [0_u32; 6];
    // SAFETY: the kernel reads two numbers, and writes or reads six.
    unsafe {
        let header = header.as_ptr() as usize;
        check(b"look at its capabilities", syscall(nr::CAPGET, header, held.as_mut_ptr() as usize, 0, 0, 0));
        let keep = held[1] & DAC_OVERRIDE;
        let kept = [keep, keep, 0, 0, 0, 0];
        check(b"drop its capabilities", syscall(nr::CAPSET, header, kept.as_ptr() as usize, 0, 0, 0));
    }
}

/// Prints what the kernel offers, and ends.
fn tell_abilities() -> ! {
    const ACTION_AVAILABLE: usize = 2;
    let refuse = EPERM & 0xFFFF_0000;
    // SAFETY: the kernel reads a number; then a text; then the process ends.
    unsafe {
        let filters = syscall(nr::SECCOMP, ACTION_AVAILABLE, 0, &raw const refuse as usize, 0, 0) == 0;
        let version = landlock_version().clamp(0, 99) as u8;
        let text = [b'0' + version / 10, b'0' + version % 10, b' ', b'0' + u8::from(filters), b'\n'];
        syscall(nr::WRITE, 1, text.as_ptr() as usize, text.len(), 0, 0);
    }
    end(0)
}

fn check(doing: &[u8], result: isize) -> isize {
    if result < 0 { fail(doing, result) } else { result }
}

fn fail(doing: &[u8], error: isize) -> ! {
    let mut digits = *b" (error 000)\n";
    let number = error.unsigned_abs();
    for (at, place) in [(8, 100), (9, 10), (10, 1)] {
        digits[at] = b'0' + (number / place % 10) as u8;
    }
    say(b"broadside's sandbox cannot ");
    say(doing);
    say(&digits);
    end(126)
}

fn end(status: usize) -> ! {
    // SAFETY: ends the process.
    unsafe {
        syscall(nr::EXIT_GROUP, status, 0, 0, 0, 0);
    }
    loop {}
}

fn say(text: &[u8]) {
    // SAFETY: the kernel reads the text.
    unsafe {
        syscall(nr::WRITE, 2, text.as_ptr() as usize, text.len(), 0, 0);
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    fail(b"go on", 0)
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    for at in 0..count {
        // SAFETY: both are as long as the caller says. Volatile, or this would be compiled to a call of itself.
        unsafe { to.add(at).write_volatile(*from.add(at)) };
    }
    to
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, value: i32, count: usize) -> *mut u8 {
    for at in 0..count {
        // SAFETY: as above.
        unsafe { to.add(at).write_volatile(value as u8) };
    }
    to
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(one: *const u8, other: *const u8, count: usize) -> i32 {
    for at in 0..count {
        // SAFETY: as above.
        if unsafe { one.add(at).read_volatile() != other.add(at).read_volatile() } {
            return 1;
        }
    }
    0
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn strlen(text: *const c_char) -> usize {
    let mut length = 0;
    // SAFETY: the text is ended by a null.
    while unsafe { text.add(length).read_volatile() } != 0 {
        length += 1;
    }
    length
}

/// Named by the tables of `core`, for the unwinding that never happens here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
