//! A client of the event stream.

use super::bot::SECRET;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};

/// The events of a server, one after the other.
pub(crate) struct Events {
    lines: BufReader<Box<dyn Read + Send>>,
}

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

impl Events {
    /// Reads the head of a response; the events follow.
    pub(crate) fn of(stream: impl Read + Send + 'static) -> Events {
        let mut lines: BufReader<Box<dyn Read + Send>> = BufReader::new(Box::new(stream));
        let mut status = String::new();
        lines.read_line(&mut status).unwrap();
        assert!(status.contains(" 200 "), "{status}");
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 2 {
            line.clear();
        }
        Events { lines }
    }

    /// The next event; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<Heard> {
        let mut fields = BTreeMap::new();
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            assert!(!line.contains(SECRET), "{line}");
            match line.trim_end().split_once(": ") {
                Some((name, value)) => drop(fields.insert(name.to_owned(), value.to_owned())),
                None if fields.contains_key("data") => break,
                None => fields.clear(),
            }
        }
        let mut field = |name| fields.remove(name).unwrap_or_default();
        Some(Heard { id: field("id"), kind: field("event"), data: serde_json::from_str(&field("data")).unwrap() })
    }

    /// The next event of this kind for which the condition holds; others are skipped.
    pub(crate) fn until(&mut self, kind: &str, wanted: impl Fn(&Value) -> bool) -> Heard {
        loop {
            let heard = self.next().expect("the stream goes on");
            if heard.kind == kind && wanted(&heard.data) {
                return heard;
            }
        }
    }

    /// Waits until the condition holds for the state, which is kept up to date by the events that carry a topic of
    /// `state`.
    #[allow(dead_code, reason = "the program's tests use it")]
    pub(crate) fn until_state(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut now = Value::Null;
        loop {
            let heard = self.next().expect("the stream goes on");
            match heard.kind.as_str() {
                "state" => now = heard.data,
                kind => now[kind] = heard.data,
            }
            if wanted(&now) {
                return now;
            }
        }
    }

    /// The next event of this kind.
    pub(crate) fn one(&mut self, kind: &str) -> Value {
        self.until(kind, |_| true).data
    }
}
