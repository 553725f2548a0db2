//! The sandbox: limits the files, system calls and resources of a bot, by rules for a helper that limits itself and then becomes
//! the bot.
//!
//! # How it works
//!
//! - **Sandbox.** What a bot can reach and use is set by a helper of a few kilobytes that limits itself (Landlock, a filter
//!   of system calls, resource limits, no capabilities) and then becomes the bot. The engine starts it from a file in memory
//!   that nobody can change. `pre_exec` would make the engine fork, whose cost grows with its memory; the same helper as an
//!   ordinary Rust program would take a millisecond for every run only to start. It has no allocator, no C library and no
//!   panics; what it is told is a list of arguments. `docs/sandbox.md` tells what is kept from whom.
//! - **Namespaces.** Where the kernel lets it, each bot of a match has namespaces of its own (`namespaces.rs`), so that each layer closes what the
//!   other leaves open. They are made by the
//!   same helper. A process cannot change its own PID namespace, so a run takes two steps: the engine clones a process that
//!   shares its memory, which enters the namespaces (`setns` by the pidfd of their first process) and clones another one as a
//!   child of the engine (`CLONE_PARENT`); that one becomes the helper, and then the bot. Making namespaces for every run
//!   would take three times as long. The bot's folder is an overlay whose upper half is in memory. Its folders of the rounds
//!   are in memory, too: the engine writes questions and reads answers by an open folder of the bot's root
//!   (`/proc/PID/root/…`), and copies to the match's folder what is to stay. A tournament needs no copies of bots' folders
//!   for each game there: games share the first copy, which nobody can change.
//! - **Builds** run in the same kind of sandbox with another filter, which allows child processes (`build_sandbox.rs`).
//! - **Bots run as the user who runs the engine,** so there are things that only the sandbox (docs/sandbox.md) keeps from
//!   them: to delete the match's folder (an error of the engine), to kill the engine, to read what the user can read, to
//!   change the settings of the user's terminal, to use so many processes, so much memory or processor time that others get
//!   none.

mod allowed_paths;
mod error;
mod namespaces;

use crate::files::Folder;
use crate::process::{CommandLine, output_of_other};
use allowed_paths::{allowed, environment_folder, outermost, tool_folder};
pub use error::SandboxError;
pub use namespaces::Namespaces;
use namespaces::RootFolder;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Features of this kernel for sandboxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// The version of Landlock, which restricts access to files; 0 if the kernel has none.
    pub landlock: u8,
    /// True if system calls can be filtered.
    pub filter: bool,
    /// True if bots can have a root folder, processes and IPC objects of their own.
    pub namespaces: bool,
}

/// Resource limits of one run of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Memory in bytes.
    pub memory: u64,
    /// The largest size of a file that it writes, in bytes.
    pub file_size: u64,
    /// The largest number of open files.
    pub open_files: u64,
}

impl Allowance {
    /// Enough for any runtime: 1 GiB of memory, files of 64 MiB, 1024 open files.
    pub const DEFAULT: Allowance = Allowance { memory: 1 << 30, file_size: 64 << 20, open_files: 1024 };
}

/// The version of Landlock that restricts everything that the sandbox relies on: files, truncation, devices, the
/// network.
const FULL_LANDLOCK: u8 = 5;

impl Abilities {
    /// True if runs of a bot may be forks of a program of the engine's: namespaces hold their processes together, and Landlock keeps
    /// them from each other's memory.
    pub fn can_hold_forks(&self) -> bool {
        self.namespaces && self.landlock > 0
    }

    /// The missing features without which the sandbox is not complete, for messages.
    pub fn lacking(&self) -> Vec<&'static str> {
        let mut lacking = Vec::new();
        if self.landlock < FULL_LANDLOCK {
            lacking.push(if self.landlock == 0 { "Landlock" } else { "Landlock of version 5" });
        }
        if !self.filter {
            lacking.push("filter for system calls");
        }
        lacking
    }
}

