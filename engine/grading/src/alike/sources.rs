//! The source files of a bot, as its author wrote them.

use super::language::CodeLanguage;
use platform::files::Folder;
use players::{LEFT_OUT, Manifest};
use rules::entelect_2017::files::decode;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Folders of code by others, and of what builds make: besides [`LEFT_OUT`], because a bot may depend on them.
const OF_OTHERS: [&str; 9] =
    ["__MACOSX", "build", "dist", "external", "out", "packages", "site-packages", "third_party", "vendor"];
/// The largest file that is taken for one that a person wrote, in bytes.
const MOST_OF_FILE: u64 = 1 << 20;
/// The most files of a bot.
const MOST_FILES: usize = 2_000;
/// The most files and folders that are looked at.
const MOST_ENTRIES: usize = 100_000;

/// The sources of a bot.
pub(super) struct Sources {
    pub(super) language: &'static CodeLanguage,
    /// The files in the language, by their paths in the bot's folder.
    pub(super) files: Vec<(PathBuf, Vec<u8>)>,
}

/// Reads the sources in a bot's folder. No link that leads out of it is followed.
///
/// # Errors
/// The reason why there are none, in words.
pub(super) fn sources_of(folder: &Path) -> Result<Sources, String> {
    let root = Folder::open(folder).map_err(|e| format!("its folder cannot be read: {e}"))?;
    let walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter().filter_entry(is_of_author);
    let mut files = Vec::new();
    for (at, entry) in walk.enumerate() {
        if at >= MOST_ENTRIES {
            return Err(format!("there are more than {MOST_ENTRIES} files and folders in it"));
        }
        let Ok(entry) = entry else { continue };
        let Some(path) = entry.path().strip_prefix(folder).ok().filter(|path| CodeLanguage::is_source(path)) else {
            continue;
        };
        if !entry.file_type().is_file() {
            continue;
        }
        if let Some(bytes) = read(&root, path).map_err(|e| format!("{} cannot be read: {e}", path.display()))? {
            files.push((path.to_owned(), bytes));
        }
        if files.len() > MOST_FILES {
            return Err(format!("there are more than {MOST_FILES} source files in it"));
        }
    }
    let named = root.read_regular("bot.json", MOST_OF_FILE).ok().flatten();
    let manifest = named.and_then(|bytes| Manifest::parse(folder, &decode(&bytes)).ok());
    let named = manifest.and_then(|manifest| CodeLanguage::of_bot(manifest.language.name));
    let is_there = |language: &&CodeLanguage| files.iter().any(|(path, _)| language.has(path));
    let by_bytes = || CodeLanguage::of_most(files.iter().map(|(path, bytes)| (path.as_path(), bytes.len() + 1)));
    let language = named.filter(is_there).or_else(by_bytes).ok_or("there is no source file in it")?;
    files.retain(|(path, _)| language.has(path));
    Ok(Sources { language, files })
}

/// A file; `None` if it is too large, or not there.
fn read(root: &Folder, path: &Path) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = root.open_beneath(path)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(MOST_OF_FILE + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= MOST_OF_FILE))
}

fn is_of_author(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let is_others = entry.file_type().is_dir() && (LEFT_OUT.contains(&&*name) || OF_OTHERS.contains(&&*name));
    !(is_others || name.starts_with('.'))
}
