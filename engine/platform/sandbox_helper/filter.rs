//! The filters of system calls: lists of those that are allowed, and questions about the arguments of a few. Bots have one
//! that allows what is on a list, builds one that refuses what is on a list.

use crate::kernel::{check, syscall};
use crate::nr;

const CLONE3: u32 = 435;
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
pub const EPERM: u32 = 0x0005_0001;
const ENOSYS: u32 = 0x0005_0026;
const ENOTTY: u32 = 0x0005_0019;
/// Offsets of what a filter sees: the number of the call, the architecture, the lower halves of the arguments. The kernel
/// ignores the upper halves of those that are looked at.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST: u32 = 16;
const SECOND: u32 = 24;
const THIRD: u32 = 32;
const FOURTH: u32 = 40;
/// No system call has this number, and no process.
const NONE: u32 = u32::MAX;

const fn step(code: u16, if_true: u8, if_false: u8, value: u32) -> Instruction {
    Instruction { code, if_true, if_false, value }
}

/// Looks at one argument: allows the call if it equals one of these values, else does as `otherwise` says.
const fn one_of<const VALUES: usize, const LENGTH: usize>(
    argument: u32,
    values: [u32; VALUES],
    otherwise: u32,
) -> [Instruction; LENGTH] {
    let mut steps = [step(RETURN, 0, 0, otherwise); LENGTH];
    steps[0] = step(LOAD, 0, 0, argument);
    let mut nth = 0;
    while nth < VALUES {
        steps[1 + nth] = step(IF_EQUAL, (VALUES - nth) as u8, 0, values[nth]);
        nth += 1;
    }
    steps[VALUES + 2] = step(RETURN, 0, 0, ALLOW);
    steps
}

/// Looks at one argument: refuses the call if it equals one of these values.
const fn none_of<const VALUES: usize, const LENGTH: usize>(
    argument: u32,
    values: [u32; VALUES],
) -> [Instruction; LENGTH] {
    let mut steps = [step(RETURN, 0, 0, ALLOW); LENGTH];
    steps[0] = step(LOAD, 0, 0, argument);
    let mut nth = 0;
    while nth < VALUES {
        steps[1 + nth] = step(IF_EQUAL, (VALUES - nth) as u8, 0, values[nth]);
        nth += 1;
    }
    steps[VALUES + 2] = step(RETURN, 0, 0, EPERM);
    steps
}

/// Looks at one argument: refuses the call if it has one of these bits.
const fn without(argument: u32, bits: u32) -> [Instruction; 4] {
    [step(LOAD, 0, 0, argument), step(IF_ANY_BIT, 1, 0, bits), step(RETURN, 0, 0, ALLOW), step(RETURN, 0, 0, EPERM)]
}

/// The process itself only. The first value becomes its number.
const OWN: [Instruction; 5] = one_of(FIRST, [NONE, 0], EPERM);
/// The place of the process's number in [`OWN`].
const SELF: usize = 1;
/// Threads only, and none with open files of its own, which would count anew against their limit.
const A_THREAD: [Instruction; 5] = [
    step(LOAD, 0, 0, FIRST),
    step(AND, 0, 0, CLONE_THREAD | CLONE_FILES),
    step(IF_EQUAL, 0, 1, CLONE_THREAD | CLONE_FILES),
    step(RETURN, 0, 0, ALLOW),
    step(RETURN, 0, 0, EPERM),
];
/// The same, and children as fork(2) of the C libraries makes them.
const A_THREAD_OR_A_FORK: [Instruction; 6] = [
    step(LOAD, 0, 0, FIRST),
    step(IF_EQUAL, 2, 0, FORK),
    step(AND, 0, 0, CLONE_THREAD | CLONE_FILES),
    step(IF_EQUAL, 0, 1, CLONE_THREAD | CLONE_FILES),
    step(RETURN, 0, 0, ALLOW),
    step(RETURN, 0, 0, EPERM),
];
/// CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID and SIGCHLD.
const FORK: u32 = 0x0120_0011;
const CLONE_FILES: u32 = 0x400;
const CLONE_THREAD: u32 = 0x0001_0000;
/// No memory that is shared without a file, and none that grows by itself: no limit counts them.
const COUNTED_MEMORY: [Instruction; 6] = [
    step(LOAD, 0, 0, FOURTH),
    step(IF_ANY_BIT, 3, 0, MAP_GROWSDOWN),
    step(AND, 0, 0, MAP_SHARED_AND_ANONYMOUS),
    step(IF_EQUAL, 1, 0, MAP_SHARED_AND_ANONYMOUS),
    step(RETURN, 0, 0, ALLOW),
    step(RETURN, 0, 0, EPERM),
];
const MAP_GROWSDOWN: u32 = 0x100;
const MAP_SHARED_AND_ANONYMOUS: u32 = 0x21;
/// Questions about descriptors, and their marks for execve. Others change files or their flags, also through a descriptor
/// that is for reading only. Libraries take any error but this one for a failure.
const HARMLESS_REQUEST: [Instruction; 10] =
    one_of(SECOND, [TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX], ENOTTY);
