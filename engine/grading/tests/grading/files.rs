//! Tables, JSON, and the folder of all results.

use crate::sample::{HIDDEN, NAMES, alike, class};
use crate::schemas::Schema;
use grading::{
    Judgement, Marks, github_classroom, gradescope, marks_csv, marks_json, pseudonym, pseudonyms_csv, write_results,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::os::unix::fs::symlink;

/// The fields of each row of a table, by RFC 4180.
fn rows(table: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = table.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => field.extend(characters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    assert!(field.is_empty() && row.is_empty() && !is_quoted, "the last row has its end");
    rows
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn fixture(name: &str) -> Schema {
    Schema::read(&format!("../engine/grading/tests/schemas/{name}.schema.json"))
}

#[test]
fn the_table_has_a_row_for_each_student_and_no_formula() {
    let marks = class(30);
    let rows = rows(&marks_csv(&marks));
    assert_eq!(rows.len(), 31);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let column =
        |name: &str| rows[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("{name}: {:?}", rows[0]));
    for (row, student) in rows[1..].iter().zip(&marks.students) {
        let cell = |name: &str| row[column(name)].as_str();
        assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{row:?}");
        assert_eq!(cell("points").parse::<f64>().unwrap(), student.points());
        assert_eq!(
            (cell("most"), cell("points plays")),
            ("15.5", if student.marks[0].points > 0.0 { "2" } else { "0" })
        );
        assert_eq!(cell("late"), if student.is_late { "1" } else { "0" });
        let refused = student.faults.get("refused").copied().unwrap_or_default();
        assert_eq!((cell("faults refused"), cell("faults gave-up")), (refused.to_string().as_str(), "0"));
        assert_eq!(
            cell("reason").starts_with("build failed: ") || cell("reason").starts_with("trial failed: "),
            student.failing.is_some()
        );
    }
    assert_eq!([&rows[1][0], &rows[2][0], &rows[4][0]], ["Ann", NAMES[1], "'=HYPERLINK(\"http://127.0.0.1\")"]);
    assert_eq!(rows[8][0], "O\u{fffd}evil\u{fffd}[31m");
    let pairs = self::rows(&pseudonyms_csv(&marks));
    assert_eq!((pairs.len(), &pairs[1]), (31, &vec![pseudonym(7, "Ann"), "Ann".to_owned()]));
}

#[test]
fn a_kind_of_fault_that_the_engine_does_not_know_has_a_column() {
    let mut marks = class(3);
    marks.students[1].faults.insert("slept".to_owned(), 3);
    let rows = rows(&marks_csv(&marks));
    let column = rows[0].iter().position(|head| head == "faults slept").unwrap();
    assert_eq!([&rows[1][column], &rows[2][column]], ["0", "3"]);
    assert_eq!(rows[0].iter().filter(|head| head.starts_with("faults refused")).count(), 1);
}

#[test]
fn pseudonyms_differ_and_are_names_of_files() {
    let all: BTreeSet<String> = (0..5000).map(|number| pseudonym(7, &format!("Student {number}"))).collect();
    assert_eq!(all.len(), 5000);
    assert!(all.iter().all(|name| name.len() == 8 && name.chars().all(|c| "34679cdfhjkmnprtvwxy".contains(c))));
    assert_eq!(pseudonym(7, "Ann"), "hw4dyf69");
}

#[test]
fn marks_fit_their_schema_and_are_read_again() {
    let marks = class(12);
    let text = marks_json(&marks);
    Schema::read("marks.schema.json").assert_is_strict_with(&json_of(&text), &["timed-out", "refused"]);
    assert_eq!(serde_json::from_str::<Marks>(&text).unwrap(), marks);
}

#[test]
fn gradescope_gets_all_tests_and_shows_the_hidden_ones_when_marks_are_published() {
    let (marks, schema) = (class(40), fixture("gradescope"));
    for student in &marks.students {
        let result = json_of(&gradescope(&marks, student));
        schema.assert_fits(&result);
        assert_eq!(result["score"], student.points());
        let tests = result["tests"].as_array().unwrap();
        for (test, mark) in tests.iter().zip(&student.marks) {
            let is_hidden = test["name"].as_str().unwrap().starts_with(HIDDEN);
            assert_eq!(test["visibility"], if is_hidden { "after_published" } else { "visible" });
            assert_eq!((&test["score"], test["status"] == "passed"), (&json!(mark.points), mark.judgement.is_met()));
        }
        assert_eq!(tests.len(), 5);
        // All texts are plain: compilers and bots have a say in them.
        assert_eq!((&result["output_format"], &tests[4]["output_format"]), (&json!("text"), &json!("text")));
        assert!(!result["output"].as_str().unwrap().contains('\u{1b}'));
        assert_eq!(result["output"].as_str().unwrap().contains("mismatched types"), student.failing.is_some());
    }
    let wrong = json!({ "score": 1, "tests": [{ "status": "pass" }] });
    assert!(std::panic::catch_unwind(|| fixture("gradescope").assert_fits(&wrong)).is_err());
}

#[test]
fn github_gets_the_criteria_that_are_not_hidden() {
    let (marks, schema) = (class(40), fixture("github-classroom"));
    for student in &marks.students {
        let text = github_classroom(&marks, student);
        assert!(!text.contains(HIDDEN) && !text.contains("hidden bot"), "{text}");
        let result = json_of(&text);
        schema.assert_fits(&result);
        let seen = &student.marks[..4];
        let statuses: Vec<_> = result["tests"].as_array().unwrap().iter().map(|test| &test["status"]).collect();
        let wanted = seen.iter().map(|mark| match mark.judgement {
            Judgement::Open => "error",
            Judgement::Met | Judgement::NearlyMet => "pass",
            Judgement::NotMet | Judgement::NearlyNotMet => "fail",
        });
        assert_eq!(statuses, wanted.collect::<Vec<_>>());
        let whole = if student.failing.is_some() {
            "error"
        } else if statuses.iter().all(|one| **one == "pass") {
            "pass"
        } else {
            "fail"
        };
        assert_eq!((&result["status"], &result["max_score"]), (&json!(whole), &json!(13.5)));
        let score: f64 = result["tests"].as_array().unwrap().iter().map(|test| test["score"].as_f64().unwrap()).sum();
        assert_eq!(score, seen.iter().map(|mark| mark.points).sum::<f64>());
    }
}

#[test]
fn all_results_are_written_and_replaced_and_no_link_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results/of/today");
    let marks = class(12);
    write_results(&results, &marks, &alike()).unwrap();
    let mut names: Vec<String> =
        fs::read_dir(&results).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let files =
        ["alike.csv", "github", "gradescope", "index.html", "marks.csv", "marks.json", "pseudonyms.csv", "students"];
    assert_eq!(names, files);
    for (kind, ending) in [("students", "html"), ("gradescope", "json"), ("github", "json")] {
        let found: BTreeSet<String> = fs::read_dir(results.join(kind))
            .unwrap()
            .map(|one| one.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(found, marks.students.iter().map(|one| format!("{}.{ending}", one.pseudonym)).collect());
    }
    let precious = folder.path().join("precious");
    fs::write(&precious, "precious").unwrap();
    let first = format!("{}.html", marks.students[0].pseudonym);
    for name in ["marks.csv", &format!("students/{first}")] {
        fs::remove_file(results.join(name)).unwrap();
        symlink(&precious, results.join(name)).unwrap();
    }
    write_results(&results, &marks, &alike()).unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert!(fs::symlink_metadata(results.join("marks.csv")).unwrap().is_file());
    assert_eq!(fs::read_to_string(results.join("marks.json")).unwrap(), marks_json(&marks));

    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(results.join("github"), results.join("old")).unwrap();
    symlink(&elsewhere, results.join("github")).unwrap();
    let error = write_results(&results, &marks, &alike()).unwrap_err().to_string();
    assert!(error.contains("github"), "{error}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn files_of_an_earlier_class_are_removed_and_other_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    write_results(folder.path(), &class(12), &alike()).unwrap();
    fs::write(folder.path().join("students/notes.html"), "").unwrap();
    write_results(folder.path(), &class(5), &alike()).unwrap();
    let count = |kind: &str| fs::read_dir(folder.path().join(kind)).unwrap().count();
    assert_eq!([count("students"), count("gradescope"), count("github")], [6, 5, 5]);
}

#[test]
fn a_pseudonym_that_is_wrong_or_of_two_students_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    for wrong in ["../up", "", "a/b"] {
        let mut marks = class(2);
        marks.students[1].pseudonym = wrong.to_owned();
        let error = write_results(&results, &marks, &alike()).unwrap_err();
        assert!(error.source().unwrap().to_string().contains("is wrong or of two students"));
    }
    let mut marks = class(2);
    marks.students[1].pseudonym = marks.students[0].pseudonym.clone();
    assert!(write_results(&results, &marks, &alike()).is_err() && !results.exists());
}
