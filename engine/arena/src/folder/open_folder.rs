//! A folder that is held open, in which a bot may have put anything.

use crate::ArenaError;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, chmod, fchmod, fstat, mkdirat, openat, renameat_with, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

pub(super) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);

/// A folder in the folder of a match, held open: wherever a bot moves it, and whatever it puts in its place, this is it.
#[derive(Debug)]
pub struct OpenFolder {
    path: PathBuf,
    /// The folder that it is in.
    outer: Option<OwnedFd>,
    open: OwnedFd,
    is_new: bool,
}

impl AsFd for OpenFolder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.open.as_fd()
    }
}

impl OpenFolder {
    /// A folder that is open, and called `path` in errors.
    pub(super) fn of(open: OwnedFd, path: &Path) -> OpenFolder {
        OpenFolder { path: path.to_owned(), outer: None, open, is_new: false }
    }

    /// Opens or makes a folder in it, in the place of anything else that has the name.
    pub(super) fn step_into(self, name: &Path) -> Result<OpenFolder, ArenaError> {
        let path = self.path.join(name);
        let (open, is_new) =
            step_into(self.as_fd(), name).map_err(|e| ArenaError::disk("open the folder", &path, e))?;
        Ok(OpenFolder { path, outer: Some(self.open), open, is_new })
    }

    /// Whether it was made when it was opened, so that nothing of an earlier turn is in it.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Where it was when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a new file `name`, in the place of whatever has the name. A file that cannot be written to its end is removed.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let failed = |source| ArenaError::Disk { doing: "write", path: self.path.join(name), source };
        let mut file = self.create(name)?;
        file.write_all(bytes).map_err(|e| {
            // Half a file would mislead its reader; the error tells what happened.
            let _ = unlinkat(&self.open, name, AtFlags::empty());
            failed(e)
        })
    }

    /// Makes a new file `name`, in the place of whatever has the name, and leaves it open.
    pub(super) fn create(&self, name: &str) -> Result<File, ArenaError> {
        let file = create_new(self.as_fd(), name);
        file.map(File::from).map_err(|e| ArenaError::disk("make", self.path.join(name), e))
    }

    /// Removes the file `name`, if there is one.
    pub fn remove(&self, name: &str) -> Result<(), ArenaError> {
        remove(self.as_fd(), name).map_err(|e| ArenaError::disk("remove", self.path.join(name), e))
    }

    /// Removes the folder itself if it is empty and where it was. Tells whether it is gone: a bot may have put another in
    /// its place.
    pub fn remove_empty(&self) -> bool {
        let (Some(outer), Some(name)) = (&self.outer, self.path.file_name()) else { return false };
        let gone = unlinkat(outer, name, AtFlags::REMOVEDIR).is_ok();
        gone && fstat(&self.open).is_ok_and(|folder| folder.st_nlink == 0)
    }
}

/// How often something is tried again that a bot may get in the way of at the same time.
const TRIES: u32 = 5;

/// Opens or makes the folder `name`, in the place of anything else that has the name. Tells whether it was made.
fn step_into(at: BorrowedFd<'_>, name: &Path) -> Result<(OwnedFd, bool), Errno> {
    let mut last = Errno::EXIST;
    let mut is_new = false;
    for _ in 0..TRIES {
        // Most often it is not there yet.
        match mkdirat(at, name, FOLDER_MODE) {
            Ok(()) => is_new = true,
            Err(Errno::EXIST) => {}
            Err(e) => {
                last = regain(at, e)?;
                continue;
            }
        }
        last = match openat(at, name, FOLDER, Mode::empty()) {
            Ok(folder) => return Ok((folder, is_new)),
            // A bot was faster.
            Err(Errno::NOENT) => Errno::NOENT,
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
pub(super) fn unguessable() -> u64 {
    RandomState::new().hash_one(0)
}
