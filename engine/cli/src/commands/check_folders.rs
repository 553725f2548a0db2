//! The folders of the matches of checks. Those in the system's temporary folder stay if there were faults, up to a bound.

use arena::ArenaError;
use arena::folder::remove_oldest;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

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
        if fs::write(kept.join(MARK), "").is_ok() {
            let _ = remove_oldest(&kept, PREFIX, Some(MARK), MOST_FOLDERS, MOST_BYTES);
        }
    }
}
