//! Namespaces of a bot: a root folder with nothing but what the bot may see, processes and IPC objects of its own.
//!
//! The namespaces are made once a match. Their first process does nothing but wait: it ends when the engine does, and the
//! kernel then ends all other processes in its PID namespace. The runs of the bot enter the namespaces one after the other.

use crate::kernel::{check, end, fail, syscall};
use crate::nr;
use core::ffi::{CStr, c_char};

const OPEN_TREE: usize = 428;
const MOVE_MOUNT: usize = 429;
const FSOPEN: usize = 430;
const FSCONFIG: usize = 431;
const FSMOUNT: usize = 432;
const CLOSE_RANGE: usize = 436;
const OPENAT2: usize = 437;
const MOUNT_SETATTR: usize = 442;

const CLONE_NEWNS: usize = 0x0002_0000;
const CLONE_NEWIPC: usize = 0x0800_0000;
const CLONE_NEWUSER: usize = 0x1000_0000;
const CLONE_NEWPID: usize = 0x2000_0000;
const CLONE_NEWNET: usize = 0x4000_0000;
const CLONE_PARENT: usize = 0x8000;
const SIGCHLD: usize = 17;
const MS_REC_PRIVATE: usize = 0x4000 | 0x4_0000;
const AT_FDCWD: usize = -100_isize as usize;
const AT_EMPTY_PATH: usize = 0x1000;
const AT_RECURSIVE: usize = 0x8000;
const OPEN_TREE_CLONE: usize = 1;
const BOTH_EMPTY_PATHS: usize = 0x04 | 0x40;
const RDONLY: u64 = 1;
const NOSUID: u64 = 2;
const NODEV: u64 = 4;
const O_PATH: usize = 0o10_000_000;
const O_DIRECTORY: usize = if cfg!(target_arch = "aarch64") { 0o40_000 } else { 0o200_000 };
const RESOLVE_IN_ROOT: u64 = 0x10;
const SET_FLAG: usize = 0;
const SET_STRING: usize = 1;
const CREATE: usize = 6;
const MNT_DETACH: usize = 2;
const S_IFREG: usize = 0o100_000;

/// Makes the namespaces and holds them. The first line on standard output is the number of their first process. That one
/// reads a byte, which says that its users are mapped, makes the root folder, and writes `ready`. With `own_network` they have
/// a network in which there is nothing, and names of sockets of their own.
///
/// # Safety
/// The arguments are texts ended by a null, and nobody else uses them.
pub unsafe fn hold(specs: &[*const c_char], own_network: bool) -> ! {
    let network = if own_network { CLONE_NEWNET } else { 0 };
    let flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_PARENT | SIGCHLD | network;
    // SAFETY: as fork(2), and nothing is shared.
    let child = check(b"make namespaces", unsafe { syscall(nr::CLONE as usize, flags, 0, 0, 0, 0) });
    if child > 0 {
        tell_number(child as usize);
        end(0);
    }
    // SAFETY: the kernel writes a byte. Nobody else has the descriptors behind the third.
    unsafe {
        syscall(CLOSE_RANGE, 3, u32::MAX as usize, 0, 0, 0);
        wait_for_byte();
    }
    // SAFETY: as the caller's.
    unsafe { make_root(specs) };
    crate::drop_all_but(0);
    // A parent that ignores the ends of its children need not reap them.
    let ignore = [1_usize, 0, 0, 0];
    // SAFETY: the kernel reads the action and the text. Then nothing is left that could be written to.
    unsafe {
        check(b"ignore a signal", syscall(nr::RT_SIGACTION, SIGCHLD, ignore.as_ptr() as usize, 0, 8, 0));
        let ready = b"ready\n";
        syscall(nr::WRITE, 1, ready.as_ptr() as usize, ready.len(), 0, 0);
        syscall(nr::CLOSE, 1, 0, 0, 0, 0);
        syscall(nr::CLOSE, 2, 0, 0, 0, 0);
        wait_for_byte();
    }
    end(0)
}

