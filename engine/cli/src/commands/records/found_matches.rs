//! The matches in a folder.

use crate::failure::Failure;
use arena::ArenaError;
use arena::record::{MATCH_JSONL, MATCH_JSONL_ZST};
use std::path::{Path, PathBuf};
use tournament::GAMES_JSONL;
use walkdir::{DirEntry, WalkDir};

/// The journal of a Salvo server.
const SALVO_JSONL: &str = "salvo.jsonl";

/// So many matches, in words.
pub(crate) fn counted(matches: usize) -> String {
    if matches == 1 { "1 match".to_owned() } else { format!("{matches} matches") }
}

/// The matches at a path: the path itself, or all matches in a folder that is not a match itself.
pub(crate) fn matches_in(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() || is_match(path) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut walk = WalkDir::new(path).min_depth(1).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|e| ArenaError::disk("look through", path, e))?;
        if has_no_matches(&entry) {
            walk.skip_current_dir();
        } else if entry.file_type().is_dir() && is_match(entry.path()) {
            walk.skip_current_dir();
            found.push(entry.into_path());
        } else if entry.file_type().is_file() && is_record(entry.path()) {
            found.push(entry.into_path());
        }
    }
    if found.is_empty() {
        return Err(Failure::Missing {
            what: format!("there is no match in {}", path.display()),
            hint: "a match is a folder with match.jsonl or 'Phase 1 - Round 0' in it, or a file NAME.jsonl or NAME.jsonl.zst",
        });
    }
    Ok(found)
}

/// True for the folders of a tournament with its bots and with turns that had faults: their files are not matches.
fn has_no_matches(entry: &DirEntry) -> bool {
    let has_journal = || entry.path().parent().is_some_and(|folder| folder.join(GAMES_JSONL).is_file());
    entry.file_type().is_dir()
        && [runner::TEMPLATES, runner::FAULTS].iter().any(|name| entry.file_name() == *name)
        && has_journal()
}

fn is_match(folder: &Path) -> bool {
    [MATCH_JSONL, MATCH_JSONL_ZST].iter().any(|name| folder.join(name).is_file())
        || folder.join("Phase 1 - Round 0").is_dir()
}

fn is_record(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // Journals of tournaments and of Salvo servers are not records.
    ![GAMES_JSONL, SALVO_JSONL].contains(&&*name) && (name.ends_with(".jsonl") || name.ends_with(".jsonl.zst"))
}

#[cfg(all(test, feature = "full"))]
mod tests {
    #[test]
    fn the_journal_of_salvo_is_known_by_its_name() {
        assert_eq!(super::SALVO_JSONL, salvo::JOURNAL);
    }
}
