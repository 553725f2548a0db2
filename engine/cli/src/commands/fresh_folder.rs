//! Folders that are to be filled.

use crate::failure::Failure;
use std::path::Path;

/// Makes sure that nothing in `folder` can be lost: it is not there yet, or empty.
pub(super) fn fresh_folder(folder: &Path) -> Result<(), Failure> {
    if folder.exists() && !folder.read_dir().is_ok_and(|mut entries| entries.next().is_none()) {
        return Err(Failure::Usage {
            what: format!("{} is there already", folder.display()),
            hint: "name a folder that is not there yet, or is empty".to_owned(),
        });
    }
    Ok(())
}
