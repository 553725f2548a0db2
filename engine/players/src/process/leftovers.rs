//! What a bot leaves in its folder of the round besides its answer: it stays for its author to read, unless it is much.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, Stat, chmodat, openat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::{CStr, CString};

/// How much may stay, in bytes.
const MOST: u64 = 16 << 20;
/// What counts for every file and folder, however small: each needs a place in the file system's tables.
const ENTRY: u64 = 1 << 10;
/// Folders that lie deeper than that are too much, whatever is in them.
const DEPTH: u32 = 32;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A file that stays whatever else there is, as long as it is not larger than that.
pub(super) struct Kept<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// In bytes.
    pub(super) most: u64,
}

/// Empties `folder` of all but the `kept` files if it is too much, and tells how many bytes are gone. No process of the
/// bot may be left.
pub(super) fn remove_excess(folder: impl AsFd, kept: &[Kept<'_>]) -> Result<u64, Errno> {
    let folder = folder.as_fd();
    let mut entries = stray_entries(folder, kept)?;
    let mut total = 0;
    for (name, status) in &entries {
        measure(folder, name, status, 0, &mut total);
    }
    if total <= MOST {
        return Ok(0);
    }
    let mut removed = 0;
    let mut moved = 0;
    // Inner folders are moved here, too, so that it does not matter how deep they lie.
    while let Some((name, status)) = entries.pop() {
        if is_folder(&status) {
            let inner = open(folder, &name)?;
            for entry in names(&inner)? {
                let status = statat(&inner, &entry, AtFlags::SYMLINK_NOFOLLOW)?;
                if is_folder(&status) {
                    entries.push((move_here(&inner, &entry, folder, &mut moved)?, status));
                } else {
                    unlinkat(&inner, &entry, AtFlags::empty())?;
                    removed += size(&status);
                }
            }
            unlinkat(folder, &name, AtFlags::REMOVEDIR)?;
        } else {
            unlinkat(folder, &name, AtFlags::empty())?;
        }
        removed += size(&status);
    }
    Ok(removed)
}

/// All that is in the folder but is not kept.
fn stray_entries(folder: BorrowedFd<'_>, kept: &[Kept<'_>]) -> Result<Vec<(CString, Stat)>, Errno> {
    let mut strays = Vec::new();
    for name in names(folder)? {
        let status = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kept = kept.iter().find(|kept| kept.name.as_bytes() == name.as_bytes());
        if kept.is_none_or(|kept| is_folder(&status) || status.st_size as u64 > kept.most) {
            strays.push((name, status));
        }
    }
    Ok(strays)
}

/// Adds the size of an entry and all in it, until it is too much.
fn measure(folder: BorrowedFd<'_>, name: &CStr, status: &Stat, depth: u32, total: &mut u64) {
    *total += size(status);
    if !is_folder(status) || *total > MOST {
        return;
    }
    // What cannot be looked at is not known to be little.
    let inner = if depth < DEPTH { open(folder, name) } else { Err(Errno::LOOP) };
    let Ok((inner, names)) = inner.and_then(|inner| names(&inner).map(|names| (inner, names))) else {
        *total = MOST + 1;
        return;
    };
    for name in names {
        if let Ok(status) = statat(&inner, &name, AtFlags::SYMLINK_NOFOLLOW) {
            measure(inner.as_fd(), &name, &status, depth + 1, total);
        }
        if *total > MOST {
            return;
        }
    }
}

/// What it takes on the disk: a file with a hole in it is not as large as it looks.
fn size(status: &Stat) -> u64 {
    status.st_blocks as u64 * 512 + ENTRY
}

fn is_folder(status: &Stat) -> bool {
    FileType::from_raw_mode(status.st_mode) == FileType::Directory
}

/// The entries of a folder.
fn names(folder: impl AsFd) -> Result<Vec<CString>, Errno> {
    let entries = Dir::read_from(folder)?.map(|entry| entry.map(|entry| entry.file_name().to_owned()));
    entries.filter(|name| !name.as_ref().is_ok_and(|name| [c".", c".."].contains(&name.as_c_str()))).collect()
}

/// Opens a folder, also one whose rights were taken away.
fn open(at: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    match openat(at, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            chmodat(at, name, Mode::RWXU, AtFlags::empty())?;
            openat(at, name, FOLDER, Mode::empty())
        }
        opened => opened,
    }
}

/// Gives a folder that lies elsewhere a place in this one, and a name that nothing there has.
fn move_here(from: &OwnedFd, name: &CStr, folder: BorrowedFd<'_>, moved: &mut u64) -> Result<CString, Errno> {
    // To move a folder takes the right to write in it.
    let _ = chmodat(from, name, Mode::RWXU, AtFlags::empty());
    loop {
        *moved += 1;
        let fresh = CString::new(format!("left over {moved}")).map_err(|_| Errno::INVAL)?;
        match renameat_with(from, name, folder, &fresh, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            done => return done.map(|()| fresh),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    fn remove_from(folder: &Path, kept: &[Kept<'_>]) -> u64 {
        remove_excess(File::open(folder).unwrap(), kept).unwrap()
    }

    fn write(path: &Path, mib: usize) {
        fs::write(path, vec![1; mib << 20]).unwrap();
    }

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_little_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("notes")).unwrap();
        write(&folder.path().join("notes/thoughts"), 15);
        // Nothing but a hole.
        File::create(folder.path().join("sparse")).unwrap().set_len(1 << 30).unwrap();
        assert_eq!(remove_from(folder.path(), &[]), 0);
        assert_eq!(entries(folder.path()), ["notes", "sparse"]);
    }

    #[test]
    fn too_much_is_removed_but_for_what_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("notes")).unwrap();
        write(&folder.path().join("notes/thoughts"), 9);
        write(&folder.path().join("more"), 9);
        write(&folder.path().join("answer"), 1);
        write(&folder.path().join("swollen"), 1);
        let kept = [Kept { name: "answer", most: 1 << 20 }, Kept { name: "swollen", most: 1000 }];
        assert_eq!(remove_from(folder.path(), &kept) >> 20, 19);
        assert_eq!(entries(folder.path()), ["answer"]);
    }

    #[test]
    fn links_are_removed_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        write(&elsewhere.path().join("treasure"), 17);
        symlink(elsewhere.path(), folder.path().join("link")).unwrap();
        assert_eq!(remove_from(folder.path(), &[]), 0);
        write(&folder.path().join("junk"), 17);
        assert_eq!(remove_from(folder.path(), &[]) >> 20, 17);
        assert_eq!(entries(folder.path()), [] as [&str; 0]);
        assert_eq!(entries(elsewhere.path()), ["treasure"]);
    }

    #[test]
    fn many_files_are_much_even_if_they_are_empty() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..MOST / ENTRY + 1 {
            File::create(folder.path().join(number.to_string())).unwrap();
        }
        assert!(remove_from(folder.path(), &[]) > 0);
        assert_eq!(entries(folder.path()), [] as [&str; 0]);
    }

    #[test]
    fn folders_that_lie_deep_are_removed_whatever_their_names_and_rights() {
        let folder = tempfile::tempdir().unwrap();
        let mut path = folder.path().join("deep");
        for _ in 0..=DEPTH {
            path.push("left over 1");
        }
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        fs::create_dir(folder.path().join("left over 2")).unwrap();
        assert!(remove_from(folder.path(), &[]) > 0);
        assert_eq!(entries(folder.path()), [] as [&str; 0]);
    }
}
