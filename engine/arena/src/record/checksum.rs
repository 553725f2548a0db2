//! Checksums of the lines of a record, and fingerprints of the states between them, by which a record verifies
//! itself.
//!
//! They find mistakes of disks, programs and people. They do not stop a forger, who can compute them, too.

use crate::hex;
use sha2::{Digest, Sha256};

/// The sum of all lines so far. Each line but the last ends with the first eight hexadecimal digits of the SHA-256 of
/// everything before them, the last with all 64.
#[derive(Debug, Clone, Default)]
pub(super) struct Checksum {
    hasher: Sha256,
}

const SUM: (&str, usize) = (",\"sum\":\"", 8);
const SHA256: (&str, usize) = (",\"sha256\":\"", 64);
const CLOSE: &str = "\"}";

/// A fault of a line's checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The line has no checksum at its end.
    Missing,
    /// Something in it, or between it and the line before, was changed.
    Changed,
}

impl Checksum {
    /// Closes a line, which is a JSON object, with the sum; `last` with the whole of it. Adds the line's end.
    pub(super) fn close(&mut self, line: &mut Vec<u8>, last: bool) {
        debug_assert_eq!(line.last(), Some(&b'}'));
        line.pop();
        self.hasher.update(&line);
        let (label, digits) = if last { SHA256 } else { SUM };
        let sum = self.digits(digits);
        let from = line.len();
        line.extend([label, &sum, CLOSE, "\n"].concat().bytes());
        self.hasher.update(&line[from..]);
    }

    /// Checks the next line, without its end, and tells whether it is the last.
    pub(super) fn check(&mut self, line: &str) -> Result<bool, Broken> {
        let parts = |(label, digits): (&str, usize)| {
            let at = line.len().checked_sub(label.len() + digits + CLOSE.len())?;
            let (text, checksum) = line.split_at_checked(at)?;
            let sum = checksum.strip_prefix(label)?.strip_suffix(CLOSE)?;
            Some((text, checksum, sum))
        };
        let (last, (text, checksum, sum)) = match (parts(SUM), parts(SHA256)) {
            (Some(parts), _) => (false, parts),
            (None, Some(parts)) => (true, parts),
            (None, None) => return Err(Broken::Missing),
        };
        self.hasher.update(text);
        if self.digits(sum.len()) != sum {
            return Err(Broken::Changed);
        }
        self.hasher.update(checksum);
        self.hasher.update("\n");
        Ok(last)
    }

    fn digits(&self, count: usize) -> String {
        hex(&self.hasher.clone().finalize()[..count / 2])
    }
}

/// Eight hexadecimal digits that differ for different states: of the SHA-256 of the state in postcard's format.
/// `buffer` is only there so that not every call needs a new one.
pub(super) fn fingerprint(state: &impl serde::Serialize, buffer: &mut Vec<u8>) -> String {
    buffer.clear();
    let bytes = postcard::to_extend(state, std::mem::take(buffer)).expect("states have no maps and no floats");
    let text = hex(&Sha256::digest(&bytes)[..4]);
    *buffer = bytes;
    text
}

/// These lines with their sums and their ends.
#[cfg(test)]
pub(super) fn closed(lines: &[impl AsRef<str>]) -> Vec<String> {
    let mut checksum = Checksum::default();
    let close = |(at, line): (usize, &_)| {
        let mut line = AsRef::<str>::as_ref(line).as_bytes().to_vec();
        checksum.close(&mut line, at == lines.len() - 1);
        String::from_utf8(line).unwrap()
    };
    lines.iter().enumerate().map(close).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(lines: &[&str]) -> Vec<String> {
        closed(lines).iter().map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn the_last_sum_is_that_of_the_file_up_to_there() {
        let lines = checked(&["{\"a\":1}", "{\"b\":2}"]);
        let text = format!("{}\n{{\"b\":2", lines[0]);
        assert_eq!(lines[1], format!("{{\"b\":2,\"sha256\":\"{}\"}}", hex(&Sha256::digest(text))));
    }

    #[test]
    fn whatever_is_changed_breaks_its_own_line() {
        let lines = checked(&["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]);
        let check = |lines: &[String]| {
            let mut checksum = Checksum::default();
            lines.iter().map(|line| checksum.check(line)).collect::<Vec<_>>()
        };
        assert_eq!(check(&lines), [Ok(false), Ok(false), Ok(true)]);
        for at in 0..lines[1].len() {
            let mut changed = lines.clone();
            let other = if changed[1].as_bytes()[at] == b'0' { "1" } else { "0" };
            changed[1].replace_range(at..=at, other);
            let found = check(&changed);
            assert_eq!(found[0], Ok(false));
            assert!(found[1].is_err(), "{}", changed[1]);
        }
        assert_eq!(check(&lines[1..])[0], Err(Broken::Changed));
    }

    #[test]
    fn equal_states_and_only_those_have_one_fingerprint() {
        let mut buffer = Vec::new();
        let one = fingerprint(&(1, "x", [true, false]), &mut buffer);
        assert_eq!(one, fingerprint(&(1, "x", [true, false]), &mut buffer));
        assert_ne!(one, fingerprint(&(1, "x", [true, true]), &mut buffer));
        assert_eq!(one.len(), 8);
    }
}
