//! The parts of a bot's folder: those that are packed, and those that are left out.

use super::error::SubmitError;
use arena::ArenaError;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Files and folders that are left out, of whatever kind they are.
const ALWAYS_LEFT_OUT: [&str; 4] = [".git", ".hg", ".svn", ".DS_Store"];
/// Folders, and links to folders, that are left out: the server makes them again.
const LEFT_OUT_FOLDERS: [&str; 3] = ["node_modules", "__pycache__", ".venv"];

/// Something in a folder.
pub(super) struct Part {
    /// The path in the folder.
    pub(super) name: PathBuf,
    pub(super) kind: PartKind,
}

/// The kind of a part.
pub(super) enum PartKind {
    Folder,
    File {
        /// The number of bytes.
        bytes: u64,
    },
    Link {
        target: PathBuf,
    },
}

/// Everything in a folder that is packed, sorted by names, and what is left out.
///
/// # Errors
/// There is something that cannot be packed, or the disk fails.
pub(super) fn parts(folder: &Path) -> Result<(Vec<Part>, Vec<PathBuf>), SubmitError> {
    let unreadable = |e: io::Error| ArenaError::disk("read", folder, e);
    let (mut parts, mut left_out) = (Vec::new(), Vec::new());
    let name_of = |entry: &DirEntry| entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|entry| {
        let leaves_out = entry.depth() > 0 && is_left_out(entry);
        if leaves_out {
            left_out.push(name_of(entry));
        }
        !leaves_out
    });
    for entry in walk {
        let entry = entry.map_err(|e| unreadable(e.into()))?;
        if entry.depth() == 0 {
            continue;
        }
        let kind = match entry.file_type() {
            kind if kind.is_dir() => PartKind::Folder,
            kind if kind.is_file() => {
                PartKind::File { bytes: entry.metadata().map_err(|e| unreadable(e.into()))?.len() }
            }
            kind if kind.is_symlink() => {
                let target = fs::read_link(entry.path()).map_err(|e| ArenaError::disk("read", entry.path(), e))?;
                PartKind::Link { target }
            }
            _ => return Err(SubmitError::Kind(entry.into_path())),
        };
        parts.push(Part { name: name_of(&entry), kind });
    }
    for part in &parts {
        if let PartKind::Link { target } = &part.kind {
            check_link(folder, &part.name, target, &left_out)?;
        }
    }
    Ok((parts, left_out))
}

fn is_left_out(entry: &DirEntry) -> bool {
    let Some(name) = entry.file_name().to_str() else { return false };
    let is_target = || name == "target" && entry.path().with_file_name("Cargo.toml").is_file();
    let may_be_folder = !entry.file_type().is_file();
    ALWAYS_LEFT_OUT.contains(&name) || may_be_folder && (LEFT_OUT_FOLDERS.contains(&name) || is_target())
}

/// Checks that a link leads to something that is packed, and stays in the folder on the way there.
fn check_link(folder: &Path, name: &Path, target: &Path, left_out: &[PathBuf]) -> Result<(), SubmitError> {
    let link = folder.join(name);
    let nowhere = || SubmitError::LeadsNowhere { link: link.clone(), target: target.to_owned() };
    let mut at = link.parent().unwrap_or(folder).to_owned();
    for step in target.components() {
        let is_inside = match step {
            Component::Normal(step) => {
                at = fs::canonicalize(at.join(step)).map_err(|_| nowhere())?;
                at.starts_with(folder)
            }
            Component::ParentDir => at.pop() && at.starts_with(folder),
            Component::CurDir => true,
            Component::RootDir | Component::Prefix(_) => false,
        };
        if !is_inside {
            return Err(SubmitError::LeadsOut { link, target: target.to_owned() });
        }
    }
    let is_packed = !left_out.iter().any(|name| at.starts_with(folder.join(name)));
    if is_packed { Ok(()) } else { Err(nowhere()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::files::symlink;
    use std::os::unix::net::UnixListener;
    use tempfile::TempDir;

    /// A folder with these empty files.
    fn folder(files: &[&str]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    /// The names of what is packed, and of what is left out.
    fn names(folder: &Path) -> Result<[Vec<String>; 2], SubmitError> {
        let (parts, left_out) = parts(&fs::canonicalize(folder).unwrap())?;
        let packed = parts.iter().map(|part| part.name.display().to_string()).collect();
        Ok([packed, left_out.iter().map(|path| path.display().to_string()).collect()])
    }

    #[test]
    fn what_the_server_makes_again_is_left_out() {
        let made = [
            ".git/HEAD",
            ".hg/store",
            "deep/.svn/entries",
            "deep/.DS_Store",
            "node_modules/words/index.js",
            "deep/__pycache__/bot.pyc",
            ".venv/bin/python",
            "rust/target/debug/bot",
        ];
        let kept = ["build/a", "deep/target/b", "obj/c", "rust/Cargo.toml", "venv/d", "vendor/node_modules"];
        let folder = folder(&[&made[..], &kept[..]].concat());
        // Of a work tree of git, it is a file.
        fs::write(folder.path().join("rust/.git"), "gitdir: ../elsewhere").unwrap();
        let [names, left_out] = names(folder.path()).unwrap();
        assert!(made.iter().all(|name| !names.contains(&(*name).to_owned())), "{names:?}");
        assert!(kept.iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
        let expected = [
            ".git",
            ".hg",
            ".venv",
            "deep/.DS_Store",
            "deep/.svn",
            "deep/__pycache__",
            "node_modules",
            "rust/.git",
            "rust/target",
        ];
        assert_eq!(left_out, expected);
    }

    #[test]
    fn a_link_leads_to_something_that_is_packed() {
        for target in ["../secret", "/etc/hostname", "deep/../../secret", "up/secret"] {
            let outer = folder(&["secret", "bot/deep/file"]);
            let inner = outer.path().join("bot");
            if target.starts_with("up/") {
                symlink(Path::new(".."), &inner.join("up")).unwrap();
            }
            symlink(Path::new(target), &inner.join("a link")).unwrap();
            let told = names(&inner).unwrap_err().to_string();
            assert!(told.ends_with(&format!("/a link leads out of the folder, to {target}")), "{told}");
        }
        for target in ["gone", "link", ".git/HEAD", ".git"] {
            let folder = folder(&[".git/HEAD"]);
            symlink(Path::new(target), &folder.path().join("link")).unwrap();
            let told = names(folder.path()).unwrap_err().to_string();
            assert!(told.ends_with(&format!("/link leads to {target}, which is not packed")), "{told}");
        }
        let folder = folder(&["deep/er/file"]);
        for (link, target) in [("one", "deep"), ("two", "./one/er/file"), ("deep/three", "../two"), ("self", ".")] {
            symlink(Path::new(target), &folder.path().join(link)).unwrap();
        }
        let packed = ["deep", "deep/er", "deep/er/file", "deep/three", "one", "self", "two"];
        assert_eq!(names(folder.path()).unwrap()[0], packed);
    }

    #[test]
    fn a_folder_has_files_folders_and_links_only() {
        let folder = folder(&["file"]);
        let _socket = UnixListener::bind(folder.path().join("socket")).unwrap();
        let told = names(folder.path()).unwrap_err().to_string();
        assert!(told.ends_with("/socket is no file, folder or link"), "{told}");
    }
}
