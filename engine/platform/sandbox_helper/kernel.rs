//! Talking to the kernel without a library, and what the compiler takes for granted of one.

use crate::nr;
use core::arch::asm;
use core::ffi::c_char;

/// # Safety
/// The kernel's use of these arguments must be sound.
pub unsafe fn syscall(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> isize {
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

pub fn check(doing: &[u8], result: isize) -> isize {
    if result < 0 { fail(doing, result) } else { result }
}

pub fn fail(doing: &[u8], error: isize) -> ! {
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

pub fn end(status: usize) -> ! {
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
