//! The folders of the matches of checks. Those in the system's temporary folder stay if there were faults, up to a bound.

use arena::ArenaError;
use arena::folder::remove_folder;
use platform::files;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::TempDir;
use walkdir::WalkDir;

/// The beginning of the names of temporary folders.
const PREFIX: &str = "broadside-check-";
/// The file that marks a folder which was kept. No folder that is in use has it.
const MARK: &str = ".broadside-check";
/// The most folders that stay.
const MOST_FOLDERS: usize = 10;
/// The most bytes that stay in all of them.
const MOST_BYTES: u64 = 100_000_000;

/// The folder of the matches of a check.
pub(super) struct MatchesFolder {
    /// Its path.
    pub(super) path: PathBuf,
    /// The same folder if the user named none. It is removed afterwards, unless it is kept.
    temporary: Option<TempDir>,
}

impl MatchesFolder {
    /// The folder that was named, or a temporary one. Of several bots, each has a folder in it, by its number and its name.
    ///
    /// # Errors
    /// The system gives no temporary folder.
    pub(super) fn of(named: Option<&Path>, bot: Option<(usize, &str)>) -> Result<MatchesFolder, ArenaError> {
        if let Some(path) = named {
            let own = bot.map(|(number, name)| {
                let name = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
                path.join(format!("{number}-{name}"))
            });
            return Ok(MatchesFolder { path: own.unwrap_or_else(|| path.to_owned()), temporary: None });
        }
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir();
        let folder = folder.map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
        Ok(MatchesFolder { path: folder.path().to_owned(), temporary: Some(folder) })
    }

    /// Keeps the folder, and removes old ones that were kept if they are too many or too large.
    pub(super) fn keep(self) {
        let Some(folder) = self.temporary else { return };
        let kept = folder.keep();
        // Without a mark it stays until somebody else removes it.
        if fs::write(kept.join(MARK), "").is_ok()
            && let Some(parent) = kept.parent()
        {
            let _ = remove_old(parent, &kept, MOST_FOLDERS, MOST_BYTES);
        }
    }
}

/// Removes the oldest folders that checks of the same user have kept beside the `newest`, which stays, until there are no more than so
/// many, with no more bytes in all.
fn remove_old(parent: &Path, newest: &Path, most: usize, most_bytes: u64) -> io::Result<()> {
    let own = newest.symlink_metadata()?;
    let mut others: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in parent.read_dir()?.flatten() {
        let is_named_so = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_own = |found: &Metadata| found.is_dir() && files::have_one_owner(found, &own);
        let path = entry.path();
        // The mark is written last. No link is followed.
        if is_named_so
            && path != newest
            && entry.metadata().is_ok_and(|found| is_own(&found))
            && let Ok(mark) = path.join(MARK).symlink_metadata()
            && mark.is_file()
            && files::have_one_owner(&mark, &own)
        {
            others.push((mark.modified()?, path));
        }
    }
    others.sort_by(|one, other| other.cmp(one));
    let mut bytes = bytes_in(newest);
    for (number, (_, path)) in (2..).zip(&others) {
        bytes += bytes_in(path);
        if number > most || bytes > most_bytes {
            remove_folder(path)?;
        }
    }
    Ok(())
}

/// The size of all files in a folder.
pub(super) fn bytes_in(path: &Path) -> u64 {
    let found = WalkDir::new(path).into_iter().flatten().filter_map(|entry| entry.metadata().ok());
    found.filter(Metadata::is_file).map(|file| file.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
        remove_old(at, &newest, 3, 1000).unwrap();
        let others = ["broadside-check-run", "somebody-elses"];
        assert_eq!(
            left(at),
            [&["broadside-check-mid", "broadside-check-new", "broadside-check-now"][..], &others].concat()
        );
        remove_old(at, &newest, 3, 25).unwrap();
        assert_eq!(left(at), [&["broadside-check-new", "broadside-check-now"][..], &others].concat());
        remove_old(at, &newest, 3, 1).unwrap();
        assert_eq!(left(at), [&["broadside-check-now"][..], &others].concat(), "the newest stays, however large");
    }

    #[test]
    fn no_link_to_a_folder_is_removed_or_followed() {
        let [parent, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let target = folder(other.path(), "broadside-check-target", 10, 300);
        std::os::unix::fs::symlink(&target, parent.path().join("broadside-check-link")).unwrap();
        let newest = folder(parent.path(), "broadside-check-now", 10, 0);
        remove_old(parent.path(), &newest, 1, 1).unwrap();
        assert_eq!(left(parent.path()), ["broadside-check-link", "broadside-check-now"]);
        assert!(target.join("record").is_file());
    }
}
