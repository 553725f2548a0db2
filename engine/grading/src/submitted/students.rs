//! The students of a class: which entries are one student's, which of them counts, and names that differ.

use super::entries::Entry;
use super::gradescope::Handing;
use super::inside::Inside;
use super::layout::SystemName;
use super::{Ignored, Source, Submitted};
use chrono::{DateTime, FixedOffset};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use unicode_normalization::UnicodeNormalization;

/// The most characters of a student's name.
const MOST_OF_NAME: usize = 100;

/// Something that may be the submission of a student.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The path of its entry in the folder of the class.
    pub(super) entry: PathBuf,
    path: PathBuf,
    source: Source,
    earlier: Vec<PathBuf>,
    modified: Option<SystemTime>,
    student: String,
    /// Tells the student from others of the same name.
    id: Option<String>,
    email: Option<String>,
    /// The system's number of the file.
    number: u64,
    submitted: Option<DateTime<FixedOffset>>,
    is_late: bool,
}

impl Candidate {
    /// A candidate by the name of its entry, and what was found in that.
    pub(super) fn of(name: &SystemName<'_>, entry: &Entry, inside: Inside) -> Candidate {
        let is_text = entry.path.to_str().is_some();
        let Inside { path, source, earlier } = inside;
        Candidate {
            path,
            source,
            earlier,
            student: name.student.clone(),
            // Two names that are not text may look the same.
            id: name.id.clone().or_else(|| (!is_text).then(|| format!("{:?}", entry.path))),
            number: name.number,
            is_late: name.is_late,
            modified: entry.modified,
            entry: entry.path.clone(),
            ..Candidate::missing(&entry.name)
        }
    }

    /// A candidate whose entry is not there.
    pub(super) fn missing(name: &str) -> Candidate {
        // It is never opened, and no path that leads elsewhere.
        let path = PathBuf::from(name.replace('/', "_"));
        Candidate {
            entry: path.clone(),
            path,
            source: Source::Unusable("its files are missing: only the metadata name it".to_owned()),
            earlier: Vec::new(),
            modified: None,
            student: name.to_owned(),
            id: None,
            email: None,
            number: 0,
            submitted: None,
            is_late: false,
        }
    }

    /// The same, handed in by those and then.
    pub(super) fn with(mut self, handing: &Handing) -> Candidate {
        let all = |part: fn(&super::gradescope::Submitter) -> &String| {
            let parts = handing.submitters.iter().map(part).filter(|text| !text.is_empty());
            Some(parts.cloned().collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
        };
        self.student = all(|who| &who.name).or_else(|| all(|who| &who.email)).unwrap_or(self.student);
        self.email = all(|who| &who.email).map(|email| rules::printable_prefix(&email, MOST_OF_NAME));
        self.id = all(|who| &who.sid).or_else(|| self.email.clone());
        self.submitted = handing.created;
        self
    }

    /// The key that all candidates of a student have.
    fn key(&self) -> (bool, String) {
        let key = self.id.as_ref().unwrap_or(&self.student);
        // macOS takes letters with marks apart.
        (self.id.is_some(), key.nfc().collect())
    }

    /// The order in which candidates were handed in; those that cannot be used come first.
    fn order(&self) -> impl Ord + use<'_> {
        let is_usable = !matches!(self.source, Source::Unusable(_));
        (is_usable, self.submitted, self.number, self.modified, &self.path)
    }
}

/// The submissions of the students that have these candidates. Candidates that do not count and are not earlier submissions are ignored.
pub(super) fn students_of(
    candidates: Vec<Candidate>,
    deadline: Option<DateTime<FixedOffset>>,
    ignored: &mut Vec<Ignored>,
) -> Vec<Submitted> {
    let mut students = BTreeMap::<_, Vec<Candidate>>::new();
    for candidate in candidates {
        students.entry(candidate.key()).or_default().push(candidate);
    }
    let mut submissions = Vec::new();
    for mut all in students.into_values() {
        all.sort_by(|one, other| one.order().cmp(&other.order()));
        let Some(chosen) = all.pop() else { continue };
        let mut earlier = chosen.earlier;
        for other in all {
            match other.source {
                Source::Unusable(reason) => {
                    let reason = format!("{reason}; {} counts", shown(&chosen.path));
                    ignored.push(Ignored { path: other.entry, reason });
                }
                _ => earlier.extend(other.earlier.into_iter().chain([other.path])),
            }
        }
        let is_after = deadline.zip(chosen.submitted).is_some_and(|(deadline, submitted)| submitted > deadline);
        let submitted = Submitted {
            student: clean(&chosen.student),
            email: chosen.email,
            path: chosen.path,
            source: chosen.source,
            submitted: chosen.submitted,
            is_late: chosen.is_late || is_after,
            earlier,
        };
        submissions.push((chosen.id, submitted));
    }
    submissions.sort_by(|(_, one), (_, other)| {
        let key = |who: &Submitted| (who.student.to_lowercase(), who.student.clone(), who.path.clone());
        key(one).cmp(&key(other))
    });
    tell_apart(&mut submissions);
    submissions.into_iter().map(|(_, submitted)| submitted).collect()
}

fn shown(path: &Path) -> String {
    rules::printable_prefix(&path.display().to_string(), MOST_OF_NAME)
}

/// A name on one line, without what is not printable, composed as most programs write it.
fn clean(name: &str) -> String {
    let composed: String = name.nfc().collect();
    let name = rules::printable_line(composed.as_bytes(), MOST_OF_NAME);
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// Gives students whose names differ in the case of letters at most names that differ: with the system's number of the student, else
/// counted.
fn tell_apart(students: &mut [(Option<String>, Submitted)]) {
    let mut counts = BTreeMap::<String, usize>::new();
    for (_, who) in students.iter() {
        *counts.entry(who.student.to_lowercase()).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    for (id, who) in students {
        let (name, is_shared) = (who.student.clone(), counts[&who.student.to_lowercase()] > 1);
        if let Some(id) = id.as_ref().filter(|_| is_shared) {
            who.student = format!("{name} ({})", clean(id));
        }
        let mut next = 2;
        while !taken.insert(who.student.to_lowercase()) {
            who.student = format!("{name} ({next})");
            next += 1;
        }
    }
}
