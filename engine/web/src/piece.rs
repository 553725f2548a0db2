//! The pieces of a match in JSON text, as a page gets them.

use crate::wire::{AnalysisView, Frame, MatchEnd, Setup};
use serde::Serialize;
use std::sync::Arc;

/// A piece of a match: JSON that may stand in an HTML script element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The kind: `setup`, `frame`, `analysis` or `over`.
    pub(crate) kind: &'static str,
    /// The JSON.
    pub(crate) text: Arc<str>,
}

impl Piece {
    pub(crate) fn setup(setup: &Setup) -> Piece {
        Piece { kind: "setup", text: json(setup) }
    }

    pub(crate) fn frame(frame: &Frame) -> Piece {
        Piece { kind: "frame", text: json(frame) }
    }

    pub(crate) fn analysis(analysis: &AnalysisView) -> Piece {
        Piece { kind: "analysis", text: json(analysis) }
    }

    pub(crate) fn over(over: &MatchEnd) -> Piece {
        Piece { kind: "over", text: json(over) }
    }
}

/// All pieces of a match so far as one JSON object, from their kinds and texts. Pieces of other kinds are left out; only the first
/// end counts.
pub(crate) fn whole<'a>(pieces: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let (mut setup, mut frames, mut analysis, mut over) = ("null", Vec::new(), Vec::new(), None);
    for (kind, text) in pieces {
        match kind {
            "setup" => setup = text,
            "frame" => frames.push(text),
            "analysis" => analysis.push(text),
            "over" => over = over.or(Some(text)),
            _ => {}
        }
    }
    let analysis = match analysis.is_empty() {
        true => String::new(),
        false => format!(r#","analysis":[{}]"#, analysis.join(",\n")),
    };
    let (frames, over) = (frames.join(",\n"), over.unwrap_or("null"));
    format!(r#"{{"setup":{setup},"frames":[{frames}]{analysis},"over":{over}}}"#)
}

/// As [`whole`], from pieces.
pub(crate) fn whole_of(pieces: &[Piece]) -> String {
    whole(pieces.iter().map(|piece| (piece.kind, &*piece.text)))
}

/// JSON that can neither end a script element nor begin a comment in one. `<` and the two line separators that old
/// JavaScript does not allow occur in strings only, where escapes may replace them.
pub(crate) fn json(value: &impl Serialize) -> Arc<str> {
    let text = serde_json::to_string(value).expect("the structs of `wire` have string keys and finite numbers");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029").into()
}

#[cfg(feature = "servers")]
impl crate::EventLog {
    /// Publishes pieces of the match with this number.
    pub(crate) fn add_pieces(&self, number: u64, pieces: &[Piece]) {
        for piece in pieces {
            self.publish(piece.kind, crate::EventScope::Part(number), &piece.text);
        }
    }

    /// Publishes that the current match was broken off, unless it has an end.
    pub(crate) fn break_off(&self, number: u64) {
        let current = self.current_data();
        if current.iter().any(|(kind, _)| *kind == "setup") && !current.iter().any(|(kind, _)| *kind == "over") {
            self.add_pieces(number, &[Piece::over(&crate::frame_encoder::over(None))]);
        }
    }
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
