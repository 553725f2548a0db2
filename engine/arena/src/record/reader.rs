//! Reads records, plain or compressed.

use super::RecordError;
use super::checksum::{Broken, Checksum};
use super::format::{AnswerLine, FORMAT, Header, RecordEnd, RecordMark, TurnLine, VERSION};
use crate::folder::{MatchFolder, replace_file};
use crate::{ArenaError, open_input};
use rules::{BySeat, Fault, Seat, input_text, json_mistake};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A record that was read. Its lines are unchanged since they were written; [`super::replay_record()`] tells if
/// they are what the rules make of them.
///
/// ```
/// use arena::record::Record;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/sea-battle.jsonl");
/// let record = Record::read(path.as_ref())?;
/// println!("{} turns of {}", record.len(), record.header().game.title());
/// assert!(record.end().is_some());
/// # Ok::<(), arena::ArenaError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    path: PathBuf,
    text: String,
    header: Header,
    turns: Vec<TurnLine>,
    end: Option<RecordEnd>,
}

/// The file name of a record in the folder of its match.
pub const MATCH_JSONL: &str = "match.jsonl";
/// The file name of a compressed record in the folder of its match.
pub const MATCH_JSONL_ZST: &str = "match.jsonl.zst";
/// The largest record that is read, in bytes. The longest has 202 rounds with two players who give 64 KiB in each
/// of two files, which are at most twice as long in JSON.
const MOST: u64 = 128 << 20;
/// The longest line that is read, in bytes: 16 players who give 64 KiB in two files have 4 MiB. A longer header is not
/// written either.
pub(super) const MOST_OF_LINE: usize = 8 << 20;
/// The first bytes of a zstd file (RFC 8878).
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The compression level of zstd. Beyond it, a record takes thirty times as long for a few percent.
const LEVEL: i32 = 9;

impl Record {
    /// Reads the record in a file, plain or compressed.
    ///
    /// # Errors
    /// The file is not a record, is damaged, or a newer program wrote it. The disk fails.
    pub fn read(path: &Path) -> Result<Record, ArenaError> {
        let failed = |e| ArenaError::disk("read", path, e);
        let mut bytes = Vec::new();
        open_input(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)).map_err(failed)?;
        if !bytes.starts_with(&ZSTD) {
            return Record::parse(path, bytes);
        }
        let mut unpacked = Vec::new();
        let mut decoder = zstd::Decoder::with_buffer(bytes.as_slice()).map_err(failed)?.take(MOST + 1);
        let damage = decoder.read_to_end(&mut unpacked).err();
        let record = Record::parse(path, unpacked);
        match (record, damage) {
            // An incomplete stream may hold an incomplete record.
            (Ok(record), Some(_)) if record.end.is_none() => Ok(record),
            (_, Some(damage)) => Err(failed(damage)),
            (record, None) => record,
        }
    }

    /// Reads a record from bytes. `path` names it in errors.
    ///
    /// # Errors
    /// The bytes are not a record, are damaged, or a newer program wrote them.
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Record, ArenaError> {
        let unlike = |what: String| RecordError::NoRecord(what).of(path);
        let text = input_text(&bytes).map(str::to_owned).map_err(|error| unlike(error.to_string()))?;
        if text.len() as u64 > MOST {
            return Err(unlike(format!("it is longer than {} MiB", MOST >> 20)));
        }
        parse(path, text).map_err(|error| error.of(path))
    }

    /// The lines of the record.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The turns in which a player may have left a file that was not kept, such as a link. The fault of a late
    /// player does not tell.
    pub fn strange_answers(&self) -> impl Iterator<Item = (u32, Seat)> {
        let is_strange = |answer: &AnswerLine| {
            answer.gave.is_empty() && matches!(answer.fault, Some(Fault::Unreadable { .. } | Fault::TimedOut { .. }))
        };
        self.turns.iter().flat_map(move |line| {
            let strange = line.answers.iter().filter(move |(_, answer)| is_strange(answer));
            strange.map(|(seat, _)| (line.turn, *seat))
        })
    }

    /// The answers of a seat, one for each turn in which it was asked: the names and bytes of the parts that it gave, none if it
    /// gave nothing.
    pub fn answers(&self, seat: Seat) -> impl Iterator<Item = Vec<(&str, Vec<u8>)>> {
        self.turns.iter().filter_map(move |line| {
            let gave = line.answers.get(&seat)?.gave.iter();
            Some(gave.filter_map(|(part, text)| Some((part.as_str(), text.bytes()?))).collect())
        })
    }

    /// The path that the record was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header: what was agreed before the match, and the players.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The names of the players.
    pub fn names(&self) -> BySeat<String> {
        self.header.seats.map(|recorded| recorded.name().to_owned())
    }

    /// The last line; `None` if the record is incomplete.
    pub fn end(&self) -> Option<&RecordEnd> {
        self.end.as_ref()
    }

    /// The number of turns in the record.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Tells whether the record has no turns.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    pub(super) fn turn(&self, turn: u32) -> Option<&TurnLine> {
        self.turns.get(turn as usize)
    }
}

/// Writes the lines of a record to a file, compressed if its name ends with `.zst`. An existing file is replaced.
///
/// # Errors
/// The disk fails. A present file is unchanged then.
pub fn save(path: &Path, lines: &[u8]) -> Result<(), ArenaError> {
    if path.extension().is_none_or(|extension| extension != "zst") {
        return replace_file(path, lines);
    }
    replace_file(path, &compress(lines).map_err(|e| ArenaError::disk("compress", path, e))?)
}

