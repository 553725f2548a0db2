//! Finding programs.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The absolute path of the program `name` on the PATH; `None` if there is none that can be executed.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|program| is_executable(program))?;
    std::path::absolute(found).ok()
}

/// Whether `path` is a file that somebody may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
