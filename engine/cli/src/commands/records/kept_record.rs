//! The records that a tournament kept, as its journal names them.

use arena::ArenaError;
use arena::record::Record;
use platform::files::Folder;
use std::io;
use std::path::{Component, Path};

/// Reads the record that the journal of a tournament names with this path in its folder.
///
/// # Errors
/// The path leads out of the folder. The record is missing or damaged.
pub(super) fn kept_record(tournament: &Path, path: &str) -> Result<Record, ArenaError> {
    let inside = inside(path)?;
    let path = &tournament.join(inside);
    let opened = Folder::open_linked(here(tournament)).and_then(|folder| folder.open_beneath(inside));
    // A pipe would be waited for, and a link out of the folder may lead to a match that is not to be shown.
    if opened.map_err(|e| ArenaError::disk("read", path, e))?.is_none() && path.symlink_metadata().is_ok() {
        let why = "it is not a file in the folder of the tournament";
        return Err(ArenaError::disk("read", path, io::Error::other(why)));
    }
    Record::read(path)
}

/// The path, or that of the present folder if it is empty.
pub(super) fn here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// True for a path that leads down and nowhere else.
pub(super) fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// The path of a record, which must stay in the folder of its tournament.
fn inside(path: &str) -> Result<&Path, ArenaError> {
    let named = Path::new(path);
    if !path.is_empty() && is_plain(named) {
        return Ok(named);
    }
    Err(ArenaError::disk("read", named, io::Error::other("it is not in the folder of the tournament")))
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn records_outside_the_tournament_are_not_read() {
        assert!(inside("records/0-1-00003.jsonl.zst").is_ok());
        for path in ["", "/etc/passwd", "../up.jsonl", "records/../../up.jsonl"] {
            assert!(inside(path).is_err(), "{path}");
        }
    }
}
