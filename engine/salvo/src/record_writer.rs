//! The record writer: writes the record of a match, turn by turn, and completes it after a restart of the server.

use arena::record::{Clock, Header, RecordWriter, replace_file};
use arena::{ArenaError, MatchEvent, Observer};
use rules::salvo::Salvo;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// An observer that writes the record of a match to a file.
pub(crate) struct MatchRecordWriter {
    writer: RecordWriter,
    path: PathBuf,
    /// The file; `None` while the match repeats turns that the file has already.
    file: Option<File>,
    /// Lines that are not in the file yet.
    lines: Vec<u8>,
    /// The number of turns that the file has already.
    known: u32,
}

impl MatchRecordWriter {
    /// Begins a record, whose first line is on the disk when this returns.
    pub(crate) fn begin(path: &Path, header: &Header) -> Result<MatchRecordWriter, ArenaError> {
        let mut record_writer = MatchRecordWriter::go_on(path, header, 0);
        record_writer.open()?;
        Ok(record_writer)
    }

    /// Continues a record that has `known` turns and no outcome. The observer will see those turns again. Until then the file
    /// stays as it is; then it is replaced, because its last line may have been cut off.
    pub(crate) fn go_on(path: &Path, header: &Header, known: u32) -> MatchRecordWriter {
        let (writer, lines) = RecordWriter::begin(header, Clock::Running);
        MatchRecordWriter { writer, path: path.to_owned(), file: None, lines, known }
    }

    fn open(&mut self) -> Result<(), ArenaError> {
        replace_file(&self.path, &std::mem::take(&mut self.lines))?;
        let file =
            File::options().append(true).open(&self.path).map_err(|e| ArenaError::disk("open", &self.path, e))?;
        file.sync_all().map_err(|e| ArenaError::disk("write", &self.path, e))?;
        self.file = Some(file);
        Ok(())
    }
}

impl Observer<Salvo> for MatchRecordWriter {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        let is_new = match event {
            MatchEvent::Opened { turn, .. } => *turn == self.known,
            MatchEvent::Finished { .. } => true,
            _ => false,
        };
        if is_new && self.file.is_none() {
            self.open()?;
        }
        self.lines.extend(self.writer.write(event));
        match &mut self.file {
            Some(file) if !self.lines.is_empty() => {
                let written = file.write_all(&std::mem::take(&mut self.lines));
                written.map_err(|e| ArenaError::disk("write", &self.path, e))
            }
            _ => Ok(()),
        }
    }
}
