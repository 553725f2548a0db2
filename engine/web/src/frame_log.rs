//! The pieces of a match in JSON text, as a page gets them.

use crate::wire::{Frame, MatchEnd, Setup};
use serde::Serialize;
use std::sync::Arc;

/// The pieces of a match, each as JSON that may stand in an HTML script element. A copy shares the pieces.
#[derive(Debug, Clone)]
pub(crate) struct FrameLog {
    setup: Arc<str>,
    frames: Vec<Arc<str>>,
    over: Option<Arc<str>>,
}

/// A piece of a match for the live page.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The kind: `setup`, `frame` or `over`.
    pub(crate) kind: &'static str,
    /// The JSON.
    pub(crate) text: Arc<str>,
}

impl FrameLog {
    pub(crate) fn new(setup: &Setup) -> FrameLog {
        FrameLog { setup: json(setup), frames: Vec::new(), over: None }
    }

    pub(crate) fn push(&mut self, frame: &Frame) {
        self.frames.push(json(frame));
    }

    /// Adds the end. Only the first end counts.
    pub(crate) fn end(&mut self, over: &MatchEnd) {
        self.over.get_or_insert_with(|| json(over));
    }

    /// Piece number `at`: the setup is 0, then come the frames, then the end. `None` if the piece does not exist yet.
    pub(crate) fn piece(&self, at: usize) -> Option<Piece> {
        let (kind, text) = match at.checked_sub(1) {
            None => ("setup", &self.setup),
            Some(frame) if frame < self.frames.len() => ("frame", &self.frames[frame]),
            Some(frame) if frame == self.frames.len() => ("over", self.over.as_ref()?),
            Some(_) => return None,
        };
        Some(Piece { kind, text: Arc::clone(text) })
    }

    /// True if piece number `at` will never exist.
    pub(crate) fn ends_before(&self, at: usize) -> bool {
        self.over.is_some() && at > self.frames.len() + 1
    }

    /// All pieces so far as one JSON object.
    pub(crate) fn whole(&self) -> String {
        let over = self.over.as_deref().unwrap_or("null");
        format!(r#"{{"setup":{},"frames":[{}],"over":{over}}}"#, self.setup, self.frames.join(",\n"))
    }
}

/// JSON that can neither end a script element nor begin a comment in one. `<` and the two line separators that old
/// JavaScript does not allow occur in strings only, where escapes may replace them.
pub(crate) fn json(value: &impl Serialize) -> Arc<str> {
    let text = serde_json::to_string(value).expect("the structs of `wire` have string keys and finite numbers");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_the_script_element_it_stands_in() {
        for hostile in ["</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "\"\\\r\n\u{0}]]>"] {
            let written = json(&hostile);
            assert!(!written.contains(['<', '\u{2028}', '\u{2029}', '\n', '\r']), "{written}");
            assert_eq!(serde_json::from_str::<String>(&written).unwrap(), hostile);
        }
    }
}
