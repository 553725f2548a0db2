//! Reads files that bots may have left: only regular files, of a limited size, without following links out of a folder.

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fcntl_getfl, fcntl_setfl, fstat, fstatfs, openat, openat2};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

/// The tries to open a file while somebody moves folders on its path.
const TRIES: u32 = 32;
// NONBLOCK: opening a FIFO must not wait for a writer.
const READING: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
/// The file systems, by the numbers of statfs(2), whose files are made by the kernel while they are read: they may have any length, hold
/// secrets of the machine, or keep a reader waiting. proc, sysfs, debugfs, tracefs, cgroup, cgroup2, securityfs, configfs, bpf, pstore,
/// efivarfs, selinux, binfmt_misc, fusectl.
const OF_KERNEL: [u32; 14] = [
    0x9fa0,
    0x6265_6572,
    0x6462_6720,
    0x7472_6163,
    0x0027_e0eb,
    0x6367_7270,
    0x7363_6673,
    0x6265_6570,
    0xcafe_4a11,
    0x6165_676c,
    0xde5e_81e4,
    0xf97c_ff8c,
    0x4249_4e4d,
    0x6573_5543,
];

/// True if the kernel makes the content of this open file while it is read.
pub(super) fn is_of_kernel(file: impl AsFd) -> io::Result<bool> {
    let kind = fstatfs(file)?.f_type as u32;
    Ok(OF_KERNEL.contains(&kind))
}

/// Opens a regular file by its path in an open folder; `None` if there is none that is in this folder, through whatever links.
pub(super) fn open_beneath(folder: BorrowedFd<'_>, path: &Path) -> io::Result<Option<File>> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let again = |result: &Result<OwnedFd, Errno>| matches!(result, Err(Errno::AGAIN | Errno::INTR));
    let mut opened = (0..TRIES).map(|_| openat2(folder, path, READING, Mode::empty(), resolve));
    let opened = opened.find(|opened| !again(opened)).unwrap_or(Err(Errno::AGAIN));
    // Kernels before 5.6 do not have it, and some filters of system calls refuse it.
    let opened = match opened {
        Err(Errno::NOSYS | Errno::PERM) => open_without_links(folder, path),
        opened => opened,
    };
    let file = match opened {
        Ok(file) => File::from(file),
        // Links that lead out or in circles, sockets and devices without a driver.
        Err(Errno::XDEV | Errno::LOOP | Errno::NOENT | Errno::NOTDIR | Errno::NXIO | Errno::NODEV) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() || is_of_kernel(&file)? {
        return Ok(None);
    }
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(Some(file))
}

/// The same without openat2(2): no link is followed at all.
fn open_without_links(folder: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if is_inside { open(folder, path) } else { Err(Errno::XDEV) }
}

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
    let flags = READING | OFlags::NOFOLLOW;
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

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, mknodat};
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn no_way_leads_out_of_a_folder_and_nothing_but_a_file_is_opened() {
        let root = tempfile::tempdir().unwrap();
        let (inside, secret) = (root.path().join("inside"), root.path().join("secret"));
        fs::create_dir_all(inside.join("deep")).unwrap();
        fs::write(&secret, "secret").unwrap();
        fs::write(inside.join("deep/file"), "file").unwrap();
        let links = [
            ("in", "deep/file"),
            ("folder", "deep"),
            ("up", "../secret"),
            ("proc", "/proc/kmsg"),
            ("circle", "circle"),
        ];
        links.iter().for_each(|(link, to)| symlink(to, inside.join(link)).unwrap());
        symlink(&secret, inside.join("out")).unwrap();
        symlink(inside.join("deep/file"), inside.join("by its full path")).unwrap();
        symlink("..", inside.join("deep/above")).unwrap();
        mknodat(CWD, inside.join("fifo"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let folder = File::open(&inside).unwrap();
        let read = |opened: io::Result<Option<File>>| opened.unwrap().map(|file| io::read_to_string(file).unwrap());
        let found = |path: &str| read(open_beneath(folder.as_fd(), Path::new(path)));
        assert_eq!(found("deep/file").as_deref(), Some("file"));
        let follows = openat2(&folder, "in", READING, Mode::empty(), ResolveFlags::BENEATH).is_ok();
        if !follows {
            test_tools::not_allowed("openat2(2), without which no link is followed");
        }
        for path in ["in", "folder/file", "./in", "deep/../in", "deep/above/in"] {
            assert_eq!(found(path).as_deref(), follows.then_some("file"), "{path}");
        }
        let none =
            ["up", "proc", "circle", "out", "by its full path", "fifo", "deep", "gone", "../secret", "deep/above/up"];
        assert!(none.iter().all(|path| found(path).is_none()));
        assert_eq!(found(secret.to_str().unwrap()), None);
        // Without openat2, no link is followed.
        let plain = |path: &str| open_without_links(folder.as_fd(), Path::new(path));
        assert!(plain("deep/file").is_ok() && plain("./deep/file").is_ok());
        for (path, error) in
            [("in", Errno::LOOP), ("folder/file", Errno::NOTDIR), ("up", Errno::LOOP), ("../secret", Errno::XDEV)]
        {
            assert_eq!(plain(path).unwrap_err(), error, "{path}");
        }
        for path in ["/proc/self/status", "/sys/kernel/profiling", "/proc/kallsyms"]
            .into_iter()
            .filter(|path| Path::new(path).exists())
        {
            let (parent, name) = path.rsplit_once('/').unwrap();
            let parent = File::open(parent).unwrap();
            assert!(open_beneath(parent.as_fd(), Path::new(name)).unwrap().is_none(), "{path}");
        }
    }
}