/// Waits for a byte on standard input, or its end.
unsafe fn wait_for_byte() {
    let mut byte = 0_u8;
    // SAFETY: the kernel writes a byte.
    while unsafe { syscall(nr::READ, 0, &raw mut byte as usize, 1, 0, 0) } == -4 {}
}

fn tell_number(mut number: usize) {
    let mut text = *b"00000000000\n";
    for digit in text[..11].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    // SAFETY: the kernel reads the text.
    unsafe { syscall(nr::WRITE, 1, text.as_ptr() as usize, text.len(), 0, 0) };
}

/// Makes the root folder by these rules, in this order, and enters it:
///
/// - `r/path`, `w/path`, `d/path`: what lies there can be read; also written; is a device.
/// - `p/proc`: the files of the processes in the namespace.
/// - `t4096,10/path`: an empty folder in memory, of so many bytes and files.
/// - `o4096,10/path`: what lies there can be read; what is written is kept in memory, as far as there is room.
/// - `k/path` and `target`, an argument of its own: a link.
/// - `m/path`: an empty folder.
/// - `R/path`: what is mounted there, from now on for reading only.
unsafe fn make_root(specs: &[*const c_char]) {
    // SAFETY: all paths are texts ended by a null, and all structures are as the kernel has them.
    unsafe {
        let private = syscall(nr::MOUNT, 0, text(c"/"), 0, MS_REC_PRIVATE, 0);
        check(b"make its mounts private", private);
        let root = new_mount(c"tmpfs", &[(c"mode", c"755"), (c"size", c"1m")]);
        let root = check(b"make a root folder", root);
        attach(root, check(b"open the root folder", open(AT_FDCWD, c"/".as_ptr().cast(), 0)));
        let mut specs = specs.iter();
        while let Some(spec) = specs.next() {
            let spec = spec.cast::<u8>().cast_mut();
            let (size, files, path) = numbers(spec.add(1));
            if *path != b'/' {
                fail(b"start: it was given an unknown rule", 0);
            }
            match *spec {
                b'r' => bind(root, path, RDONLY | NOSUID | NODEV),
                b'w' => bind(root, path, NOSUID | NODEV),
                // Devices can be written to all the same, but not their permissions.
                b'd' => bind(root, path, RDONLY | NOSUID),
                b'p' => {
                    let fresh = new_mount(c"proc", &[]);
                    let copy = |path| syscall(OPEN_TREE, AT_FDCWD, path as usize, OPEN_TREE_CLONE | AT_RECURSIVE, 0, 0);
                    // Where some of /proc is hidden, as in containers, a new one is refused.
                    let proc = if fresh < 0 { copy(path) } else { fresh };
                    let proc = check(b"open /proc", proc);
                    set_attributes(proc, RDONLY | NOSUID | NODEV, AT_RECURSIVE);
                    make_folder(root, path);
                    put(root, proc, path);
                }
                b't' => {
                    let memory = check(b"make a folder in memory", memory(size, files));
                    make_folder(root, path);
                    put(root, memory, path);
                }
                b'o' => put_overlay(root, path, size, files),
                b'k' => {
                    let Some(target) = specs.next() else { fail(b"start: a link has no target", 0) };
                    make_parents(root, path);
                    // It may be there already.
                    syscall(nr::SYMLINKAT, *target as usize, root as usize, path.add(1) as usize, 0, 0);
                }
                b'm' => make_folder(root, path),
                b'R' => {
                    let place = check(b"find a mount", open(root as usize, path, 0));
                    set_attributes(place, RDONLY | NOSUID | NODEV, 0);
                    syscall(nr::CLOSE, place as usize, 0, 0, 0, 0);
                }
                _ => fail(b"start: it was given an unknown rule", 0),
            }
        }
        set_attributes(root, RDONLY | NOSUID | NODEV, 0);
        check(b"enter the root folder", syscall(nr::FCHDIR, root as usize, 0, 0, 0, 0));
        check(b"enter the root folder", syscall(nr::PIVOT_ROOT, text(c"."), text(c"."), 0, 0, 0));
        check(b"leave the old root folder", syscall(nr::UMOUNT2, text(c"."), MNT_DETACH, 0, 0, 0));
        check(b"enter the root folder", syscall(nr::CHDIR, text(c"/"), 0, 0, 0, 0));
        syscall(CLOSE_RANGE, 3, u32::MAX as usize, 0, 0, 0);
    }
}

