//! The sources of a bot, as far as its build may read them.

use super::plan::OUTPUT_FOLDERS;
use super::stamp::STAMP;
use crate::content_hash::{LEFT_OUT, MOST_FILES, ReadBudget};
use arena::hex;
use arena::record::{MATCH_JSONL, MATCH_JSONL_ZST};
use platform::files::Folder;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use walkdir::{DirEntry, WalkDir};

/// Hidden folders that have settings of builds. Others are of editors and version control.
const HIDDEN_SETTINGS: [&str; 2] = [".cargo", ".mvn"];
/// Endings of files that no build reads: texts for people, logs, and what compilers leave beside the sources.
const NEVER_READ: [&str; 11] = ["bak", "class", "d", "log", "md", "o", "obj", "pdb", "pyc", "swp", "tmp"];
/// Endings of files that are written by people for compilers and build tools. Those of JavaScript are not among them: for
/// TypeScript they are what a build makes.
const WRITTEN: [&str; 45] = [
    "asm",
    "c",
    "cc",
    "cmake",
    "config",
    "cpp",
    "cs",
    "csproj",
    "cts",
    "cxx",
    "fs",
    "fsi",
    "fsproj",
    "fsx",
    "go",
    "gradle",
    "h",
    "hh",
    "hpp",
    "hxx",
    "inl",
    "java",
    "kt",
    "kts",
    "lock",
    "mk",
    "mod",
    "mts",
    "properties",
    "props",
    "proto",
    "resx",
    "rs",
    "s",
    "sc",
    "scala",
    "sln",
    "sum",
    "targets",
    "toml",
    "ts",
    "tsx",
    "vb",
    "xml",
    "y",
];
/// Names of such files without an ending of their own.
const WRITTEN_NAMES: [&str; 6] =
    ["CMakeLists.txt", "GNUmakefile", "Makefile", "makefile", "package.json", "tsconfig.json"];

/// The hash of each file by its path: relative to the bot's folder, absolute outside it.
pub(super) type Snapshot = BTreeMap<String, String>;

/// The folders of one bot that have its sources.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'a> {
    /// The bot's folder; absolute.
    pub(super) bot: &'a Path,
    /// The project; absolute.
    pub(super) project: &'a Path,
    /// The program that the build makes; absolute.
    pub(super) run_file: &'a Path,
}

impl Sources<'_> {
    /// The hashes of all files that a build may read; `None` if they are more than 64 MiB or 10,000 files, or cannot be read, or not
    /// within 30 seconds.
    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        let (mut found, mut budget) = (Snapshot::new(), ReadBudget::new());
        for root in self.roots() {
            let folder = Folder::open_linked(root).ok()?;
            for path in files_in(root, self.run_file) {
                let path = path.ok()?;
                if found.contains_key(&self.name(&path)) {
                    continue;
                }
                let Some(file) = folder.open_beneath(path.strip_prefix(root).ok()?).ok()? else { continue };
                if found.len() >= MOST_FILES {
                    return None;
                }
                found.insert(self.name(&path), hash_of(file, &mut budget).ok()?);
            }
        }
        Some(found)
    }

    /// The hash of the program; `None` if it is not a file in the bot's folder, or is too large.
    pub(super) fn program(&self) -> Option<String> {
        let file =
            Folder::open_linked(self.bot).ok()?.open_beneath(self.run_file.strip_prefix(self.bot).ok()?).ok()??;
        hash_of(file, &mut ReadBudget::new()).ok()
    }

    /// The file that was changed last, of those that are written for compilers and build tools, with its time.
    pub(super) fn newest(&self) -> Option<(String, SystemTime)> {
        let files = self.roots().flat_map(|root| files_in(root, self.run_file));
        let written = files.filter_map(Result::ok).filter(|path| is_written(path));
        let times = written.filter_map(|path| Some((path.metadata().and_then(|meta| meta.modified()).ok()?, path)));
        times.max().map(|(time, path)| (self.name(&path), time))
    }

    fn name(&self, path: &Path) -> String {
        path.strip_prefix(self.bot).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The folders that have the sources. The project may lie outside, or in a folder whose name is that of output.
    fn roots(&self) -> impl Iterator<Item = &Path> {
        let project = Some(self.project).filter(|project| *project != self.bot);
        [Some(self.bot), project].into_iter().flatten()
    }
}

/// The files in a folder that a build may read, but for the program. Links to folders are not followed, and none that leads out of
/// `root`: in a sandbox no build can read that, and its hash would tell of files that are not the bot's.
fn files_in(root: &Path, run_file: &Path) -> impl Iterator<Item = io::Result<PathBuf>> {
    let (run_file, real) = (run_file.to_owned(), root.canonicalize());
    let leads_out = move |path: &Path| match (&real, path.canonicalize()) {
        (Ok(real), Ok(path)) => !path.starts_with(real),
        _ => true,
    };
    let entries = WalkDir::new(root).min_depth(1).into_iter().filter_entry(may_be_read);
    entries.filter_map(move |entry| match entry {
        Err(error) => Some(Err(error.into())),
        Ok(entry) => {
            let is_link = entry.path_is_symlink();
            let path = entry.into_path();
            (path != run_file && path.is_file() && !(is_link && leads_out(&path))).then_some(Ok(path))
        }
    })
}

/// True for a file that is written by people for compilers and build tools.
pub(super) fn is_written(path: &Path) -> bool {
    let is_known = |ending: &OsStr| WRITTEN.iter().any(|known| ending.eq_ignore_ascii_case(known));
    path.extension().is_some_and(is_known)
        || path.file_name().is_some_and(|name| WRITTEN_NAMES.iter().any(|known| name == *known))
}

fn may_be_read(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    if entry.file_type().is_dir() {
        let is_setting = HIDDEN_SETTINGS.contains(&&*name);
        let is_output = OUTPUT_FOLDERS.contains(&&*name) || LEFT_OUT.contains(&&*name);
        return is_setting || !(name.starts_with('.') || is_output || holds_games(entry.path()));
    }
    let ending = Path::new(&*name).extension().unwrap_or_default();
    let is_never_read = NEVER_READ.iter().any(|never| ending.eq_ignore_ascii_case(never));
    !(name.starts_with('.') || name.ends_with('~') || name == "bot.json" || name == STAMP || is_never_read)
}

/// True for the folder of a match or a tournament.
fn holds_games(folder: &Path) -> bool {
    const FILES: [&str; 3] = [arena::GAMES_JSONL, MATCH_JSONL, MATCH_JSONL_ZST];
    FILES.iter().any(|name| folder.join(name).is_file())
}

/// The SHA-256 of a file in hexadecimal digits.
fn hash_of(file: File, budget: &mut ReadBudget) -> io::Result<String> {
    let mut hasher = Sha256::new();
    budget.read(file, |part| hasher.update(part))?;
    Ok(hex(&hasher.finalize()))
}
