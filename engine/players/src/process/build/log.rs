//! The log of a failed build, as people are shown it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Lines of a failed build's output that are shown.
const LAST_LINES: usize = 20;
/// Bytes at the end of that output that are searched for these lines.
const TAIL: u64 = 16 * 1024;

/// The last lines of the log of a failed build, without escape sequences.
///
/// # Errors
/// The log cannot be read.
pub fn last_lines(log: &Path) -> io::Result<Vec<String>> {
    let mut file = File::open(log)?;
    let start = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let text = without_escapes(&String::from_utf8_lossy(&bytes));
    let lines: Vec<_> = text.lines().collect();
    Ok(lines[lines.len().saturating_sub(LAST_LINES)..].iter().map(ToString::to_string).collect())
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