impl fmt::Display for Abilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock {
            0 => f.write_str("no Landlock")?,
            version => write!(f, "Landlock {version}")?,
        }
        f.write_str(if self.filter { ", system calls filtered" } else { ", system calls not filtered" })?;
        f.write_str(if self.namespaces { ", namespaces" } else { ", no namespaces" })
    }
}

const HELPER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sandbox_helper"));

/// The helper, ready to be started, and the features of the kernel.
#[derive(Debug, Clone)]
pub struct Sandbox {
    helper: Arc<File>,
    abilities: Abilities,
}

impl Sandbox {
    /// Puts the helper into memory and asks it for the features of the kernel.
    ///
    /// # Errors
    /// The helper cannot be started.
    pub fn start() -> Result<Sandbox, SandboxError> {
        let helper = helper_file().map_err(SandboxError::NoHelper)?;
        let asked = output_of_other(program(&helper).arg("abilities")).map_err(SandboxError::NoHelper)?;
        let mut abilities = abilities(&asked.stdout).ok_or_else(|| {
            let why = format!("it {}", asked.status);
            SandboxError::NoHelper(io::Error::other(why))
        })?;
        // Without filters a bot could leave processes behind in them.
        abilities.namespaces = abilities.filter && can_hold_namespaces(&helper);
        Ok(Sandbox { helper: Arc::new(helper), abilities })
    }

    /// The same sandbox without namespaces, as on a kernel that refuses them.
    #[must_use]
    pub fn without_namespaces(self) -> Sandbox {
        Sandbox { abilities: Abilities { namespaces: false, ..self.abilities }, ..self }
    }

    /// The features of this kernel.
    pub fn abilities(&self) -> Abilities {
        self.abilities
    }

    /// The rules for the bot in `folder` that is run by `tool`, an interpreter of this machine, or directly; tried out
    /// once. The bot can read the system, the tool and its folder, and write to its folder. The `closed` folders are out
    /// of its reach, unless they contain its own. `kill` is the time after which its runs are killed. `rounds` is the folder
    /// of the match; without it the bot plays none, and has no folders but its own. Also gives that folder as the bot has it, if
    /// it is in memory.
    ///
    /// # Errors
    /// [`SandboxError::NotSetUp`] if the kernel refuses a rule.
    pub fn confine(
        &self,
        folder: &Path,
        tool: Option<&Path>,
        rounds: Option<&Path>,
        closed: &[PathBuf],
        allowance: Allowance,
        kill: Option<Duration>,
    ) -> Result<(SandboxPolicy, Option<Folder>), SandboxError> {
        let failed = |why| SandboxError::NotSetUp { bot: folder.to_owned(), why };
        let closed: Vec<PathBuf> = closed.iter().filter(|path| *path != folder).cloned().chain(secrets()).collect();
        let named = readable_paths(tool);
        let readable = outermost(named.iter().cloned());
        let mut rules = Vec::new();
        if self.abilities.landlock > 0 {
            rules.extend(readable.iter().flat_map(|root| allowed(root, &closed)).map(|path| rule("r", &path)));
            rules.extend(OWN.iter().map(|path| rule("r", Path::new(path))));
            rules.extend(DEVICES.iter().map(|device| rule("w", Path::new(device))));
            rules.extend(allowed(folder, &closed).iter().map(|path| rule("w", path)));
        }
        rules.extend(resource_limits(allowance, kill).map(|(resource, value)| format!("l{resource}={value}").into()));
        rules.push(format!("h{}={STACK}", libc::RLIMIT_STACK).into());
        if self.abilities.filter {
            rules.push("S".into());
        }
        let mut policy = SandboxPolicy {
            helper: Arc::clone(&self.helper),
            namespaces: None,
            rules,
            memory: allowance.memory,
            holds_forks: self.abilities.can_hold_forks(),
        };
        policy.try_out().map_err(failed)?;
        let mut in_memory = None;
        if self.abilities.namespaces {
            let root = RootFolder::new(&readable, &DEVICES_SEEN).with_bot(folder, rounds).without(&closed);
            let named = named.iter().map(PathBuf::as_path).chain([folder]).chain(rounds);
            let root = named.fold(root, RootFolder::with_links_to);
            let held = Namespaces::hold(&path(&self.helper), &root).map_err(|e| failed(e.to_string()))?;
            policy.namespaces = Some(Arc::new(held.0));
            in_memory = held.1;
        }
        Ok((policy, in_memory))
    }
}

