//! The environment of a Python project (`.broadside-venv`): there as a whole, or not at all.

use arena::folder::remove_folder;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A build that makes and fills an environment. If it is dropped before [`FillingEnvironment::finish`], the environment is removed.
#[derive(Debug)]
pub(super) struct FillingEnvironment {
    environment: PathBuf,
    unfinished_file: PathBuf,
}

/// The file beside an environment that a build is filling, which is left where the engine is killed meanwhile.
fn unfinished_file(environment: &Path) -> PathBuf {
    let mut file = environment.as_os_str().to_owned();
    file.push(".unfinished");
    file.into()
}

/// True if the interpreter `python` belongs to an environment that is finished.
pub(in crate::process) fn is_finished(python: &Path) -> bool {
    python.ancestors().nth(2).is_none_or(|environment| unfinished_file(environment).symlink_metadata().is_err())
}

impl FillingEnvironment {
    /// Marks the environment of the interpreter `python`, which is not there yet, as unfinished. One that was left unfinished is
    /// removed. `None` if there is a finished one: its packages are changed one by one, and a bot can use it meanwhile.
    ///
    /// # Errors
    /// The folder of the project cannot be written to.
    pub(super) fn begin(python: &Path) -> io::Result<Option<FillingEnvironment>> {
        let environment = python.ancestors().nth(2).unwrap_or(python).to_owned();
        let unfinished_file = unfinished_file(&environment);
        if unfinished_file.symlink_metadata().is_ok() {
            remove_folder(&environment)?;
        } else if environment.symlink_metadata().is_ok() {
            return Ok(None);
        } else {
            // Not through a link that lies there.
            File::create_new(&unfinished_file)?;
        }
        Ok(Some(FillingEnvironment { environment, unfinished_file }))
    }

    /// Keeps the environment.
    ///
    /// # Errors
    /// The folder of the project cannot be written to; the environment is removed.
    pub(super) fn finish(self) -> io::Result<()> {
        std::fs::remove_file(&self.unfinished_file)
    }
}

impl Drop for FillingEnvironment {
    fn drop(&mut self) {
        // What cannot be removed stays marked.
        if self.unfinished_file.symlink_metadata().is_ok() && remove_folder(&self.environment).is_ok() {
            let _ = std::fs::remove_file(&self.unfinished_file);
        }
    }
}
