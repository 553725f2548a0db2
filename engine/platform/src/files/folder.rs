//! An open folder in which a bot may have put anything.

use super::{DiskUse, FileIdentity, KeptFile, LeftFiles, Opening, excess_files, locked, regular, unguessable};
use rustix::fs::{
    AtFlags, CWD, FlockOperation, Mode, OFlags, RenameFlags, chmod, fchmod, flock, fstat, fstatvfs, mkdirat, open,
    openat, renameat, renameat_with, unlinkat,
};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Opens nothing but a folder, and no link to one.
pub(super) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);

/// An open folder: it stays the same folder wherever a bot moves it and whatever the bot puts in its place.
#[derive(Debug)]
pub struct Folder(OwnedFd);

impl Folder {
    /// Opens a folder. The last part of its path must not be a link.
    ///
    /// # Errors
    /// The folder is missing, a link or something else.
    pub fn open(path: &Path) -> io::Result<Folder> {
        Ok(Folder(open(path, FOLDER, Mode::empty())?))
    }

    /// Opens a folder, to which the path may be a link.
    ///
    /// # Errors
    /// The folder is missing.
    pub fn open_linked(path: &Path) -> io::Result<Folder> {
        Ok(Folder(File::open(path)?.into()))
    }

    /// Another handle of the same folder.
    ///
    /// # Errors
    /// The system has no file descriptor left.
    pub fn try_clone(&self) -> io::Result<Folder> {
        self.0.try_clone().map(Folder)
    }

