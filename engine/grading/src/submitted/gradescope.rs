//! submission_metadata.yml of Gradescope: who handed in which folder, and when.
//!
//! The keys are those that public programs read: `:submitters:` with `:name:`, `:sid:` and `:email:`, and `:created_at:`. Beside them
//! stands free text, as bots and people wrote it. The file is read as events, so that no alias is expanded.

use chrono::{DateTime, FixedOffset};
use saphyr_parser::{Event, Parser};
use std::collections::{BTreeMap, HashMap};

/// The depth beyond which the file is not read.
const DEEPEST: usize = 64;

/// The metadata of one submission.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Handing {
    pub(super) submitters: Vec<Submitter>,
    /// The time at which it was handed in.
    pub(super) created: Option<DateTime<FixedOffset>>,
}

/// One of those who handed in a submission.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Submitter {
    pub(super) name: String,
    pub(super) sid: String,
    pub(super) email: String,
}

/// A mapping or a sequence in which the reader is.
enum Level {
    Map { key: Option<String> },
    List,
}

/// Reads the metadata: each submission by the name of its folder or file.
///
/// # Errors
/// The text is not such a file: the reason, with the line.
pub(super) fn handings(text: &str) -> Result<BTreeMap<String, Handing>, String> {
    let mut found = BTreeMap::<String, Handing>::new();
    let mut levels: Vec<Level> = Vec::new();
    let mut anchors = HashMap::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| rules::printable_prefix(&e.to_string(), 200))?;
        let line = span.start.line();
        let (value, opened) = match event {
            Event::Scalar(value, _, anchor, _) => {
                if anchor > 0 {
                    anchors.insert(anchor, value.to_string());
                }
                (Some(value.into_owned()), None)
            }
            Event::Alias(anchor) => (Some(anchors.get(&anchor).cloned().unwrap_or_default()), None),
            Event::MappingStart(..) => (None, Some(Level::Map { key: None })),
            Event::SequenceStart(..) => (None, Some(Level::List)),
            Event::MappingEnd | Event::SequenceEnd => {
                levels.pop();
                value_ended(&mut levels);
                continue;
            }
            _ => continue,
        };
        match (levels.last_mut(), value, opened) {
            (None, None, Some(level @ Level::Map { .. })) => levels.push(level),
            (None, ..) => return Err(format!("line {line}: it must be a mapping of submissions")),
            (Some(Level::Map { key: key @ None }), Some(value), None) => *key = Some(value),
            (Some(Level::Map { key: None }), ..) => return Err(format!("line {line}: a key must be a text")),
            (Some(_), Some(value), _) => {
                take(&mut found, &levels, value);
                value_ended(&mut levels);
            }
            (Some(_), None, opened) => {
                open(&mut found, &levels);
                levels.extend(opened);
                if levels.len() > DEEPEST {
                    return Err(format!("line {line}: it is nested too deeply"));
                }
            }
        }
    }
    Ok(found)
}

/// The value of a key is complete: the next text is a key.
fn value_ended(levels: &mut [Level]) {
    if let Some(Level::Map { key }) = levels.last_mut() {
        *key = None;
    }
}

/// The keys on the way to where the reader is; `-` for a place in a sequence.
fn way(levels: &[Level]) -> Vec<&str> {
    levels.iter().map(|level| if let Level::Map { key } = level { key.as_deref().unwrap_or("") } else { "-" }).collect()
}

/// Notes that a mapping or a sequence begins.
fn open(found: &mut BTreeMap<String, Handing>, levels: &[Level]) {
    match way(levels)[..] {
        [submission] => drop(found.entry(submission.to_owned()).or_default()),
        [submission, ":submitters", "-"] => {
            found.entry(submission.to_owned()).or_default().submitters.push(Submitter::default());
        }
        _ => {}
    }
}

