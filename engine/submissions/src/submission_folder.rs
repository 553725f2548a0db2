//! The folder of a submission.

use arena::folder::remove_folder;
use runner::FAULTS;
use std::path::{Path, PathBuf};
use std::{fs, io};
use walkdir::WalkDir;

/// The beginning of the names of trial games.
pub const TRIAL: &str = "trial-";

/// The folder of a submission: `bot` has its files, `log.txt` tells of its build, `faults` has bundles of its trial games, and `games`
/// those games while it is tried.
#[derive(Debug, Clone)]
pub struct SubmissionFolder {
    path: PathBuf,
}

impl SubmissionFolder {
    /// The folder at this path, which need not be there yet.
    pub fn at(path: PathBuf) -> SubmissionFolder {
        SubmissionFolder { path }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the bot.
    pub fn bot(&self) -> PathBuf {
        self.path.join("bot")
    }

    /// The log of its build.
    pub fn log(&self) -> PathBuf {
        self.path.join("log.txt")
    }

    /// The folder of its trial games while it is tried.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// Keeps the fault bundles of the trial games, which are numbered from 1, and removes all else of those.
    ///
    /// # Errors
    /// The disk fails.
    pub fn keep_faults(&self) -> io::Result<()> {
        let (games, to) = (self.games(), self.faults());
        for number in 1.. {
            let game = games.join(number.to_string());
            if !game.is_dir() {
                break;
            }
            // One folder, that of the game.
            for entry in fs::read_dir(&game)? {
                let faults = entry?.path().join(FAULTS);
                if faults.is_dir() {
                    fs::create_dir_all(&to)?;
                    fs::rename(&faults, to.join(format!("{TRIAL}{number}")))?;
                }
            }
        }
        remove_folder(&games)
    }

    /// The fault bundles of its trial games.
    pub fn faults(&self) -> PathBuf {
        self.path.join("faults")
    }
}

/// The bytes of all files in a folder.
pub fn bytes_in(folder: &Path) -> u64 {
    WalkDir::new(folder).into_iter().flatten().filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}
