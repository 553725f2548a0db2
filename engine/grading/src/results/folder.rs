//! The folder of results.

use super::csv::alike_csv;
use super::csv::{marks_csv, pseudonyms_csv};
use super::for_graders::{github_classroom, gradescope};
use super::pages::{overview_page, student_page};
use super::pseudonyms::is_pseudonym;
use crate::Alike;
use crate::marks::{Marks, StudentMarks};
use arena::ArenaError;
use platform::files::Folder;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The marks in the form of `docs/marks.schema.json`.
#[derive(Serialize)]
struct MarksFile<'a> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    marks: &'a Marks,
}

/// A text for a student.
type ForStudent = fn(&Marks, &StudentMarks) -> String;

/// The marks as JSON, as `docs/marks.schema.json` describes it. [`Marks`] can be read from it again.
pub fn marks_json(marks: &Marks) -> String {
    let file = MarksFile { format: "broadside marks", version: 1, marks };
    serde_json::to_string_pretty(&file).expect("all keys are text, and lost games have file names of our own") + "\n"
}

/// Writes all results into a folder, which is made if it is missing: `marks.csv`, `pseudonyms.csv`, `marks.json`, `alike.csv` and
/// `index.html`, and
/// for each student a file in `students`, `gradescope` and `github`, where those of other pseudonyms are removed: they are of an earlier
/// run. Each file takes the place of an older one when it is complete, and `index.html` is written last. No link in the folder is
/// followed, because somebody else may have put it there.
///
/// # Errors
/// The disk fails, there is a link or something else in place of a folder, or a pseudonym is not of [`pseudonym`](super::pseudonym) or
/// belongs to two students.
pub fn write_results(folder: &Path, marks: &Marks, alike: &Alike) -> Result<(), ArenaError> {
    check_pseudonyms(marks).map_err(|why| ArenaError::disk("write the results to", folder, io::Error::other(why)))?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |e| ArenaError::disk("write", path, e)
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let root = Folder::open_linked(folder).map_err(failed(folder))?;
    let write = |name: &str, text: String| root.replace(name, text.as_bytes()).map_err(failed(&folder.join(name)));
    let kinds: [(&str, &str, ForStudent); 3] =
        [("students", "html", student_page), ("gradescope", "json", gradescope), ("github", "json", github_classroom)];
    for (kind, ending, text_of) in kinds {
        let inner = root.make(kind.as_ref()).map_err(failed(&folder.join(kind)))?;
        for student in &marks.students {
            let name = format!("{}.{ending}", student.pseudonym);
            let written = inner.replace(&name, text_of(marks, student).as_bytes());
            written.map_err(failed(&folder.join(kind).join(&name)))?;
        }
        remove_others(&inner, ending, marks).map_err(failed(&folder.join(kind)))?;
    }
    write("marks.csv", marks_csv(marks))?;
    write("pseudonyms.csv", pseudonyms_csv(marks))?;
    write("marks.json", marks_json(marks))?;
    write("alike.csv", alike_csv(alike))?;
    write("index.html", overview_page(marks, alike))
}

/// Checks that each student has a file of their own.
fn check_pseudonyms(marks: &Marks) -> Result<(), String> {
    let mut found = BTreeSet::new();
    for student in &marks.students {
        let name = &student.pseudonym;
        if !is_pseudonym(name) || !found.insert(name) {
            return Err(format!("the pseudonym {name:?} is wrong or of two students"));
        }
    }
    Ok(())
}

/// Removes the files of pseudonyms that no student has.
fn remove_others(folder: &Folder, ending: &str, marks: &Marks) -> io::Result<()> {
    for file in fs::read_dir(folder.path())? {
        let name = file?.file_name();
        let Some((name, pseudonym)) =
            name.to_str().and_then(|name| Some((name, name.strip_suffix(ending)?.strip_suffix('.')?)))
        else {
            continue;
        };
        if is_pseudonym(pseudonym) && !marks.students.iter().any(|one| one.pseudonym == pseudonym) {
            folder.unlink(name)?;
        }
    }
    Ok(())
}
