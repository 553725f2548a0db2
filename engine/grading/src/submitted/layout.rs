//! The systems that hand out submissions, and their names of files.

use super::entries::{Entry, EntryKind};
use std::fmt;
use std::str::FromStr;

/// The system whose names the files of a class have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Moodle, "Download all submissions": `Jane Doe_123456_assignsubmission_file_` as a folder, or before the name of each file. Older
    /// versions end the folder's name with an underscore. (`load_submissionplugin_filelist` in mod/assign/classes/downloader.php)
    Moodle,
    /// Canvas, "Download submissions": `doejane_LATE_12345_678901_bot-2.zip`, with the numbers of the student and the file.
    /// (`get_filename` and `add_upload_submission` in lib/content_zipper.rb)
    Canvas,
    /// Gradescope, "Export submissions": `submission_12345/` beside submission_metadata.yml, which names the students.
    Gradescope,
    /// GitHub Classroom: `ASSIGNMENT-submissions/ASSIGNMENT-USER/`, cloned by `gh classroom clone student-repos`.
    /// (cmd/gh-classroom/clone/student-repos/student-repos.go)
    GitHubClassroom,
    /// Folders and archives that are named by their students.
    Plain,
}

/// The layouts by the words that plans and commands have for them.
const WORDS: [(&str, Layout, &str); 5] = [
    ("moodle", Layout::Moodle, "Moodle"),
    ("canvas", Layout::Canvas, "Canvas"),
    ("gradescope", Layout::Gradescope, "Gradescope"),
    ("github-classroom", Layout::GitHubClassroom, "GitHub Classroom"),
    ("plain", Layout::Plain, "no system"),
];

/// A word that names no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no layout {0}: it is one of moodle, canvas, gradescope, github-classroom, plain")]
pub struct NoSuchLayout(pub String);

impl FromStr for Layout {
    type Err = NoSuchLayout;
    fn from_str(word: &str) -> Result<Layout, NoSuchLayout> {
        let found = WORDS.iter().find(|(known, ..)| word.eq_ignore_ascii_case(known));
        found.map(|(_, layout, _)| *layout).ok_or_else(|| NoSuchLayout(rules::printable_prefix(word, 40)))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = WORDS.iter().find(|(_, layout, _)| layout == self).map_or("", |(.., title)| title);
        f.write_str(title)
    }
}

/// The name of the file in which Gradescope names the students.
pub(super) const METADATA: &str = "submission_metadata.yml";
/// The end of the folder that GitHub Classroom makes for an assignment.
pub(super) const OF_ASSIGNMENT: &str = "-submissions";
/// The part after the name in those of Moodle; the kind follows: `file`, `onlinetext`.
const OF_MOODLE: &str = "_assignsubmission_";

/// A name as a system wrote it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct SystemName<'a> {
    pub(super) student: String,
    /// The number or word that tells the student from others of the same name.
    pub(super) id: Option<String>,
    pub(super) is_late: bool,
    /// A number that grows with each file that is handed in; 0 if the system has none.
    pub(super) number: u64,
    /// The name that the student gave to the file; empty for a folder.
    pub(super) file: &'a str,
    /// True if it holds only what the student wrote into a field of the system.
    pub(super) is_text: bool,
}

impl SystemName<'_> {
    /// Takes a name of Moodle apart. A student's name has no underscore: Moodle makes spaces of them.
    pub(super) fn of_moodle(name: &str) -> Option<SystemName<'_>> {
        let (who, rest) = name.split_once(OF_MOODLE)?;
        let (kind, file) = rest.split_once('_').unwrap_or((rest, ""));
        let (student, id) = match who.rsplit_once('_') {
            Some((student, id)) if is_number(id) => (student, Some(id.to_owned())),
            // The group of all that are in no group has no number.
            _ => (who, None),
        };
        (!student.is_empty()).then(|| SystemName {
            student: student.to_owned(),
            id,
            file,
            is_text: kind != "file",
            ..SystemName::default()
        })
    }

    /// Takes a name of Canvas apart. A student's name is in lower case, and has no number between underscores.
    pub(super) fn of_canvas(name: &str) -> Option<SystemName<'_>> {
        let parts: Vec<&str> = name.split('_').collect();
        let is_text = |part: &str| part == "text.html" || part == "link.html";
        let at = (1..parts.len().checked_sub(1)?).find(|&at| {
            let (id, next) = (parts[at], parts[at + 1]);
            let is_id = is_number(id) || parts[at - 1] == "anon";
            is_id && (is_number(next) && at + 2 < parts.len() || is_text(next) && at + 2 == parts.len())
        })?;
        let (mut who, id) = (&parts[..at], parts[at]);
        let is_anonymous = who.last() == Some(&"anon");
        let is_late = if is_anonymous { who.first() } else { who.last() } == Some(&"LATE");
        if is_late {
            who = if is_anonymous { &who[1..] } else { &who[..who.len() - 1] };
        }
        let student = if is_anonymous { format!("anon {id}") } else { who.join("_") };
        let before: usize = parts[..at + 2].iter().map(|part| part.len() + 1).sum();
        let is_text = is_text(parts[at + 1]);
        (!student.is_empty()).then(|| SystemName {
            student,
            id: Some(id.to_owned()),
            is_late,
            number: parts[at + 1].parse().unwrap_or(0),
            file: if is_text { parts[at + 1] } else { &name[before..] },
            is_text,
        })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Layout {
    /// The layout whose names at least half of the entries have, and the number that have them. `folder` is the name of the folder.
    pub(super) fn found(folder: &str, entries: &[Entry]) -> (Layout, usize) {
        let count = |fits: &dyn Fn(&Entry) -> bool| entries.iter().filter(|entry| fits(entry)).count();
        if entries.iter().any(|entry| entry.name == METADATA && entry.kind == EntryKind::File) {
            let of_export = |entry: &Entry| entry.name.starts_with("submission_") && entry.name != METADATA;
            return (Layout::Gradescope, count(&of_export));
        }
        let of_assignment = folder.strip_suffix(OF_ASSIGNMENT).map(|assignment| format!("{assignment}-"));
        let is_repository = |entry: &Entry| {
            let is_named = of_assignment.as_ref().is_some_and(|start| entry.name.starts_with(start));
            entry.kind == EntryKind::Folder && (is_named || entry.is_repository)
        };
        let counts = [
            (Layout::Moodle, count(&|entry| SystemName::of_moodle(&entry.name).is_some())),
            (
                Layout::Canvas,
                count(&|entry| entry.kind == EntryKind::File && SystemName::of_canvas(&entry.name).is_some()),
            ),
            (Layout::GitHubClassroom, count(&is_repository)),
        ];
        let found = counts.into_iter().find(|(_, count)| *count > 0 && 2 * count >= entries.len());
        found.unwrap_or((Layout::Plain, entries.len()))
    }
}