fn text(text: &CStr) -> usize {
    text.as_ptr() as usize
}

/// Two numbers at the beginning of a text, and what follows.
unsafe fn numbers(mut text: *mut u8) -> (*mut u8, *mut u8, *mut u8) {
    // SAFETY: the text is ended by a null.
    unsafe {
        let first = text;
        let mut second = text;
        while *text != b'/' && *text != 0 {
            if *text == b',' {
                *text = 0;
                second = text.add(1);
            }
            text = text.add(1);
        }
        (first, second, text)
    }
}

/// A copy of a text of digits that ends before the path that follows it.
unsafe fn digits(from: *const u8) -> [u8; 24] {
    let mut digits = [0; 24];
    for (at, digit) in digits[..23].iter_mut().enumerate() {
        // SAFETY: the text is ended by a null.
        match unsafe { *from.add(at) } {
            found @ b'0'..=b'9' => *digit = found,
            _ => break,
        }
    }
    digits
}

/// A new file system that is not yet anywhere, or a negative number.
unsafe fn new_mount(kind: &CStr, options: &[(&CStr, &CStr)]) -> isize {
    // SAFETY: the kernel reads the texts.
    unsafe {
        let context = syscall(FSOPEN, text(kind), 0, 0, 0, 0);
        if context < 0 {
            return context;
        }
        for (name, value) in options {
            let (how, value) = if value.is_empty() { (SET_FLAG, 0) } else { (SET_STRING, text(value)) };
            let set = syscall(FSCONFIG, context as usize, how, text(name), value, 0);
            if set < 0 {
                return set;
            }
        }
        let made = syscall(FSCONFIG, context as usize, CREATE, 0, 0, 0);
        let mount =
            if made < 0 { made } else { syscall(FSMOUNT, context as usize, 0, (NOSUID | NODEV) as usize, 0, 0) };
        syscall(nr::CLOSE, context as usize, 0, 0, 0, 0);
        mount
    }
}

/// A new file system in memory with so much room.
unsafe fn memory(size: *const u8, files: *const u8) -> isize {
    // SAFETY: digits ended by nulls.
    unsafe {
        let (size, files) = (digits(size), digits(files));
        let [size, files] = [&size, &files].map(|digits| CStr::from_ptr(digits.as_ptr().cast()));
        new_mount(c"tmpfs", &[(c"mode", c"755"), (c"size", size), (c"nr_inodes", files)])
    }
}

/// Opens what lies at `path` as seen from the root folder, without rights to it.
unsafe fn open(root: usize, path: *const u8, flags: usize) -> isize {
    let resolve = if root == AT_FDCWD { 0 } else { RESOLVE_IN_ROOT };
    let how = [(O_PATH | flags) as u64, 0, resolve];
    // SAFETY: the kernel reads the path and three numbers.
    unsafe { syscall(OPENAT2, root, path as usize, how.as_ptr() as usize, 24, 0) }
}

unsafe fn attach(mount: isize, place: isize) {
    // SAFETY: the kernel reads empty texts.
    let done = unsafe { syscall(MOVE_MOUNT, mount as usize, text(c""), place as usize, text(c""), BOTH_EMPTY_PATHS) };
    check(b"mount a folder", done);
}

/// Puts a mount at a place that exists.
unsafe fn put(root: isize, mount: isize, path: *const u8) {
    // SAFETY: as the caller's.
    unsafe {
        let place = check(b"find the place of a mount", open(root as usize, path, 0));
        attach(mount, place);
        syscall(nr::CLOSE, place as usize, 0, 0, 0, 0);
        syscall(nr::CLOSE, mount as usize, 0, 0, 0, 0);
    }
}

unsafe fn set_attributes(mount: isize, attributes: u64, flags: usize) {
    let attributes = [attributes, 0, 0, 0];
    let (flags, attributes) = (AT_EMPTY_PATH | flags, attributes.as_ptr() as usize);
    // SAFETY: the kernel reads four numbers.
    let set = unsafe { syscall(MOUNT_SETATTR, mount as usize, text(c""), flags, attributes, 32) };
    check(b"restrict a mount", set);
}

