//! Reading what a bot left: regular files only, of a sane size.

use rules::{Fault, Part};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use std::fs::File;
use std::io::Read;

/// The largest answer that is read, in bytes. The longest that means anything is a few hundred.
pub(super) const CAP: u64 = 64 * 1024;

/// The parts under these names in `folder`, or what is wrong with one.
pub(super) fn read(folder: &OwnedFd, names: &[&'static str]) -> Result<Vec<Part>, Fault> {
    names.iter().filter_map(|&name| read_one(folder, name).transpose()).collect()
}

fn read_one(folder: &OwnedFd, name: &'static str) -> Result<Option<Part>, Fault> {
    let unreadable = |why: String| Fault::Unreadable { why: format!("{name} {why}") };
    // NONBLOCK: to open a FIFO must not wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(folder.as_fd(), name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(unreadable("is a symbolic link".to_owned())),
        Err(e) => return Err(unreadable(format!("cannot be opened: {e}"))),
    };
    let status = fstat(&file).map_err(|e| unreadable(format!("cannot be examined: {e}")))?;
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Err(unreadable("is a folder".to_owned())),
        FileType::Fifo => return Err(unreadable("is a pipe".to_owned())),
        _ => return Err(unreadable("is no regular file".to_owned())),
    }
    let mut bytes = Vec::new();
    File::from(file).take(CAP + 1).read_to_end(&mut bytes).map_err(|e| unreadable(format!("cannot be read: {e}")))?;
    if bytes.len() as u64 > CAP {
        return Err(unreadable(format!("is larger than {} KiB", CAP / 1024)));
    }
    Ok(Some(Part { name, bytes }))
}