impl Sandbox {
    /// Tells whether the bot in `folder` that is run by `tool` may read a file, besides closed folders.
    pub fn opens(&self, file: &Path, folder: &Path, tool: Option<&Path>) -> bool {
        if self.abilities.landlock == 0 && !self.abilities.namespaces {
            return true;
        }
        let open = outermost(readable_paths(tool).into_iter().chain([folder.to_owned()]));
        let is_open = |path: &Path| match path.canonicalize() {
            Ok(real) => open.iter().any(|open| real.starts_with(open)),
            Err(_) => true,
        };
        // In a root folder of its own, a bot does not see a link in a closed folder.
        is_open(file) && file.parent().is_none_or(is_open)
    }
}

/// The paths that a bot may read which is run by `tool`, or directly.
fn readable_paths(tool: Option<&Path>) -> Vec<PathBuf> {
    // A bot that is run directly needs no runtime.
    let runtimes = if tool.is_some() { &RUNTIMES[..] } else { &[] };
    let system = SYSTEM.iter().chain(runtimes).map(PathBuf::from);
    let tools = tool.into_iter().flat_map(|tool| [tool_folder(tool), environment_folder(tool), Some(tool.to_owned())]);
    system.chain(tools.flatten()).collect()
}

impl Sandbox {
    /// The rules for building the bot in `folder` with these `programs`: it can read these `files`, write to its folder, to `cache`
    /// and to a temporary folder in memory, and have child processes. Networks are closed unless `network` is true.
    ///
    /// # Errors
    /// [`SandboxError::NotSetUp`] if the kernel refuses namespaces.
    pub fn confine_build(
        &self,
        folder: &Path,
        programs: &[PathBuf],
        files: &[PathBuf],
        cache: &Path,
        network: bool,
    ) -> Result<SandboxPolicy, SandboxError> {
        let system = SYSTEM.iter().chain(&RUNTIMES).chain(&BUILD_TOOLS).map(PathBuf::from);
        let tools = programs
            .iter()
            .flat_map(|tool| [tool_folder(tool), environment_folder(tool), versions_of(tool), Some(tool.clone())])
            .flatten();
        let named: Vec<PathBuf> = system.chain(tools).chain(toolchains()).chain(files.iter().cloned()).collect();
        let readable = outermost(named.iter().cloned());
        // Before all paths, as the helper wants it.
        let mut rules: Vec<OsString> = if network { vec!["N".into()] } else { Vec::new() };
        let secrets = secrets();
        rules.extend(readable.iter().flat_map(|root| allowed(root, &secrets)).map(|path| rule("r", &path)));
        // Build tools look through the root folder, and read about all processes of the build; there is nothing else.
        rules.push(rule("e", Path::new("/")));
        rules.push(rule("r", Path::new("/proc")));
        let writable = DEVICES.iter().map(Path::new).chain([folder, cache]);
        rules.extend(writable.map(|path| rule("w", path)));
        let allowance = Allowance { memory: BUILD_MEMORY, file_size: BUILD_FILE_SIZE, open_files: 4096 };
        rules.extend(resource_limits(allowance, None).map(|(resource, value)| format!("l{resource}={value}").into()));
        // Also by the engine, because root knows no such limit.
        rules.push(format!("l{}={}", libc::RLIMIT_NPROC, 2 * MAX_PROCESSES).into());
        rules.push("B".into());
        let root = RootFolder::new(&readable, &DEVICES_SEEN).with_bot(folder, None).with_writable(cache);
        let named = named.iter().map(PathBuf::as_path).chain([folder, cache]);
        let root = named.fold(root, RootFolder::with_links_to).with_temporary(BUILD_ROOM);
        // Landlock does not close sockets with abstract names before its version 6.
        let root = if network { root } else { root.with_own_network() };
        let failed = |e: io::Error| SandboxError::NotSetUp { bot: folder.to_owned(), why: e.to_string() };
        let (namespaces, _) = Namespaces::hold(&path(&self.helper), &root).map_err(failed)?;
        let namespaces = Some(Arc::new(namespaces));
        Ok(SandboxPolicy {
            helper: Arc::clone(&self.helper),
            namespaces,
            rules,
            memory: BUILD_MEMORY,
            holds_forks: false,
        })
    }
}

