//! Bots and numbers as the report writes them.

use crate::Escaped;

/// The longest name that is written out, in characters.
const LONGEST: usize = 100;

/// A bot as the report speaks of it.
#[derive(Clone, Copy)]
pub(super) struct Bot<'a> {
    /// Its number in the journal.
    pub(super) entrant: usize,
    /// Its place, counted from 0.
    pub(super) place: usize,
    /// Its name.
    pub(super) name: &'a str,
}

impl Bot<'_> {
    /// The class of its colour.
    pub(super) fn colour(&self) -> String {
        format!("seat-{}", self.place % 16)
    }

    /// Its name, kept apart from the direction of the text around it.
    pub(super) fn bdi(&self) -> String {
        format!("<bdi>{}</bdi>", Escaped(&self.shortened()))
    }

    /// Its place and name, as they stand at the beginning of a line.
    pub(super) fn label(&self) -> String {
        let name = self.shortened();
        format!(
            "<span class=\"bot-name\"><span class=\"badge {}\">{}</span><span class=\"name\" title=\"{}\"><bdi>{}</bdi></span></span>",
            self.colour(),
            self.place + 1,
            Escaped(&name),
            Escaped(&name)
        )
    }

    fn shortened(&self) -> String {
        match self.name.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &self.name[..end]),
            None => self.name.to_owned(),
        }
    }
}

/// Half points as people write them.
pub(super) fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// An address inside the folder of the page, for `href`; `None` if it may lead out of it.
pub(super) fn inside(path: &str) -> Option<String> {
    let part = |part: &str| {
        let mut written = String::new();
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => written.push(char::from(byte)),
                other => written.push_str(&format!("%{other:02X}")),
            }
        }
        (!matches!(part, "" | "." | "..")).then_some(written)
    };
    Some(path.split('/').map(part).collect::<Option<Vec<_>>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_in_the_folder() {
        assert_eq!(inside("records/0-1-00003.jsonl.zst").unwrap(), "records/0-1-00003.jsonl.zst");
        assert_eq!(inside("javascript:alert(1)").unwrap(), "javascript%3Aalert%281%29");
        for path in ["", "/etc/passwd", "../up", "a/../../b", "//host/x"] {
            assert_eq!(inside(path), None, "{path}");
        }
    }
}