/// Shows what lies at `path` at the same place of the new root. What is not there is not shown.
unsafe fn bind(root: isize, path: *mut u8, attributes: u64) {
    // SAFETY: as the caller's.
    unsafe {
        let flags = OPEN_TREE_CLONE | AT_RECURSIVE;
        let tree = syscall(OPEN_TREE, AT_FDCWD, path as usize, flags, 0, 0);
        if tree < 0 {
            return;
        }
        set_attributes(tree, attributes, AT_RECURSIVE);
        let folder = open(tree as usize, c".".as_ptr().cast(), O_DIRECTORY);
        if folder < 0 {
            make_parents(root, path);
            // It may be there already.
            syscall(nr::MKNODAT, root as usize, path.add(1) as usize, S_IFREG | 0o644, 0, 0);
        } else {
            syscall(nr::CLOSE, folder as usize, 0, 0, 0, 0);
            make_folder(root, path);
        }
        put(root, tree, path);
    }
}

/// Shows the folder at `path` so that it can be written to; what is written stays in memory.
unsafe fn put_overlay(root: isize, path: *mut u8, size: *const u8, files: *const u8) {
    const STORE: &CStr = c"/store";
    // SAFETY: as the caller's.
    unsafe {
        let store = check(b"make a folder in memory", memory(size, files));
        for name in [c"upper", c"work"] {
            let made = syscall(nr::MKDIRAT, store as usize, text(name), 0o755, 0, 0);
            check(b"make a folder in memory", made);
        }
        let lower = check(b"open the bot's folder", open(AT_FDCWD, path, O_DIRECTORY));
        // Kernels before 6.15 take mounted folders only, but only while the overlay is made.
        make_folder(root, STORE.as_ptr().cast::<u8>().cast_mut());
        attach(store, check(b"find the place of a mount", open(root as usize, STORE.as_ptr().cast(), 0)));
        check(b"enter a folder in memory", syscall(nr::FCHDIR, store as usize, 0, 0, 0, 0));
        // By its number, because letters of its path might have a meaning.
        let lower = path_of(lower as usize);
        let lower = CStr::from_ptr(lower.as_ptr().cast());
        let options = [(c"lowerdir", lower), (c"upperdir", c"upper"), (c"workdir", c"work"), (c"userxattr", c"")];
        let overlay = check(b"make an overlay", new_mount(c"overlay", &options));
        make_folder(root, path);
        put(root, overlay, path);
        let done = syscall(nr::UMOUNT2, text(c"."), MNT_DETACH, 0, 0, 0);
        check(b"hide a folder in memory", done);
    }
}

/// The path of an open file.
fn path_of(number: usize) -> [u8; 24] {
    let mut path = [0; 24];
    path[..14].copy_from_slice(b"/proc/self/fd/");
    let (mut at, mut place) = (14, 1_000_000_000);
    while place > 0 {
        // The kernel knows no such number with zeros in front.
        if number >= place || place == 1 {
            path[at] = b'0' + (number / place % 10) as u8;
            at += 1;
        }
        place /= 10;
    }
    path
}

/// Makes a folder, and those around it.
unsafe fn make_folder(root: isize, path: *mut u8) {
    // SAFETY: as the caller's.
    unsafe {
        make_parents(root, path);
        // It may be there already.
        syscall(nr::MKDIRAT, root as usize, path.add(1) as usize, 0o755, 0, 0);
    }
}

/// Makes the folders around `path`, which begins with `/`.
unsafe fn make_parents(root: isize, path: *mut u8) {
    // SAFETY: the text is ended by a null and, for a moment, also where a `/` is.
    unsafe {
        let mut at = path.add(1);
        while *at != 0 {
            if *at == b'/' {
                *at = 0;
                syscall(nr::MKDIRAT, root as usize, path.add(1) as usize, 0o755, 0, 0);
                *at = b'/';
            }
            at = at.add(1);
        }
    }
}
