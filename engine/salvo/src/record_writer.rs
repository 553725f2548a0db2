//! The record writer: writes the record of a match, turn by turn, and completes it after a restart of the server.

use arena::record::{Clock, Header, RecordWriter};
use arena::{ArenaError, Journal, JournalFormat, MatchEvent, Observer};
use rules::salvo::Salvo;
use std::path::{Path, PathBuf};

/// The format of records as files that one server continues after another.
const RECORD: JournalFormat = JournalFormat { title: "record", header: None, private: false };

/// An observer that writes the record of a match to a file.
pub(crate) struct MatchRecordWriter {
    writer: RecordWriter,
    path: PathBuf,
    /// The file; `None` for as long as the turns are those that it has already.
    journal: Option<Journal>,
    /// Lines that are not in the file yet.
    lines: Vec<u8>,
    /// The number of turns that the file has already.
    known: u32,
}

impl MatchRecordWriter {
    /// Makes a record without turns, which is on the disk when this returns.
    pub(crate) fn begin(path: &Path, header: &Header) -> Result<(), ArenaError> {
        MatchRecordWriter::go_on(path, header, 0)?.open()
    }

    /// Continues a record that has so many turns. All of them will be seen again. The file stays as it is until then; after
    /// that, an incomplete line at its end is removed.
    pub(crate) fn go_on(path: &Path, header: &Header, known: u32) -> Result<MatchRecordWriter, ArenaError> {
        let (writer, lines) = RecordWriter::begin(header, Clock::Running)?;
        Ok(MatchRecordWriter { writer, path: path.to_owned(), journal: None, lines, known })
    }

    fn open(&mut self) -> Result<(), ArenaError> {
        let mut journal = Journal::open(&self.path, RECORD)?;
        journal.resume_after(&std::mem::take(&mut self.lines))?;
        journal.sync()?;
        self.journal = Some(journal);
        Ok(())
    }
}

impl Observer<Salvo> for MatchRecordWriter {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        let is_new = match event {
            MatchEvent::Opened { turn, .. } => *turn >= self.known,
            // Only the outcome is missing if the server was stopped just before it was written.
            MatchEvent::Finished { .. } => true,
            _ => false,
        };
        if is_new && self.journal.is_none() {
            self.open()?;
        }
        self.lines.extend(self.writer.write(event));
        match &mut self.journal {
            Some(journal) if !self.lines.is_empty() => journal.append_bytes(&std::mem::take(&mut self.lines)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{Record, replay_record};
    use std::fs;
    use std::sync::Arc;

    #[test]
    fn a_record_that_was_cut_off_anywhere_is_continued_to_its_end() {
        let whole = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/salvo.jsonl"));
        let text = fs::read(whole).unwrap();
        let full = Arc::new(Record::read(whole).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let ends: Vec<usize> = ends.collect();
        // Some lines are enough, with the last turn and the outcome: after the line, and within the next one.
        for cut in ends[..ends.len() - 1].iter().rev().step_by(20).flat_map(|end| [*end, *end + 9]) {
            fs::write(&path, &text[..cut]).unwrap();
            let known = Record::read(&path).unwrap();
            let mut writer = MatchRecordWriter::go_on(&path, known.header(), known.len() as u32).unwrap();
            replay_record(&full, &mut writer).unwrap();
            drop(writer);
            let continued = fs::read(&path).unwrap();
            let but_last = ends[ends.len() - 2];
            assert_eq!(continued[..but_last], text[..but_last], "cut at {cut}");
            assert_eq!(Record::read(&path).unwrap().end().map(|end| &end.outcome), full.end().map(|end| &end.outcome));
        }
    }
}
