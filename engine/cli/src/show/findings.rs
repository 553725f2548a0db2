//! What an examination of the machine found, as text and as JSON.

use super::printable;
use platform::terminal;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

/// The state of something on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// It is as it should be.
    Fine,
    /// A defect with which matches are played all the same: one that makes times vary, or a tool that a language lacks.
    Note,
    /// Something that matches rely on is missing.
    Problem,
}

/// Something that was found. As JSON, a list of these is `findings` in docs/results.schema.json.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// `languages`, `sandbox`, `times` or `room`.
    pub(crate) topic: &'static str,
    /// The state.
    pub(crate) state: State,
    /// What was found, in words.
    pub(crate) text: String,
    /// The way to change it.
    pub(crate) mend: Option<String>,
}

/// The findings as lines, wrapped for the terminal, or for 80 columns elsewhere.
pub(crate) fn text(findings: &[Finding]) -> String {
    let columns = terminal::size().map_or(80, |size| size.columns);
    let lines = findings.iter().flat_map(|finding| {
        let mark = match finding.state {
            State::Fine => "ok  ",
            State::Note => "note",
            State::Problem => "LACK",
        };
        let first = wrapped(&format!("{mark}  {:<9}  ", finding.topic), &finding.text, columns);
        let mend = finding.mend.as_ref().map(|mend| wrapped(&format!("{:17}-> ", ""), mend, columns));
        first.into_iter().chain(mend.into_iter().flatten())
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// `text` in lines of so many columns: the first begins with `head`, the others with as many blanks.
pub(crate) fn wrapped(head: &str, text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![head.to_owned()];
    for word in printable(text).split(' ') {
        let Some(line) = lines.last_mut() else { break };
        let is_empty = line.width() <= head.width();
        if is_empty || line.width() + 1 + word.width() <= columns {
            line.push_str(if is_empty { "" } else { " " });
            line.push_str(word);
        } else {
            lines.push(format!("{:width$}{word}", "", width = head.width()));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_at_blanks() {
        assert_eq!(wrapped("a: ", "one two three", 11), ["a: one two", "   three"]);
        assert_eq!(wrapped("a: ", "a_word_that_is_too_long two", 11), ["a: a_word_that_is_too_long", "   two"]);
        assert_eq!(wrapped("a: ", "", 11), ["a: "]);
    }
}
