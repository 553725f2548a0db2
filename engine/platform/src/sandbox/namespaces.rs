//! Namespaces: a bot's own view of files, processes and IPC objects.
//!
//! The sandbox helper makes them once for each bot and match, and holds them until this process lets go of them, or ends.
//! Every run of the bot enters them. Inside, the root folder holds what the bot may see and nothing else, so most of what
//! Landlock forbids has no path to begin with. What the bot writes is kept in memory of a fixed size.

use crate::files::Folder;
use crate::process::{open, start_other};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getegid, geteuid, pidfd_send_signal, waitid};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};

/// The room for what a bot writes to its own folder, in bytes, and the number of files.
const OWN_ROOM: (u64, u64) = (64 << 20, 16384);
/// The same for its folder of the round.
const ROUND_ROOM: (u64, u64) = (64 << 20, 4096);
/// The same for a folder in the place of a closed one.
const CLOSED_ROOM: (u64, u64) = (64 << 10, 64);
/// The namespaces that every bot has.
const KINDS: i32 = libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC;
/// The largest number of links on the way to a file, as Linux has it.
const MAX_LINKS: u32 = 40;

/// Namespaces, held by a process of their own. They end when this value is dropped.
#[derive(Debug)]
pub struct Namespaces {
    /// The first process in them, which is a child of this one.
    init: OwnedFd,
    /// Its number.
    pub(crate) pid: Pid,
    /// Their kinds, as the flags of setns(2).
    pub(crate) kinds: i32,
    /// Its standard input: it ends when this is closed.
    lifeline: ChildStdin,
}

/// The contents of a bot's root folder.
#[derive(Debug, Default)]
pub(super) struct RootFolder {
    /// A rule of the helper for each path. Sorted, a folder comes before what lies in it.
    rules: BTreeMap<PathBuf, Vec<OsString>>,
    rounds: Option<PathBuf>,
    /// True for a network without any devices.
    has_own_network: bool,
}

impl RootFolder {
    /// A root folder with `readable` files and folders and these `devices`; links on the way to them are there, too.
    pub(super) fn new(readable: &[PathBuf], devices: &[&str]) -> RootFolder {
        let mut root = RootFolder::default();
        // The first rule for a path counts, and that of readable files opens no device.
        for device in devices {
            root.rule("d", Path::new(device));
        }
        for path in readable {
            root.rule("r", path);
        }
        root.rule("p", Path::new("/proc"));
        root.rule("m", Path::new("/tmp"));
        for (link, target) in STREAMS {
            root.link(Path::new(link), Path::new(target));
        }
        root
    }

    /// Adds the bot's own folder: with `rounds`, the folder of the match, what it writes is gone at the end. Without it, it
    /// writes to the folder itself.
    pub(super) fn with_bot(mut self, folder: &Path, rounds: Option<&Path>) -> RootFolder {
        match rounds {
            Some(rounds) => {
                self.rule(&room("o", OWN_ROOM), folder);
                self.rule(&room("t", ROUND_ROOM), rounds);
                self.rounds = Some(rounds.to_owned());
            }
            None => self.rule("w", folder),
        }
        self
    }

    /// Adds a folder that can be written to.
    pub(super) fn with_writable(mut self, folder: &Path) -> RootFolder {
        self.rule("w", folder);
        self
    }

    /// Adds a network of its own, in which there is nothing.
    pub(super) fn with_own_network(self) -> RootFolder {
        RootFolder { has_own_network: true, ..self }
    }

    /// Makes `/tmp` a folder in memory with this room, in bytes and files.
    pub(super) fn with_temporary(mut self, size: (u64, u64)) -> RootFolder {
        self.rules.remove(Path::new("/tmp"));
        self.rule(&room("t", size), Path::new("/tmp"));
        self
    }

    /// Adds the links on the way to `path`, so that it can be found by the same name.
    pub(super) fn with_links_to(mut self, path: &Path) -> RootFolder {
        for (link, target) in links(path) {
            self.link(&link, &target);
        }
        self
    }