/// The memory of all processes of a build, in bytes.
const BUILD_MEMORY: u64 = 4 << 30;
/// The largest size of a file that a build writes, in bytes.
const BUILD_FILE_SIZE: u64 = 1 << 30;
/// The room in the temporary folder of a build, in bytes and files.
const BUILD_ROOM: (u64, u64) = (1 << 30, 1 << 17);
/// Paths that build tools read in addition.
const BUILD_TOOLS: [&str; 16] = [
    "/etc/ca-certificates",
    "/etc/dotnet",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/maven",
    "/etc/nsswitch.conf",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    // Not private keys beside them.
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/usr/local",
];

/// The folder of a version manager, if `program` is one of its scripts: it has the programs that these stand for.
fn versions_of(program: &Path) -> Option<PathBuf> {
    let scripts = program.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "shims"))?;
    scripts.parent().map(Path::to_owned)
}

/// Files and folders of the user beside tools, which nobody may read.
fn secrets() -> Vec<PathBuf> {
    let cargo =
        home_folder("CARGO_HOME", ".cargo").map(|cargo| ["credentials", "credentials.toml"].map(|it| cargo.join(it)));
    let local = env::var_os("HOME").map(|home| ["share", "state"].map(|it| Path::new(&home).join(".local").join(it)));
    cargo.into_iter().chain(local).flatten().filter_map(|path| path.canonicalize().ok()).collect()
}

/// The rules of one bot.
#[derive(Debug, Clone)]
pub struct SandboxPolicy {
    helper: Arc<File>,
    namespaces: Option<Arc<Namespaces>>,
    rules: Vec<OsString>,
    memory: u64,
    /// True if it holds a program of the engine's together with its forks, which are runs of the bot.
    holds_forks: bool,
}

impl SandboxPolicy {
    /// The memory that a run may use, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The same rules for a bot that stays: it goes on when the thread ends that started it. When the engine dies, the kernel
    /// ends it with its namespaces, and the guardian where there are none.
    #[must_use]
    pub fn for_staying(mut self) -> SandboxPolicy {
        self.rules.push("K".into());
        self
    }

    /// The same rules for a program of the engine's that forks into the runs of the bot, each of which has to give up the right to
    /// fork. `None` if the kernel [cannot hold them](Abilities::can_hold_forks).
    #[must_use]
    pub fn for_warm_starts(&self) -> Option<SandboxPolicy> {
        let mut policy = self.clone().for_staying();
        policy.rules.push("F".into());
        self.holds_forks.then_some(policy)
    }

    /// The beginning of a command that runs `program` in `folder` by these rules. The arguments of the program are
    /// still to be added. Besides its own folder, the run can write to `temporary` and to the folders in `others`.
    pub fn command(&self, folder: &Path, temporary: &Path, others: &[PathBuf], program: &Path) -> CommandLine {
        let command = CommandLine::of_bot(path(&self.helper), folder).of_file(&self.helper);
        let command = command.within(self.namespaces.as_ref()).args(["run"]).args(&self.rules);
        let writable = others.iter().map(PathBuf::as_path).chain([temporary]).map(|path| rule("w", path));
        command.args(writable).args([OsStr::new("--"), program.as_os_str()])
    }

