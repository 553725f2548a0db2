//! Files and folders, by openat(2) and its relatives: what a bot may have put there, locks, permissions, links, holes, and the
//! room on a disk.

mod excess_files;
mod folder;
mod input_file;
mod lock_file;
mod program_format;
mod regular;

pub use folder::{Folder, regain_rights};
pub use input_file::{open_input, open_regular};
pub use lock_file::LockFile;
pub use program_format::{forbids_programs, has_program_format};
use rustix::fs::{Access, FlockOperation, OFlags, SeekFrom, access, flock, seek, statvfs};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most bytes that [`Folder::remove_excess`] counts for a file or folder in addition to its size, because each needs an
/// entry in the file system's tables.
pub const ENTRY_COST: u64 = 1 << 10;
/// The depth of folders beyond which [`Folder::remove_excess`] takes them for too large, whatever they hold.
pub const MAX_DEPTH: usize = 32;

/// True if both files belong to the same user.
pub fn have_one_owner(one: &Metadata, other: &Metadata) -> bool {
    one.uid() == other.uid()
}

/// A file that [`Folder::remove_excess`] does not remove unless it is larger than `most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptFile<'a> {
    /// The name in the folder.
    pub name: &'a str,
    /// The largest allowed size in bytes.
    pub most: u64,
}

/// The files in a folder besides those that are kept, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftFiles {
    /// Those that are there.
    pub left: u64,
    /// Those that were there.
    pub removed: u64,
}

/// The use of a file in a folder that is opened by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Read it.
    Reading,
    /// Read it, and do not wait for the writer of a FIFO.
    ReadingAtOnce,
    /// Append to it.
    Appending,
}

/// The used part of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUse {
    /// The bytes.
    pub bytes: u64,
    /// The number of files and folders.
    pub files: u64,
}

/// The identity of a file: two files that exist at the same time differ in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    /// The number of the device.
    pub device: u64,
    /// The number of the file on the device.
    pub number: u64,
}

/// Locks a file, or waits until nobody else has it locked.
///
/// # Errors
/// The file system has no locks, or a signal came meanwhile.
pub fn lock(file: &File) -> io::Result<()> {
    Ok(flock(file, FlockOperation::LockExclusive)?)
}

/// Locks a file; false if somebody else has it locked.
///
/// # Errors
/// The file system has no locks.
pub fn try_lock(file: &File) -> io::Result<bool> {
    locked(flock(file, FlockOperation::NonBlockingLockExclusive))
}

fn locked(tried: Result<(), Errno>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Unlocks a file. A process that is just being started has a copy of the open file, and without this call the lock would last
/// until that process runs its program.
///
/// # Errors
/// The file system has no locks.
pub fn unlock(file: &File) -> io::Result<()> {
    Ok(flock(file, FlockOperation::Unlock)?)
}

/// Creates a folder, with those around it, that only the present user can read. One that exists stays as it is.
///
/// # Errors
/// The disk fails.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens a file; if that creates it, only the present user can read it.
///
/// # Errors
/// As [`OpenOptions::open`].
pub fn open_private(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.mode(0o600).open(path)
}

/// Lets the options open a file itself only, and no link to it: whoever may write to the folder could name any file of the user's.
pub fn without_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
}

/// Lets only the present user read and write this file.
///
/// # Errors
/// It is another user's file, or the disk fails.
pub fn close_to_others(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o600))
}

/// Lets only the present user read and write the file at this path.
///
/// # Errors
/// It is missing or another user's, or the disk fails.
pub fn close_path_to_others(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o600))
}

/// Lets all users read a temporary file, as far as the user's mask has it.
pub fn readable_by_all<'b, 'a, 'c>(builder: &'b mut tempfile::Builder<'a, 'c>) -> &'b mut tempfile::Builder<'a, 'c> {
    builder.permissions(Permissions::from_mode(0o644))
}

/// Lets all users read and run this file.
///
/// # Errors
/// It is another user's file, or the disk fails.
pub fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

/// True for a file that somebody may run.
pub fn is_executable(file: &Metadata) -> bool {
    file.is_file() && file.permissions().mode() & 0o111 != 0
}

/// Checks that this user may write to a file or folder.
///
/// # Errors
/// The user may not, or it is missing.
pub fn check_writable(path: &Path) -> io::Result<()> {
    Ok(access(path, Access::WRITE_OK)?)
}

/// Makes a symbolic link.
///
/// # Errors
/// Something is there already, or the disk fails.
pub fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// The path of these bytes, which need not be text.
///
/// # Errors
/// The system has no such path.
pub fn path_of(bytes: Vec<u8>) -> io::Result<PathBuf> {
    Ok(OsString::from_vec(bytes).into())
}

/// The identity of a file.
pub fn identity(file: &Metadata) -> FileIdentity {
    FileIdentity { device: file.dev(), number: file.ino() }
}

/// The bytes that a file takes on the disk: less than its length if it has holes, or if the disk compresses.
pub fn bytes_on_disk(file: &Metadata) -> u64 {
    file.blocks() * 512
}

/// The time of the last change of a file or of its permissions, from 1970 on. Programs cannot set it.
pub fn last_change(file: &Metadata) -> Duration {
    Duration::new(file.ctime().max(0) as u64, file.ctime_nsec() as u32)
}

/// The first stretch of data, from byte `at` on, between two holes. `None` if nothing but a hole is left.
///
/// # Errors
/// The file cannot be read.
pub fn next_data(file: &File, at: u64) -> io::Result<Option<Range<u64>>> {
    match seek(file, SeekFrom::Data(at)) {
        Err(Errno::NXIO) => Ok(None),
        start => {
            let start = start?;
            Ok(Some(start..seek(file, SeekFrom::Hole(start))?))
        }
    }
}

/// The room on the disk of a file or folder for this user, in bytes.
///
/// # Errors
/// It is missing.
pub fn free_space(path: &Path) -> io::Result<u64> {
    let disk = statvfs(path)?;
    Ok(disk.f_bavail * disk.f_frsize)
}

/// A number that no bot can predict.
pub fn unguessable() -> u64 {
    RandomState::new().hash_one(0)
}