    /// Puts an empty folder in the place of each `closed` one that would be seen.
    pub(super) fn without(mut self, closed: &[PathBuf]) -> RootFolder {
        // An empty folder hides all that lies in it, and has no room for a place for each.
        for path in BTreeSet::from_iter(closed) {
            let above = self.rules.iter().rev().find(|(seen, _)| path.starts_with(seen) && path != *seen);
            if above.is_some_and(|(_, rule)| shows(rule)) && path.is_dir() {
                self.rule(&room("t", CLOSED_ROOM), path);
            }
        }
        self
    }

    fn rule(&mut self, letter: &str, path: &Path) {
        let mut rule = OsString::from(letter);
        rule.push(path);
        self.rules.entry(path.to_owned()).or_insert_with(|| vec![rule]);
    }

    fn link(&mut self, link: &Path, target: &Path) {
        let is_seen = self.rules.iter().any(|(seen, rule)| link.starts_with(seen) && shows(rule));
        if !is_seen {
            let mut rule = OsString::from("k");
            rule.push(link);
            self.rules.insert(link.to_owned(), vec![rule, target.into()]);
        }
    }

    /// All rules in the order in which the helper has to follow them. Folders in the place of closed ones are for reading
    /// only once everything is in its place.
    fn arguments(&self) -> impl Iterator<Item = OsString> {
        let closing = self.rules.iter().filter(|(_, rule)| {
            let closed = room("t", CLOSED_ROOM);
            rule[0].as_encoded_bytes().strip_prefix(closed.as_bytes()).is_some_and(|path| path.starts_with(b"/"))
        });
        let read_only = closing.map(|(path, _)| {
            let mut rule = OsString::from("R");
            rule.push(path);
            rule
        });
        self.rules.values().flatten().cloned().chain(read_only)
    }
}

/// True for the rule of a path that shows what lies there. An empty folder, such as /tmp, shows nothing of the one whose place it has.
fn shows(rule: &[OsString]) -> bool {
    rule.iter().any(|rule| matches!(rule.as_encoded_bytes().first(), Some(b'r' | b'w' | b'o')))
}

/// Names of the streams of a process.
const STREAMS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

fn room(letter: &str, (bytes, files): (u64, u64)) -> String {
    format!("{letter}{bytes},{files}")
}

/// The links on the way to `path`, each with its target.
fn links(path: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut left: Vec<OsString> = path.components().rev().map(|part| part.as_os_str().to_owned()).collect();
    let mut at = PathBuf::from("/");
    let mut budget = MAX_LINKS;
    while let Some(part) = left.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => drop(at.pop()),
            Some(Component::Normal(name)) => {
                let next = at.join(name);
                match fs::read_link(&next) {
                    Ok(target) if budget > 0 => {
                        budget -= 1;
                        if target.is_absolute() {
                            at = PathBuf::from("/");
                        }
                        left.extend(target.components().rev().map(|part| part.as_os_str().to_owned()));
                        found.push((next, target));
                    }
                    _ => at = next,
                }
            }
            _ => {}
        }
    }
    found
}

impl Namespaces {
    /// Makes namespaces with this root folder. `helper` is the path of the sandbox helper. Also gives the folder of the match as
    /// the bot has it, if there is one.
    ///
    /// # Errors
    /// The refusal of the system, as a sentence of the helper.
    pub(super) fn hold(helper: &str, root: &RootFolder) -> io::Result<(Namespaces, Option<Folder>)> {
        let mut command = Command::new(helper);
        command
            .arg(if root.has_own_network { "hold-offline" } else { "hold" })
            .args(root.arguments())
            .env_clear()
            .current_dir("/")
            .process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut starter = start_other(&mut command)?;
        let streams = (starter.stdin.take(), starter.stdout.take(), starter.stderr.take());
        let (Some(lifeline), Some(said), Some(mut errors)) = streams else { unreachable!("the streams are pipes") };
        let mut said = BufReader::new(said);
        let mut first = String::new();
        said.read_line(&mut first)?;
        // It has left the first process of the namespaces to us.
        starter.wait()?;
        let mut refused = || {
            let mut why = String::new();
            errors.read_to_string(&mut why).and_then(|_| Err(io::Error::other(why.trim().to_owned())))
        };
        let Some(pid) = first.trim().parse().ok().and_then(Pid::from_raw) else { return refused() };
        let init =
            open(pid.as_raw_pid()).ok_or_else(|| io::Error::other("the first process of the namespaces is gone"))?;
        let kinds = KINDS | if root.has_own_network { libc::CLONE_NEWNET } else { 0 };
        let mut namespaces = Namespaces { init, pid, kinds, lifeline };
        map_users(pid.as_raw_pid())?;
        namespaces.lifeline.write_all(b"x")?;
        let mut rest = String::new();
        said.read_to_string(&mut rest)?;
        if rest.trim() != "ready" {
            return refused();
        }
        let open = |rounds: &PathBuf| {
            let path = Path::new("/proc").join(pid.as_raw_pid().to_string()).join("root");
            Folder::open(&path.join(rounds.strip_prefix("/").unwrap_or(rounds)))
        };
        let rounds = root.rounds.as_ref().map(open).transpose()?;
        Ok((namespaces, rounds))
    }

