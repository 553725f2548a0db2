//! Landlock: which files can be reached.

use crate::kernel::{check, fail, syscall};
use crate::nr;

const LANDLOCK_CREATE_RULESET: usize = 444;
const LANDLOCK_ADD_RULE: usize = 445;
const LANDLOCK_RESTRICT_SELF: usize = 446;
const O_PATH_CLOEXEC: usize = 0o10000000 | 0o2000000;
const AT_FDCWD: isize = -100;

/// The rights to read files: execute, read, list.
pub const READ: u64 = 1 | 1 << 2 | 1 << 3;
/// The right to list folders.
pub const LIST: u64 = 1 << 3;
/// The rights that apply to a path that is not a folder.
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

/// The accesses that this kernel can forbid, by the version of its interface.
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
pub fn version() -> isize {
    // SAFETY: with these arguments the kernel tells its version.
    unsafe { syscall(LANDLOCK_CREATE_RULESET, 0, 0, 1, 0, 0) }
}

/// From this version on, signals reach processes of the same sandbox only.
pub const SCOPED_SIGNALS: isize = 6;

/// A set of rules for files in the making.
pub struct Landlock {
    pub version: isize,
    ruleset: isize,
    files: u64,
    network: bool,
}

impl Landlock {
    pub fn new() -> Landlock {
        Landlock { version: version(), ruleset: -1, files: 0, network: false }
    }

    /// Leaves networks alone. To be called before the first path is allowed.
    pub fn allow_network(&mut self) {
        if self.ruleset >= 0 {
            fail(b"start: networks were allowed after a path", 0);
        }
        self.network = true;
    }

    pub fn allow(&mut self, path: &[u8], access: u64) {
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
        let mut attributes = handled(version);
        if self.network {
            attributes.network = 0;
        }
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
    pub fn enforce(&self) {
        if self.ruleset >= 0 {
            // SAFETY: plain numbers.
            unsafe {
                check(b"close the file system", syscall(LANDLOCK_RESTRICT_SELF, self.ruleset as usize, 0, 0, 0, 0));
                syscall(nr::CLOSE, self.ruleset as usize, 0, 0, 0, 0);
            }
        }
    }
}