const TCGETS: u32 = 0x5401;
const TIOCGPGRP: u32 = 0x540F;
const TIOCGWINSZ: u32 = 0x5413;
const FIONREAD: u32 = 0x541B;
const FIONBIO: u32 = 0x5421;
const FIONCLEX: u32 = 0x5450;
const FIOCLEX: u32 = 0x5451;
/// No copy of the open files, which would count anew.
const SHARED_FILES: [Instruction; 4] = without(THIRD, CLOSE_RANGE_UNSHARE);
const CLOSE_RANGE_UNSHARE: u32 = 2;
/// A bot ends with the engine (the guardian sees to it where this signal is lost), and the engine can count its open files.
const MORTAL: [Instruction; 5] = none_of(FIRST, [PR_SET_PDEATHSIG, PR_SET_DUMPABLE]);
const PR_SET_PDEATHSIG: u32 = 1;
const PR_SET_DUMPABLE: u32 = 4;
/// C libraries then fall back to clone, whose flags a filter can see. Files in memory are counted by no limit.
const MISSING: [Instruction; 1] = [step(RETURN, 0, 0, ENOSYS)];
const FINE: [Instruction; 1] = [step(RETURN, 0, 0, ALLOW)];

/// Descriptors of the file system, not of the machine's networks.
const LOCAL_SOCKET: [Instruction; 4] = one_of(FIRST, [AF_UNIX], EAFNOSUPPORT);
const AF_UNIX: u32 = 1;
const EAFNOSUPPORT: u32 = 0x0005_0061;
/// No namespaces, in which a process has rights that it has not here.
const NO_NAMESPACES: [Instruction; 4] = without(FIRST, NAMESPACES);
const NAMESPACES: u32 = 0x7E02_0000;
/// Neither flags of files nor letters typed into a terminal.
const ORDINARY_REQUEST: [Instruction; 7] = none_of(SECOND, [FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, TIOCSTI, TIOCLINUX]);
const FS_IOC_SETFLAGS: u32 = 0x4008_6602;
const FS_IOC_FSSETXATTR: u32 = 0x401C_5820;
const TIOCSTI: u32 = 0x5412;
const TIOCLINUX: u32 = 0x541C;

/// No leases, which make others wait, and no signals about what is done with files.
const OWN_DESCRIPTOR: [Instruction; 8] = none_of(SECOND, [F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY]);
const F_SETOWN: u32 = 8;
const F_SETSIG: u32 = 10;
const F_SETOWN_EX: u32 = 15;
const F_SETLEASE: u32 = 1024;
const F_NOTIFY: u32 = 1026;

