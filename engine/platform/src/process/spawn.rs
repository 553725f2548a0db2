//! Starting a process as posix_spawn(3) does, but faster.
//!
//! A start is a tenth of the time of a quick bot. posix_spawn maps a stack and returns no
//! pidfd.
#![expect(
    unsafe_code,
    reason = "neither std nor rustix makes processes that share our memory until they run a program"
)]

use super::guardian_table::GroupPlace;
use rustix::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use rustix::process::{Pid, WaitOptions, waitpid};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

/// The attributes of a new process.
pub(super) struct SpawnRequest<'a> {
    pub(super) program: &'a CStr,
    /// The open file that is run, if it is not to be found by the path `program`.
    pub(super) file: Option<BorrowedFd<'a>>,
    /// A process in whose namespaces of these kinds the new one begins.
    pub(super) namespaces: Option<(BorrowedFd<'a>, c_int)>,
    /// The arguments after the program's own name.
    pub(super) arguments: &'a [CString],
    /// The environment, as `NAME=VALUE`.
    pub(super) environment: &'a [&'a CString],
    pub(super) folder: &'a CStr,
    /// Standard input, output and error.
    pub(super) streams: [BorrowedFd<'a>; 3],
    /// The resource limit `RLIMIT_LOCKS`, soft and hard. Linux does not apply it to anything.
    pub(super) lock_limit: Option<u64>,
    /// The place of its process group.
    pub(super) place: &'a GroupPlace,
}

/// A new process and its pidfd.
#[derive(Debug)]
pub(super) struct ProcessHandle {
    pub(super) pid: Pid,
    pub(super) handle: OwnedFd,
}

/// The request as the new process reads it. The process shares our memory and must not allocate any.
struct RawRequest {
    /// The open file that is run, and an empty path; or no file and the path of the program.
    file: c_int,
    path: *const c_char,
    namespaces: Option<(c_int, c_int)>,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    folder: *const c_char,
    streams: [c_int; 3],
    lock_limit: Option<libc::rlimit>,
    /// The file and the position where it writes its own number.
    place: (c_int, libc::off_t),
    /// The error number if the program could not be run, else 0.
    error: AtomicI32,
    /// The error number if the namespaces could not be entered, else 0.
    not_entered: AtomicI32,
    /// The number and pidfd of the process that was started in namespaces.
    inside: [AtomicI32; 2],
    /// The end of a second stack, for that process.
    stack: *mut c_void,
}

/// Size of the stack for [`exec_program`], in units of 16 bytes, to which stacks are aligned. Far more than necessary.
const STACK: usize = 2048;
/// A process that enters namespaces first has a stack of its own.
const STACKS_PER_THREAD: usize = 2;

thread_local! {
    static STACKS: RefCell<Box<[MaybeUninit<u128>]>> =
        RefCell::new(Box::new_uninit_slice(STACK * STACKS_PER_THREAD));
}

/// Makes this program independent of what its parent left it, before it starts programs of its own. The files that are open now are
/// withheld from them: a bot would play with them in one place and without them in another (Linux before 5.11 does not do that). The end
/// of children is told to this program, also if the parent ignores SIGCHLD.
pub fn forget_parent() {
    const FIRST: libc::c_uint = 3;
    // SAFETY: the call reads no memory and closes no file, and no handler is set.
    unsafe {
        libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
    }
}

/// Starts a process in a process group of its own with no signal blocked or ignored, and waits until it runs its program or
/// cannot.
///
/// # Errors
/// The process cannot be made, or cannot run its program.
pub(super) fn spawn(request: &SpawnRequest<'_>) -> io::Result<ProcessHandle> {
    let pointers = |texts: &mut dyn Iterator<Item = &CStr>| -> Vec<*const c_char> {
        texts.map(CStr::as_ptr).chain([ptr::null()]).collect()
    };
    let arguments = pointers(&mut [request.program].into_iter().chain(request.arguments.iter().map(CString::as_c_str)));
    let environment = pointers(&mut request.environment.iter().map(|entry| entry.as_c_str()));
    let (place, position) = request.place.position();
    let mut raw = RawRequest {
        file: request.file.map_or(libc::AT_FDCWD, |file| file.as_raw_fd()),
        path: request.file.map_or(request.program, |_| c"").as_ptr(),
        namespaces: request.namespaces.map(|(process, kinds)| (process.as_raw_fd(), kinds)),
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
        folder: request.folder.as_ptr(),
        streams: request.streams.map(|stream| stream.as_raw_fd()),
        lock_limit: request.lock_limit.map(|limit| libc::rlimit { rlim_cur: limit, rlim_max: limit }),
        place: (place.as_raw_fd(), position as libc::off_t),
        error: AtomicI32::new(0),
        not_entered: AtomicI32::new(0),
        inside: [AtomicI32::new(0), AtomicI32::new(-1)],
        stack: ptr::null_mut(),
    };
    let (mut pid, mut handle) = STACKS.with_borrow_mut(|stacks| {
        let (first, second) = stacks.split_at_mut(STACK);
        raw.stack = second.as_mut_ptr_range().end.cast();
        clone_process(&raw, first)
    })?;
    if raw.namespaces.is_some() {
        // It has ended, and left us the process that it started.
        let _ = waitpid(Some(pid), WaitOptions::empty());
        match raw.not_entered.into_inner() {
            0 => {}
            // Not an error of the program, and so without a number.
            error => {
                let why = io::Error::from_raw_os_error(error);
                return Err(io::Error::other(format!("its namespaces cannot be entered: {why}")));
            }
        }
        let [number, descriptor] = raw.inside.map(AtomicI32::into_inner);
        pid = Pid::from_raw(number).expect("a process has a number");
        // SAFETY: the kernel has opened it for us.
        handle = unsafe { OwnedFd::from_raw_fd(descriptor) };
        // It has another number for itself. An engine that is killed before this takes the namespaces along.
        request.place.enter(number)?;
    }
    match raw.error.into_inner() {
        0 => Ok(ProcessHandle { pid, handle }),
        error => {
            // It ended at once. If it cannot be reaped, there is nothing to reap.
            let _ = waitpid(Some(pid), WaitOptions::empty());
            Err(io::Error::from_raw_os_error(error))
        }
    }
}