    /// True while the first process lives, and with it the namespaces.
    pub fn is_alive(&self) -> bool {
        let mut ended = [PollFd::new(&self.init, PollFlags::IN)];
        poll(&mut ended, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) == Ok(0)
    }
}

/// Lets the users in the namespaces of a process be those outside: all for root, else the own one.
fn map_users(pid: i32) -> io::Result<()> {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let (user, group) = (geteuid(), getegid());
    if user.is_root() {
        let all = "0 0 4294967295";
        fs::write(folder.join("uid_map"), all)?;
        return fs::write(folder.join("gid_map"), all);
    }
    // Linux wants it so of those who are not root.
    fs::write(folder.join("setgroups"), "deny")?;
    fs::write(folder.join("uid_map"), format!("{user} {user} 1"))?;
    fs::write(folder.join("gid_map"), format!("{group} {group} 1"))
}

impl AsFd for Namespaces {
    /// The first process.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.init.as_fd()
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        // It is our child, and ends with everything in its namespaces.
        let _ = pidfd_send_signal(&self.init, Signal::KILL);
        let _ = waitid(WaitId::PidFd(self.init.as_fd()), WaitIdOptions::EXITED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn rules(root: &RootFolder) -> Vec<String> {
        root.arguments().map(|rule| rule.into_string().unwrap()).collect()
    }

    #[test]
    fn folders_come_before_what_lies_in_them_and_closed_ones_are_empty() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().canonicalize().unwrap();
        let (theirs, rounds) = (bot.join("theirs"), bot.join("log/match"));
        fs::create_dir_all(&theirs).unwrap();
        let closed = [theirs.clone(), rounds.clone(), bot.clone(), "/nowhere".into()];
        let root = RootFolder::default().with_bot(&bot, Some(&rounds)).without(&closed);
        let at = |path: &Path| path.display().to_string();
        let want = [
            format!("o67108864,16384{}", at(&bot)),
            format!("t67108864,4096{}", at(&rounds)),
            format!("t65536,64{}", at(&theirs)),
            format!("R{}", at(&theirs)),
        ];
        assert_eq!(rules(&root), want);
        // Those of many bots would not have room in the folder that closes all of them.
        let theirs = [theirs.join("1"), theirs.join("2"), theirs];
        theirs.iter().take(2).for_each(|path| fs::create_dir(path).unwrap());
        let root = RootFolder::default().with_bot(&bot, Some(&rounds)).without(&theirs);
        assert_eq!(rules(&root), want);
        let mut empty = RootFolder::default();
        empty.rule("m", bot.parent().unwrap());
        assert_eq!(rules(&empty.without(&theirs)).len(), 1);
    }

    #[test]
    fn links_on_the_way_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join("a/b")).unwrap();
        symlink("../a", folder.join("a/up")).unwrap();
        symlink(folder.join("a/up/b"), folder.join("link")).unwrap();
        let found = links(&folder.join("link/file"));
        let want = [("link", folder.join("a/up/b")), ("a/up", "../a".into())];
        assert_eq!(found, want.map(|(link, target)| (folder.join(link), target)));
        symlink("round", folder.join("round")).unwrap();
        assert!(links(&folder.join("round")).len() <= 1 + MAX_LINKS as usize);
    }
}
