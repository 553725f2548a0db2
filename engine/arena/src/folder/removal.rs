//! Removes folders that bots could write in.

use platform::files::regain_rights;
use std::path::Path;
use std::{fs, io};
use walkdir::WalkDir;

/// Removes a folder with everything in it, also if a bot has removed rights to it. A missing folder is not an
/// error.
///
/// # Errors
/// The system's error for what could not be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
            regain(path);
            fs::remove_dir_all(path)
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Restores the rights to all folders. Folders below become visible only then, so it repeats until no more are
/// found.
fn regain(path: &Path) {
    let mut known = 0;
    loop {
        let entries = WalkDir::new(path).into_iter().filter_map(|entry| match entry {
            Ok(entry) => entry.file_type().is_dir().then(|| entry.into_path()),
            // The error names a folder that cannot be opened.
            Err(error) => error.path().map(Path::to_owned),
        });
        let folders: Vec<_> = entries.collect();
        for folder in &folders {
            // If this fails, the removal fails again and reports it.
            let _ = regain_rights(folder);
        }
        if folders.len() <= known {
            return;
        }
        known = folders.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn folders_without_rights_are_removed_too() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a/b/c");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "").unwrap();
        for folder in ["a/b/c", "a/b", "a"] {
            fs::set_permissions(root.path().join(folder), fs::Permissions::from_mode(0o000)).unwrap();
        }
        // Root needs no rights; then only the removal itself is tried.
        regain(root.path());
        assert_eq!(fs::metadata(&inner).unwrap().permissions().mode() & 0o777, 0o700);
        remove_folder(&root.path().join("a")).unwrap();
        assert!(!root.path().join("a").exists());
        remove_folder(&root.path().join("a")).unwrap();
    }
}
