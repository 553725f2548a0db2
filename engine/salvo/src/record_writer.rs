//! The record_writer writes the record of a match, turn by turn, also when the server was started again in the middle of it.

use arena::record::{Clock, Header, RecordWriter, replace_file};
use arena::{ArenaError, MatchEvent, Observer};
use rules::salvo::Salvo;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the record of a match.
pub(crate) struct MatchRecordWriter {
    writer: RecordWriter,
    path: PathBuf,
    /// Where turns go; `None` for as long as they are those that the file has already.
    file: Option<File>,
    lines: Vec<u8>,
    known: u32,
}

impl MatchRecordWriter {
    /// Begins a record, which has its first line on the disk then.
    pub(crate) fn begin(path: &Path, header: &Header) -> Result<MatchRecordWriter, ArenaError> {
        let mut record_writer = MatchRecordWriter::go_on(path, header, 0);
        record_writer.open()?;
        Ok(record_writer)
    }

    /// Goes on with a record that has so many turns. All of them will be seen again. The file stays as it is until then, and
    /// is written anew after that: the last line may have been cut off.
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
        if matches!(event, MatchEvent::Opened { turn, .. } if *turn == self.known) && self.file.is_none() {
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