/// Makes the process. Returns when it runs its program or has ended.
fn clone_process(raw: &RawRequest, stack: &mut [MaybeUninit<u128>]) -> io::Result<(Pid, OwnedFd)> {
    const FLAGS: c_int = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // One that enters namespaces opens a descriptor for us.
    let (code, flags): (extern "C" fn(*mut c_void) -> c_int, _) = match raw.namespaces {
        None => (exec_program, FLAGS),
        Some(_) => (enter_namespaces, FLAGS | libc::CLONE_FILES),
    };
    let mut handle: c_int = -1;
    let mut blocked = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    let top = stack.as_mut_ptr_range().end;
    // SAFETY: all pointers are to live values of the right types. The process has a stack of its own, of which `top` is the
    // end; CLONE_VFORK keeps us here until it needs neither that nor `raw` any more. A handler of ours must not run in it,
    // hence no signal reaches it before it has forgotten them.
    let pid = unsafe {
        libc::sigfillset(blocked.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, blocked.as_ptr(), before.as_mut_ptr());
        let argument = ptr::from_ref(raw).cast_mut().cast();
        let pid = libc::clone(code, top.cast(), flags, argument, ptr::from_mut(&mut handle));
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        if pid < 0 { Err(error) } else { Ok(pid) }
    }?;
    // SAFETY: the kernel has opened it for us.
    let handle = unsafe { OwnedFd::from_raw_fd(handle) };
    Ok((Pid::from_raw(pid).expect("a process has a number"), handle))
}

/// The code of a process that enters namespaces and starts another one in them, as a child of our own. It shares our memory
/// and our open files, so it only makes system calls.
extern "C" fn enter_namespaces(raw: *mut c_void) -> c_int {
    const FLAGS: c_int = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT | libc::CLONE_PIDFD | libc::SIGCHLD;
    let argument = raw;
    // SAFETY: as in `exec_program`.
    let raw = unsafe { &*raw.cast::<RawRequest>() };
    // SAFETY: as in `clone_process`. A PID namespace is for children only, so this process starts another one.
    unsafe {
        let (process, kinds) = raw.namespaces.unwrap_or((-1, 0));
        let entered = libc::setns(process, kinds) == 0;
        let pid =
            if entered { libc::clone(exec_program, raw.stack, FLAGS, argument, raw.inside[1].as_ptr()) } else { -1 };
        if pid < 0 {
            raw.not_entered.store(*libc::__errno_location(), Ordering::Relaxed);
        }
        raw.inside[0].store(pid, Ordering::Relaxed);
        libc::_exit(0)
    }
}

/// The code of the new process. It shares our memory and another thread may hold any lock, so it only makes system
/// calls.
extern "C" fn exec_program(raw: *mut c_void) -> c_int {
    // SAFETY: `spawn` passes a pointer to a `RawRequest` that is alive until this has ended.
    let raw = unsafe { &*raw.cast::<RawRequest>() };
    // SAFETY: all pointers are to texts, and to lists of them that end with null, as execve asks for.
    unsafe {
        let mut done = libc::setpgid(0, 0) == 0;
        if raw.namespaces.is_none() {
            // Until this process runs its program it has the engine's open files, so the guardian does not read the table
            // before the number is there, even if the engine is killed now.
            let own = libc::getpid();
            let size = size_of_val(&own);
            done = done && libc::pwrite(raw.place.0, (&raw const own).cast(), size, raw.place.1) == size as isize;
        }
        for (at, stream) in (0..).zip(raw.streams) {
            done = done && libc::dup2(stream, at) == at;
        }
        done = done && libc::chdir(raw.folder) == 0;
        if done {
            if let Some(limit) = &raw.lock_limit {
                // If a system refuses it, the bot still has the mark in its environment.
                libc::setrlimit(libc::RLIMIT_LOCKS, limit);
            }
            reset_signals();
            let mut none = MaybeUninit::uninit();
            libc::sigemptyset(none.as_mut_ptr());
            libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
            libc::syscall(libc::SYS_execveat, raw.file, raw.path, raw.arguments, raw.environment, libc::AT_EMPTY_PATH);
        }
        raw.error.store(*libc::__errno_location(), Ordering::Relaxed);
        libc::_exit(127)
    }
}

/// Gives every signal its default action. One that is ignored stays so in a new program: Rust's runtime ignores SIGPIPE, and a shell
/// may have ignored others. A signal for the terminal's process group may wait for the new process, which was in that group until now;
/// our handler would run on the memory that it shares with us, and take our own Ctrl-C for the second one.
///
/// # Safety
/// Only for the new process, whose actions are a copy of ours.
unsafe fn reset_signals() {
    const MOST: c_int = 64;
    for signal in 1..=MOST {
        // SAFETY: the caller's.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
