//! The folder of a match, written to without ever following what a bot may have put there.

use crate::ArenaError;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, mkdirat, open, openat, renameat, renameat_with, unlinkat};
use rustix::io::Errno;
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
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
    /// Opens the folder at `path`, which is made with its parents if it is missing. Its path becomes absolute.
    pub fn create(path: &Path) -> Result<MatchFolder, ArenaError> {
        fs::create_dir_all(path).map_err(|e| ArenaError::disk("make the folder", path, e))?;
        let path = fs::canonicalize(path).map_err(|e| ArenaError::disk("find", path, e))?;
        let root = open(&path, FOLDER, Mode::empty()).map_err(|e| ArenaError::disk("open", &path, e))?;
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
        const NAME: &str = ".broadside";
        self.write("", NAME, b"")?;
        unlinkat(&self.root, NAME, AtFlags::empty()).map_err(|e| ArenaError::disk("remove", self.path.join(NAME), e))
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

    /// Moves the rounds of an earlier match into a folder of their own called `aside`. Tells whether there were any.
    pub fn move_rounds_aside(&self, aside: &str) -> Result<bool, ArenaError> {
        let failed = |e: io::Error| ArenaError::disk("move aside the rounds in", &self.path, e);
        let mut rounds = Vec::new();
        for entry in WalkDir::new(&self.path).min_depth(1).max_depth(1) {
            let name = entry.map_err(|e| failed(e.into()))?.file_name().to_owned();
            if name.as_encoded_bytes().starts_with(b"Phase ") {
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

/// Opens or makes the folder `name`, in the place of anything else that has the name.
fn step_into(at: BorrowedFd<'_>, name: &Path) -> Result<OwnedFd, Errno> {
    match openat(at, name, FOLDER, Mode::empty()) {
        Err(Errno::NOENT) => {}
        Err(Errno::LOOP | Errno::NOTDIR) => unlinkat(at, name, AtFlags::empty())?,
        opened => return opened,
    }
    mkdirat(at, name, FOLDER_MODE)?;
    openat(at, name, FOLDER, Mode::empty())
}

/// Makes the file `name` anew.
fn create_new(at: BorrowedFd<'_>, name: &str) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(at, name, flags, FILE_MODE) {
        Err(Errno::EXIST) => {}
        opened => return opened,
    }
    match unlinkat(at, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => rename_aside(at, name)?,
        done => done?,
    }
    openat(at, name, flags, FILE_MODE)
}

/// Gives a folder that is in the way of a file another name.
fn rename_aside(at: BorrowedFd<'_>, name: &str) -> Result<(), Errno> {
    let free = (1..1000)
        .map(|n| format!("{name}.{n}"))
        .map(|other| renameat_with(at, name, at, other, RenameFlags::NOREPLACE));
    free.into_iter().find(|done| *done != Err(Errno::EXIST)).unwrap_or(Err(Errno::EXIST))
}
