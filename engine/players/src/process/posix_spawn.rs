//! posix_spawn(3), without what [`std::process::Command`] does at every start besides.
#![expect(unsafe_code, reason = "neither std nor rustix offers posix_spawn")]

use rustix::fd::{AsRawFd, BorrowedFd};
use rustix::process::Pid;
use std::ffi::{CString, c_char, c_int, c_short};
use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

/// What the new process does before it runs its program.
pub(super) struct Actions<'a> {
    actions: Box<libc::posix_spawn_file_actions_t>,
    /// The streams have to be open until it is started.
    streams: PhantomData<BorrowedFd<'a>>,
}

impl<'a> Actions<'a> {
    pub(super) fn new() -> io::Result<Actions<'a>> {
        let mut actions = Box::new(MaybeUninit::uninit());
        // SAFETY: the pointer is to memory for this type, which the call makes a value of.
        done(unsafe { libc::posix_spawn_file_actions_init(actions.as_mut_ptr()) })?;
        // SAFETY: it is a value now.
        let actions = unsafe { actions.assume_init() };
        Ok(Actions { actions, streams: PhantomData })
    }

    /// Makes `stream` its stream number `at`, which must be another than that of `stream`.
    pub(super) fn connect(&mut self, stream: BorrowedFd<'a>, at: c_int) -> io::Result<()> {
        // SAFETY: the actions are a live value, and the stream is open as long as they are.
        done(unsafe { libc::posix_spawn_file_actions_adddup2(&mut *self.actions, stream.as_raw_fd(), at) })
    }

    /// Makes `folder` its working directory.
    pub(super) fn change_to(&mut self, folder: &CString) -> io::Result<()> {
        // SAFETY: the actions are a live value, and the call copies the path.
        done(unsafe { libc::posix_spawn_file_actions_addchdir_np(&mut *self.actions, folder.as_ptr()) })
    }
}

impl Drop for Actions<'_> {
    fn drop(&mut self) {
        // SAFETY: they are a live value, and nobody sees them afterwards.
        unsafe { libc::posix_spawn_file_actions_destroy(&mut *self.actions) };
    }
}

/// How the new process differs from us otherwise.
pub(super) struct Attributes {
    attributes: Box<libc::posix_spawnattr_t>,
}

impl Attributes {
    /// A group of its own, no signal blocked, and SIGPIPE as programs expect it, which Rust's runtime ignores.
    pub(super) fn of_a_bot() -> io::Result<Attributes> {
        let mut attributes = Box::new(MaybeUninit::uninit());
        // SAFETY: the pointer is to memory for this type, which the call makes a value of.
        done(unsafe { libc::posix_spawnattr_init(attributes.as_mut_ptr()) })?;
        // SAFETY: it is a value now.
        let mut attributes = Attributes { attributes: unsafe { attributes.assume_init() } };
        let it = &mut *attributes.attributes;
        let flags = libc::POSIX_SPAWN_SETPGROUP | libc::POSIX_SPAWN_SETSIGMASK | libc::POSIX_SPAWN_SETSIGDEF;
        let mut signals = MaybeUninit::uninit();
        // SAFETY: `it` is a live value, and sigemptyset makes one of the set before anything reads it.
        unsafe {
            done(libc::posix_spawnattr_setflags(it, flags as c_short))?;
            done(libc::posix_spawnattr_setpgroup(it, 0))?;
            libc::sigemptyset(signals.as_mut_ptr());
            done(libc::posix_spawnattr_setsigmask(it, signals.as_ptr()))?;
            libc::sigaddset(signals.as_mut_ptr(), libc::SIGPIPE);
            done(libc::posix_spawnattr_setsigdefault(it, signals.as_ptr()))?;
        }
        Ok(attributes)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: they are a live value, and nobody sees them afterwards.
        unsafe { libc::posix_spawnattr_destroy(&mut *self.attributes) };
    }
}

/// Starts `program` and waits until it runs, or cannot. Its first argument is its own name.
pub(super) fn spawn(
    program: &CString,
    actions: &Actions<'_>,
    attributes: &Attributes,
    arguments: &[CString],
    environment: &[&CString],
) -> io::Result<Pid> {
    let pointers = |texts: &mut dyn Iterator<Item = &CString>| -> Vec<*mut c_char> {
        texts.map(|text| text.as_ptr().cast_mut()).chain([ptr::null_mut()]).collect()
    };
    let arguments = pointers(&mut [program].into_iter().chain(arguments));
    let environment = pointers(&mut environment.iter().copied());
    let mut pid = 0;
    // SAFETY: all pointers are to live values; both lists end with null, and nobody writes to their texts.
    let code = unsafe {
        libc::posix_spawnp(
            &mut pid,
            program.as_ptr(),
            &*actions.actions,
            &*attributes.attributes,
            arguments.as_ptr(),
            environment.as_ptr(),
        )
    };
    done(code)?;
    Ok(Pid::from_raw(pid).expect("a process has a number"))
}

fn done(code: c_int) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) }
}