/// A system call whose arguments are looked at: its number, and the question.
type Special = (u32, &'static [Instruction]);

/// No setuid and setgid bits: with them, a file would run with the rights of whoever runs the engine.
const PLAIN_MODE_SECOND: [Instruction; 4] = without(SECOND, SET_ID);
const PLAIN_MODE_THIRD: [Instruction; 4] = without(THIRD, SET_ID);
const PLAIN_NEW_FILE_SECOND: [Instruction; 6] = plain_new_file(SECOND, THIRD);
const PLAIN_NEW_FILE_THIRD: [Instruction; 6] = plain_new_file(THIRD, FOURTH);
const SET_ID: u32 = 0o6000;
const CREATES: u32 = O_CREAT | O_TMPFILE;
const O_CREAT: u32 = 0o100;
const O_TMPFILE: u32 = 0o20_000_000;

/// The mode of an opened file says something only if the file may be made.
const fn plain_new_file(flags: u32, mode: u32) -> [Instruction; 6] {
    [
        step(LOAD, 0, 0, flags),
        step(IF_ANY_BIT, 0, 2, CREATES),
        step(LOAD, 0, 0, mode),
        step(IF_ANY_BIT, 1, 0, SET_ID),
        step(RETURN, 0, 0, ALLOW),
        step(RETURN, 0, 0, EPERM),
    ]
}

/// Calls with the same question, by their numbers.
type Asked = (&'static [u32], &'static [Instruction]);

const MAKE_FILES: [Asked; 4] = [
    (nr::MAKE_WITH_MODE_SECOND, &PLAIN_MODE_SECOND),
    (nr::MAKE_WITH_MODE_THIRD, &PLAIN_MODE_THIRD),
    (nr::OPEN_WITH_FLAGS_SECOND, &PLAIN_NEW_FILE_SECOND),
    (nr::OPEN_WITH_FLAGS_THIRD, &PLAIN_NEW_FILE_THIRD),
];
/// Only for builds: bots may not change modes at all.
const CHANGE_MODES: [Asked; 2] =
    [(nr::CHANGE_MODE_SECOND, &PLAIN_MODE_SECOND), (nr::CHANGE_MODE_THIRD, &PLAIN_MODE_THIRD)];

const fn count(calls: &[Asked]) -> usize {
    let (mut count, mut nth) = (0, 0);
    while nth < calls.len() {
        count += calls[nth].0.len();
        nth += 1;
    }
    count
}

/// Puts `calls` into the list, from `at` on.
const fn with<const LENGTH: usize>(mut list: [Special; LENGTH], mut at: usize, calls: &[Asked]) -> [Special; LENGTH] {
    let mut kind = 0;
    while kind < calls.len() {
        let mut nth = 0;
        while nth < calls[kind].0.len() {
            list[at] = (calls[kind].0[nth], calls[kind].1);
            at += 1;
            nth += 1;
        }
        kind += 1;
    }
    list
}

const SPECIALS: usize = nr::OWN.len() + count(&MAKE_FILES) + 9;

const SPECIAL: [Special; SPECIALS] = {
    let mut special: [Special; SPECIALS] = [(NONE, &OWN); SPECIALS];
    let mut nth = 0;
    while nth < nr::OWN.len() {
        special[nth].0 = nr::OWN[nth];
        nth += 1;
    }
    special = with(special, nth, &MAKE_FILES);
    nth += count(&MAKE_FILES);
    special[nth] = (nr::CLONE, &A_THREAD);
    special[nth + 1] = (nr::MMAP, &COUNTED_MEMORY);
    special[nth + 2] = (nr::IOCTL, &HARMLESS_REQUEST);
    special[nth + 3] = (nr::CLOSE_RANGE, &SHARED_FILES);
    special[nth + 4] = (nr::PRCTL as u32, &MORTAL);
    special[nth + 5] = (CLONE3, &MISSING);
    special[nth + 6] = (nr::MEMFD_CREATE, &MISSING);
    special[nth + 7] = (nr::FCNTL, &OWN_DESCRIPTOR);
    // The last one, which may be left out.
    special[nth + 8] = (nr::TKILL, &FINE);
    special
};

/// The first one is left out for builds that may use networks.
const SPECIAL_OF_BUILDS: [Special; SPECIALS_OF_BUILDS] = {
    let mut special: [Special; SPECIALS_OF_BUILDS] = [(nr::SOCKET, &LOCAL_SOCKET); SPECIALS_OF_BUILDS];
    special[1] = (nr::CLONE, &NO_NAMESPACES);
    special[2] = (CLONE3, &MISSING);
    special[3] = (nr::MEMFD_CREATE, &MISSING);
    special[4] = (nr::IOCTL, &ORDINARY_REQUEST);
    special[5] = (nr::FCNTL, &OWN_DESCRIPTOR);
    special[6] = (nr::MMAP, &COUNTED_MEMORY);
    special[7] = (nr::PRCTL as u32, &MORTAL);
    with(with(special, 8, &MAKE_FILES), 8 + count(&MAKE_FILES), &CHANGE_MODES)
};
const SPECIALS_OF_BUILDS: usize = 8 + count(&MAKE_FILES) + count(&CHANGE_MODES);

/// System calls are looked up in blocks of 32: a bit for each that is not simply allowed.
const BLOCKS: usize = 16;

const MASKS: [u32; BLOCKS] = {
    let mut masks = [u32::MAX; BLOCKS];
    let mut nth = 0;
    while nth < nr::ALLOWED.len() {
        masks[nr::ALLOWED[nth] as usize / 32] &= !(1 << (nr::ALLOWED[nth] % 32));
        nth += 1;
    }
    masks
};

const MASKS_OF_BUILDS: [u32; BLOCKS] = {
    let mut masks = [0; BLOCKS];
    // What no list can know yet.
    masks[BLOCKS - 1] = u32::MAX;
    masks[BLOCKS - 2] = !((1 << (KNOWN % 32)) - 1);
    let mut nth = 0;
    while nth < nr::REFUSED_TO_BUILDS.len() + nr::YOUNG_REFUSED.len() + SPECIAL_OF_BUILDS.len() {
        let (old, young) = (nr::REFUSED_TO_BUILDS.len(), nr::YOUNG_REFUSED.len());
        let number = if nth < old {
            nr::REFUSED_TO_BUILDS[nth]
        } else if nth < old + young {
            nr::YOUNG_REFUSED[nth - old]
        } else {
            SPECIAL_OF_BUILDS[nth - old - young].0
        };
        masks[number as usize / 32] |= 1 << (number % 32);
        nth += 1;
    }
    masks
};
/// The first number that was unknown when the list was written.
const KNOWN: u32 = 470;
const _: () = assert!(KNOWN as usize / 32 == BLOCKS - 2);

const HEAD: usize = 7;
const TAIL: usize = HEAD + 3 * BLOCKS + 1;
/// The beginning of the list of special calls.
const LIST: usize = TAIL + 9;
/// Calls from this number on are younger than all fallbacks of libraries to older ones: refused ones do not exist.
const YOUNG: u32 = 424;

/// The beginning of the questions, behind the end of the list.
const fn questions(special: &[Special]) -> usize {
    LIST + special.len() + 3
}

const fn length(special: &[Special]) -> usize {
    let (mut length, mut nth) = (questions(special), 0);
    while nth < special.len() {
        length += special[nth].1.len();
        nth += 1;
    }
    // An offset of a jump is a byte.
    assert!(length - LIST < 256);
    length
}

/// A filter. A foreign architecture is refused, and so is every call that has a bit in `masks` and is not `special`.
///
/// The kernel runs a new filter once for every system call there is, so its length is paid for at every start.
const fn filter<const LENGTH: usize>(masks: [u32; BLOCKS], special: &[Special]) -> [Instruction; LENGTH] {
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
        filter[at + 1] = step(LOAD_X, 0, 0, masks[block]);
        filter[at + 2] = step(JUMP, 0, 0, (TAIL - (at + 3)) as u32);
        block += 1;
    }
    // TAIL - 1 is an allowance that is never reached. Now the mask is in X.
    filter[TAIL] = step(STORE_X, 0, 0, 0);
    filter[TAIL + 1] = step(LOAD, 0, 0, NUMBER);
    filter[TAIL + 2] = step(AND, 0, 0, 31);
    filter[TAIL + 3] = step(A_TO_X, 0, 0, 0);
    filter[TAIL + 4] = step(LOAD_MEMORY, 0, 0, 0);
    filter[TAIL + 5] = step(SHIFT_BY_X, 0, 0, 0);
    filter[TAIL + 6] = step(IF_ANY_BIT, 1, 0, 1);
    filter[TAIL + 7] = step(RETURN, 0, 0, ALLOW);
    filter[TAIL + 8] = step(LOAD, 0, 0, NUMBER);
    let (mut nth, mut at) = (0, questions(special));
    while nth < special.len() {
        let (number, question) = special[nth];
        filter[LIST + nth] = step(IF_EQUAL, (at - (LIST + nth + 1)) as u8, 0, number);
        let mut line = 0;
        while line < question.len() {
            filter[at] = question[line];
            line += 1;
            at += 1;
        }
        nth += 1;
    }
    let end = LIST + special.len();
    filter[end] = step(IF_AT_LEAST, 0, 1, YOUNG);
    filter[end + 1] = step(RETURN, 0, 0, ENOSYS);
    filter[end + 2] = step(RETURN, 0, 0, EPERM);
    filter
}

