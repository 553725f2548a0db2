//! Finds the record of a match, whatever form it has.

use super::import::has_rounds;
use super::{MATCH_JSONL, MATCH_JSONL_ZST, Record, RecordError, import};
use crate::ArenaError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The record of a match, and what else there is of it.
#[derive(Debug, Clone)]
pub struct OpenedRecord {
    /// The record.
    pub record: Arc<Record>,
    /// The folder with its rounds, if they are there as well.
    pub rounds: Option<PathBuf>,
}

/// Opens a record, or the folder of a match: with the record in it, or else one made of its rounds, which the original
/// engine may have left as well.
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
