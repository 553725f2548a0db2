//! Output streams of a bot: always drained, kept up to a limit.

mod line_listener;

pub use line_listener::LineListener;

use arena::Output;
use line_listener::HeardLines;
use platform::wait::{Handle, read, set_nonblocking};
use std::io::{self, ErrorKind};
use std::mem::MaybeUninit;

/// Bytes of each stream that are kept.
const CAP: usize = 64 * 1024;
/// Bytes that are kept of the end of what is dropped: a crash is reported there.
const END: usize = 16 * 1024;
/// Bytes that are read at once: the capacity of a pipe.
const CHUNK: usize = 64 * 1024;

/// The number of reads that empty a pipe, even one that a bot has made as large as it may: 1 MiB.
const MOST_CHUNKS: u32 = 32;

/// One stream of a bot.
pub(super) struct Stream {
    /// The pipe to poll; `None` after the bot has closed its end.
    pub(super) pipe: Option<Handle>,
    output: Output,
    awaited: Option<AwaitedLine>,
    heard: Option<HeardLines>,
}

/// The line that ends a turn.
#[derive(Clone, Copy)]
pub(super) enum Awaited<'a> {
    /// A line with this text.
    Text(&'a [u8]),
    /// The next line that is not blank. More than so many bytes are not read of it.
    Next(usize),
}

/// A line that is awaited from a bot.
struct AwaitedLine {
    /// The text of the line, without its end; `None` for any text.
    text: Option<Vec<u8>>,
    /// The number of bytes of a line that are read, its end included.
    most: usize,
    /// The beginning of the line that the bot is writing.
    begun: Vec<u8>,
    /// The line, once it is there; its beginning if it is longer than it may be.
    line: Option<Vec<u8>>,
}

impl AwaitedLine {
    fn new(awaited: Awaited<'_>) -> AwaitedLine {
        let (text, most) = match awaited {
            Awaited::Text(text) => (Some(text.to_owned()), text.len()),
            Awaited::Next(most) => (None, most),
        };
        // With room for a carriage return and one byte that makes it another line.
        AwaitedLine { text, most: most.saturating_add(2), begun: Vec::new(), line: None }
    }

    /// Takes in what the bot wrote next.
    fn take(&mut self, bytes: &[u8]) {
        for (at, part) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if self.line.is_some() {
                return;
            }
            if at > 0 {
                let line = self.begun.strip_suffix(b"\r").unwrap_or(&self.begun);
                let is_it = self.text.as_ref().map_or(!line.trim_ascii().is_empty(), |text| line == text);
                self.line = is_it.then(|| line.to_owned());
                self.begun.clear();
            }
            let room = self.most - self.begun.len();
            self.begun.extend_from_slice(&part[..part.len().min(room)]);
            if self.text.is_none() && self.begun.len() == self.most {
                self.line = Some(std::mem::take(&mut self.begun));
            }
        }
    }
}

impl Stream {
    /// A stream that reads from `pipe` without blocking.
    pub(super) fn new(pipe: Handle) -> io::Result<Stream> {
        set_nonblocking(&pipe)?;
        Ok(Stream { pipe: Some(pipe), output: Output::default(), awaited: None, heard: None })
    }

    /// Tells a listener each line from now on.
    pub(super) fn tell(&mut self, listener: LineListener) {
        self.heard = Some(HeardLines::new(listener));
    }

