//! Files and folders, as far as the standard library goes.

use super::missing;
use crate::files::{DiskUse, FileIdentity, KeptFile, LeftFiles, Opening};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Error, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

const FILE: &str = "files.rs";

/// An open folder.
#[derive(Debug)]
pub enum Folder {}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// Always: no folder is opened so that nothing outside is reached by links in it.
    pub fn open(_path: &Path) -> io::Result<Folder> {
        missing("folders that bots write in cannot be opened safely", FILE)
    }

    /// Opens a folder, to which the path may be a link.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn open_linked(path: &Path) -> io::Result<Folder> {
        Folder::open(path)
    }

    /// Another handle of the same folder.
    ///
    /// # Errors
    /// None.
    pub fn try_clone(&self) -> io::Result<Folder> {
        match *self {}
    }

    /// The path by which this process finds the folder, wherever it is.
    pub fn path(&self) -> PathBuf {
        match *self {}
    }

    /// Locks the folder; false if somebody else has it locked.
    ///
    /// # Errors
    /// None.
    pub fn try_lock(&self) -> io::Result<bool> {
        match *self {}
    }

    /// Unlocks the folder.
    ///
    /// # Errors
    /// None.
    pub fn unlock(&self) -> io::Result<()> {
        match *self {}
    }

    /// Opens or creates the folder `name`. Tells whether it was created.
    ///
    /// # Errors
    /// None.
    pub fn step_into(&self, _name: &Path) -> io::Result<(Folder, bool)> {
        match *self {}
    }

    /// Creates a new file `name`.
    ///
    /// # Errors
    /// None.
    pub fn create(&self, _name: &str) -> io::Result<File> {
        match *self {}
    }

    /// Opens the file `name`, which must not be a link.
    ///
    /// # Errors
    /// None.
    pub fn open_file(&self, _name: &str, _opening: Opening) -> io::Result<File> {
        match *self {}
    }

    /// Removes the file `name`, if there is one.
    ///
    /// # Errors
    /// None.
    pub fn remove(&self, _name: &str) -> io::Result<()> {
        match *self {}
    }

    /// Removes the file `name`.
    ///
    /// # Errors
    /// None.
    pub fn unlink(&self, _name: &str) -> io::Result<()> {
        match *self {}
    }

    /// Removes the folder `name`.
    ///
    /// # Errors
    /// None.
    pub fn remove_empty(&self, _name: &OsStr) -> io::Result<()> {
        match *self {}
    }

    /// True if this folder itself was removed.
    pub fn is_gone(&self) -> bool {
        match *self {}
    }

    /// Moves a file or folder to another folder.
    ///
    /// # Errors
    /// None.
    pub fn rename(&self, _name: &OsStr, _to: &Folder, _new: &OsStr) -> io::Result<()> {
        match *self {}
    }

    /// The content of a regular file.
    ///
    /// # Errors
    /// None.
    pub fn read_regular(&self, _path: impl AsRef<Path>, _most: u64) -> Result<Option<Vec<u8>>, String> {
        match *self {}
    }

    /// Empties the folder of everything but the `kept` files if the rest exceeds `most` bytes.
    ///
    /// # Errors
    /// None.
    pub fn remove_excess(&self, _kept: &[KeptFile<'_>], _most: u64) -> io::Result<LeftFiles> {
        match *self {}
    }

    /// The identity of the folder.
    ///
    /// # Errors
    /// None.
    pub fn identity(&self) -> io::Result<FileIdentity> {
        match *self {}
    }

    /// The used part of the folder's disk.
    ///
    /// # Errors
    /// None.
    pub fn disk_use(&self) -> io::Result<DiskUse> {
        match *self {}
    }
}

/// Restores all rights of this user to a folder.
///
/// # Errors
/// Always: rights are not changed here.
pub fn regain_rights(_folder: &Path) -> io::Result<()> {
    missing("rights to folders cannot be restored", FILE)
}

/// Opens a regular file for reading.
///
/// # Errors
/// The file cannot be opened, or it is not a regular file.
pub fn open_input(path: &Path) -> io::Result<File> {
    open_regular(path)
}

