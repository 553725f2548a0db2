//! Bounds for what is kept in a folder that others use, too, such as the system's temporary folder.

use super::remove_folder;
use platform::files::have_one_owner;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use walkdir::WalkDir;

/// Removes the oldest files or folders beside `newest`, which is one of them, so that no more than `most` stay, with no more than
/// `most_bytes` in all. Only those count whose names begin with this prefix and that belong to the same user; of folders, only those
/// with a file of the name `mark`, which tells their age, and no folder that is in use has. No link is followed.
///
/// # Errors
/// The folder cannot be read, or something in it not be removed.
pub fn remove_oldest(newest: &Path, prefix: &str, mark: Option<&str>, most: usize, most_bytes: u64) -> io::Result<()> {
    let own = newest.symlink_metadata()?;
    let is_own = |found: &Metadata| have_one_owner(found, &own) && found.file_type() == own.file_type();
    let mut others: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in newest.parent().map(Path::read_dir).transpose()?.into_iter().flatten().flatten() {
        let path = entry.path();
        let is_named_so = entry.file_name().to_string_lossy().starts_with(prefix);
        if is_named_so
            && path != newest
            && entry.metadata().is_ok_and(|found| is_own(&found))
            && let Ok(mark) = mark.map_or(path.clone(), |mark| path.join(mark)).symlink_metadata()
            && mark.is_file()
            && have_one_owner(&mark, &own)
        {
            others.push((mark.modified()?, path));
        }
    }
    others.sort_by(|one, other| other.cmp(one));
    let mut bytes = bytes_in(newest);
    for (number, (_, path)) in (2..).zip(&others) {
        bytes += bytes_in(path);
        if number > most || bytes > most_bytes {
            if own.is_dir() { remove_folder(path)? } else { std::fs::remove_file(path)? }
        }
    }
    Ok(())
}

/// The size of all files in a folder, or of a file.
pub fn bytes_in(path: &Path) -> u64 {
    let found = WalkDir::new(path).into_iter().flatten().filter_map(|entry| entry.metadata().ok());
    found.filter(Metadata::is_file).map(|file| file.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Duration;

    const PREFIX: &str = "broadside-check-";
    const MARK: &str = ".broadside-check";

    /// Makes a folder of a check with so many bytes, of this age.
    fn folder(parent: &Path, name: &str, bytes: usize, seconds_old: u64) -> PathBuf {
        let path = parent.join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("record"), vec![0; bytes]).unwrap();
        let mark = fs::File::create(path.join(MARK)).unwrap();
        mark.set_modified(SystemTime::now() - Duration::from_secs(seconds_old)).unwrap();
        path
    }

    fn left(parent: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            parent.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_oldest_folders_of_checks_go_first_by_number_and_by_size() {
        let parent = tempfile::tempdir().unwrap();
        let at = parent.path();
        folder(at, "broadside-check-old", 10, 300);
        folder(at, "broadside-check-mid", 10, 200);
        folder(at, "broadside-check-new", 10, 100);
        folder(at, "somebody-elses", 10, 900);
        let running = folder(at, "broadside-check-run", 10, 900);
        fs::remove_file(running.join(MARK)).unwrap();
        let newest = folder(at, "broadside-check-now", 10, 0);
        remove_oldest(&newest, PREFIX, Some(MARK), 3, 1000).unwrap();
        let others = ["broadside-check-run", "somebody-elses"];
        assert_eq!(
            left(at),
            [&["broadside-check-mid", "broadside-check-new", "broadside-check-now"][..], &others].concat()
        );
        remove_oldest(&newest, PREFIX, Some(MARK), 3, 25).unwrap();
        assert_eq!(left(at), [&["broadside-check-new", "broadside-check-now"][..], &others].concat());
        remove_oldest(&newest, PREFIX, Some(MARK), 3, 1).unwrap();
        assert_eq!(left(at), [&["broadside-check-now"][..], &others].concat(), "the newest stays, however large");
    }

    #[test]
    fn no_link_to_a_folder_is_removed_or_followed() {
        let [parent, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let target = folder(other.path(), "broadside-check-target", 10, 300);
        std::os::unix::fs::symlink(&target, parent.path().join("broadside-check-link")).unwrap();
        let newest = folder(parent.path(), "broadside-check-now", 10, 0);
        remove_oldest(&newest, PREFIX, Some(MARK), 1, 1).unwrap();
        assert_eq!(left(parent.path()), ["broadside-check-link", "broadside-check-now"]);
        assert!(target.join("record").is_file());
    }

    #[test]
    fn the_oldest_files_go_as_well() {
        let parent = tempfile::tempdir().unwrap();
        let log = |name: &str, seconds_old: u64| {
            let path = parent.path().join(name);
            let file = fs::File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds_old)).unwrap();
            path
        };
        log("log-old", 200);
        log("log-mid", 100);
        let newest = log("log-new", 0);
        remove_oldest(&newest, "log-", None, 2, 1000).unwrap();
        assert_eq!(left(parent.path()), ["log-mid", "log-new"]);
    }
}
