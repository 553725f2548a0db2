//! Folders that commands create.

use crate::failure::Failure;
use std::path::Path;

/// Checks that `folder` does not exist or is empty, so that no file can be lost.
///
/// # Errors
/// [`Failure::Usage`] if it has files, or is not a folder.
pub(super) fn fresh_folder(folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.read_dir().is_ok_and(|mut entries| entries.next().is_none()) {
        return Err(Failure::Usage {
            what: format!("{} exists and is not empty", folder.display()),
            hint: "name a folder that does not exist, or an empty one".to_owned(),
        });
    }
    Ok(())
}