/// The list for a program that forks. Each fork limits itself to what other bots may do before it becomes one.
const SPECIAL_OF_FORKS: [Special; SPECIALS] = {
    let mut special = SPECIAL;
    let mut nth = 0;
    while nth < SPECIALS {
        if special[nth].0 == nr::CLONE {
            special[nth].1 = &A_THREAD_OR_A_FORK;
        }
        nth += 1;
    }
    nth = 0;
    while nth < nr::OWN.len() {
        special[nth].1 = &FINE;
        nth += 1;
    }
    special
};

/// With the calls of Landlock, by which a fork limits itself.
const MASKS_OF_FORKS: [u32; BLOCKS] = {
    let mut masks = MASKS;
    let mut number = LANDLOCK_CREATE_RULESET;
    while number < LANDLOCK_CREATE_RULESET + 3 {
        masks[number as usize / 32] &= !(1 << (number % 32));
        number += 1;
    }
    masks
};
const LANDLOCK_CREATE_RULESET: u32 = 444;

const FILTER: [Instruction; length(&SPECIAL)] = filter(MASKS, &SPECIAL);
const FILTER_OF_FORKS: [Instruction; length(&SPECIAL_OF_FORKS)] = filter(MASKS_OF_FORKS, &SPECIAL_OF_FORKS);
const FILTER_OF_BUILDS: [Instruction; length(&SPECIAL_OF_BUILDS)] = filter(MASKS_OF_BUILDS, &SPECIAL_OF_BUILDS);

