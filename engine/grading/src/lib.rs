//! Marks for the bots of a course: submissions by student, the criteria of a plan, and the results.
//!
//! `docs/grading.md` explains grading to teachers.

mod alike;
mod class;
mod error;
mod grader;
mod judging;
mod marks;
mod plan;
mod results;
mod submitted;

pub use alike::{
    Alike, AlikePair, Answers, Exported, LEAST_TURNS, SourceFolder, alike, answers_of_record, export_sources,
};
pub use class::{Class, Graded, Grading, lock_results};
pub use error::GradingError;
pub use grader::Grader;
pub use judging::{Judged, JudgedSoFar};
pub use marks::{CriterionHead, CriterionMark, Failing, Judgement, Marks, Measured, StudentMarks, Unit};
pub use plan::{Baseline, Condition, Criterion, GameCounts, Plan, PlanLimits};
pub use results::{
    alike_csv, figures, github_classroom, gradescope, marks_csv, marks_json, overview_page, pseudonym, pseudonyms_csv,
    student_page, write_results,
};
pub use submitted::{
    ClassFolder, Ignored, Layout, NoSuchLayout, Source, Submitted, SubmittedError, bot_folder, submissions_in,
};
