//! Opens the record of a match: a file, a compressed file, or the folder of a match.

use crate::import::{has_rounds, import};
use arena::ArenaError;
use arena::record::{MATCH_JSONL, MATCH_JSONL_ZST, Record, RecordError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The record of a match, with the folder of its rounds.
#[derive(Debug, Clone)]
pub struct OpenedRecord {
    /// The record.
    pub record: Arc<Record>,
    /// The folder of its rounds; `None` if there are none.
    pub rounds: Option<PathBuf>,
}

/// Opens a record, or the folder of a match. In a folder without a record, one is made of its rounds, which may be
/// those of the original engine.
///
/// # Errors
/// The file is missing, is not a record, is damaged, or a newer program wrote it. The disk fails.
pub fn open(path: &Path) -> Result<OpenedRecord, ArenaError> {
    if !path.exists() {
        return Err(RecordError::NoRecord("there is no such file or folder".to_owned()).of(path));
    }
    if !path.is_dir() {
        return Ok(OpenedRecord { record: Arc::new(Record::read(path)?), rounds: None });
    }
    let kept = [MATCH_JSONL, MATCH_JSONL_ZST].map(|name| path.join(name)).into_iter().find(|path| path.is_file());
    let record = match kept {
        Some(kept) => Record::read(&kept)?,
        None => Record::parse(path, import(path)?)?,
    };
    let rounds = has_rounds(path).then(|| path.to_owned());
    Ok(OpenedRecord { record: Arc::new(record), rounds })
}
