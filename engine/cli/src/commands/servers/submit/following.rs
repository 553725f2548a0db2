//! The verdict on a version, for which the program waits.

use super::error::SubmitError;
use super::kept_tokens::Token;
use super::server_api::{Entry, Server};
use super::version::VersionAnswer;
use crate::show;
use std::thread;
use std::time::Duration;

/// The failures in a row after which the program waits no longer.
const FAILURES: u32 = 30;

/// Waits until the version is accepted or rejected, and shows its state and its log meanwhile.
///
/// # Errors
/// The server refuses to tell, or has failed many times in a row.
pub(super) fn verdict(
    server: &Server,
    entry: &Entry,
    token: &Token,
    handed_in: VersionAnswer,
    pause: Duration,
) -> Result<VersionAnswer, SubmitError> {
    let number = handed_in.version.number;
    let (mut last, mut log, mut failures) = (handed_in, Log::default(), 0);
    loop {
        // In this order: the log of a version that has its verdict is complete.
        let asked = server.version(entry, token, number).and_then(|answer| {
            if answer.version != last.version && !answer.version.is_judged() {
                show::tell(&answer.version.in_words(&entry.bot));
            }
            log.follow(server, entry, token, number)?;
            Ok(answer)
        });
        match asked {
            Ok(answer) if answer.version.is_judged() => {
                log.end();
                return Ok(answer);
            }
            Ok(answer) => (last, failures) = (answer, 0),
            Err(error) if error.is_passing() && failures < FAILURES => {
                if failures == 0 {
                    show::say(&format!("{error}; the version stays handed in, and the server is asked again"));
                }
                failures += 1;
            }
            Err(error) => return Err(error),
        }
        // Ctrl-C ends the program meanwhile.
        thread::sleep(pause);
    }
}

/// The log of a version, as far as it was shown.
#[derive(Default)]
struct Log {
    /// The bytes that the server has told.
    read: u64,
    /// The beginning of a line whose end is still to come.
    begun: Vec<u8>,
}

impl Log {
    /// Shows the lines that have come.
    fn follow(&mut self, server: &Server, entry: &Entry, token: &Token, number: u64) -> Result<(), SubmitError> {
        loop {
            let more = server.log(entry, token, number, self.read)?;
            if more.is_empty() {
                return Ok(());
            }
            self.read += more.len() as u64;
            self.lines(&more).iter().for_each(|line| show::tell(line));
        }
    }

    /// The lines that end in these bytes.
    fn lines(&mut self, more: &[u8]) -> Vec<String> {
        self.begun.extend_from_slice(more);
        let Some(end) = self.begun.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let whole: Vec<u8> = self.begun.drain(..=end).collect();
        String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()
    }

    /// Shows a last line without an end.
    fn end(&mut self) {
        if !self.begun.is_empty() {
            show::tell(&String::from_utf8_lossy(&self.begun));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_log_are_shown_when_they_are_whole() {
        let mut log = Log::default();
        assert_eq!(log.lines("the archive is un".as_bytes()), [""; 0]);
        assert_eq!(log.lines("packed\n$ gcc -o bö".as_bytes()).as_slice(), ["the archive is unpacked"]);
        // A character may be cut in two.
        let (first, rest) = "t main.c\nä".as_bytes().split_at(10);
        assert_eq!(log.lines(first), ["$ gcc -o böt main.c"]);
        assert_eq!(log.lines(rest), [""; 0]);
        assert_eq!(log.begun, "ä".as_bytes());
    }
}
