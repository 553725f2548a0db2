//! The folder of a match, written to without ever following what a bot may have put there.

use super::reader::compress;
use super::{MATCH_JSONL, MATCH_JSONL_ZST};
use crate::ArenaError;
use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, RenameFlags, chmod, fchmod, flock, fstat, mkdirat, open, openat, renameat,
    renameat_with, unlinkat,
};
use rustix::io::Errno;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// The folder of a match.
///
/// Bots can write in it. So every write goes through open folders, follows no symbolic link, and makes a new file where
/// one was: nothing outside the folder can be reached or changed through what a bot left in it.
#[derive(Debug)]
pub struct MatchFolder {
    path: PathBuf,
    root: OwnedFd,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);

impl MatchFolder {
    /// Opens the folder at `path`, which is made with its parents if it is missing. Its path becomes absolute. As long as
    /// it is open, no other engine can open it.
    pub fn create(path: &Path) -> Result<MatchFolder, ArenaError> {
        fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e))?;
        MatchFolder::open(path)
    }

    /// The same for a folder that is not there yet. If there is one, `-2`, `-3` and so on are added to its name.
    pub fn create_fresh(path: &Path) -> Result<MatchFolder, ArenaError> {
        let failed = |e| ArenaError::disk("make the folder", path, e);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut fresh = path.to_owned();
        for number in 2.. {
            match fs::create_dir(&fresh) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    let mut name = path.file_name().unwrap_or_default().to_owned();
                    name.push(format!("-{number}"));
                    fresh = path.with_file_name(name);
                }
                made => {
                    made.map_err(failed)?;
                    break;
                }
            }
        }
        MatchFolder::open(&fresh)
    }

    /// Opens a folder that is there. The last part of its path must not be a link.
    pub fn open(path: &Path) -> Result<MatchFolder, ArenaError> {
        let root = open(path, FOLDER, Mode::empty()).map_err(|e| ArenaError::disk("open the folder", path, e))?;
        let path = fs::canonicalize(path).map_err(|e| ArenaError::disk("find", path, e))?;
        match flock(&root, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => {
                let busy = io::Error::new(io::ErrorKind::ResourceBusy, "another match is being played in it");
                return Err(ArenaError::disk("use the folder", &path, busy));
            }
            locked => locked.map_err(|e| ArenaError::disk("lock", &path, e))?,
        }
        let folder = MatchFolder { path, root };
        folder.probe()?;
        Ok(folder)
    }

    /// Where it is; absolute.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finds out at once whether files can be made here.
    fn probe(&self) -> Result<(), ArenaError> {
        let name = format!(".broadside-{:016x}", unguessable());
        self.write("", &name, b"")?;
        self.remove_in(&self.root, "", &name)
    }

    /// Removes the file `name` from a folder of it that is open, if there is one.
    pub fn remove_in(&self, folder: impl AsFd, relative: &str, name: &str) -> Result<(), ArenaError> {
        let path = || self.path.join(relative).join(name);
        remove(folder.as_fd(), name).map_err(|e| ArenaError::disk("remove", path(), e))
    }

    /// Opens a folder in it, made with its parents if it is missing. Whatever else a bot put in the way is removed.
    pub fn folder(&self, relative: &str) -> Result<OwnedFd, ArenaError> {
        let mut path = self.path.clone();
        let mut at = self.root.try_clone().map_err(|e| ArenaError::disk("open", &self.path, e))?;
        for part in Path::new(relative).components() {
            let Component::Normal(name) = part else { continue };
            path.push(name);
            at = step_into(at.as_fd(), Path::new(name)).map_err(|e| ArenaError::disk("open the folder", &path, e))?;
        }
        Ok(at)
    }

    /// Removes the folder `relative` if it is empty and nothing is in the way. Tells whether it is gone, and was the one
    /// that `open` is of: a bot may have put another in its place.
    pub fn remove_empty(&self, open: impl AsFd, relative: &str) -> Result<bool, ArenaError> {
        let (outer, name) = relative.rsplit_once('/').unwrap_or(("", relative));
        let gone = unlinkat(self.folder(outer)?, name, AtFlags::REMOVEDIR).is_ok();
        Ok(gone && fstat(open).is_ok_and(|folder| folder.st_nlink == 0))
    }

    /// Writes a new file `name` in the folder `relative`. A file that cannot be written to its end is removed.
    pub fn write(&self, relative: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let folder = self.folder(relative)?;
        self.write_in(&folder, relative, name, bytes)
    }

    /// The same in a folder that is open already.
    pub fn write_in(&self, folder: impl AsFd, relative: &str, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let failed = |source| ArenaError::Disk { doing: "write", path: self.path.join(relative).join(name), source };
        let file = create_new(folder.as_fd(), name).map_err(|e| failed(e.into()))?;
        fs::File::from(file).write_all(bytes).map_err(|e| {
            // Half a file would mislead its reader; the error below tells what happened.
            let _ = unlinkat(&folder, name, AtFlags::empty());
            failed(e)
        })
    }

    /// Makes a new file at the top and leaves it open.
    pub(super) fn create_file(&self, name: &str) -> Result<fs::File, ArenaError> {
        let file = create_new(self.root.as_fd(), name);
        file.map(fs::File::from).map_err(|e| ArenaError::disk("make", self.path.join(name), e))
    }

    /// Puts a file at the top, in the place of whatever has its name, which is lost only when the file is there.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let fresh = format!(".{name}.{:016x}", unguessable());
        self.write("", &fresh, bytes)?;
        self.remove_in(&self.root, "", name)?;
        renameat(&self.root, &fresh, &self.root, name).map_err(|e| ArenaError::disk("write", self.path.join(name), e))
    }

    /// Adds to a file at the top, which is made if it is missing.
    pub(super) fn append(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&self.root, name, flags, Mode::empty()).map(fs::File::from);
        let file = file.or_else(|_| self.create_file(name));
        let failed = |e| ArenaError::disk("write", self.path.join(name), e);
        file?.write_all(bytes).map_err(failed)
    }

    /// Whether there is a file of this name at the top, with exactly this in it.
    pub(super) fn holds(&self, name: &str, content: &[u8]) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = openat(&self.root, name, flags, Mode::empty()).map(fs::File::from) else { return false };
        // Looked at first, because it may have become very long.
        let as_long = file.metadata().is_ok_and(|file| file.is_file() && file.len() == content.len() as u64);
        let mut bytes = Vec::with_capacity(content.len());
        as_long && file.take(content.len() as u64).read_to_end(&mut bytes).is_ok() && bytes == content
    }

    /// Puts the compressed record in the place of the record.
    pub fn compress_record(&self) -> Result<(), ArenaError> {
        let path = self.path.join(MATCH_JSONL);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = match openat(&self.root, MATCH_JSONL, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(()),
            opened => fs::File::from(opened.map_err(|e| ArenaError::disk("open", &path, e))?),
        };
        let packed = compress(file).map_err(|e| ArenaError::disk("compress", &path, e))?;
        self.replace(MATCH_JSONL_ZST, &packed)?;
        self.remove_in(&self.root, "", MATCH_JSONL)
    }

    /// Moves what an earlier match left into a folder of their own called `aside`. Tells whether there were any.
    pub fn move_rounds_aside(&self, aside: &str) -> Result<bool, ArenaError> {
        let failed = |e: io::Error| ArenaError::disk("move aside the rounds in", &self.path, e);
        let mut rounds = Vec::new();
        for entry in WalkDir::new(&self.path).min_depth(1).max_depth(1) {
            let name = entry.map_err(|e| failed(e.into()))?.file_name().to_owned();
            let is_rounds = name.as_encoded_bytes().starts_with(b"Phase ");
            let others = [super::bundles::FOLDER, MATCH_JSONL, MATCH_JSONL_ZST];
            if is_rounds || others.iter().any(|other| name == *other) {
                rounds.push(name);
            }
        }
        if rounds.is_empty() {
            return Ok(false);
        }
        let target = self.folder(aside)?;
        for name in &rounds {
            renameat(&self.root, name, &target, name).map_err(|e| failed(e.into()))?;
        }
        Ok(true)
    }
}

