//! Tables of comma-separated values.

use super::text::{failure, figures};
use crate::marks::{Marks, StudentMarks};
use crate::{Alike, AlikePair};
use rules::{Fault, csv_field, printable};
use std::collections::BTreeSet;

/// The kind of an order that the rules refuse, in addition to [`Fault::KINDS`].
const REFUSED: &str = "refused";

/// The marks of all students as a table: a row for each, in their order. A text that a spreadsheet would take for a formula begins with
/// a `'`.
pub fn marks_csv(marks: &Marks) -> String {
    let kinds = kinds_of_faults(marks);
    let mut table = String::new();
    let criteria = marks.criteria.iter().map(|criterion| field(&format!("points {}", criterion.name)));
    let mut heads: Vec<String> =
        ["student", "pseudonym", "submission", "author", "bot", "submitted", "late"].map(str::to_owned).into();
    heads.extend(criteria);
    heads.extend(["points", "most", "reason"].map(str::to_owned));
    heads.extend(kinds.iter().map(|kind| field(&format!("faults {kind}"))));
    heads.push("games".to_owned());
    add(&mut table, &heads);
    for student in &marks.students {
        let submitted = student.submitted.as_deref().unwrap_or_default();
        let texts =
            [&student.student, &student.pseudonym, &student.submission, &student.author, &student.bot, submitted];
        let mut row: Vec<String> = texts.map(field).into();
        row.push(u8::from(student.is_late).to_string());
        row.extend(student.marks.iter().map(|mark| figures(mark.points)));
        row.extend([figures(student.points()), figures(marks.most()), field(&reason(marks, student))]);
        row.extend(kinds.iter().map(|kind| student.faults.get(*kind).copied().unwrap_or_default().to_string()));
        row.push(student.games.to_string());
        add(&mut table, &row);
    }
    table
}

/// The pairs of bots that are to be looked at, as a table.
pub fn alike_csv(alike: &Alike) -> String {
    let mut table = "first,second,equal answers,games,turns\n".to_owned();
    for AlikePair { first, second, equal, games, turns } in alike.striking() {
        add(&mut table, &[field(first), field(second), format!("{equal:.3}"), games.to_string(), turns.to_string()]);
    }
    table
}

/// The pseudonyms of the students as a table.
pub fn pseudonyms_csv(marks: &Marks) -> String {
    let mut table = "pseudonym,student\n".to_owned();
    marks.students.iter().for_each(|one| add(&mut table, &[field(&one.pseudonym), field(&one.student)]));
    table
}

fn add(table: &mut String, row: &[String]) {
    table.push_str(&row.join(","));
    table.push('\n');
}

/// A foreign text on one line.
fn field(text: &str) -> String {
    csv_field(&printable(&text.replace(['\r', '\n', '\t'], " ")))
}

/// All kinds of faults that have a column: those that the engine has, and others that were counted.
fn kinds_of_faults(marks: &Marks) -> Vec<&str> {
    let known = Fault::KINDS.into_iter().chain([REFUSED]);
    let counted: BTreeSet<&str> = marks.students.iter().flat_map(|one| one.faults.keys().map(String::as_str)).collect();
    let others = counted.into_iter().filter(|kind| *kind != REFUSED && !Fault::KINDS.contains(kind));
    known.chain(others).collect()
}

/// The reasons of all marks on one line; of a bot that does not play, the step and the reason.
fn reason(marks: &Marks, student: &StudentMarks) -> String {
    failure(student).unwrap_or_else(|| {
        let reasons = marks.criteria.iter().zip(&student.marks);
        reasons.map(|(head, mark)| format!("{}: {}", head.name, mark.reason)).collect::<Vec<_>>().join("; ")
    })
}
