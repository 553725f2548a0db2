//! Reads files that bots may have left: only regular files, of a limited size, without following links.

use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// The content of a file of at most `most` bytes, by its path in an open folder; `None` if it is missing.
pub(super) fn read_regular(folder: BorrowedFd<'_>, path: &Path, most: u64) -> Result<Option<Vec<u8>>, String> {
    match open(folder, path) {
        Ok(file) => read(file, most).map(Some),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(Errno::LOOP) => Err("is a symbolic link".to_owned()),
        Err(e) => Err(format!("cannot be opened: {e}")),
    }
}

/// Opens folder by folder, because any of them may have become a link.
fn open(folder: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    // NONBLOCK: opening a FIFO must not wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let step = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut parts = path.iter();
    let Some(name) = parts.next_back() else { return Err(Errno::NOENT) };
    let mut inner: Option<OwnedFd> = None;
    for part in parts {
        let at = inner.as_ref().map_or(folder, AsFd::as_fd);
        inner = Some(openat(at, part, step, Mode::empty())?);
    }
    openat(inner.as_ref().map_or(folder, AsFd::as_fd), name, flags, Mode::empty())
}

fn read(file: OwnedFd, most: u64) -> Result<Vec<u8>, String> {
    let status = fstat(&file).map_err(|e| format!("cannot be examined: {e}"))?;
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Err("is a folder".to_owned()),
        FileType::Fifo => return Err("is a pipe".to_owned()),
        _ => return Err("is not a regular file".to_owned()),
    }
    let mut bytes = Vec::new();
    File::from(file).take(most + 1).read_to_end(&mut bytes).map_err(|e| format!("cannot be read: {e}"))?;
    if bytes.len() as u64 > most { Err(format!("is larger than {} KiB", most / 1024)) } else { Ok(bytes) }
}