/// How often something is tried again that a bot may get in the way of at the same time.
const TRIES: u32 = 5;

/// Opens or makes the folder `name`, in the place of anything else that has the name.
fn step_into(at: BorrowedFd<'_>, name: &Path) -> Result<OwnedFd, Errno> {
    let mut last = Errno::EXIST;
    for _ in 0..TRIES {
        last = match openat(at, name, FOLDER, Mode::empty()) {
            Ok(folder) => return Ok(folder),
            Err(Errno::NOENT) => match mkdirat(at, name, FOLDER_MODE) {
                // If it exists now, the other player's thread or a bot was faster.
                Ok(()) | Err(Errno::EXIST) => continue,
                Err(e) => regain(at, e)?,
            },
            Err(Errno::LOOP | Errno::NOTDIR) => match unlinkat(at, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => continue,
                Err(e) => regain(at, e)?,
            },
            Err(Errno::ACCESS) => {
                let error = regain(at, Errno::ACCESS)?;
                // Opened as a mere place, which needs no right to it.
                let place = openat(at, name, FOLDER.difference(OFlags::RDONLY) | OFlags::PATH, Mode::empty())?;
                chmod(format!("/proc/self/fd/{}", place.as_raw_fd()), Mode::RWXU)?;
                error
            }
            Err(e) => return Err(e),
        };
    }
    Err(last)
}

/// Takes back the rights to an open folder of ours that a bot has given away, after this error. Others are passed on.
fn regain(folder: BorrowedFd<'_>, error: Errno) -> Result<Errno, Errno> {
    match error {
        Errno::ACCESS => fchmod(folder, Mode::RWXU).map(|()| error),
        error => Err(error),
    }
}

/// Makes the file `name` anew.
fn create_new(at: BorrowedFd<'_>, name: &str) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut last = Errno::EXIST;
    for _ in 0..TRIES {
        match openat(at, name, flags, FILE_MODE) {
            Ok(file) => return Ok(file),
            Err(Errno::EXIST) => remove(at, name)?,
            Err(e) => last = regain(at, e)?,
        }
    }
    Err(last)
}

/// Removes the file `name`, if there is one. A folder of that name gets another one: it may be large, and it is not ours.
fn remove(at: BorrowedFd<'_>, name: &str) -> Result<(), Errno> {
    let mut last = Errno::EXIST;
    for _ in 0..TRIES {
        last = match unlinkat(at, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::ISDIR) => {
                let other = format!("{name}.{:016x}", unguessable());
                match renameat_with(at, name, at, other, RenameFlags::NOREPLACE) {
                    Ok(()) | Err(Errno::NOENT) => return Ok(()),
                    Err(e) => regain(at, e)?,
                }
            }
            Err(e) => regain(at, e)?,
        };
    }
    Err(last)
}

/// A number that no bot knows beforehand.
fn unguessable() -> u64 {
    RandomState::new().hash_one(0)
}
