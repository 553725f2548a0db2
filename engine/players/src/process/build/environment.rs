//! The environment of a Python project (`.broadside-venv`): there as a whole, or not at all.

use arena::folder::remove_folder;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A build that fills an environment. If it is dropped before [`FillingEnvironment::finish`], the environment is removed.
#[derive(Debug)]
pub(super) struct FillingEnvironment {
    environment: PathBuf,
    mark: PathBuf,
}

/// The file beside an environment that a build is filling, which is left where the engine is killed meanwhile.
fn mark(environment: &Path) -> PathBuf {
    let mut mark = environment.as_os_str().to_owned();
    mark.push(".unfinished");
    mark.into()
}

/// True if the interpreter `python` belongs to an environment that is finished.
pub(in crate::process) fn is_finished(python: &Path) -> bool {
    python.ancestors().nth(2).is_none_or(|environment| mark(environment).symlink_metadata().is_err())
}

impl FillingEnvironment {
    /// Marks the environment of the interpreter `python` as unfinished. One that was left unfinished is removed.
    ///
    /// # Errors
    /// The folder of the project cannot be written to.
    pub(super) fn begin(python: &Path) -> io::Result<FillingEnvironment> {
        let environment = python.ancestors().nth(2).unwrap_or(python).to_owned();
        let mark = mark(&environment);
        // Not through a link that lies there.
        match File::create_new(&mark) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => remove_folder(&environment)?,
            made => drop(made?),
        }
        Ok(FillingEnvironment { environment, mark })
    }

    /// Keeps the environment.
    ///
    /// # Errors
    /// The folder of the project cannot be written to; the environment is removed.
    pub(super) fn finish(self) -> io::Result<()> {
        std::fs::remove_file(&self.mark)
    }
}

impl Drop for FillingEnvironment {
    fn drop(&mut self) {
        // What cannot be removed stays marked.
        if self.mark.symlink_metadata().is_ok() && remove_folder(&self.environment).is_ok() {
            let _ = std::fs::remove_file(&self.mark);
        }
    }
}