/// The filter of bots; with `forks`, that of a program whose forks are the runs of a bot. `scoped` says that Landlock keeps signals
/// within the sandbox.
pub fn install(scoped: bool, forks: bool) {
    if forks {
        return load(&FILTER_OF_FORKS);
    }
    let mut instructions = FILTER;
    // SAFETY: it tells a number.
    let own = unsafe { syscall(nr::GETPID, 0, 0, 0, 0, 0) } as u32;
    for nth in 0..nr::OWN.len() {
        instructions[questions(&SPECIAL) + nth * OWN.len() + SELF].value = own;
    }
    if !scoped {
        // It names a thread, so a filter cannot tell whose.
        instructions[LIST + SPECIAL.len() - 1].value = NONE;
    }
    load(&instructions);
}

/// The filter of builds.
pub fn install_for_build(network: bool) {
    let mut instructions = FILTER_OF_BUILDS;
    if network {
        instructions[questions(&SPECIAL_OF_BUILDS)] = step(RETURN, 0, 0, ALLOW);
    }
    load(&instructions);
}

fn load(instructions: &[Instruction]) {
    let program = Program { length: instructions.len() as u16, instructions: instructions.as_ptr() };
    // SAFETY: the kernel reads the program.
    unsafe {
        check(b"filter system calls", syscall(nr::SECCOMP, 1, 0, &raw const program as usize, 0, 0));
    }
}
