//! Results from marks: tables, JSON for Gradescope and GitHub Classroom, and pages. All but [`write_results`] are pure.

mod csv;
mod folder;
mod for_graders;
pub(crate) mod pages;
mod pseudonyms;
mod text;

pub use csv::{alike_csv, marks_csv, pseudonyms_csv};
pub use folder::{marks_json, write_results};
pub use for_graders::{github_classroom, gradescope};
pub use pages::{overview_page, student_page};
pub use pseudonyms::pseudonym;
pub use text::figures;