    /// Reads what is there, but no more than a pipe holds: a bot that never stops writing must not keep the engine
    /// busy.
    pub(super) fn drain(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        let mut chunk = [MaybeUninit::uninit(); CHUNK];
        match read(pipe, &mut chunk) {
            Ok([]) => self.pipe = None,
            Ok(read) => {
                if let Some(awaited) = &mut self.awaited {
                    awaited.take(read);
                }
                if let Some(heard) = &mut self.heard {
                    heard.take(read);
                }
                let (kept, thrown) = read.split_at(read.len().min(CAP - self.output.bytes.len()));
                self.output.bytes.extend_from_slice(kept);
                self.output.dropped += thrown.len() as u64;
                let end = &mut self.output.end;
                end.extend_from_slice(thrown);
                end.drain(..end.len().saturating_sub(END));
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.pipe = None,
        }
    }

    /// Awaits a line. What was written before does not count, nor what was begun before.
    pub(super) fn await_line(&mut self, line: Awaited<'_>) {
        self.awaited = Some(AwaitedLine::new(line));
    }

    /// True if the line that is awaited has come.
    pub(super) fn has_awaited(&self) -> bool {
        self.awaited.as_ref().is_some_and(|awaited| awaited.line.is_some())
    }

    /// Reads all that is in the pipe of a process that is stopped, and gives the output since the last time without the line
    /// that was awaited, and that line.
    pub(super) fn take(&mut self) -> (Output, Option<Vec<u8>>) {
        for _ in 0..MOST_CHUNKS {
            let before = self.output.total();
            self.drain();
            if self.output.total() == before {
                break;
            }
        }
        let mut output = std::mem::take(&mut self.output);
        let line = self.awaited.take().and_then(|awaited| awaited.line);
        if let Some(line) = &line {
            remove_line(&mut output.bytes, line);
        }
        (output, line)
    }

    /// The number of bytes that are kept of its beginning.
    pub(super) fn kept(&self) -> usize {
        self.output.bytes.len()
    }

    /// Takes out what came after so many bytes that are kept. Nothing if more came than is kept.
    pub(super) fn cut(&mut self, from: usize) -> Vec<u8> {
        let is_whole = self.output.dropped == 0 && from <= self.kept();
        if is_whole { self.output.bytes.split_off(from) } else { Vec::new() }
    }

    /// The output, after a last read.
    pub(super) fn finish(mut self) -> Output {
        self.drain();
        self.output
    }
}

/// Removes the last line with this text.
fn remove_line(bytes: &mut Vec<u8>, text: &[u8]) {
    let mut end = bytes.len();
    // The text after the last line feed is a line that is not ended.
    while let Some(feed) = bytes[..end].iter().rposition(|byte| *byte == b'\n') {
        let start = bytes[..feed].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
        let line = &bytes[start..feed];
        if line.strip_suffix(b"\r").unwrap_or(line) == text {
            bytes.drain(start..=feed);
            return;
        }
        end = feed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_counts_if_it_is_the_whole_line() {
        let is_there = |parts: &[&str]| {
            let mut awaited = AwaitedLine::new(Awaited::Text(b"2 7"));
            parts.iter().for_each(|part| awaited.take(part.as_bytes()));
            awaited.line.is_some()
        };
        assert!(is_there(&["2 7\n"]) && is_there(&["2 7\r\n"]) && is_there(&["hello\n2", " ", "7", "\n"]));
        assert!(is_there(&["2 7\n2 8\n", "x"]) && is_there(&[&"x".repeat(100_000), "\n2 7\n"]));
        assert!(!is_there(&["2 7"]) && !is_there(&["12 7\n"]) && !is_there(&["2 77\n"]) && !is_there(&[" 2 7\n\n"]));
        assert!(!is_there(&[&"x".repeat(100_000), "2 7\n"]) && !is_there(&["2 7\r\r\n"]) && !is_there(&["2 7 \n"]));
    }

    #[test]
    fn the_next_line_is_the_first_whole_one_that_is_not_blank() {
        let next = |parts: &[&str]| {
            let mut awaited = AwaitedLine::new(Awaited::Next(5));
            parts.iter().for_each(|part| awaited.take(part.as_bytes()));
            awaited.line.map(|line| String::from_utf8(line).unwrap()).unwrap_or_default()
        };
        assert_eq!(next(&["{}\n[]\n"]), "{}");
        assert_eq!(next(&["\n \r\n\n{", "}\r", "\nx"]), "{}");
        assert_eq!((next(&["{}"]), next(&["\n", "\n"])), (String::new(), String::new()));
        assert_eq!((next(&["12345\r\n"]), next(&["123", "456\n"])), ("12345".to_owned(), "123456".to_owned()));
        assert_eq!(next(&["123", "45678"]), "1234567", "no end is awaited of a line that is too long");
    }

    #[test]
    fn the_last_line_with_the_text_is_removed() {
        let without = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            remove_line(&mut bytes, b"2 7");
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(without("2 7\n"), "");
        assert_eq!(without("a\n2 7\nb\n2 7\r\nc"), "a\n2 7\nb\nc");
        assert_eq!(without("a\n12 7\n2 7"), "a\n12 7\n2 7");
    }
}
