//! A match as a page is told it, in JSON text.

use crate::wire::{Frame, Over, Setup};
use serde::Serialize;

/// A match as a page is told it, piece by piece, each as JSON that may stand in an HTML script element.
#[derive(Debug, Clone)]
pub(crate) struct Tape {
    setup: String,
    frames: Vec<String>,
    over: Option<String>,
}

impl Tape {
    pub(crate) fn new(setup: &Setup) -> Tape {
        Tape { setup: json(setup), frames: Vec::new(), over: None }
    }

    pub(crate) fn push(&mut self, frame: &Frame) {
        self.frames.push(json(frame));
    }

    pub(crate) fn end(&mut self, over: &Over) {
        self.over = Some(json(over));
    }

    /// All pieces so far as one JSON object.
    pub(crate) fn whole(&self) -> String {
        let over = self.over.as_deref().unwrap_or("null");
        format!(r#"{{"setup":{},"frames":[{}],"over":{over}}}"#, self.setup, self.frames.join(",\n"))
    }
}

/// JSON in which nothing can end a script element or begin a comment in one. `<` and the two separators of lines that
/// JavaScript once did not allow are found in strings only, where they may be written by their numbers.
pub(crate) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("the structs of `wire` have string keys and finite numbers");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_the_script_element_it_stands_in() {
        for hostile in ["</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "\"\\\n\u{0}]]>"] {
            let written = json(&hostile);
            assert!(!written.contains(['<', '\u{2028}', '\u{2029}', '\n']), "{written}");
            assert_eq!(serde_json::from_str::<String>(&written).unwrap(), hostile);
        }
    }
}
