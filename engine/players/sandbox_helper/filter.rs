//! The filter of system calls.

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
/// The places of the questions about arguments: whose process, a thread or not, which kind of memory.
const OWN_AT: usize = SPECIAL + 10 + nr::OWN.len();
const CLONE_AT: usize = OWN_AT + 4;
const MMAP_AT: usize = CLONE_AT + 3;
/// The last step, which allows.
const END: usize = MMAP_AT + 4;
const LENGTH: usize = END + 1;
/// The place of the number of tkill.
const TKILL_AT: usize = SPECIAL + 5;
/// The place of the process's own number.
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

pub fn install(scoped: bool) {
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