/// Takes a text, if it is one that matters.
fn take(found: &mut BTreeMap<String, Handing>, levels: &[Level], value: String) {
    match way(levels)[..] {
        [submission, ":submitters", "-", key] => {
            let Some(last) = found.get_mut(submission).and_then(|handing| handing.submitters.last_mut()) else {
                return;
            };
            match key {
                ":name" => last.name = value,
                ":sid" => last.sid = value,
                ":email" => last.email = value,
                _ => {}
            }
        }
        // Ruby may write a time as an object with the time in UTC.
        [submission, ":created_at"] | [submission, ":created_at", "utc"] => {
            found.entry(submission.to_owned()).or_default().created = time(&value);
        }
        _ => {}
    }
}

/// A time as Ruby writes it, such as `2021-02-09 18:04:37.394178000 Z`, or by RFC 3339.
fn time(text: &str) -> Option<DateTime<FixedOffset>> {
    let in_numbers =
        text.strip_suffix('Z').map_or_else(|| text.to_owned(), |rest| format!("{} +00:00", rest.trim_end()));
    DateTime::parse_from_rfc3339(text)
        .or_else(|_| DateTime::parse_from_str(&in_numbers, "%Y-%m-%d %H:%M:%S%.f %:z"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: &str = r#"---
submission_1:
  :submitters:
  - :name: Zoë O'Hara
    :sid: '100'
    :email: zoe@example.org
  - :name: "Bert: the second"
    :sid:
    :email: bert@example.org
  :created_at: &1 2021-02-09 18:04:37.394178000 -08:00
  :score: 10.0
  :history:
  - :id: 5
    :created_at: 2020-01-01 00:00:00.000000000 Z
    :submitters:
    - :name: Nobody
  :results:
    output: |
      :submitters:
      - :name: Mallory
submission_2:
  :submitters:
  - {":name": Ann, ":sid": "7"}
  :created_at: *1
"#;

    #[test]
    fn those_who_handed_in_and_the_time_are_read_and_free_text_is_not() {
        let found = handings(USUAL).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["submission_1", "submission_2"]);
        let [one, two] = ["submission_1", "submission_2"].map(|name| &found[name]);
        let names = |handing: &Handing| handing.submitters.iter().map(|who| who.name.clone()).collect::<Vec<_>>();
        assert_eq!(
            (names(one), names(two)),
            (vec!["Zoë O'Hara".to_owned(), "Bert: the second".to_owned()], vec!["Ann".to_owned()])
        );
        assert_eq!((one.submitters[0].sid.as_str(), one.submitters[1].email.as_str()), ("100", "bert@example.org"));
        assert_eq!(one.created.unwrap().to_rfc3339(), "2021-02-09T18:04:37.394178-08:00");
        assert_eq!(two.created, one.created);
    }

    #[test]
    fn times_are_read_in_each_form() {
        let read = |text: &str| time(text).map(|time| time.timestamp());
        let same = read("2021-02-09 18:04:37.394178000 Z");
        assert!(same.is_some());
        for other in ["2021-02-09 10:04:37 -08:00", "2021-02-09T18:04:37Z", "2021-02-09T10:04:37.394-08:00"] {
            assert_eq!(read(other), same, "{other}");
        }
        assert_eq!(read("yesterday"), None);
        let object = "a:\n  :created_at: !ruby/object:ActiveSupport::TimeWithZone\n    utc: 2021-02-09 18:04:37.3 Z\n    zone: x\n";
        assert_eq!(handings(object).unwrap()["a"].created.map(|time| time.timestamp()), same);
    }

    #[test]
    fn what_is_no_such_file_is_told_with_the_line() {
        assert!(handings("- a\n").unwrap_err().contains("must be a mapping"));
        assert!(handings("a: {? [1] : 2}\n").unwrap_err().contains("line 1: a key must be a text"));
        assert!(handings("a: \"open").is_err());
        assert!(handings(&format!("a: {}", "[".repeat(100_000))).is_err());
        assert_eq!(handings("").unwrap(), BTreeMap::new());
    }

    /// Each alias would be ten times the one before it.
    #[test]
    fn aliases_are_not_expanded() {
        let mut text = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..60 {
            text += &format!("a{level}: &a{level} [{}]\n", format!("*a{},", level - 1).repeat(10));
        }
        assert_eq!(handings(&text).unwrap().len(), 60);
    }
}
