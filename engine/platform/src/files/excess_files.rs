//! Files that a bot leaves in its folder of the round besides its answer: they stay for its author to read, up to a
//! limit.

use super::folder::FOLDER;
use super::{ENTRY_COST, KeptFile, LeftFiles, MAX_DEPTH};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Dir, FileType, Mode, RenameFlags, Stat, chmodat, openat, renameat_with, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};

/// Empties `folder` of everything but the `kept` files if the rest exceeds `most` bytes.
pub(super) fn remove_excess(folder: BorrowedFd<'_>, kept: &[KeptFile<'_>], most: u64) -> Result<LeftFiles, Errno> {
    let mut entries = excess_entries(folder, kept)?;
    let mut total = 0;
    for (name, status) in &entries {
        measure(folder, name, status, 0, most, &mut total);
    }
    if total <= most {
        return Ok(LeftFiles { left: total, removed: 0 });
    }
    let mut removed = 0;
    let mut moved = 0;
    // Inner folders are moved to the top first, so that paths cannot become too long.
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
    Ok(LeftFiles { left: 0, removed })
}

/// The entries of the folder that are not `kept`.
fn excess_entries(folder: BorrowedFd<'_>, kept: &[KeptFile<'_>]) -> Result<Vec<(CString, Stat)>, Errno> {
    let mut excess = Vec::new();
    for name in names(folder)? {
        let status = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kept = kept.iter().find(|kept| kept.name.as_bytes() == name.as_bytes());
        if kept.is_none_or(|kept| is_folder(&status) || status.st_size as u64 > kept.most) {
            excess.push((name, status));
        }
    }
    Ok(excess)
}

/// Adds the size of an entry and of everything in it to `total`, until `total` exceeds `most`.
fn measure(folder: BorrowedFd<'_>, name: &CStr, status: &Stat, depth: usize, most: u64, total: &mut u64) {
    *total += size(status);
    if !is_folder(status) || *total > most {
        return;
    }
    // A folder that cannot be read may hold any amount.
    let inner = if depth < MAX_DEPTH { open(folder, name) } else { Err(Errno::LOOP) };
    let Ok((inner, names)) = inner.and_then(|inner| names(&inner).map(|names| (inner, names))) else {
        *total = most + 1;
        return;
    };
    for name in names {
        if let Ok(status) = statat(&inner, &name, AtFlags::SYMLINK_NOFOLLOW) {
            measure(inner.as_fd(), &name, &status, depth + 1, most, total);
        }
        if *total > most {
            return;
        }
    }
}

/// The space on the disk, which for a file with holes is less than its length.
fn size(status: &Stat) -> u64 {
    status.st_blocks as u64 * 512 + ENTRY_COST
}

fn is_folder(status: &Stat) -> bool {
    FileType::from_raw_mode(status.st_mode) == FileType::Directory
}

/// The names in a folder.
fn names(folder: impl AsFd) -> Result<Vec<CString>, Errno> {
    let entries = Dir::read_from(folder)?.map(|entry| entry.map(|entry| entry.file_name().to_owned()));
    entries.filter(|name| !name.as_ref().is_ok_and(|name| [c".", c".."].contains(&name.as_c_str()))).collect()
}

/// Opens a folder, if necessary after restoring the right to read it.
fn open(at: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    match openat(at, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            chmodat(at, name, Mode::RWXU, AtFlags::empty())?;
            openat(at, name, FOLDER, Mode::empty())
        }
        opened => opened,
    }
}

/// Moves an inner folder to the top, under a name that is free there, and returns this name.
fn move_here(from: &OwnedFd, name: &CStr, folder: BorrowedFd<'_>, moved: &mut u64) -> Result<CString, Errno> {
    // Moving a folder needs the right to write to it.
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

    const MAX_TOTAL: u64 = 16 << 20;

    fn remove_from(folder: &Path, kept: &[KeptFile<'_>]) -> u64 {
        remove_excess(File::open(folder).unwrap().as_fd(), kept, MAX_TOTAL).unwrap().removed
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
        // A file without data.
        File::create(folder.path().join("sparse")).unwrap().set_len(1 << 30).unwrap();
        assert_eq!(remove_from(folder.path(), &[]), 0);
        assert_eq!(entries(folder.path()), ["notes", "sparse"]);
    }

    #[test]
    fn what_is_left_is_told() {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("notes"), 1);
        let remove = |most| remove_excess(File::open(folder.path()).unwrap().as_fd(), &[], most).unwrap();
        let size = (1 << 20) + ENTRY_COST;
        assert_eq!(remove(size), LeftFiles { left: size, removed: 0 });
        assert_eq!(remove(size - 1), LeftFiles { left: 0, removed: size });
        assert_eq!(remove(0), LeftFiles::default());
    }

    #[test]
    fn too_much_is_removed_but_for_what_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("notes")).unwrap();
        write(&folder.path().join("notes/thoughts"), 9);
        write(&folder.path().join("more"), 9);
        write(&folder.path().join("answer"), 1);
        write(&folder.path().join("swollen"), 1);
        let kept = [KeptFile { name: "answer", most: 1 << 20 }, KeptFile { name: "swollen", most: 1000 }];
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
        for number in 0..MAX_TOTAL / ENTRY_COST + 1 {
            File::create(folder.path().join(number.to_string())).unwrap();
        }
        assert!(remove_from(folder.path(), &[]) > 0);
        assert_eq!(entries(folder.path()), [] as [&str; 0]);
    }

    #[test]
    fn folders_that_lie_deep_are_removed_whatever_their_names_and_rights() {
        let folder = tempfile::tempdir().unwrap();
        let mut path = folder.path().join("deep");
        for _ in 0..=MAX_DEPTH {
            path.push("left over 1");
        }
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        fs::create_dir(folder.path().join("left over 2")).unwrap();
        assert!(remove_from(folder.path(), &[]) > 0);
        assert_eq!(entries(folder.path()), [] as [&str; 0]);
    }
}
