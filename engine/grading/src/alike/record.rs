//! The answers of a bot in the record of a match.

use arena::ArenaError;
use arena::record::Record;
use rules::Seat;
use std::path::Path;

/// The answers of a seat in a record of any game, one for each turn in which it was asked; empty for a turn without an answer. Ends of
/// lines and blanks before them do not count.
///
/// ```
/// use rules::Seat;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../replays/bots-arena.jsonl");
/// let answers = grading::answers_of_record(path.as_ref(), Seat::A)?;
/// assert_eq!(answers[1], "4,4");
/// # Ok::<(), arena::ArenaError>(())
/// ```
///
/// # Errors
/// The file is not a record, is damaged, or a newer program wrote it. The disk fails.
pub fn answers_of_record(path: &Path, seat: Seat) -> Result<Vec<String>, ArenaError> {
    let record = Record::read(path)?;
    Ok(record.answers(seat).map(|parts| text_of(&parts)).collect())
}

/// The parts of an answer as one text, with their names if there is more than one.
fn text_of(parts: &[(&str, Vec<u8>)]) -> String {
    if let [(_, only)] = parts {
        return normal(only);
    }
    let texts = parts.iter().map(|(name, part)| (name, normal(part))).filter(|(_, text)| !text.is_empty());
    texts.map(|(name, text)| format!("{name}: {text}")).collect::<Vec<_>>().join("\n")
}

fn normal(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_lines_and_blanks_before_them_do_not_count() {
        for text in ["1,2\n3", " 1,2 \r\n3\r\n", "1,2\t\r3", "\n1,2\n3 \n\n"] {
            assert_eq!(normal(text.as_bytes()), "1,2\n3", "{text:?}");
        }
        assert_eq!(text_of(&[]), "");
        assert_eq!(text_of(&[("fire", b"1\n".to_vec())]), "1");
        assert_eq!(
            text_of(&[("fire", b"1".to_vec()), ("none", b" ".to_vec()), ("target", b"A".to_vec())]),
            "fire: 1\ntarget: A"
        );
    }
}
