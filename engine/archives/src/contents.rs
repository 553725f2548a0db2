//! The contents of an archive, as far as they are limited.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The most that an archive may have in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Bytes in all files together, when they are unpacked.
    pub bytes: u64,
    /// Files and folders.
    pub entries: usize,
    /// Folders that lie in one another.
    pub depth: usize,
}

impl ArchiveLimits {
    /// Those of a bot that somebody hands in: 200 MB in 5,000 files and folders.
    pub const UPLOAD: ArchiveLimits = ArchiveLimits { bytes: 200_000_000, entries: 5_000, depth: 32 };
    /// Those of all that a class hands in: 20 GB in a million files and folders.
    pub const CLASS: ArchiveLimits = ArchiveLimits { bytes: 20_000_000_000, entries: 1_000_000, depth: 40 };
}

/// The paths in an archive, counted.
#[derive(Debug, Default)]
pub struct ArchiveContents {
    files: usize,
    /// Folders, also those that are only in the paths of others.
    folders: BTreeSet<PathBuf>,
}

impl ArchiveContents {
    /// Adds a folder, or something else.
    ///
    /// # Errors
    /// The reason why it is too much.
    pub fn add(&mut self, path: &Path, is_folder: bool, limits: ArchiveLimits) -> Result<(), String> {
        if path.components().count() > limits.depth {
            return Err(format!("a file in it lies in more than {} folders", limits.depth));
        }
        self.files += usize::from(!is_folder);
        let folders = path.ancestors().skip(usize::from(!is_folder)).filter(|folder| !folder.as_os_str().is_empty());
        // Those above one that is known are known, too.
        for folder in folders {
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
        }
        if self.files + self.folders.len() > limits.entries {
            return Err(format!("there are more than {} files and folders in it", limits.entries));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_in_the_paths_of_files_count() {
        let limits = ArchiveLimits { bytes: 1, entries: 100_000, depth: 64 };
        let sixty: PathBuf = ["d"; 60].iter().collect();
        let mut contents = ArchiveContents::default();
        let refused = (0..10_000)
            .find_map(|n| contents.add(&Path::new(&n.to_string()).join(&sixty).join("f"), false, limits).err());
        assert_eq!(refused.unwrap(), "there are more than 100000 files and folders in it");
        assert!(contents.folders.len() < 100_100);
        let deep: PathBuf = ["d"; 65].iter().collect();
        assert_eq!(contents.add(&deep, true, limits).unwrap_err(), "a file in it lies in more than 64 folders");
    }
}
