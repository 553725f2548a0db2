//! Pages of marks: one for the teacher, and one for each student. They need no network, and no script to be read.

mod bar;
mod histogram;

use super::text::figures;
use crate::Alike;
use crate::marks::{CriterionHead, CriterionMark, Failing, Judgement, Marks, StudentMarks};
use askama::Template;
use askama::filters::{Escaper, Html};
use bar::Bar;
use histogram::Histogram;
use std::fmt;
use web::{PageParts, relative_link};

const STYLE: &str = include_str!("../../../assets/marks.css");

/// The escaper of all pages: text that may be shown, escaped for HTML.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrintableHtml;

impl Escaper for PrintableHtml {
    fn write_escaped_str<W: fmt::Write>(&self, to: W, text: &str) -> fmt::Result {
        Html.write_escaped_str(to, &rules::printable_text(text))
    }
}

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage<'a> {
    policy: String,
    style: String,
    script: String,
    title: String,
    marks: &'a Marks,
    students: Vec<Student<'a>>,
    histogram: Histogram,
    alike: &'a Alike,
    /// The most points, and the confidence in percent, in figures.
    most: String,
    confidence: String,
}

#[derive(Template)]
#[template(path = "student.html")]
struct StudentPage<'a> {
    policy: String,
    style: String,
    script: String,
    title: String,
    marks: &'a Marks,
    student: Student<'a>,
    /// The most points of the criteria on the page, in figures.
    most: String,
    has_hidden: bool,
}

/// A student on a page.
struct Student<'a> {
    all: &'a StudentMarks,
    /// The criteria that the page shows.
    rows: Vec<Criterion<'a>>,
}

/// A criterion with its mark on a page.
struct Criterion<'a> {
    head: &'a CriterionHead,
    mark: &'a CriterionMark,
    bar: Option<Bar>,
    /// The address of the record or the page of a lost game.
    lost: Option<String>,
}

impl Criterion<'_> {
    /// The class of the judgement, which has its colour.
    fn class(&self) -> &'static str {
        match self.mark.judgement {
            Judgement::Met => "met",
            Judgement::NotMet => "missed",
            Judgement::NearlyMet | Judgement::NearlyNotMet => "near",
            Judgement::Open => "open",
        }
    }

    /// The words of the link to a lost game.
    fn lost_words(&self) -> &'static str {
        let is_page = self.lost.as_ref().is_some_and(|lost| lost.ends_with(".html"));
        if is_page { "Watch a lost game" } else { "The record of a lost game, for broadside replay" }
    }

    /// The points in figures.
    fn points(&self) -> String {
        figures(self.mark.points)
    }

    /// The points in figures, with the most.
    fn of_most(&self) -> String {
        format!("{} of {}", self.points(), figures(self.head.points))
    }
}

impl<'a> Student<'a> {
    /// A student on a page that lies so far from the folder of the results, such as `../`.
    fn new(marks: &'a Marks, all: &'a StudentMarks, to_results: &str, has_hidden: bool) -> Student<'a> {
        let shown = marks.criteria.iter().zip(&all.marks).filter(|(head, _)| has_hidden || !head.is_hidden);
        let row = |(head, mark): (&'a CriterionHead, &'a CriterionMark)| Criterion {
            head,
            mark,
            bar: mark.measured.as_ref().map(Bar::new),
            lost: mark
                .lost
                .as_ref()
                .and_then(|path| relative_link(path.to_str()?))
                .map(|link| to_results.to_owned() + &link),
        };
        Student { all, rows: shown.map(row).collect() }
    }

    /// The points of the criteria that are shown, in figures.
    fn points(&self) -> String {
        figures(self.rows.iter().map(|row| row.mark.points).sum())
    }

    /// The time of the submission to the minute; the page has all of it in a hint.
    fn submitted(&self) -> String {
        self.all.submitted.iter().flat_map(|time| time.chars()).take(16).collect::<String>().replace('T', " ")
    }

    fn faults(&self) -> u64 {
        self.all.faults.values().sum()
    }
}

impl OverviewPage<'_> {
    /// The median and the mean of the points, in figures; `None` without students.
    fn averages(&self) -> Option<(String, String)> {
        let mut points: Vec<f64> = self.marks.students.iter().map(StudentMarks::points).collect();
        points.sort_by(f64::total_cmp);
        let count = points.len();
        let median = (points.get(count / 2)? + points.get((count - 1) / 2)?) / 2.0;
        Some((figures(median), format!("{:.1}", points.iter().sum::<f64>() / count as f64)))
    }

    fn broken(&self) -> impl Iterator<Item = (&StudentMarks, &Failing)> {
        self.marks.students.iter().filter_map(|one| Some((one, one.failing.as_ref()?)))
    }

    fn near(&self) -> impl Iterator<Item = (&StudentMarks, &Criterion<'_>)> {
        let rows = self.students.iter().flat_map(|one| one.rows.iter().map(|row| (one.all, row)));
        rows.filter(|(_, row)| row.mark.judgement.is_near())
    }

    fn late(&self) -> usize {
        self.marks.students.iter().filter(|one| one.is_late).count()
    }
}

/// The page for the teacher: all students, the bots that do not play first. It lies in the folder of the results.
pub fn overview_page(marks: &Marks, alike: &Alike) -> String {
    let PageParts { style, script, policy } = PageParts::like_report(STYLE, true);
    let students: Vec<_> = marks.students.iter().map(|one| Student::new(marks, one, "", true)).collect();
    let histogram = Histogram::new(marks.students.iter().map(StudentMarks::points), marks.most());
    let title = marks.title.clone();
    let (most, confidence) = (figures(marks.most()), figures(marks.confidence * 100.0));
    render(&OverviewPage { policy, style, script, title, marks, students, histogram, alike, most, confidence })
}

/// The page for a student: the own marks under the pseudonym, without hidden criteria. It lies in a folder in that of the results.
pub fn student_page(marks: &Marks, student: &StudentMarks) -> String {
    let PageParts { style, script, policy } = PageParts::like_report(STYLE, false);
    let student = Student::new(marks, student, "../", false);
    let most = figures(student.rows.iter().map(|row| row.head.points).sum());
    let has_hidden = student.rows.len() < marks.criteria.len();
    let title = format!("{} – {}", marks.title, student.all.pseudonym);
    render(&StudentPage { policy, style, script, title, marks, student, most, has_hidden })
}

fn render(page: &impl Template) -> String {
    page.render().expect("writing into a String cannot fail")
}