/// Puts the compressed record in the place of the record in a match's folder. Without a record, nothing changes.
///
/// # Errors
/// The disk fails. The record is lost only when the compressed one is there.
pub fn compress_record(folder: &MatchFolder) -> Result<(), ArenaError> {
    let Some(record) = folder.open_file(MATCH_JSONL)? else { return Ok(()) };
    let packed = compress(record).map_err(|e| ArenaError::disk("compress", folder.path().join(MATCH_JSONL), e))?;
    folder.replace(MATCH_JSONL_ZST, &packed)?;
    folder.remove(MATCH_JSONL)
}

/// The lines of a record, compressed.
fn compress(mut lines: impl Read) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.include_checksum(true)?;
    std::io::copy(&mut lines, &mut encoder)?;
    encoder.finish()
}

fn parse(path: &Path, text: String) -> Result<Record, RecordError> {
    let mut lines = text.split_inclusive('\n').enumerate().map(|(at, line)| RecordLine::new(at + 1, line));
    let first = lines.next().ok_or_else(|| RecordError::NoRecord("it is empty".to_owned()))?;
    let mut checksum = Checksum::default();
    let header = first.header(&mut checksum)?;
    let (mut turns, mut end) = (Vec::new(), None);
    for line in lines {
        if end.is_some() {
            return Err(line.wrong("there is more after the end of the match"));
        }
        match line.read(turns.len() as u32, &header, &mut checksum) {
            Ok(TurnOrEnd::Turn(turn)) => turns.push(turn),
            Ok(TurnOrEnd::End(found)) => end = Some(found),
            // The engine ended while it wrote this line.
            Err(_) if line.cut_off => break,
            Err(error) => return Err(error),
        }
    }
    Ok(Record { path: path.to_owned(), text, header, turns, end })
}

/// The number with which the line of a turn begins.
fn turn_number(line: &str) -> Option<u32> {
    line.strip_prefix(r#"{"turn":"#)?.split(',').next()?.trim().parse().ok()
}

struct RecordLine<'a> {
    number: usize,
    text: &'a str,
    cut_off: bool,
}

enum TurnOrEnd {
    Turn(TurnLine),
    End(RecordEnd),
}

impl RecordLine<'_> {
    fn new(number: usize, line: &str) -> RecordLine<'_> {
        let text = line.strip_suffix('\n');
        let cut_off = text.is_none();
        let text = text.unwrap_or(line);
        // Some programs that copy text change the ends of lines.
        RecordLine { number, text: text.strip_suffix('\r').unwrap_or(text), cut_off }
    }

    fn wrong(&self, what: impl Into<String>) -> RecordError {
        RecordError::Line(self.number, what.into())
    }

    fn header(&self, checksum: &mut Checksum) -> Result<Header, RecordError> {
        let none = || RecordError::NoRecord("its first line is not that of a record".to_owned());
        if self.text.len() > MOST_OF_LINE {
            return Err(none());
        }
        let RecordMark { format, version } = serde_json::from_str(self.text).map_err(|_| none())?;
        if format != FORMAT || version == 0 {
            return Err(none());
        }
        if version > VERSION {
            return Err(RecordError::Newer { version, known: VERSION });
        }
        self.checked(checksum, "the header", false)?;
        serde_json::from_str(self.text).map_err(|e| self.wrong(format!("the header: {}", json_mistake(&e))))
    }

    /// The next line, which is that of turn number `due` or the last one.
    fn read(&self, due: u32, header: &Header, checksum: &mut Checksum) -> Result<TurnOrEnd, RecordError> {
        let word = header.game.turn();
        if self.text.len() > MOST_OF_LINE {
            return Err(self.wrong(format!("it is longer than {} MiB", MOST_OF_LINE >> 20)));
        }
        // The number of the line is checked first: if a line is missing, the checksum of the next is wrong
        // as well.
        if self.text.starts_with(r#"{"outcome":"#) {
            self.checked(checksum, "the outcome", true)?;
            let end = serde_json::from_str(self.text)
                .map_err(|e| self.wrong(format!("the outcome: {}", json_mistake(&e))))?;
            return Ok(TurnOrEnd::End(end));
        }
        let wrong = |what: String| Err(self.wrong(what));
        match turn_number(self.text) {
            None => return wrong(format!("this is neither {word} {due} nor the outcome")),
            Some(number) if number > due => return wrong(format!("{word} {due} is missing; this is {word} {number}")),
            Some(number) if number < due => {
                return wrong(format!("{word} {number} is here where {word} {due} should be"));
            }
            Some(_) => {}
        }
        self.checked(checksum, &format!("{word} {due}"), false)?;
        let turn =
            serde_json::from_str(self.text).map_err(|e| self.wrong(format!("{word} {due}: {}", json_mistake(&e))))?;
        Ok(TurnOrEnd::Turn(turn))
    }

    fn checked(&self, checksum: &mut Checksum, name: &str, is_last: bool) -> Result<(), RecordError> {
        match checksum.check(self.text) {
            Ok(last) if last == is_last => Ok(()),
            Ok(_) | Err(Broken::Missing) => Err(self.wrong(format!("{name} has no checksum at its end"))),
            Err(Broken::Changed) if is_last => {
                Err(self.wrong(format!("{name} was changed, or what was before it is missing: its checksum is wrong")))
            }
            Err(Broken::Changed) => Err(self.wrong(format!("{name} was changed: its checksum is wrong"))),
        }
    }
}
