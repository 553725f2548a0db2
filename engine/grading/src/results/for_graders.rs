//! The marks of a student in the formats of other graders: Gradescope and GitHub Classroom.

use super::text::failure;
use crate::marks::{CriterionHead, CriterionMark, Judgement, Marks, StudentMarks};
use rules::{printable, printable_text};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The version of GitHub's format.
const GITHUB_VERSION: u32 = 1;

/// The `results.json` of Gradescope's autograder for a student. Hidden criteria are shown when the marks are published; until then
/// Gradescope shows no total either. There is no leaderboard, which would show marks to others.
pub fn gradescope(marks: &Marks, student: &StudentMarks) -> String {
    let tests = (1..).zip(&marks.criteria).zip(&student.marks).map(|((number, head), mark): ((u32, _), _)| {
        json!({
            "score": mark.points,
            "max_score": head.points,
            "status": if mark.judgement.is_met() { "passed" } else { "failed" },
            "name": format!("{}: {}", printable(&head.name), printable(&head.condition)),
            "name_format": "text",
            "number": number.to_string(),
            "output": explained(mark),
            "output_format": "text",
            "visibility": if head.is_hidden { "after_published" } else { "visible" },
            "extra_data": { "judgement": mark.judgement, "measured": mark.measured },
        })
    });
    written(&json!({
        "score": student.points(),
        "output": summary(student),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": { "pseudonym": student.pseudonym, "late": student.is_late, "games": student.games, "faults": student.faults },
        "tests": tests.collect::<Vec<_>>(),
    }))
}

/// The result of a runner for the reporter of GitHub Classroom, which takes it as base64. Hidden criteria are left out.
pub fn github_classroom(marks: &Marks, student: &StudentMarks) -> String {
    let seen: Vec<(&CriterionHead, &CriterionMark)> =
        marks.criteria.iter().zip(&student.marks).filter(|(head, _)| !head.is_hidden).collect();
    let tests = seen.iter().map(|(head, mark)| {
        json!({
            "name": format!("{}: {}", printable(&head.name), printable(&head.condition)),
            "status": github_status(mark.judgement),
            "score": mark.points,
            "message": if mark.judgement.is_met() { None } else { Some(message(student, mark)) },
            "test_code": mark.command.as_deref().map(printable).unwrap_or_default(),
            "filename": "",
            "line_no": 0,
            "duration": 0,
        })
    });
    let status = match student.failing {
        Some(_) => "error",
        None if seen.iter().all(|(_, mark)| mark.judgement.is_met()) => "pass",
        None => "fail",
    };
    let most: f64 = seen.iter().map(|(head, _)| head.points).sum();
    let tests: Vec<Value> = tests.collect();
    written(&json!({ "version": GITHUB_VERSION, "status": status, "max_score": most, "tests": tests }))
}

fn github_status(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Open => "error",
        judged if judged.is_met() => "pass",
        _ => "fail",
    }
}

/// The reason for a mark, or for a bot that does not play.
fn message(student: &StudentMarks, mark: &CriterionMark) -> String {
    if student.failing.is_some() { summary(student) } else { explained(mark) }
}

/// The judgement, the reason, the mean and the command, each on a line.
fn explained(mark: &CriterionMark) -> String {
    let mut text = format!("{}: {}", mark.judgement.in_words(), mark.reason);
    if let Some(mean) = &mark.measured {
        let _ = write!(text, "\n{} in {} games", mean.in_words(), mean.games);
    }
    if let Some(command) = &mark.command {
        let _ = write!(text, "\nTo repeat it (BOT is the folder of your bot):\n{command}");
    }
    printable_text(&text)
}

/// The sentences on the submission as a whole. None tells the total, to which hidden criteria belong.
fn summary(student: &StudentMarks) -> String {
    let mut lines = Vec::new();
    if let (Some(failure), Some(failing)) = (failure(student), &student.failing) {
        lines.push(failure);
        lines.extend(failing.log.iter().cloned());
    } else {
        let faults: u64 = student.faults.values().sum();
        lines.push(format!("{} games, {faults} turns without an order that was obeyed", student.games));
    }
    lines.extend(student.is_late.then(|| "Handed in after the deadline".to_owned()));
    printable_text(&lines.join("\n"))
}

fn written(value: &Value) -> String {
    format!("{value:#}\n")
}
