//! The log of a failed build, as people are shown it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Lines of a failed build's output that are shown.
const SHOWN: usize = 20;
/// Bytes at the end of that output that are searched for these lines.
const TAIL: u64 = 1024 * 1024;
/// Words, in small letters, by which tools tell of a download that failed, or of something that the sandbox refuses.
const REFUSALS: [&str; 17] = [
    "could not resolve",
    "couldn't resolve",
    "name resolution",
    "unknownhost",
    "unknown host",
    "enotfound",
    "eai_again",
    "offline mode",
    "enotcached",
    "dial tcp",
    "failed to download",
    "could not transfer artifact",
    "unable to load the service index",
    "network is unreachable",
    "permission denied",
    "operation not permitted",
    "read-only file system",
];

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

/// True if the log of a failed build tells of a download that failed, or of something that the sandbox refuses.
pub(super) fn tells_of_refusal(log: &Path) -> bool {
    let text = end_of(log).unwrap_or_default().to_lowercase();
    REFUSALS.iter().any(|words| text.contains(words))
}

/// The end of a log, without escape sequences.
fn end_of(log: &Path) -> io::Result<String> {
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