    /// The path by which this process finds the folder, wherever it is.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}/", self.0.as_raw_fd()))
    }

    /// Locks the folder; false if somebody else has it locked.
    ///
    /// # Errors
    /// The file system has no locks.
    pub fn try_lock(&self) -> io::Result<bool> {
        locked(flock(&self.0, FlockOperation::NonBlockingLockExclusive))
    }

    /// Unlocks the folder, as [`super::unlock`].
    ///
    /// # Errors
    /// The file system has no locks.
    pub fn unlock(&self) -> io::Result<()> {
        Ok(flock(&self.0, FlockOperation::Unlock)?)
    }

    /// Opens or creates the folder `name`. Anything else of that name is removed. Tells whether it was created.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents it again and again.
    pub fn step_into(&self, name: &Path) -> io::Result<(Folder, bool)> {
        let (folder, is_new) = step_into(self.0.as_fd(), name)?;
        Ok((Folder(folder), is_new))
    }

    /// Creates a new file `name`. Anything else of that name is removed.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents it again and again.
    pub fn create(&self, name: &str) -> io::Result<File> {
        let at = self.0.as_fd();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = repeated(at, || match openat(at, name, flags, FILE_MODE) {
            Err(Errno::EXIST) => remove(at, name).and(Err(Errno::EXIST)),
            made => made,
        });
        Ok(file?.into())
    }

    /// Opens the file `name`, which must not be a link.
    ///
    /// # Errors
    /// The file is missing or a link, or the user may not use it so.
    pub fn open_file(&self, name: &str, opening: Opening) -> io::Result<File> {
        let flags = match opening {
            Opening::Reading => OFlags::RDONLY,
            Opening::ReadingAtOnce => OFlags::RDONLY | OFlags::NONBLOCK,
            Opening::Appending => OFlags::WRONLY | OFlags::APPEND,
        };
        Ok(openat(&self.0, name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?.into())
    }

    /// Removes the file `name`, if there is one. A folder of that name gets another name.
    ///
    /// # Errors
    /// The disk fails, or a bot prevents it again and again.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        Ok(remove(self.0.as_fd(), name)?)
    }

    /// Removes the file `name`.
    ///
    /// # Errors
    /// The file is missing or a folder, or the disk fails.
    pub fn unlink(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Removes the folder `name`.
    ///
    /// # Errors
    /// It is missing, not empty or not a folder, or the disk fails.
    pub fn remove_empty(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// True if this folder itself was removed.
    pub fn is_gone(&self) -> bool {
        fstat(&self.0).is_ok_and(|folder| folder.st_nlink == 0)
    }

    /// Moves a file or folder to a folder on the same disk. A file of the new name is replaced.
    ///
    /// # Errors
    /// It is missing, or a folder of the new name has something in it, or the disk fails.
    pub fn rename(&self, name: &OsStr, to: &Folder, new: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.0, name, &to.0, new)?)
    }

    /// The content of a regular file of at most `most` bytes, by its path in this folder, on which no link is followed; `None`
    /// if it is missing.
    ///
    /// # Errors
    /// A phrase that follows the name of the file in a message, such as `is a pipe` or `is larger than 64 KiB`.
    pub fn read_regular(&self, path: impl AsRef<Path>, most: u64) -> Result<Option<Vec<u8>>, String> {
        regular::read_regular(self.0.as_fd(), path.as_ref(), most)
    }

    /// Opens a regular file for reading, by its path in this folder; `None` if there is none that is in this folder. Links are followed
    /// as far as they do not lead out of it; where the kernel lacks openat2(2), none is followed.
    ///
    /// # Errors
    /// The user may not read it, or the disk fails.
    pub fn open_beneath(&self, path: &Path) -> io::Result<Option<File>> {
        regular::open_beneath(self.0.as_fd(), path)
    }

    /// Writes a file `name`: a new one beside it, which takes its place when it is complete. No link is followed, and nothing is written
    /// to a FIFO or a device of that name.
    ///
    /// # Errors
    /// There is a folder of that name, or the disk fails. What was there is unchanged then.
    pub fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let fresh = format!("{name}.{:016x}", unguessable());
        let written = self.create(&fresh).and_then(|mut file| file.write_all(bytes));
        written.and_then(|()| self.rename(fresh.as_ref(), self, name.as_ref())).inspect_err(|_| {
            // The incomplete file only takes room.
            let _ = self.unlink(&fresh);
        })
    }

    /// Opens or creates the folder `name`, which must not be a link.
    ///
    /// # Errors
    /// There is a link or something else of that name, or the disk fails.
    pub fn make(&self, name: &OsStr) -> io::Result<Folder> {
        match mkdirat(&self.0, name, FOLDER_MODE) {
            Ok(()) | Err(Errno::EXIST) => Ok(Folder(openat(&self.0, name, FOLDER, Mode::empty())?)),
            Err(error) => Err(error.into()),
        }
    }

    /// Empties the folder of everything but the `kept` files if the rest exceeds `most` bytes. To be called when no process of
    /// the bot is left.
    ///
    /// # Errors
    /// Something cannot be examined or removed.
    pub fn remove_excess(&self, kept: &[KeptFile<'_>], most: u64) -> io::Result<LeftFiles> {
        Ok(excess_files::remove_excess(self.0.as_fd(), kept, most)?)
    }

    /// The identity of the folder.
    ///
    /// # Errors
    /// The disk fails.
    pub fn identity(&self) -> io::Result<FileIdentity> {
        let folder = fstat(&self.0)?;
        Ok(FileIdentity { device: folder.st_dev, number: folder.st_ino })
    }

    /// The used part of the folder's disk.
    ///
    /// # Errors
    /// The disk fails.
    pub fn disk_use(&self) -> io::Result<DiskUse> {
        let disk = fstatvfs(&self.0)?;
        Ok(DiskUse { bytes: (disk.f_blocks - disk.f_bfree) * disk.f_frsize, files: disk.f_files - disk.f_ffree })
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

/// Restores all rights of this user to a folder. No link is followed.
///
/// # Errors
/// It is another user's folder, or the disk fails.
pub fn regain_rights(folder: &Path) -> io::Result<()> {
    Ok(give_rights(CWD, folder)?)
}

/// Restores all rights to a folder. No link is followed.
fn give_rights(at: BorrowedFd<'_>, name: &Path) -> Result<(), Errno> {
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
