//! Paths that a sandboxed bot may open, chosen so that none of them leads into a closed folder.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

/// `root` itself or, if a closed path lies in it, every entry below it that is not closed and does not lead to a closed
/// path. Landlock rules cover everything below a path and cannot exclude anything, so closed paths have to be left out.
pub(super) fn allowed(root: &Path, closed: &[PathBuf]) -> Vec<PathBuf> {
    if closed.iter().any(|closed| closed == root) {
        return Vec::new();
    }
    if !closed.iter().any(|closed| closed.starts_with(root)) {
        return vec![root.to_owned()];
    }
    let Ok(entries) = root.read_dir() else { return Vec::new() };
    // A link would open its target.
    let entries = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    entries.flat_map(|entry| allowed(&entry.path(), closed)).collect()
}

/// The `paths` that exist, with links resolved, without paths that lie in another of them: each path costs a little at
/// every start of a bot.
pub(super) fn outermost(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    // Sorted, a folder comes before its entries.
    let present: BTreeSet<PathBuf> = paths.filter_map(|path| path.canonicalize().ok()).collect();
    let mut outermost: Vec<PathBuf> = Vec::new();
    for path in present {
        if !outermost.iter().any(|outer| path.starts_with(outer)) {
            outermost.push(path);
        }
    }
    outermost
}

/// The folder with the libraries of a tool outside of the system's folders: `PREFIX` of `PREFIX/bin/tool`. `None` if
/// that would open the user's home.
pub(super) fn tool_folder(program: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let bin = program.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "bin"))?;
    let prefix = bin.parent()?;
    let home = env::var_os("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
    let opens_home = home.is_some_and(|home| home.starts_with(prefix));
    (!opens_home && prefix.parent().is_some()).then(|| prefix.to_owned())
}

/// The folder of the virtual environment of Python that `program` belongs to, if it does: it has packages that the folder of the tool
/// itself lacks.
pub(super) fn environment_folder(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?.parent()?;
    folder.join("pyvenv.cfg").is_file().then(|| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_with_nothing_closed_in_it_is_allowed_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(allowed(folder.path(), &["/somewhere/else".into()]), [folder.path()]);
    }

    #[test]
    fn what_is_closed_and_what_leads_there_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["bots/mine", "bots/theirs/src", "src"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        fs::write(root.join("bot.json"), "{}").unwrap();
        symlink("bots/theirs", root.join("link")).unwrap();
        let mut open = allowed(root, &[root.join("bots/theirs")]);
        open.sort();
        assert_eq!(open, ["bot.json", "bots/mine", "src"].map(|path| root.join(path)));
    }

    #[test]
    fn the_environment_of_a_program_is_found_by_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("bin/python3");
        assert_eq!(environment_folder(&program), None);
        fs::write(folder.path().join("pyvenv.cfg"), "").unwrap();
        assert_eq!(environment_folder(&program), Some(folder.path().to_owned()));
        assert_eq!(environment_folder(Path::new("python3")), None);
    }

    #[test]
    fn a_folder_that_is_closed_itself_is_not_allowed() {
        assert_eq!(allowed(Path::new("/usr"), &["/usr".into()]), [] as [&Path; 0]);
    }

    #[test]
    fn paths_in_others_and_paths_of_nothing_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        symlink("a/b", root.join("link")).unwrap();
        let paths = ["link", "a/b", "none", "a"].map(|name| root.join(name));
        assert_eq!(outermost(paths.into_iter()), [root.join("a")]);
    }

    #[test]
    fn a_tool_brings_its_prefix() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("bin")).unwrap();
        fs::write(root.join("bin/tool"), "").unwrap();
        assert_eq!(tool_folder(&root.join("bin/tool")), Some(root.clone()));
        fs::write(root.join("tool"), "").unwrap();
        assert_eq!(tool_folder(&root.join("tool")), None);
    }
}