    /// Lets the helper apply all rules without running a program.
    fn try_out(&self) -> Result<(), String> {
        let done = output_of_other(program(&self.helper).arg("try").args(&self.rules)).map_err(|e| e.to_string())?;
        if done.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).trim().to_owned()) }
    }
}

/// Paths that every program reads. Each entry costs a few microseconds at every start of a bot.
const SYSTEM: [&str; 11] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/urandom",
];
/// Paths that interpreters and virtual machines read in addition.
const RUNTIMES: [&str; 18] = [
    "/dev/random",
    "/etc/alternatives",
    // Mono looks for fonts; without the cache it looks through all of them.
    "/etc/fonts",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/mono",
    "/etc/passwd",
    "/etc/php",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/var/cache/fontconfig",
];
/// Paths that programs read about themselves. They differ for each process, so they cannot be resolved before the bot
/// starts. Not all of `/proc/self`: `net` and `mountinfo` tell of the machine.
const OWN: [&str; 5] =
    ["/proc/self/cmdline", "/proc/self/fd", "/proc/self/maps", "/proc/self/stat", "/proc/self/status"];
/// Devices that discard everything. Not /dev/zero: as a shared mapping it is memory that no limit counts.
const DEVICES: [&str; 2] = ["/dev/null", "/dev/full"];
/// Devices in the bot's root folder. Landlock decides who may use them for what.
const DEVICES_SEEN: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

fn rule(letter: &str, path: &Path) -> OsString {
    let mut rule = OsString::from(letter);
    rule.push(path);
    rule
}

/// The most that the stack of a bot's first thread can grow to, in bytes: it is not counted as data. A bot begins with the
/// user's own limit, usually 8 MiB.
const STACK: u64 = 64 << 20;

/// The number and value of each resource limit.
fn resource_limits(allowance: Allowance, kill: Option<Duration>) -> impl Iterator<Item = (impl fmt::Display, u64)> {
    // In whole seconds, only for the case that the engine itself cannot end the run. A bot may use several processors
    // at once.
    let processors = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let processor_time = kill.map(|kill| (kill.as_secs() + 1) * processors);
    let limits = [
        (libc::RLIMIT_CPU, processor_time),
        (libc::RLIMIT_FSIZE, Some(allowance.file_size)),
        // Not the address space: runtimes reserve far more than they use.
        (libc::RLIMIT_DATA, Some(allowance.memory)),
        (libc::RLIMIT_CORE, Some(0)),
        (libc::RLIMIT_NOFILE, Some(allowance.open_files)),
        (libc::RLIMIT_MEMLOCK, Some(0)),
        (libc::RLIMIT_MSGQUEUE, Some(0)),
    ];
    limits.into_iter().filter_map(|(resource, value)| Some((resource, value?)))
}

/// A file in memory with the helper, which cannot be changed.
fn helper_file() -> io::Result<File> {
    let file = memfd_create("sandbox", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut file = File::from(file);
    file.write_all(HELPER)?;
    fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    Ok(file)
}

/// The path of the helper. It is valid in the child, which has a copy of the table of open files.
fn path(helper: &File) -> String {
    format!("/proc/self/fd/{}", helper.as_raw_fd())
}

/// True if the kernel lets this user make namespaces as bots get them.
fn can_hold_namespaces(helper: &File) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let bot = folder.path().join("bot");
    if fs::create_dir(&bot).is_err() {
        return false;
    }
    let root = RootFolder::new(&[], &DEVICES_SEEN).with_bot(&bot, Some(&folder.path().join("rounds")));
    Namespaces::hold(&path(helper), &root).is_ok()
}

fn program(helper: &File) -> Command {
    Command::new(path(helper))
}

fn abilities(told: &[u8]) -> Option<Abilities> {
    let (landlock, filter) = std::str::from_utf8(told).ok()?.trim().split_once(' ')?;
    Some(Abilities { landlock: landlock.parse().ok()?, filter: filter == "1", namespaces: false })
}

