//! Marks for the bots of a course: submissions by student, the criteria of a plan, and the results.
//!
//! `docs/grading.md` explains grading to teachers.

mod marks;

pub use marks::{CriterionHead, CriterionMark, Failing, Judgement, Marks, Measured, StudentMarks};
