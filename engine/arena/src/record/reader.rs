//! Reads records, as they are and compressed.

use super::RecordError;
use super::format::{Begin, End, FORMAT, Header, TurnLine, VERSION};
use super::seal::{Broken, Seal};
use crate::ArenaError;
use rules::BySeat;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A record that was read. Its lines are what they were when they were written; whether they are what the rules make of
/// them, [`super::play_again()`] finds out.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    path: PathBuf,
    header: Header,
    turns: Vec<TurnLine>,
    end: Option<End>,
}

/// The name of a record in the folder of its match.
pub const MATCH_JSONL: &str = "match.jsonl";
/// The same where it is compressed.
pub const MATCH_JSONL_ZST: &str = "match.jsonl.zst";
/// The longest record there is: 200 rounds with two answers of 64 KiB in two files each, twice that in base64.
const MOST: u64 = 256 << 20;
/// How a zstd file begins (RFC 8878).
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// How hard zstd works: a record is written once.
const LEVEL: i32 = 19;

impl Record {
    /// Reads the record in a file, whether it is compressed or not.
    pub fn read(path: &Path) -> Result<Record, ArenaError> {
        let failed = |e| ArenaError::disk("read", path, e);
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes)).map_err(failed)?;
        if bytes.starts_with(&ZSTD) {
            let packed = std::mem::take(&mut bytes);
            let decoder = zstd::Decoder::with_buffer(packed.as_slice()).map_err(failed)?;
            // What a stream that was cut off has before its end is as good as in a record that was cut off.
            match decoder.take(MOST).read_to_end(&mut bytes) {
                Err(e) if bytes.is_empty() => return Err(failed(e)),
                _ => {}
            }
        }
        Record::parse(path, bytes)
    }

    /// Reads a record from these bytes, which came from `path`.
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Record, ArenaError> {
        let record = String::from_utf8(bytes)
            .map_err(|_| RecordError::NoRecord("it is no text".to_owned()))
            .and_then(|text| parse(path, &text));
        record.map_err(|error| error.of(path))
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was agreed before the match, and who played.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The names of those who played.
    pub fn names(&self) -> BySeat<String> {
        self.header.seats.map(|sitter| sitter.details.name().to_owned())
    }

    /// How it ended; `None` if the record was not written to its end.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// How many turns it has.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether no turn was played.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    pub(super) fn turn(&self, turn: u32) -> Option<&TurnLine> {
        self.turns.get(turn as usize)
    }
}

/// Writes the lines of a record to a file, compressed if its name ends with `.zst`. An existing file is replaced.
pub fn save(path: &Path, lines: &[u8]) -> Result<(), ArenaError> {
    let packed = path.extension().is_some_and(|extension| extension == "zst");
    let bytes =
        if packed { compress(lines).map_err(|e| ArenaError::disk("compress", path, e))? } else { lines.to_vec() };
    File::create(path).and_then(|mut file| file.write_all(&bytes)).map_err(|e| ArenaError::disk("write", path, e))
}

/// The lines of a record, compressed.
pub(super) fn compress(lines: impl Read) -> std::io::Result<Vec<u8>> {
    zstd::encode_all(lines, LEVEL)
}

fn parse(path: &Path, text: &str) -> Result<Record, RecordError> {
    let mut lines = text.split_inclusive('\n').enumerate().map(|(at, line)| Line::new(at + 1, line));
    let first = lines.next().ok_or_else(|| RecordError::NoRecord("it is empty".to_owned()))?;
    let mut seal = Seal::default();
    let header = first.header(&mut seal)?;
    let mut record = Record { path: path.to_owned(), header, turns: Vec::new(), end: None };
    for line in lines {
        if record.end.is_some() {
            return Err(line.wrong("there is more after the end of the match"));
        }
        match line.read(record.turns.len() as u32, &record.header, &mut seal) {
            Ok(Content::Turn(turn)) => record.turns.push(turn),
            Ok(Content::End(end)) => record.end = Some(end),
            // The engine died while it wrote this.
            Err(_) if line.cut_off => break,
            Err(error) => return Err(error),
        }
    }
    Ok(record)
}

struct Line<'a> {
    number: usize,
    text: &'a str,
    cut_off: bool,
}

enum Content {
    Turn(TurnLine),
    End(End),
}

impl Line<'_> {
    fn new(number: usize, line: &str) -> Line<'_> {
        let text = line.strip_suffix('\n');
        let cut_off = text.is_none();
        let text = text.unwrap_or(line);
        // Some programs that copy text change the ends of lines.
        Line { number, text: text.strip_suffix('\r').unwrap_or(text), cut_off }
    }

    fn wrong(&self, what: impl Into<String>) -> RecordError {
        RecordError::Line { line: self.number, what: what.into() }
    }

    fn header(&self, seal: &mut Seal) -> Result<Header, RecordError> {
        let none = || RecordError::NoRecord("its first line is not that of a record".to_owned());
        let Begin { format, version } = serde_json::from_str(self.text).map_err(|_| none())?;
        if format != FORMAT {
            return Err(none());
        }
        if version > VERSION {
            return Err(RecordError::Newer { version });
        }
        let header = serde_json::from_str(self.text).map_err(|e| self.wrong(e.to_string()))?;
        self.sealed(seal, "the header", false)?;
        Ok(header)
    }

    /// The next line, which is that of turn number `due` or the last one.
    fn read(&self, due: u32, header: &Header, seal: &mut Seal) -> Result<Content, RecordError> {
        let word = header.game.turn();
        if let Ok(turn) = serde_json::from_str::<TurnLine>(self.text) {
            let number = turn.turn;
            if number > due {
                return Err(self.wrong(format!("{word} {due} is missing; this is {word} {number}")));
            }
            if number < due {
                return Err(self.wrong(format!("{word} {number} is here where {word} {due} should be")));
            }
            self.sealed(seal, &format!("{word} {number}"), false)?;
            return Ok(Content::Turn(turn));
        }
        let end = serde_json::from_str::<End>(self.text)
            .map_err(|e| self.wrong(format!("this is neither {word} {due} nor the outcome: {e}")))?;
        self.sealed(seal, "the outcome", true)?;
        Ok(Content::End(end))
    }

    fn sealed(&self, seal: &mut Seal, name: &str, is_last: bool) -> Result<(), RecordError> {
        match seal.check(self.text) {
            Ok(last) if last == is_last => Ok(()),
            Ok(_) | Err(Broken::Unsealed) => Err(self.wrong(format!("{name} has no checksum at its end"))),
            Err(Broken::Changed) if is_last => {
                Err(self.wrong(format!("{name} was changed, or what was before it is missing: its checksum is wrong")))
            }
            Err(Broken::Changed) => Err(self.wrong(format!("{name} was changed: its checksum is wrong"))),
        }
    }
}