/// The largest number of processes of a build.
pub const MAX_PROCESSES: usize = 1000;

/// The folder of a variable, or this one in the user's home.
fn home_folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(usual)))
}

/// The folder of Rust's toolchains, in which cargo's own program looks for the others.
pub fn toolchains() -> Option<PathBuf> {
    home_folder("RUSTUP_HOME", ".rustup").filter(|path| path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_helper_tells_what_the_kernel_offers() {
        assert_eq!(abilities(b"07 1\n"), Some(Abilities { landlock: 7, filter: true, namespaces: false }));
        assert_eq!(abilities(b"00 0\n"), Some(Abilities { landlock: 0, filter: false, namespaces: false }));
        assert_eq!(abilities(b""), None);
        assert_eq!(Sandbox::start().unwrap().abilities(), Sandbox::start().unwrap().abilities());
    }

    #[test]
    fn a_rule_that_cannot_be_set_is_told_before_the_match() {
        let sandbox = Sandbox::start().unwrap();
        let helper = Arc::clone(&sandbox.helper);
        let policy =
            SandboxPolicy { helper, namespaces: None, rules: vec!["nonsense".into()], memory: 0, holds_forks: false };
        assert!(policy.try_out().unwrap_err().contains("it was given an unknown rule"));
    }

    #[test]
    fn the_first_argument_of_the_helper_is_a_mode_and_no_rule_is_one() {
        let helper = helper_file().unwrap();
        let ran = |arguments: &[&str]| {
            let ran = output_of_other(program(&helper).args(arguments)).unwrap();
            (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
        };
        for unknown in ["", "?", "--", "N", "NN", "T", "B", "r/usr", "l4=0", "runs", "abilities ", "/bin/true"] {
            let (status, said) = ran(&[unknown, "--", "/bin/true"]);
            assert!(status == Some(126) && said.contains("it was given an unknown mode"), "{unknown}: {said}");
        }
        assert!(ran(&[]).1.contains("it was given no mode"));
        for mode in ["run", "try", "hold", "hold-offline", "abilities"] {
            for before in ["run", "try", "hold", "hold-offline"] {
                let (status, said) = ran(&[before, mode, "--", "/bin/true"]);
                let is_refused = said.contains("it was given an unknown rule");
                // Namespaces may be refused first.
                assert!(before.starts_with("hold") || status == Some(126) && is_refused, "{before} {mode}: {said}");
            }
        }
        for malformed in ["l4", "h3", "l4=1x", "l4=1=1", "l4 =1", "l4:1"] {
            let (status, said) = ran(&["try", malformed]);
            assert!(status == Some(126) && said.contains("it was given a malformed limit"), "{malformed}: {said}");
        }
        if Sandbox::start().unwrap().abilities().landlock == 0 {
            return test_tools::not_allowed("Landlock");
        }
        assert!(ran(&["run", "r/usr", "N", "--", "/bin/true"]).1.contains("networks were allowed after a path"));
        assert_eq!(ran(&["run", "N", "r/etc", "--", "/bin/true"]).0, Some(126), "it lies elsewhere");
        assert_eq!(ran(&["run", "N", "r/", "--", "/bin/true"]), (Some(0), String::new()));
        assert_eq!(ran(&["run", "N", "r/", "--", "/bin/false"]).0, Some(1), "the program is executed");
        assert_eq!(ran(&["try", "N", "r/"]), (Some(0), String::new()));
    }

    #[test]
    fn what_a_kernel_lacks_is_named() {
        let lacking = |landlock, filter| Abilities { landlock, filter, namespaces: true }.lacking();
        assert_eq!(lacking(FULL_LANDLOCK, true), [""; 0]);
        assert_eq!(lacking(FULL_LANDLOCK - 1, true), ["Landlock of version 5"]);
        assert_eq!(lacking(0, false), ["Landlock", "filter for system calls"]);
    }
}
