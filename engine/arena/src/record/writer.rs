//! Writes the record of a match line by line.

use super::checksum::{Checksum, fingerprint};
use super::format::{AnswerLine, FORMAT, RecordMark, RecordedText, TurnLine};
use super::reader::MOST_OF_LINE;
use super::{Clock, Header, MATCH_JSONL, RecordEnd, RecordError, VERSION, milliseconds};
use crate::{ArenaError, MatchEvent, Notes, Reply};
use rules::{Game, Seat};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Turns the events of a match into the lines of its record. The caller writes them.
#[derive(Debug, Clone)]
pub struct RecordWriter {
    checksum: Checksum,
    answers: BTreeMap<Seat, AnswerLine>,
    state: Vec<u8>,
    clock: Clock,
}

#[derive(Serialize)]
struct FirstLine<'a> {
    #[serde(flatten)]
    begin: RecordMark,
    #[serde(flatten)]
    header: &'a Header,
}

impl RecordWriter {
    /// Begins a record, and gives its first line.
    ///
    /// # Errors
    /// [`RecordError::HeaderTooLong`]: names and settings are of megabytes, and no reader would take the line. Shorten them.
    pub fn begin(header: &Header, clock: Clock) -> Result<(RecordWriter, Vec<u8>), ArenaError> {
        let mut writer =
            RecordWriter { checksum: Checksum::default(), answers: BTreeMap::new(), state: Vec::new(), clock };
        let begin = RecordMark { format: FORMAT.to_owned(), version: VERSION };
        let line = writer.line(&FirstLine { begin, header }, false);
        if line.len() > MOST_OF_LINE {
            let error = RecordError::HeaderTooLong { bytes: line.len(), most: MOST_OF_LINE };
            return Err(error.of(Path::new(MATCH_JSONL)));
        }
        Ok((writer, line))
    }

    /// The lines that an event adds; most add none.
    pub fn write<G: Game>(&mut self, event: &MatchEvent<'_, G>) -> Vec<u8> {
        match event {
            MatchEvent::Opened { .. } => Vec::new(),
            MatchEvent::Answered { replies, .. } => {
                self.answers = replies.iter().map(|(seat, reply)| (*seat, answer_line(reply))).collect();
                Vec::new()
            }
            MatchEvent::Advanced { turn, game, .. } => {
                let state = fingerprint(*game, &mut self.state);
                let turn = TurnLine { turn: *turn, answers: std::mem::take(&mut self.answers), state };
                self.line(&turn, false)
            }
            MatchEvent::Finished { outcome, .. } => {
                let end = RecordEnd { outcome: (*outcome).clone(), ended: self.clock.stamp() };
                self.line(&end, true)
            }
        }
    }

    /// Takes the time of the end from this clock.
    pub(super) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    fn line(&mut self, value: &impl Serialize, last: bool) -> Vec<u8> {
        let mut line = serde_json::to_vec(value).expect("lines have string keys and numbers that are finite");
        self.checksum.close(&mut line, last);
        line
    }
}

fn answer_line<O>(reply: &Reply<O>) -> AnswerLine {
    let gave = reply.given.iter().map(|part| (part.name.to_owned(), RecordedText::new(&part.bytes))).collect();
    let fault = reply.answer.as_ref().err().cloned();
    let cpu_ms = reply.time.and_then(|time| time.cpu).map(milliseconds);
    let ms = reply.time.map(|time| milliseconds(time.wall));
    let beside = reply.notes.as_deref();
    let notes = beside.map(Notes::source).filter(|source| !source.is_empty());
    let notes = notes.map(|source| RecordedText::new(source.as_bytes()));
    AnswerLine {
        gave,
        fault,
        ms,
        cpu_ms,
        notes,
        output: beside.map_or_else(Vec::new, |notes| notes.output().to_owned()),
    }
}