/// The part of the names of repositories before the students' names, with its hyphen: the assignment, or what all have in common up
/// to a hyphen.
pub(super) fn assignment_prefix(folder: &str, repositories: &[&str]) -> String {
    let of_folder = folder.strip_suffix(OF_ASSIGNMENT).map(|assignment| format!("{assignment}-"));
    if let Some(prefix) = of_folder.filter(|prefix| repositories.iter().any(|name| name.starts_with(prefix.as_str()))) {
        return prefix;
    }
    let [first, others @ ..] = repositories else { return String::new() };
    // What two names have in common may be a first name.
    if others.len() < 2 {
        return String::new();
    }
    let in_common = |other: &&str| first.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let length = others.iter().map(in_common).min().unwrap_or(0);
    let end = first.as_bytes()[..length].iter().rposition(|byte| *byte == b'-').map_or(0, |at| at + 1);
    first[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_moodle_are_taken_apart() {
        let apart = |name| {
            let name = SystemName::of_moodle(name).unwrap();
            (name.student, name.id.unwrap_or_default(), name.file.to_owned(), name.is_text)
        };
        let name = |student: &str, id: &str, file: &str, is_text| {
            (student.to_owned(), id.to_owned(), file.to_owned(), is_text)
        };
        assert_eq!(apart("Jane Doe_123456_assignsubmission_file_"), name("Jane Doe", "123456", "", false));
        assert_eq!(apart("Jane Doe_123456_assignsubmission_file"), name("Jane Doe", "123456", "", false));
        assert_eq!(apart("Zoë_7_assignsubmission_file_a_1_b.zip"), name("Zoë", "7", "a_1_b.zip", false));
        assert_eq!(apart("Zoë_7_assignsubmission_onlinetext_"), name("Zoë", "7", "", true));
        assert_eq!(apart("Default group_assignsubmission_file_"), name("Default group", "", "", false));
        assert_eq!(SystemName::of_moodle("_assignsubmission_file_"), None);
    }

    #[test]
    fn names_of_canvas_are_taken_apart() {
        let apart = |name| {
            let name = SystemName::of_canvas(name).unwrap();
            (name.student, name.id.unwrap_or_default(), name.number, name.is_late, name.file.to_owned())
        };
        let name = |student: &str, id: &str, number, is_late, file: &str| {
            (student.to_owned(), id.to_owned(), number, is_late, file.to_owned())
        };
        assert_eq!(apart("doejane_12345_678901_bot-2.zip"), name("doejane", "12345", 678_901, false, "bot-2.zip"));
        assert_eq!(
            apart("doejane_LATE_12345_678901_a_1_2_b.zip"),
            name("doejane", "12345", 678_901, true, "a_1_2_b.zip")
        );
        assert_eq!(apart("team_red_1_2_bot.zip"), name("team_red", "1", 2, false, "bot.zip"));
        assert_eq!(apart("anon_Ab3dE_77_bot.zip"), name("anon Ab3dE", "Ab3dE", 77, false, "bot.zip"));
        assert_eq!(apart("LATE_anon_Ab3dE_77_bot.zip"), name("anon Ab3dE", "Ab3dE", 77, true, "bot.zip"));
        assert!(SystemName::of_canvas("doejane_12345_text.html").unwrap().is_text);
        for other in ["anna.zip", "anna_1.zip", "_1_2_", "1_2_3", "anna_1_2"] {
            assert_eq!(SystemName::of_canvas(other), None, "{other}");
        }
    }

    #[test]
    fn the_assignment_is_not_part_of_a_students_name() {
        assert_eq!(assignment_prefix("hw1-submissions", &["hw1-anna-a", "hw1-anna-b"]), "hw1-");
        assert_eq!(assignment_prefix("repos", &["hw-1-anna", "hw-1-bert", "hw-1-carl"]), "hw-1-");
        assert_eq!(assignment_prefix("repos", &["anna-lee", "anna-may"]), "");
        assert_eq!(assignment_prefix("repos", &["ä-x", "ö-x", "ü-x"]), "");
        assert_eq!(assignment_prefix("x-submissions", &[]), "");
    }

    #[test]
    fn a_word_names_a_layout() {
        for (word, layout, title) in WORDS {
            assert_eq!((word.parse(), layout.to_string().as_str()), (Ok(layout), title));
        }
        let told = "Blackboard".parse::<Layout>().unwrap_err().to_string();
        assert!(WORDS.iter().all(|(word, ..)| told.contains(word)), "{told}");
    }
}
