//! Replaces files atomically.

use crate::ArenaError;
use platform::files::unguessable;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Writes a file. A present file is replaced only when the new one is complete.
///
/// # Errors
/// The disk fails. The present file is unchanged then.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), ArenaError> {
    let failed = |e| ArenaError::disk("write", path, e);
    // A pipe or a device is written to and not replaced.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return fs::write(path, bytes).map_err(failed);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{:016x}", unguessable()));
    let fresh = path.with_file_name(name);
    let written = File::create_new(&fresh).and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| fs::rename(&fresh, path)).map_err(|e| {
        // Remove the incomplete file; the error is reported.
        let _ = fs::remove_file(&fresh);
        failed(e)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace_file(&path, b"one").unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(replace_file(&folder.path().join("none/file"), b"x").is_err());
        fs::create_dir(folder.path().join("folder")).unwrap();
        assert!(replace_file(&folder.path().join("folder"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }
}