/// Opens a regular file for reading.
///
/// # Errors
/// The file cannot be opened, or it is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let refuse = |what: &str| Err(Error::new(ErrorKind::InvalidInput, format!("it is {what}, not a regular file")));
    let kind = fs::metadata(path)?;
    match kind.is_file() {
        true => File::open(path),
        false if kind.is_dir() => refuse("a folder"),
        false => refuse("a device"),
    }
}

/// Locks a file.
///
/// # Errors
/// Always.
pub fn lock(_file: &File) -> io::Result<()> {
    missing("files cannot be locked", FILE)
}

/// Locks a file; false if somebody else has it locked.
///
/// # Errors
/// Always.
pub fn try_lock(_file: &File) -> io::Result<bool> {
    missing("files cannot be locked", FILE)
}

/// Unlocks a file.
///
/// # Errors
/// Always.
pub fn unlock(_file: &File) -> io::Result<()> {
    missing("files cannot be locked", FILE)
}

/// Creates a folder that only the present user can read.
///
/// # Errors
/// Always: a folder that others can read would be worse than none.
pub fn create_private_folder(_path: &Path) -> io::Result<()> {
    missing("folders cannot be closed to other users", FILE)
}

/// Opens a file; if that creates it, only the present user can read it.
///
/// # Errors
/// Always: a file that others can read would be worse than none.
pub fn open_private(_options: &mut OpenOptions, _path: &Path) -> io::Result<File> {
    missing("files cannot be closed to other users", FILE)
}

/// Lets only the present user read and write this file.
///
/// # Errors
/// Always.
pub fn close_to_others(_file: &File) -> io::Result<()> {
    missing("files cannot be closed to other users", FILE)
}

/// Lets only the present user read and write the file at this path.
///
/// # Errors
/// Always.
pub fn close_path_to_others(_path: &Path) -> io::Result<()> {
    missing("files cannot be closed to other users", FILE)
}

/// Lets all users read a temporary file, as far as the system does that by itself.
pub fn readable_by_all<'b, 'a, 'c>(builder: &'b mut tempfile::Builder<'a, 'c>) -> &'b mut tempfile::Builder<'a, 'c> {
    builder
}

/// Lets all users run this file. Nothing is to be done where files have no such right.
///
/// # Errors
/// None.
pub fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// True for a file, because files have no right to be run here.
pub fn is_executable(file: &Metadata) -> bool {
    file.is_file()
}

/// Checks that a file or folder is not marked as one that is only read.
///
/// # Errors
/// It is, or it is missing.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.permissions().readonly() { Err(ErrorKind::PermissionDenied.into()) } else { Ok(()) }
}

/// Makes a symbolic link.
///
/// # Errors
/// Always.
pub fn symlink(_target: &Path, _link: &Path) -> io::Result<()> {
    missing("symbolic links cannot be made", FILE)
}

/// The path of these bytes, which have to be text.
///
/// # Errors
/// They are not.
pub fn path_of(bytes: Vec<u8>) -> io::Result<PathBuf> {
    String::from_utf8(bytes).map(PathBuf::from).map_err(|e| Error::new(ErrorKind::InvalidData, e))
}

/// The identity of a file: not known, so that all are the same.
pub fn identity(_file: &Metadata) -> FileIdentity {
    FileIdentity { device: 0, number: 0 }
}

/// The length of a file, as if it had no holes.
pub fn bytes_on_disk(file: &Metadata) -> u64 {
    file.len()
}

/// The time of the last change of a file, from 1970 on, which programs can set.
pub fn last_change(file: &Metadata) -> Duration {
    let changed = file.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    changed.unwrap_or_default()
}

/// Everything from byte `at` on, as if the file had no holes.
///
/// # Errors
/// The file cannot be examined.
pub fn next_data(file: &File, at: u64) -> io::Result<Option<Range<u64>>> {
    let end = file.metadata()?.len();
    Ok((at < end).then_some(at..end))
}

/// The room on a disk.
///
/// # Errors
/// Always.
pub fn free_space(_path: &Path) -> io::Result<u64> {
    missing("the room on a disk is not known", FILE)
}
