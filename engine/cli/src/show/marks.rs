//! The marks of a class as a table.

use crate::show::printable;
use crate::show::text::names::{cut, padded};
use grading::{Judgement, Marks, StudentMarks};
use platform::terminal;
use unicode_width::UnicodeWidthStr;

/// The columns that a student's name may take.
const NAME: usize = 32;
/// The columns of a line that is not for a terminal.
const REASON: usize = 1000;
/// The columns of a reason on a narrow terminal.
const LEAST_REASON: usize = 20;

/// A line for each student: points, name, a sign for each criterion, and the reason why the bot does not play.
pub(crate) fn marks_table(marks: &Marks) -> String {
    let most = points_told(marks.most());
    let told: Vec<(String, String)> = marks
        .students
        .iter()
        .map(|one| (format!("{}/{most}", points_told(one.points())), cut(&printable(&one.student), NAME)))
        .collect();
    let widths = [0, 1].map(|column| {
        let width = |(points, name): &(String, String)| if column == 0 { points.width() } else { name.width() };
        told.iter().map(width).max().unwrap_or_default()
    });
    let room = terminal::size().map_or(REASON, |size| size.columns);
    let before = widths[0] + widths[1] + marks.criteria.len() + 6;
    let line = |((points, name), one): (&(String, String), &StudentMarks)| {
        let signs: String = one.marks.iter().map(|mark| sign(mark.judgement)).collect();
        let reason = cut(&printable(&reason(one)), room.saturating_sub(before).max(LEAST_REASON));
        let line = format!("{points:>0$}  {1}  {signs}  {reason}", widths[0], padded(name, widths[1]));
        line.trim_end().to_owned() + "\n"
    };
    told.iter().zip(&marks.students).map(line).collect()
}

/// Points without needless places.
fn points_told(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn sign(judgement: Judgement) -> char {
    match judgement {
        Judgement::Met => '✓',
        Judgement::NotMet => '✗',
        Judgement::NearlyMet => '+',
        Judgement::NearlyNotMet => '-',
        Judgement::Open => '?',
    }
}

fn reason(one: &StudentMarks) -> String {
    let late = if one.is_late { "late" } else { "" };
    match &one.failing {
        Some(failing) if late.is_empty() => format!("{}: {}", failing.step, failing.reason),
        Some(failing) => format!("{late}; {}: {}", failing.step, failing.reason),
        None => late.to_owned(),
    }
}
