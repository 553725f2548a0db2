//! An open folder in which a bot may have put anything.

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

/// A folder below a match's folder, held open: it stays the same folder wherever a bot moves it and whatever the
/// bot puts in its place.
#[derive(Debug)]
pub struct OpenFolder {
    path: PathBuf,
    /// The folder around it.
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
    /// An open folder, called `path` in errors.
    pub(super) fn of(open: OwnedFd, path: &Path) -> OpenFolder {
        OpenFolder { path: path.to_owned(), outer: None, open, is_new: false }
    }

    /// Opens or creates a folder in it. Anything else of that name is removed.
    pub(super) fn step_into(self, name: &Path) -> Result<OpenFolder, ArenaError> {
        let path = self.path.join(name);
        let (open, is_new) =
            step_into(self.as_fd(), name).map_err(|e| ArenaError::disk("open the folder", &path, e))?;
        Ok(OpenFolder { path, outer: Some(self.open), open, is_new })
    }

    /// Tells whether the folder was created when it was opened, so that it holds nothing of an earlier turn.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The path of the folder when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a new file `name`. Anything else of that name is removed, and so is the file if it cannot be
    /// completed.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents the write again and again.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ArenaError> {
        let mut file = self.create(name)?;
        file.write_all(bytes).map_err(|e| {
            // Half a file would mislead its reader; the error is reported.
            let _ = unlinkat(&self.open, name, AtFlags::empty());
            ArenaError::disk("write", self.path.join(name), e)
        })
    }

    /// Creates a new file `name` and leaves it open. Anything else of that name is removed.
    pub(super) fn create(&self, name: &str) -> Result<File, ArenaError> {
        let at = self.as_fd();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = repeated(at, || match openat(at, name, flags, FILE_MODE) {
            Err(Errno::EXIST) => remove(at, name).and(Err(Errno::EXIST)),
            made => made,
        });
        file.map(File::from).map_err(|e| ArenaError::disk("make", self.path.join(name), e))
    }

    /// Removes the file `name`, if there is one.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents the removal again and again.
    pub fn remove(&self, name: &str) -> Result<(), ArenaError> {
        remove(self.as_fd(), name).map_err(|e| ArenaError::disk("remove", self.path.join(name), e))
    }

    /// Removes the folder itself if it is empty and still in its place. Tells whether it was removed: a bot may
    /// have put another folder there.
    pub fn remove_empty(&self) -> bool {
        let (Some(outer), Some(name)) = (&self.outer, self.path.file_name()) else { return false };
        let gone = unlinkat(outer, name, AtFlags::REMOVEDIR).is_ok();
        gone && fstat(&self.open).is_ok_and(|folder| folder.st_nlink == 0)
    }
}

/// The number of tries where a bot may interfere at the same moment.
const TRIES: u32 = 5;

/// Tries `attempt` in `folder` up to [`TRIES`] times while it fails as if a bot had interfered (EACCES, EEXIST, ENOENT).
/// After EACCES, the rights to the folder are restored, which a bot has removed. Other errors are returned at once.
fn repeated<T>(folder: BorrowedFd<'_>, mut attempt: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    let mut last = Errno::EXIST;
    for _ in 0..TRIES {
        match attempt() {
            Err(error @ (Errno::ACCESS | Errno::EXIST | Errno::NOENT)) => last = error,
            done => return done,
        }
        if last == Errno::ACCESS {
            fchmod(folder, Mode::RWXU)?;
        }
    }
    Err(last)
}

/// Opens or creates the folder `name`. Anything else of that name is removed. Tells whether it was created.
fn step_into(at: BorrowedFd<'_>, name: &Path) -> Result<(OwnedFd, bool), Errno> {
    let mut is_new = false;
    let folder = repeated(at, || {
        // The folder is usually missing.
        match mkdirat(at, name, FOLDER_MODE) {
            Ok(()) => is_new = true,
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
        match openat(at, name, FOLDER, Mode::empty()) {
            Err(Errno::LOOP | Errno::NOTDIR) => unlinkat(at, name, AtFlags::empty()).and(Err(Errno::EXIST)),
            Err(Errno::ACCESS) => {
                fchmod(at, Mode::RWXU)?;
                give_rights(at, name).and(Err(Errno::ACCESS))
            }
            opened => opened,
        }
    });
    Ok((folder?, is_new))
}

/// Restores all rights to a folder. No link is followed.
pub(super) fn give_rights(at: BorrowedFd<'_>, name: &Path) -> Result<(), Errno> {
    // An O_PATH descriptor needs no right to the folder.
    let place = openat(at, name, FOLDER | OFlags::PATH, Mode::empty())?;
    chmod(format!("/proc/self/fd/{}", place.as_raw_fd()), Mode::RWXU)
}

/// Removes the file `name`, if there is one. A folder of that name is renamed: it may be large, and it is not ours.
fn remove(at: BorrowedFd<'_>, name: &str) -> Result<(), Errno> {
    repeated(at, || {
        let removed = unlinkat(at, name, AtFlags::empty()).or_else(|error| match error {
            Errno::ISDIR => {
                let other = format!("{name}.{:016x}", unguessable());
                renameat_with(at, name, at, other, RenameFlags::NOREPLACE)
            }
            error => Err(error),
        });
        if removed == Err(Errno::NOENT) { Ok(()) } else { removed }
    })
}

/// A number that no bot can predict.
pub(super) fn unguessable() -> u64 {
    RandomState::new().hash_one(0)
}
