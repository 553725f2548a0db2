//! Finding programs.

use crate::process::Tool;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Finds programs: those with a configured path there, all others in the folders of the PATH.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    placed: BTreeMap<String, PathBuf>,
    folders: Vec<PathBuf>,
}

impl Tools {
    /// The programs on the PATH.
    pub fn on_path() -> Tools {
        Tools::in_folders(env::split_paths(&env::var_os("PATH").unwrap_or_default()))
    }

    /// The programs in these folders; the first folder that has a program counts.
    pub fn in_folders(folders: impl IntoIterator<Item = PathBuf>) -> Tools {
        Tools { placed: BTreeMap::new(), folders: folders.into_iter().collect() }
    }

    /// Sets the path of the program `name`.
    pub fn place(&mut self, name: &str, path: PathBuf) {
        self.placed.insert(name.to_owned(), path);
    }

    /// The absolute path of the program `name`; `None` if no file of this name can be executed.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if let Some(placed) = self.placed.get(name) {
            return Some(placed.clone());
        }
        let found = self.folders.iter().map(|folder| folder.join(name)).find(|program| is_executable(program))?;
        std::path::absolute(found).ok()
    }

    /// A PATH by which other programs find the same ones: npm looks for node there, mvn for java.
    pub(crate) fn search_path(&self) -> OsString {
        let placed = self.placed.values().filter_map(|program| program.parent());
        let folders = placed.chain(self.folders.iter().map(PathBuf::as_path));
        // A PATH cannot have a folder with a colon in its name.
        let has_colon = |folder: &Path| folder.as_os_str().as_encoded_bytes().contains(&b':');
        env::join_paths(folders.filter(|folder| !has_colon(folder))).unwrap_or_default()
    }
}

/// True for a file that somebody may execute.
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| platform::files::is_executable(&meta))
}

/// Advice for somebody who has none of these `programs` of a tool: what to install, or where to say that there is one.
pub(crate) fn missing_tool_hint(tool: Option<&Tool>, programs: &[&str]) -> String {
    let names = programs.join(" or ");
    let install = tool.map_or_else(|| names.clone(), Tool::install);
    format!("install {install}; or give the place of {names} in ~/.config/broadside/broadside.toml, under [tools]")
}
