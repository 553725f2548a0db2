//! The log of a failed build, as people are shown it.

use arena::Output;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Lines of a failed build's output that are shown.
const SHOWN: usize = 20;
/// Bytes at the end of that output that are searched for these lines.
const TAIL: u64 = 1024 * 1024;
/// Words, in small letters, by which tools tell of a download that failed.
const NO_NETWORK: [&str; 18] = [
    "address family not supported",
    "could not fetch specs from",
    "could not find a version that satisfies",
    "could not reach host",
    "could not resolve",
    "could not transfer artifact",
    "couldn't resolve",
    "dial tcp",
    "eai_again",
    "enotcached",
    "enotfound",
    "failed to download",
    "name resolution",
    "network is unreachable",
    "offline",
    "unable to load the service index",
    "unknown host",
    "unknownhost",
];
/// The same of something that the sandbox refuses.
const NO_ACCESS: [&str; 3] = ["operation not permitted", "permission denied", "read-only file system"];

/// Writes what is kept of an output to a log, and how much is not.
pub(super) fn write_output(log: &mut impl Write, output: &Output) -> io::Result<()> {
    log.write_all(&output.bytes)?;
    let left_out = output.dropped - output.end.len() as u64;
    if left_out > 0 {
        write!(log, "\n... {left_out} bytes are left out here ...\n")?;
    }
    log.write_all(&output.end)
}

/// The part of the sandbox that a failed build seems to have met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Networks are closed to it.
    Network,
    /// It may not use something of the machine. Networks are open to it.
    Access,
}

impl Refusal {
    /// What the log of a build in the sandbox tells of; `None` if that has nothing to do with the sandbox.
    pub(super) fn told_by(log: &str, has_network: bool) -> Option<Refusal> {
        let log = log.to_lowercase();
        let tells_of = |words: &[&str]| words.iter().any(|words| log.contains(words));
        match (tells_of(&NO_NETWORK), tells_of(&NO_ACCESS)) {
            (true, _) | (_, true) if !has_network => Some(Refusal::Network),
            (_, true) => Some(Refusal::Access),
            _ => None,
        }
    }
}

/// The lines of the log of a failed build that are shown, without escape sequences: those from the first error on, or the last
/// ones if none of the lines before them looks like an error.
///
/// # Errors
/// The log cannot be read.
pub fn log_excerpt(log: &Path) -> io::Result<Vec<String>> {
    let text = end_of(log)?;
    let lines: Vec<_> = text.lines().collect();
    let last = lines.len().saturating_sub(SHOWN);
    let first = lines[..last].iter().position(|line| looks_like_an_error(line)).unwrap_or(last);
    Ok(lines[first..].iter().take(SHOWN).map(ToString::to_string).collect())
}

/// The end of a log, without escape sequences.
pub(super) fn end_of(log: &Path) -> io::Result<String> {
    let mut file = File::open(log)?;
    let start = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(without_escapes(&String::from_utf8_lossy(&bytes)))
}

/// True for a line with the word `error` in any letters, which is not part of a path or an option.
fn looks_like_an_error(line: &str) -> bool {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, ':' | '[' | ']' | '(' | ')' | '*'));
    words.into_iter().any(|word| word.eq_ignore_ascii_case("error"))
}

/// A text without the escape sequences by which tools give colours to a terminal.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once('\x1b') {
        plain.push_str(before);
        // Parameters up to a letter; after another character than `[`, that character alone.
        rest = match escaped.strip_prefix('[') {
            Some(sequence) => {
                // A sequence that is cut short does not take the line end with it.
                let end = sequence.find(|c: char| matches!(c, '@'..='~') || c.is_control()).unwrap_or(sequence.len());
                let rest = &sequence[end..];
                rest.strip_prefix(|c: char| !c.is_control()).unwrap_or(rest)
            }
            None => escaped.strip_prefix(|_: char| true).unwrap_or_default(),
        };
    }
    plain + rest
}
